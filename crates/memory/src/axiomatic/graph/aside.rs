//! Nodes that are set aside.

use super::{CLOCKS, Graph, Id, Kind, NONE, Node, State};

/// The end of a list that is set aside. The shorter of its two parts is copied.
#[derive(Debug)]
pub struct End<T> {
    /// The end; or all of it, if a copy of the beginning is in its place.
    items: Vec<T>,
    is_all: bool,
}

impl<T> Default for End<T> {
    fn default() -> Self {
        Self { items: Vec::new(), is_all: false }
    }
}

impl<T: Copy> End<T> {
    /// Takes what a list has from a position on.
    pub fn take(&mut self, from: &mut Vec<T>, since: usize) {
        self.items.clear();
        self.is_all = since < from.len() / 2;
        if self.is_all {
            self.items.extend_from_slice(&from[..since]);
            std::mem::swap(from, &mut self.items);
        } else {
            self.items.extend_from_slice(&from[since..]);
            from.truncate(since);
        }
    }

    /// Gives the end back to the list, which must be as it was then.
    pub fn give(&mut self, to: &mut Vec<T>) {
        match self.is_all {
            true => std::mem::swap(to, &mut self.items),
            false => to.extend_from_slice(&self.items),
        }
    }

    /// The end, given the length of the beginning.
    fn get(&self, since: usize) -> &[T] {
        &self.items[if self.is_all { since } else { 0 }..]
    }
}

/// A location whose address began a new life.
#[derive(Debug, Clone, Copy)]
struct Renewal {
    /// How many nodes there were.
    nodes: usize,
    address: u64,
    /// What the address stood for until then, and from then on.
    cells: (u32, u32),
}

/// The last nodes of a graph. It can be used for others when they have been brought back.
#[derive(Debug, Default)]
pub struct NodesAside {
    nodes: End<Node>,
    clocks: End<u32>,
    /// How many threads the clocks have room for.
    width: usize,
    /// What was in their locations before the first write.
    initial: Vec<(u32, State)>,
    renewals: Vec<Renewal>,
    newest: u32,
}

impl Graph {
    /// Takes all but the first nodes back, and keeps them.
    pub fn set_aside(&mut self, first: usize, into: &mut NodesAside) {
        (into.width, into.newest) = (self.width, self.newest);
        into.nodes.take(&mut self.nodes, first);
        into.clocks.take(&mut self.clocks, first * CLOCKS * self.width);
        into.initial.clear();
        for node in into.nodes.get(first).iter().rev() {
            self.threads[node.thread as usize].nodes.pop();
            self.unlink(node);
            if node.cell != NONE && self.is_unused(node.cell) {
                into.initial.push((node.cell, self.cell(node.cell).initial));
            }
        }
        into.renewals.clear();
        self.undo_renewals(|nodes, address, cells| into.renewals.push(Renewal { nodes, address, cells }));
        self.count_open();
    }

    /// Adds the nodes again. The others must be those that came before them.
    pub fn bring_back(&mut self, aside: &mut NodesAside) {
        let first = self.nodes.len();
        // Locations that were not used may have stood for something else in between.
        for (cell, initial) in aside.initial.drain(..) {
            let at = &mut self.cells[cell as usize];
            if at.initial != initial {
                (at.initial, at.era) = (initial, None);
            }
            self.addresses.now.insert(at.address, cell);
        }
        aside.nodes.give(&mut self.nodes);
        for id in first..self.nodes.len() {
            let node = self.nodes[id];
            if node.phase > 0 && node.trace != NONE {
                self.close_earlier(&node);
            }
            self.link(id as Id);
        }
        if self.width == aside.width {
            aside.clocks.give(&mut self.clocks);
        } else {
            // There are more threads now.
            let start = first * CLOCKS * aside.width;
            for clock in aside.clocks.get(start).chunks(aside.width.max(1)) {
                let end = self.clocks.len() + self.width;
                self.clocks.extend_from_slice(clock);
                self.clocks.resize(end, 0);
            }
        }
        for renewal in aside.renewals.drain(..).rev() {
            let Renewal { nodes, address, cells: (old, new) } = renewal;
            self.addresses.retired.push((nodes, address, old));
            if let Some(spare) = self.addresses.spare.get_mut(&address) {
                spare.retain(|cell| *cell != new);
            }
            self.addresses.now.insert(address, new);
        }
        self.newest = aside.newest;
        self.count_open();
    }

    /// What an operation did before a node of it stands at the same place of the trace.
    fn close_earlier(&mut self, node: &Node) {
        for id in self.threads[node.thread as usize].nodes.iter().rev() {
            let earlier = &mut self.nodes[*id as usize];
            earlier.trace = node.trace;
            if earlier.phase == 0 || matches!(earlier.kind, Kind::Block { .. }) {
                break;
            }
        }
    }

    /// Counts the threads that are in the middle of an operation.
    fn count_open(&mut self) {
        let is_open = |thread: &u32| self.is_open(*thread);
        self.open = (0..self.threads.len() as u32).filter(is_open).count() as u32;
    }
}
