//! Threads, named by their place in the spawn tree.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A thread, named by its place in the spawn tree: the same thread has the same id in every execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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

    /// By what number a program knows it, as `pthread_t`; and synchronisation objects their owner. 0 is nobody.
    #[inline]
    pub fn handle(self) -> u64 {
        u64::from(self.0) + 1
    }

    /// The thread that a program means by a number.
    pub fn from_handle(handle: u64) -> Option<ThreadId> {
        Self::from_number(usize::try_from(handle.checked_sub(1)?).ok()?)
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

impl FromStr for ThreadId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let child = |parent, nth: &str| ThreadId::child(parent, nth.parse::<u32>().ok()?.checked_sub(1)?);
        let thread = match text.split_once('.') {
            None if text == "0" => Some(ThreadId::MAIN),
            None => child(ThreadId::MAIN, text),
            Some((first, second)) => child(ThreadId::MAIN, first).and_then(|parent| child(parent, second)),
        };
        thread.ok_or_else(|| format!("`{text}` is not the name of a thread"))
    }
}

impl TryFrom<String> for ThreadId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ThreadId> for String {
    fn from(thread: ThreadId) -> Self {
        thread.to_string()
    }
}

/// Who takes a step: a thread, or one of its stores on its way from the thread's buffer to memory.
///
/// A store is named by its thread and by which of the thread's buffered stores it is, so it has the same name in
/// every execution in which the thread does the same up to there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Agent(u32);

/// Bits for the number of the thread.
const THREAD_BITS: u32 = 12;
const _: () = assert!(ThreadId::COUNT <= 1 << THREAD_BITS);

impl Agent {
    /// The most stores that a thread can buffer in one execution.
    pub const MOST_STORES: u32 = (1 << (32 - THREAD_BITS)) - 1;

    /// A buffered store, from 1; `None` if there is no room for it in the numbering.
    pub fn store(thread: ThreadId, number: u32) -> Option<Agent> {
        let known = (1..=Self::MOST_STORES).contains(&number);
        known.then(|| Agent(number << THREAD_BITS | u32::from(thread.0)))
    }

    /// The thread, or the one whose store it is.
    pub fn thread(self) -> ThreadId {
        ThreadId((self.0 & ((1 << THREAD_BITS) - 1)) as u16)
    }

    /// Which of its thread's stores it is; `None` for a thread.
    pub fn number(self) -> Option<u32> {
        Some(self.0 >> THREAD_BITS).filter(|number| *number != 0)
    }

    /// Whether it is a thread.
    pub fn is_thread(self) -> bool {
        self.number().is_none()
    }
}

impl From<ThreadId> for Agent {
    fn from(thread: ThreadId) -> Self {
        Agent(u32::from(thread.0))
    }
}

impl PartialEq<ThreadId> for Agent {
    fn eq(&self, thread: &ThreadId) -> bool {
        *self == Agent::from(*thread)
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A{self}")
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            None => write!(f, "{}", self.thread()),
            Some(number) => write!(f, "{}~{number}", self.thread()),
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
