//! Threads, named by their place in the spawn tree.

use std::fmt;

/// A thread, named by its place in the spawn tree: the same thread has the same id in every execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(u16);

impl ThreadId {
    /// The thread that runs `main`.
    pub const MAIN: ThreadId = ThreadId(0);

    /// Direct children of the main thread that get the ids 1, 2, ….
    pub const CHILDREN_OF_MAIN: u32 = 127;
    /// Children of each of those that have an id of their own.
    pub const GRANDCHILDREN_EACH: u32 = 28;

    /// How many threads there can be.
    pub const COUNT: u32 = 1 + Self::CHILDREN_OF_MAIN * (1 + Self::GRANDCHILDREN_EACH);

    /// The id of the `nth` thread (from 0) that `parent` creates, if the numbering has room for it.
    pub fn child(parent: ThreadId, nth: u32) -> Option<ThreadId> {
        let parent = u32::from(parent.0);
        match parent {
            0 if nth < Self::CHILDREN_OF_MAIN => Some(ThreadId(1 + nth as u16)),
            1..=Self::CHILDREN_OF_MAIN if nth < Self::GRANDCHILDREN_EACH => {
                let id = 1 + Self::CHILDREN_OF_MAIN + (parent - 1) * Self::GRANDCHILDREN_EACH + nth;
                Some(ThreadId(id as u16))
            }
            _ => None,
        }
    }

    /// As a number: 0 for the main thread.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The id with that number.
    pub fn from_number(number: usize) -> Option<ThreadId> {
        (number < Self::COUNT as usize).then_some(ThreadId(number as u16))
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{self}")
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = u32::from(self.0);
        match number.checked_sub(1 + Self::CHILDREN_OF_MAIN) {
            None => write!(f, "{number}"),
            Some(rest) => {
                let each = Self::GRANDCHILDREN_EACH;
                write!(f, "{}.{}", 1 + rest / each, 1 + rest % each)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_have_distinct_ids() {
        let mut seen = std::collections::HashSet::from([ThreadId::MAIN]);
        for nth in 0..ThreadId::CHILDREN_OF_MAIN {
            let child = ThreadId::child(ThreadId::MAIN, nth).expect("room");
            assert!(seen.insert(child));
            for grandchild in 0..ThreadId::GRANDCHILDREN_EACH {
                assert!(seen.insert(ThreadId::child(child, grandchild).expect("room")));
            }
        }
        assert_eq!(seen.len(), ThreadId::COUNT as usize);
        assert_eq!(ThreadId::child(ThreadId::MAIN, ThreadId::CHILDREN_OF_MAIN), None);
        let grandchild = ThreadId::child(ThreadId(2), 4).expect("room");
        assert_eq!(grandchild.to_string(), "2.5");
    }
}
