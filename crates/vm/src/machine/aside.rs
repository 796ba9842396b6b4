//! Setting aside what was done since a mark, to bring it back later without executing it again.
//!
//! [`Machine::rewind`] forgets. Whoever knows that he will want to be where he was again, after trying something else from
//! the mark on, sets it aside instead: the lines of memory and the threads as they are. Bringing it back costs what was
//! changed, not what was executed.
//!
//! The journals are not cut back. What is tried from the mark on comes after what was there, with marks of its own; returning
//! to these does not touch it. So the marks that were set on the way hold again when it has been brought back. And if it is
//! not, and an older mark is returned to, then what the journals say twice they say alike: how things were at the mark.

use super::{Machine, Mark, Stream};
use crate::memory::LinesAside;
use crate::private::PrivateStore;
use crate::thread::{Frame, Position, Thread};
use selvedge_trace::ThreadId;

/// A thread as it was. Its frames and registers are with those of the others.
#[derive(Debug, Clone, Copy)]
struct ThreadAside {
    index: u32,
    stamp: u32,
    position: Position,
    frames: u32,
    registers: u32,
    defined: u32,
}

/// What was done since a mark. It can be used for something else when it has been brought back: that saves allocations.
#[derive(Default)]
pub struct Aside {
    memory: LinesAside,
    threads: Vec<ThreadAside>,
    frames: Vec<Frame>,
    registers: Vec<u64>,
    defined: Vec<u64>,
    /// Threads that did not exist at the mark.
    created: Vec<Thread>,
    output: Vec<(Stream, u8)>,
    visits: Vec<(ThreadId, u32, u32)>,
    private_log: Vec<PrivateStore>,
    exit: Option<i32>,
    multithreaded: bool,
}

/// Puts what a list has from a position on in the place of another.
fn copy_end<T: Clone>(from: &[T], since: u32, into: &mut Vec<T>) {
    into.clear();
    into.extend_from_slice(&from[since as usize..]);
}

impl Machine<'_> {
    /// Returns to a mark, and keeps what was done since.
    pub fn set_aside(&mut self, mark: &Mark, into: &mut Aside) {
        self.memory.set_aside(mark.memory, &mut into.memory);
        into.threads.clear();
        into.frames.clear();
        into.registers.clear();
        into.defined.clear();
        let epoch = mark.memory.epoch();
        for (index, thread) in self.threads[..mark.threads as usize].iter().enumerate() {
            if thread.stamp < epoch {
                continue;
            }
            let frames = &thread.frames[..];
            let used = frames.last().map_or(0, |frame| {
                let count = usize::from(self.image.code.functions[frame.function as usize].registers);
                frame.base as usize + count
            });
            let defined = &thread.defined[..used.min(thread.defined.len())];
            into.frames.extend_from_slice(frames);
            into.registers.extend_from_slice(&thread.registers[..used]);
            into.defined.extend_from_slice(defined);
            into.threads.push(ThreadAside {
                index: index as u32,
                stamp: thread.stamp,
                position: thread.position,
                frames: frames.len() as u32,
                registers: used as u32,
                defined: defined.len() as u32,
            });
        }
        into.created.clear();
        into.created.extend(self.threads.drain(mark.threads as usize..));
        for thread in &into.created {
            self.by_id[thread.id.number()] = u16::MAX;
        }
        copy_end(&self.output, mark.output, &mut into.output);
        copy_end(&self.visits, mark.visits, &mut into.visits);
        copy_end(&self.private_log, mark.private_log, &mut into.private_log);
        (into.exit, into.multithreaded) = (self.exit, self.multithreaded);
        self.restore_threads(mark);
        self.restore_rest(mark);
    }

    /// Restores what was set aside. The machine must be in the state of the mark, returned to from a mark that was set there
    /// afterwards, if at all.
    pub fn bring_back(&mut self, aside: &mut Aside) {
        self.memory.bring_back(&aside.memory);
        let (mut frames, mut registers, mut defined) = (0, 0, 0);
        for saved in &aside.threads {
            let thread = &mut self.threads[saved.index as usize];
            (thread.position, thread.stamp) = (saved.position, saved.stamp);
            let next = frames + saved.frames as usize;
            thread.frames.clear();
            thread.frames.extend_from_slice(&aside.frames[frames..next]);
            frames = next;
            let count = saved.registers as usize;
            thread.registers.resize(thread.registers.len().max(count), 0);
            thread.registers[..count].copy_from_slice(&aside.registers[registers..registers + count]);
            registers += count;
            let count = saved.defined as usize;
            thread.defined.resize(thread.defined.len().max(count), u64::MAX);
            thread.defined[..count].copy_from_slice(&aside.defined[defined..defined + count]);
            // Beyond what there was, all was defined.
            thread.defined[count..].fill(u64::MAX);
            defined += count;
        }
        for thread in aside.created.drain(..) {
            self.by_id[thread.id.number()] = self.threads.len() as u16;
            self.threads.push(thread);
        }
        self.output.append(&mut aside.output);
        for visit in aside.visits.drain(..) {
            *self.visit_counts.entry(visit).or_default() += 1;
            self.visits.push(visit);
        }
        self.private_log.append(&mut aside.private_log);
        (self.exit, self.multithreaded) = (aside.exit, aside.multithreaded);
    }
}
