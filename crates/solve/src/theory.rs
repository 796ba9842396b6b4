//! The theory of order: what the edges asserted so far say about the order of a few events.
//!
//! The *nodes* are those events that literals speak of; the others matter only for the order that they impose on these. The
//! theory keeps the transitive closure of all edges as a matrix of bits, a row for each node: what is after it. To assert `u` before
//! `v` is to add the row of `v`, and `v`, to the rows of `u` and of all that is before it and not yet before `v`. Rows are saved
//! before they change, and brought back by [`Theory::pop`].
//!
//! * A cycle is seen at once: `v` is before `u` already.
//! * What follows is seen at once, too: bits that are new in a row, masked with those that someone has asked for
//!   ([`Theory::watch`]). So propagation is complete, and a conflict arises only between literals that were assigned together.
//! * Explanations are made when they are asked for: a path with the fewest asserted edges, by breadth-first search. Fixed edges are
//!   free, as is what was asserted before the first [`Theory::push`]. Edges are numbered, so that what followed from the first
//!   `n` edges is explained by these alone. An assertion that follows from others is no edge: it would explain nothing.
//!
//! *Cost,* with `n` nodes: an assertion looks at one bit of each row, and writes `n / 64` words for each row that changes; taking back
//! costs what was written. Each bit is set at most once on the way to a model. *Departure* from the literature (Pearce and Kelly
//! 2006; He, Sun and Fan, "Satisfiability modulo ordering consistency theory", PLDI 2021), where a topological order is maintained and
//! searched: that needs less memory and writes less, but must search to find consequences. Here nodes are hundreds, a row is a
//! few words, and consequences come for free. At many thousands of nodes, the matrix (`n * n / 4` bytes for both) is the limit.

/// A node: a number below [`Theory::len`].
pub type Node = u32;

/// An edge that was asserted, by the number that its owner gave it.
pub type Tag = u32;

/// A contradiction: a cycle. [`Theory::path`] has its asserted edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle;

/// What was asserted.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Node,
    to: Node,
    tag: Tag,
}

/// How a search for an explanation came to a node.
#[derive(Clone, Copy, Debug)]
struct Reached {
    search: u64,
    edge: u32,
    /// The node from which the beginning of the edge follows.
    parent: Node,
}

/// Where a level begins.
#[derive(Clone, Copy, Debug)]
struct Level {
    edges: usize,
    saved: usize,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Theory {
    nodes: usize,
    /// Words in a row.
    width: usize,
    /// What is after a node, whatever is assigned.
    fixed: Vec<u64>,
    /// What is after a node. Without levels, the same as `fixed`.
    reach: Vec<u64>,
    /// For each node, the nodes that are watched: [`Theory::implied`] has it when they become later than the node.
    watched: Vec<u64>,
    edges: Vec<Edge>,
    /// The edges from each node.
    outgoing: Vec<Vec<u32>>,
    /// What was asserted without levels.
    permanent: Vec<(Node, Node)>,
    levels: Vec<Level>,
    saved: Saved,
    /// What was found to follow and not collected yet.
    implied: Vec<(Node, Node)>,
    /// A set of nodes that become later than `changing`.
    scratch: Vec<u64>,
    /// The nodes whose rows change.
    changing: Vec<Node>,
    /// Nodes with edges.
    sources: Vec<u64>,
    search: Search,
    /// The answer to the last request for an explanation.
    path: Vec<Tag>,
}

/// Rows as they were before they changed.
#[derive(Clone, Debug, Default)]
struct Saved {
    /// The nodes whose rows they are.
    nodes: Vec<Node>,
    /// The rows.
    words: Vec<u64>,
    /// At which level each row was saved last; no two levels have the same number. (A row is saved once for each level, or, rarely,
    /// again after a deeper level.)
    at: Vec<u64>,
    /// The number of the present level.
    level: u64,
}

/// A search for an explanation.
#[derive(Clone, Debug, Default)]
struct Search {
    /// Nodes with edges that were not followed yet.
    sources: Vec<u64>,
    /// How each node was reached.
    reached: Vec<Reached>,
    /// Its number: only what was reached in the search of this number counts.
    number: u64,
    queue: Vec<Node>,
}

/// Edge of a node where a search began.
const START: u32 = u32::MAX;

impl Theory {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// One node more, not ordered with any other. Only without levels.
    pub fn add_node(&mut self) -> Node {
        debug_assert!(self.levels.is_empty());
        let node = self.nodes;
        if node == self.width * 64 {
            let width = (self.width + self.width / 2).max(self.width + 1);
            for matrix in [&mut self.fixed, &mut self.reach, &mut self.watched] {
                let mut wider = vec![0; width * node];
                for row in 0..node {
                    wider[row * width..][..self.width]
                        .copy_from_slice(&matrix[row * self.width..][..self.width]);
                }
                *matrix = wider;
            }
            self.width = width;
            self.scratch.resize(width, 0);
            self.sources.resize(width, 0);
        }
        self.nodes += 1;
        for matrix in [&mut self.fixed, &mut self.reach, &mut self.watched] {
            matrix.resize(self.nodes * self.width, 0);
        }
        self.outgoing.push(Vec::new());
        self.saved.at.push(0);
        self.search.reached.push(Reached { search: 0, edge: START, parent: 0 });
        node as Node
    }

    /// From now on, [`Theory::implied`] has it when these two become ordered, whichever way.
    pub fn watch(&mut self, first: Node, second: Node) {
        self.watched[first as usize * self.width + second as usize / 64] |= 1 << (second % 64);
        self.watched[second as usize * self.width + first as usize / 64] |= 1 << (first % 64);
    }

    /// Whether `first` is before `second`, as far as is known.
    pub fn before(&self, first: Node, second: Node) -> bool {
        bit(&self.reach, self.width, first as usize, second)
    }

    /// The order of these pairs has followed since the list was emptied last. Pairs that were asserted are among them.
    pub fn implied(&mut self) -> &mut Vec<(Node, Node)> {
        &mut self.implied
    }

    /// For ever, all of the `first` are before all of the `second`. Only without levels. Nothing happens if that is a contradiction.
    pub fn fix(&mut self, first: &[Node], second: &[Node]) -> Result<(), Cycle> {
        debug_assert!(self.levels.is_empty());
        self.scratch.fill(0);
        for &node in second {
            let row = &self.reach[node as usize * self.width..][..self.width];
            self.scratch.iter_mut().zip(row).for_each(|(word, &more)| *word |= more);
            self.scratch[node as usize / 64] |= 1 << (node % 64);
        }
        if first.iter().any(|&node| self.scratch[node as usize / 64] >> (node % 64) & 1 == 1) {
            return Err(Cycle);
        }
        let mut sources = vec![0; self.width];
        for &node in first {
            sources[node as usize / 64] |= 1u64 << (node % 64);
        }
        for node in 0..self.nodes {
            let row = &self.reach[node * self.width..][..self.width];
            let is_source = sources[node / 64] >> (node % 64) & 1 == 1;
            if is_source || row.iter().zip(&sources).any(|(word, mask)| word & mask != 0) {
                self.widen(node);
            }
        }
        Ok(())
    }

    /// `first` is before `second`, until the level is popped. If that makes a cycle, nothing happens, and [`Theory::path`] tells
    /// which edges lead from `second` to `first`.
    pub fn assert(&mut self, first: Node, second: Node, tag: Tag) -> Result<(), Cycle> {
        if first == second {
            self.path.clear();
            return Err(Cycle);
        }
        if self.before(first, second) {
            return Ok(());
        }
        if self.before(second, first) {
            self.explain(second, first, self.edges.len());
            return Err(Cycle);
        }
        let row = &self.reach[second as usize * self.width..][..self.width];
        self.scratch.copy_from_slice(row);
        self.scratch[second as usize / 64] |= 1 << (second % 64);
        let (first_word, second_word) = (first as usize / 64, second as usize / 64);
        let mut changing = std::mem::take(&mut self.changing);
        for (node, row) in self.reach.chunks_exact(self.width).enumerate() {
            let is_before = row[first_word] >> (first % 64) & !(row[second_word] >> (second % 64)) & 1 == 1;
            if is_before || node == first as usize {
                changing.push(node as Node);
            }
        }
        changing.drain(..).for_each(|node| self.widen(node as usize));
        self.changing = changing;
        if self.levels.is_empty() {
            self.permanent.push((first, second));
        } else {
            self.outgoing[first as usize].push(self.edges.len() as u32);
            self.sources[first as usize / 64] |= 1 << (first % 64);
            self.edges.push(Edge { from: first, to: second, tag });
        }
        Ok(())
    }

    /// Adds what is in `scratch` to a row.
    fn widen(&mut self, node: usize) {
        let range = node * self.width..(node + 1) * self.width;
        if !self.levels.is_empty() && self.saved.at[node] != self.saved.level {
            self.saved.at[node] = self.saved.level;
            self.saved.nodes.push(node as Node);
            self.saved.words.extend_from_slice(&self.reach[range.clone()]);
        }
        let row = &mut self.reach[range.clone()];
        let watched = &self.watched[range.clone()];
        for (index, ((word, &more), &watched)) in row.iter_mut().zip(&self.scratch).zip(watched).enumerate() {
            let mut news = more & !*word & watched;
            *word |= more;
            while news != 0 {
                self.implied.push((node as Node, index as Node * 64 + news.trailing_zeros()));
                news &= news - 1;
            }
        }
        if self.levels.is_empty() {
            self.fixed[range.clone()].copy_from_slice(&self.reach[range]);
        }
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(Level { edges: self.edges.len(), saved: self.saved.nodes.len() });
        self.saved.level += 1;
    }

    /// Takes back what was asserted on the last `count` levels.
    pub fn pop(&mut self, count: usize) {
        let depth = self.levels.len().saturating_sub(count);
        let Some(&level) = self.levels.get(depth) else { return };
        self.levels.truncate(depth);
        // A number of its own for what comes now: the rows that this level has saved may have been brought back.
        self.saved.level += 1;
        for (index, &node) in self.saved.nodes.iter().enumerate().skip(level.saved).rev() {
            let saved = &self.saved.words[index * self.width..][..self.width];
            self.reach[node as usize * self.width..][..self.width].copy_from_slice(saved);
        }
        self.saved.nodes.truncate(level.saved);
        self.saved.words.truncate(level.saved * self.width);
        for edge in self.edges.drain(level.edges..).rev() {
            let outgoing = &mut self.outgoing[edge.from as usize];
            outgoing.pop();
            if outgoing.is_empty() {
                self.sources[edge.from as usize / 64] &= !(1 << (edge.from % 64));
            }
        }
        self.implied.clear();
    }

    /// How many edges are asserted on levels. What is before the first push and what follows is not counted.
    pub fn asserted(&self) -> usize {
        self.edges.len()
    }

    /// All edges but the fixed ones: these together with those give the whole order.
    pub fn edges(&self) -> impl Iterator<Item = (Node, Node)> {
        self.permanent.iter().copied().chain(self.edges.iter().map(|edge| (edge.from, edge.to)))
    }

    /// The edges of the last explanation.
    pub fn path(&self) -> &[Tag] {
        &self.path
    }

    /// Explains why `from` is before `to`, by the first `limit` asserted edges only: as few of them as possible.
    pub fn explain(&mut self, from: Node, to: Node, limit: usize) -> &[Tag] {
        self.path.clear();
        self.search.number += 1;
        self.search.sources.clone_from(&self.sources);
        self.search.queue.clear();
        self.search.queue.push(from);
        self.search.reached[from as usize] =
            Reached { search: self.search.number, edge: START, parent: from };
        let mut head = 0;
        while let Some(&node) = self.search.queue.get(head) {
            head += 1;
            if node == to || bit(&self.fixed, self.width, node as usize, to) {
                self.trace(node);
                break;
            }
            for word in 0..self.width {
                let mut after = self.fixed[node as usize * self.width + word];
                if word == node as usize / 64 {
                    after |= 1 << (node % 64);
                }
                let mut sources = after & self.search.sources[word];
                self.search.sources[word] &= !after;
                while sources != 0 {
                    self.expand(node, word as Node * 64 + sources.trailing_zeros(), to, limit);
                    sources &= sources - 1;
                }
            }
        }
        &self.path
    }

    /// Goes on along the edges of `source`, which is `node` or always after it.
    fn expand(&mut self, node: Node, source: Node, to: Node, limit: usize) {
        for &edge in self.outgoing[source as usize].iter().take_while(|&&edge| (edge as usize) < limit) {
            let target = self.edges[edge as usize].to;
            // All that was ever before `to` by fewer edges still is: where that does not hold now, there is no way.
            let is_useful = target == to || bit(&self.reach, self.width, target as usize, to);
            if is_useful && self.search.reached[target as usize].search != self.search.number {
                self.search.reached[target as usize] =
                    Reached { search: self.search.number, edge, parent: node };
                self.search.queue.push(target);
            }
        }
    }

    /// Collects the edges that led to a node.
    fn trace(&mut self, mut node: Node) {
        while let Some(edge) = self.edges.get(self.search.reached[node as usize].edge as usize) {
            self.path.push(edge.tag);
            node = self.search.reached[node as usize].parent;
        }
    }
}

fn bit(matrix: &[u64], width: usize, row: usize, column: Node) -> bool {
    matrix[row * width + column as usize / 64] >> (column % 64) & 1 == 1
}

#[cfg(test)]
#[allow(clippy::needless_range_loop)] // matrices
mod tests {
    use super::*;
    use selvedge_oracle::Random;

    fn chain(theory: &mut Theory, length: usize) -> Vec<Node> {
        let nodes: Vec<Node> = (0..length).map(|_| theory.add_node()).collect();
        for pair in nodes.windows(2) {
            theory.fix(&pair[..1], &pair[1..]).unwrap();
        }
        nodes
    }

    #[test]
    fn a_cycle_is_told_by_its_asserted_edges() {
        let mut theory = Theory::default();
        let (a, b) = (chain(&mut theory, 70), chain(&mut theory, 70));
        theory.push();
        theory.assert(a[60], b[3], 7).unwrap();
        theory.assert(a[50], a[65], 1).unwrap();
        assert_eq!(theory.asserted(), 1);
        assert_eq!(theory.assert(b[69], a[0], 8), Err(Cycle));
        assert_eq!(theory.path(), [7]);
        theory.pop(1);
        theory.push();
        theory.assert(b[69], a[0], 8).unwrap();
        assert!(theory.before(b[0], a[69]));
    }

    #[test]
    fn consequences_are_found_and_explained() {
        let mut theory = Theory::default();
        let nodes: Vec<Node> = (0..5).map(|_| theory.add_node()).collect();
        theory.watch(nodes[0], nodes[4]);
        theory.watch(nodes[0], nodes[2]);
        theory.push();
        theory.assert(0, 1, 10).unwrap();
        theory.push();
        theory.assert(3, 4, 13).unwrap();
        theory.assert(1, 2, 11).unwrap();
        assert_eq!(std::mem::take(theory.implied()), [(0, 2)]);
        theory.assert(2, 3, 12).unwrap();
        assert_eq!(std::mem::take(theory.implied()), [(0, 4)]);
        // A shorter way that came later explains nothing that was known before.
        theory.assert(4, 2, 1).unwrap_err();
        assert_eq!(theory.explain(0, 2, 3), [11, 10]);
        theory.pop(1);
        theory.assert(1, 4, 14).unwrap();
        assert_eq!(theory.explain(0, 4, 2), [14, 10]);
    }

    /// Random assertions, pushes and pops beside a closure that is computed anew each time.
    #[test]
    fn agrees_with_a_closure_by_brute_force() {
        for case in 0..400 {
            let mut random = Random::for_case(5, case);
            let count = 2 + random.below(if case % 10 == 0 { 90 } else { 9 });
            let mut theory = Theory::default();
            (0..count).for_each(|_| _ = theory.add_node());
            for a in 0..count as Node {
                (0..a).for_each(|b| theory.watch(a, b));
            }
            // Levels, each with its edges; the number of an edge is its tag.
            let mut levels: Vec<Vec<(Node, Node)>> = vec![Vec::new()];
            for _ in 0..60 {
                let (a, b) = (random.below(count) as Node, random.below(count) as Node);
                let old = closure(count, levels.iter().flatten().copied());
                if random.percent(15) {
                    theory.push();
                    levels.push(Vec::new());
                } else if random.percent(10) {
                    let pops = random.below(levels.len());
                    theory.pop(pops);
                    levels.truncate(levels.len() - pops);
                } else if levels.len() == 1 && random.percent(30) {
                    let both = [random.below(count) as Node, b];
                    let cyclic = a == b || old[b as usize][a as usize];
                    let cyclic = cyclic || a == both[0] || old[both[0] as usize][a as usize];
                    assert_eq!(theory.fix(&[a], &both).is_err(), cyclic);
                    if !cyclic {
                        levels[0].extend([(a, both[0]), (a, b)]);
                    }
                } else {
                    let tag = a * 1000 + b;
                    theory.implied().clear();
                    let answer = theory.assert(a, b, tag);
                    let cyclic = a == b || old[b as usize][a as usize];
                    assert_eq!(answer.is_err(), cyclic, "case {case}");
                    let path = if cyclic { theory.path().to_vec() } else { Vec::new() };
                    let known: Vec<(Node, Node)> = path.iter().map(|tag| (tag / 1000, tag % 1000)).collect();
                    if cyclic {
                        let enough = closure(count, levels[0].iter().copied().chain(known));
                        assert!(a == b || enough[b as usize][a as usize], "case {case}");
                    } else {
                        levels.last_mut().unwrap().push((a, b));
                        let new = closure(count, levels.iter().flatten().copied());
                        for (x, y) in theory.implied().clone() {
                            assert!(!old[x as usize][y as usize] && new[x as usize][y as usize]);
                            let limit = theory.asserted();
                            let path = theory.explain(x, y, limit).to_vec();
                            let known = path.iter().map(|tag| (tag / 1000, tag % 1000));
                            let enough = closure(count, levels[0].iter().copied().chain(known));
                            assert!(enough[x as usize][y as usize], "case {case}");
                        }
                        let news = new.iter().flatten().filter(|&&bit| bit).count()
                            - old.iter().flatten().filter(|&&bit| bit).count();
                        assert_eq!(theory.implied().len(), news);
                    }
                }
                let expected = closure(count, levels.iter().flatten().copied());
                for x in 0..count {
                    for y in 0..count {
                        assert_eq!(
                            theory.before(x as Node, y as Node),
                            expected[x][y],
                            "case {case}: {x} {y}"
                        );
                    }
                }
            }
        }
    }

    fn closure(count: usize, edges: impl Iterator<Item = (Node, Node)>) -> Vec<Vec<bool>> {
        let mut reach = vec![vec![false; count]; count];
        for (a, b) in edges {
            let (a, b) = (a as usize, b as usize);
            if reach[a][b] {
                continue;
            }
            let after = reach[b].clone();
            for x in 0..count {
                if x == a || reach[x][a] {
                    reach[x][b] = true;
                    reach[x].iter_mut().zip(&after).for_each(|(bit, &more)| *bit |= more);
                }
            }
        }
        reach
    }
}
