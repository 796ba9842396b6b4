//! What the counts of barriers and semaphores say: to those who ask what would come of an operation if other operations had come
//! before it.

use super::MOST_POSTS;
use super::state::barrier;

/// What the words of a barrier say that an arrival depends on, in the order in which it asks for them
/// ([`SyncOp::words_asked`](super::SyncOp::words_asked)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// How many have to arrive.
    pub needed: u32,
    /// How many have arrived before.
    pub arrived: u32,
    /// How often all have been let go; whoever is not the last is told that.
    pub generation: u32,
}

impl Arrival {
    /// How many words it depends on.
    pub const WORDS: usize = 3;

    /// The word that says how many have to arrive.
    pub const NEEDED: usize = barrier::NEEDED;
    /// The word that says how many have arrived.
    pub const ARRIVED: usize = barrier::ARRIVED;
    /// The word with the generation. The others are decisive; this one changes only together with them.
    pub const GENERATION: usize = barrier::GENERATION;

    /// What these words say.
    pub const fn of_words(words: [u32; Self::WORDS]) -> Self {
        Arrival {
            needed: words[Self::NEEDED],
            arrived: words[Self::ARRIVED],
            generation: words[Self::GENERATION],
        }
    }

    /// Whether it is the last one of a round, which lets all others go.
    pub const fn is_last(self) -> bool {
        self.arrived.saturating_add(1) >= self.needed
    }
}

/// Whether a semaphore, of which this is the first word, has so many posts that others might leave no room for another.
pub const fn is_nearly_full(first: u32) -> bool {
    first > MOST_POSTS / 2
}
