//! Nodes of execution graphs.

/// A node, by its position.
pub type Id = u32;

/// No node, or the initial write.
pub const NONE: Id = Id::MAX;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It reads a location.
    Read,
    /// It writes a location.
    Write,
    /// It goes on because of a write that chose it: a signal, or the last arrival at a barrier.
    Wake,
    /// A fence.
    Fence,
    /// It creates a thread, by number in the graph.
    Spawn(u32),
    /// It has waited for the end of a thread.
    Join(u32),
    /// One of several alternatives.
    Choose(u32),
    /// Its thread waits: what it has read since `from` was in vain. It goes on when it can read something that was
    /// written after the stamp `since`.
    Block {
        /// Index of the first node of the round.
        from: u32,
        /// The newest stamp at that time.
        since: u32,
        /// For which writes it waits.
        waits: Waits,
    },
    /// It ends the life of an object that other threads can reach.
    End,
    /// It goes wrong because an object that it uses is gone: this node has ended its life.
    After(Id),
    /// Anything else.
    Other,
}

/// For which writes a thread waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// For all that come later: it reads again when there is one.
    ForNews,
    /// For one that revisits what it has read in vain. Until then it does nothing. This is how threads wait that await a value.
    ForRevisit,
}

/// Properties of a node.
pub mod flag {
    /// It acquires.
    pub const ACQUIRE: u16 = 1;
    /// It releases.
    pub const RELEASE: u16 = 2;
    /// It is sequentially consistent.
    pub const SEQ_CST: u16 = 4;
    /// It is not atomic.
    pub const PLAIN: u16 = 8;
    /// It is half of an update: a read whose write follows, or a write whose read comes just before.
    pub const UPDATE: u16 = 16;
    /// A read that was in vain: its thread waits, and will read again.
    pub const VAIN: u16 = 32;
    /// The operation it belongs to goes on.
    pub const OPEN: u16 = 64;
    /// With store buffers, it waits for an empty buffer and acts at once.
    pub const AT_ONCE: u16 = 128;
    /// It accesses a synchronisation object.
    pub const SYNC: u16 = 256;
    /// A read of what was not the last write when it was added.
    pub const STALE: u16 = 512;
    /// A reader takes a readers-writer lock: it comes after the writers before it, but not after other readers.
    pub const AFTER_WRITERS: u16 = 1024;
    /// It comes after all that other threads have done.
    pub const AFTER_ALL: u16 = 2048;
    /// A write that has come between a release and a later store of its thread, or that store.
    pub const INTERRUPTION: u16 = 4096;
    /// It sets up a synchronisation object: what was released there before is not carried on.
    pub const FRESH: u16 = 8192;
    /// It is half of an update in a loop that leaves the value as it is. If it is part of a round of a waiting loop that leads back to
    /// where it began, it goes with the round.
    pub const IDLE: u16 = 16384;
    /// An explorer has it access an object before another thread ends the object's life, although that had been tried first.
    pub const EARLY: u16 = 32768;
}

/// Bytes of a location: up to 16, and 4 more for a mutex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct State {
    /// The first 16.
    pub low: u128,
    /// The next four.
    pub high: u32,
}

/// A node.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Its thread, by number in the graph.
    pub thread: u32,
    /// Which of its thread's nodes it is.
    pub index: u32,
    /// What it is.
    pub kind: Kind,
    /// Its properties.
    pub flags: u16,
    /// Which part of its operation it is.
    pub phase: u32,
    /// Its location; `NONE`: none.
    pub cell: u32,
    /// What it reads from; `NONE`: the initial write.
    pub source: Id,
    /// What it reads or writes.
    pub state: State,
    /// Of a read whose write follows: what that writes.
    pub next: State,
    /// When it was first added, as the explorer counts.
    pub stamp: u32,
    /// Its operation's position in the trace; `NONE` as long as that goes on.
    pub trace: u32,
    /// Where it was put among the writes of its location.
    pub at: u32,
    /// Of a write: how many writes of its location come up to it now, itself included.
    pub(super) rank: u32,
}

impl Node {
    /// Whether it has a property.
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Whether it is a read that was not in vain.
    pub fn reads(&self) -> bool {
        self.kind == Kind::Read && !self.is(flag::VAIN)
    }
}

/// What a new node is; the rest follows.
#[derive(Debug, Clone, Copy)]
pub struct Draft {
    /// What it is.
    pub kind: Kind,
    /// Its properties.
    pub flags: u16,
    /// Which part of its operation it is.
    pub phase: u32,
    /// Its location; `NONE`: none.
    pub cell: u32,
    /// What it reads from.
    pub source: Id,
    /// What it reads or writes.
    pub state: State,
    /// Of a read whose write follows: what that writes.
    pub next: State,
    /// Where it goes among the writes of its location.
    pub at: usize,
}

impl Draft {
    /// Something without a location.
    pub fn other(kind: Kind) -> Self {
        Self {
            kind,
            flags: flag::AT_ONCE,
            phase: 0,
            cell: NONE,
            source: NONE,
            state: State::default(),
            next: State::default(),
            at: 0,
        }
    }
}
