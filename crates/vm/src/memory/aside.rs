//! Lines of memory that are set aside: see [`crate::machine::Aside`].

use super::{LINE, Memory, MemoryMark, SavedLine};

/// The lines that were written since a mark, as they are.
#[derive(Default)]
pub struct LinesAside {
    lines: Vec<SavedLine>,
    epoch: u32,
}

impl MemoryMark {
    /// The epoch that it has opened.
    pub(crate) fn epoch(self) -> u32 {
        self.epoch
    }
}

impl Memory {
    /// Restores all lines as they were at a mark, and keeps them as they are. The journal stays: see
    /// [`crate::machine::Aside`].
    pub(crate) fn set_aside(&mut self, mark: MemoryMark, into: &mut LinesAside) {
        into.lines.clear();
        for saved in self.journal[mark.journal as usize..].iter().filter(|saved| saved.stamp < mark.epoch) {
            // SAFETY: the line was in range when it was saved.
            unsafe {
                // What had been set aside since the mark has left copies of lines that are as they were then.
                if *self.stamp(saved.line) >= mark.epoch {
                    into.lines.push(self.present(saved.line));
                    self.restore(saved);
                }
            }
        }
        into.epoch = std::mem::replace(&mut self.epoch, mark.epoch);
    }

    /// Restores what was kept. Memory must be in the state of the mark, and the journal what it was.
    pub(crate) fn bring_back(&mut self, aside: &LinesAside) {
        for saved in &aside.lines {
            // SAFETY: the line was in range when it was saved.
            unsafe { self.restore(saved) };
        }
        self.epoch = aside.epoch;
    }

    /// A line that was saved, as it is now.
    fn present(&self, line: u64) -> SavedLine {
        // SAFETY: the line was in range when it was saved.
        unsafe {
            let defined = self.defined.as_ref().map(|defined| defined.base.add(line as usize * 8));
            SavedLine {
                line,
                stamp: *self.stamp(line),
                data: self.line_data(line).cast::<[u8; LINE as usize]>().read(),
                shadow: self.line_shadow(line).cast::<[u8; 8]>().read(),
                defined: defined.map_or([0; 8], |bits| bits.cast::<[u8; 8]>().read()),
            }
        }
    }
}
