//! What a thread of a test program does.

use selvedge_program::RmwOp;

/// The memory order of an access or fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Not atomic.
    Plain,
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire`; a store of this order is a release store.
    Acquire,
    /// `memory_order_release`; a load of this order is an acquire load.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

/// What is stored, added or assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Number(u64),
    /// What is in a register, plus a constant.
    Register(&'static str, u64),
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(u64::from(number.unsigned_abs()))
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&'static str> for Value {
    fn from(register: &'static str) -> Self {
        Self::Register(register, 0)
    }
}

/// What is in a register, plus a number.
pub fn sum(register: &'static str, number: u64) -> Value {
    Value::Register(register, number)
}

/// Bytes of a global.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The global.
    pub name: &'static str,
    /// The first byte.
    pub offset: u64,
    /// How many: 1, 2, 4 or 8.
    pub bytes: u32,
    /// For an element of an array: the register that says which, modulo the number of elements. They follow each other, in the 16 bytes
    /// of the global.
    pub index: Option<(&'static str, u64)>,
}

/// What a statement does; see the functions of this crate.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "each is explained at the function that makes it")]
pub enum Action {
    Load(Location),
    Store(Location, Value),
    Update(Location, RmwOp, Value),
    CompareExchange {
        place: Location,
        expected: Value,
        new: Value,
        succeeded: Option<&'static str>,
    },
    Fence,
    Copy {
        to: &'static str,
        from: &'static str,
        bytes: u64,
    },
    Fill {
        to: &'static str,
        byte: u8,
        bytes: u64,
    },
    Set(Value),
    If {
        register: &'static str,
        value: u64,
        equal: bool,
        body: Vec<Statement>,
    },
    Until {
        register: &'static str,
        value: u64,
        body: Vec<Statement>,
    },
    Choose(u64),
    Assume {
        register: &'static str,
        value: u64,
    },
    Yield,
    Fail,
    Atomic(Vec<Statement>),
    /// An operation on a synchronisation object: its builtin's name without `__selvedge_`, and the second argument.
    Sync {
        op: &'static str,
        object: &'static str,
        argument: Option<u64>,
    },
    Wait {
        condition: &'static str,
        mutex: &'static str,
        timed: bool,
    },
    Barrier(&'static str),
    Once(&'static str, Vec<Statement>),
    Spawn(usize),
    Join(usize),
    Publish(&'static str),
    LookThrough(&'static str),
    FreeThrough(&'static str),
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Statement {
    /// What it does.
    pub action: Action,
    /// The memory order, where there is one.
    pub order: Order,
    /// The register that its result goes to.
    pub into: Option<&'static str>,
}

impl Statement {
    fn new(action: Action) -> Self {
        Self { action, order: Order::Relaxed, into: None }
    }

    /// The result goes to a register.
    pub fn into(self, register: &'static str) -> Self {
        Self { into: Some(register), ..self }
    }

    /// With another memory order; accesses are relaxed otherwise.
    pub fn ordered(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Not atomic.
    pub fn plain(self) -> Self {
        self.ordered(Order::Plain)
    }

    /// Acquires.
    pub fn acquire(self) -> Self {
        self.ordered(Order::Acquire)
    }

    /// Releases.
    pub fn release(self) -> Self {
        self.ordered(Order::Release)
    }

    /// Acquires and releases.
    pub fn acq_rel(self) -> Self {
        self.ordered(Order::AcqRel)
    }

    /// Sequentially consistent.
    pub fn seq_cst(self) -> Self {
        self.ordered(Order::SeqCst)
    }

    /// Accesses other bytes than the first four of its location.
    pub fn part(mut self, offset: u64, bytes: u32) -> Self {
        match &mut self.action {
            Action::Load(place)
            | Action::Store(place, _)
            | Action::Update(place, ..)
            | Action::CompareExchange { place, .. } => (place.offset, place.bytes) = (offset, bytes),
            _ => {}
        }
        self
    }

    /// Accesses the element of an array that a register says, modulo the number of elements.
    pub fn indexed(mut self, register: &'static str, count: u64) -> Self {
        match &mut self.action {
            Action::Load(place)
            | Action::Store(place, _)
            | Action::Update(place, ..)
            | Action::CompareExchange { place, .. } => place.index = Some((register, count)),
            _ => {}
        }
        self
    }

    /// A register gets 1 if a compare-exchange succeeds, 0 if it does not.
    pub fn succeeded(mut self, register: &'static str) -> Self {
        if let Action::CompareExchange { succeeded, .. } = &mut self.action {
            *succeeded = Some(register);
        }
        self
    }

    /// With a second argument, for [`sync`].
    pub fn with(mut self, value: u64) -> Self {
        if let Action::Sync { argument, .. } = &mut self.action {
            *argument = Some(value);
        }
        self
    }
}

fn word(name: &'static str) -> Location {
    Location { name, offset: 0, bytes: 4, index: None }
}

/// Reads a location.
pub fn load(name: &'static str) -> Statement {
    Statement::new(Action::Load(word(name)))
}

/// Writes a location.
pub fn store(name: &'static str, value: impl Into<Value>) -> Statement {
    Statement::new(Action::Store(word(name), value.into()))
}

/// Adds to a location in one step; the result is the old value.
pub fn add(name: &'static str, value: impl Into<Value>) -> Statement {
    Statement::new(Action::Update(word(name), RmwOp::Add, value.into()))
}

/// Updates a location in one step; the result is the old value.
pub fn update(name: &'static str, op: RmwOp, value: impl Into<Value>) -> Statement {
    Statement::new(Action::Update(word(name), op, value.into()))
}

/// Replaces what is in a location in one step; the result is the old value.
pub fn exchange(name: &'static str, value: impl Into<Value>) -> Statement {
    Statement::new(Action::Update(word(name), RmwOp::Exchange, value.into()))
}

/// Replaces an expected value in one step; the result is the old value. If the expected value is what is in the register of the result, that
/// is overwritten if the exchange fails, as in C.
pub fn compare_exchange(name: &'static str, expected: impl Into<Value>, new: impl Into<Value>) -> Statement {
    let (expected, new) = (expected.into(), new.into());
    Statement::new(Action::CompareExchange { place: word(name), expected, new, succeeded: None })
}

/// Reads a value into a register, and replaces it by that plus a number as soon as nobody else has been faster.
pub fn increment(name: &'static str, register: &'static str, more: u64) -> Vec<Statement> {
    let done = "(succeeded)";
    let exchange = compare_exchange(name, register, sum(register, more)).into(register).succeeded(done);
    vec![load(name).acquire().into(register), until(done, 1, [exchange.acq_rel()])]
}

/// A fence.
pub fn fence(order: Order) -> Statement {
    Statement::new(Action::Fence).ordered(order)
}

/// Copies plain bytes from one location to another.
pub fn copy(to: &'static str, from: &'static str, bytes: u64) -> Statement {
    Statement::new(Action::Copy { to, from, bytes })
}

/// Sets plain bytes of a location.
pub fn fill(to: &'static str, byte: u8, bytes: u64) -> Statement {
    Statement::new(Action::Fill { to, byte, bytes })
}

/// Assigns to a register.
pub fn set(register: &'static str, value: impl Into<Value>) -> Statement {
    Statement::new(Action::Set(value.into())).into(register)
}

/// Performs the statements if a register has a value.
pub fn when(register: &'static str, value: u64, body: impl Into<Vec<Statement>>) -> Statement {
    Statement::new(Action::If { register, value, equal: true, body: body.into() })
}

/// Performs the statements if a register has another value.
pub fn unless(register: &'static str, value: u64, body: impl Into<Vec<Statement>>) -> Statement {
    Statement::new(Action::If { register, value, equal: false, body: body.into() })
}

/// Performs the statements again and again until, after them, a register has a value.
pub fn until(register: &'static str, value: u64, body: impl Into<Vec<Statement>>) -> Statement {
    Statement::new(Action::Until { register, value, body: body.into() })
}

/// Reads a location, and acquires, until it has a value.
pub fn wait_until(name: &'static str, value: u64) -> Statement {
    until("(awaited)", value, [load(name).acquire().into("(awaited)")])
}

/// Picks a number below `options`.
pub fn choose(options: u64) -> Statement {
    Statement::new(Action::Choose(options))
}

/// Goes on only if a register has a value.
pub fn assume(register: &'static str, value: u64) -> Statement {
    Statement::new(Action::Assume { register, value })
}

/// Lets others go first.
pub fn yield_now() -> Statement {
    Statement::new(Action::Yield)
}

/// Is wrong: it reaches an error.
pub fn fail() -> Statement {
    Statement::new(Action::Fail)
}

/// Is wrong if a register has another value. (Two lines: the error is on the second.)
pub fn check(register: &'static str, value: u64) -> Statement {
    unless(register, value, [fail()])
}

/// Performs the statements in one step.
pub fn atomic(body: impl Into<Vec<Statement>>) -> Statement {
    Statement::new(Action::Atomic(body.into()))
}

/// An operation on a synchronisation object, by its builtin's name without `__selvedge_`.
pub fn sync(op: &'static str, object: &'static str) -> Statement {
    Statement::new(Action::Sync { op, object, argument: None })
}

/// Locks a mutex.
pub fn lock(mutex: &'static str) -> Statement {
    sync("mutex_lock", mutex)
}

/// Locks a mutex if it is free; the result is 0 if it was.
pub fn try_lock(mutex: &'static str) -> Statement {
    sync("mutex_trylock", mutex)
}

/// Unlocks a mutex.
pub fn unlock(mutex: &'static str) -> Statement {
    sync("mutex_unlock", mutex)
}

/// Takes a readers-writer lock for reading.
pub fn read_lock(object: &'static str) -> Statement {
    sync("rwlock_rdlock", object)
}

/// Takes a readers-writer lock for writing.
pub fn write_lock(object: &'static str) -> Statement {
    sync("rwlock_wrlock", object)
}

/// Gives a readers-writer lock back that was taken for reading.
pub fn read_unlock(object: &'static str) -> Statement {
    sync("rwlock_unlock", object).with(1)
}

/// Gives a readers-writer lock back that was taken for writing.
pub fn write_unlock(object: &'static str) -> Statement {
    sync("rwlock_unlock", object).with(0)
}

/// Takes a spin lock.
pub fn spin_lock(object: &'static str) -> Statement {
    sync("spin_lock", object)
}

/// Gives a spin lock back.
pub fn spin_unlock(object: &'static str) -> Statement {
    sync("spin_unlock", object)
}

/// Adds one to a semaphore, which must have been set up.
pub fn post(semaphore: &'static str) -> Statement {
    sync("semaphore_post", semaphore)
}

/// Takes one from a semaphore, which must have been set up.
pub fn down(semaphore: &'static str) -> Statement {
    sync("semaphore_wait", semaphore)
}

/// Wakes one of those who wait for a condition variable.
pub fn signal(condition: &'static str) -> Statement {
    sync("condition_signal", condition)
}

/// Wakes all who wait for a condition variable.
pub fn broadcast(condition: &'static str) -> Statement {
    sync("condition_broadcast", condition)
}

/// Waits for a condition variable: three steps.
pub fn wait(condition: &'static str, mutex: &'static str) -> Statement {
    Statement::new(Action::Wait { condition, mutex, timed: false })
}

/// Waits for a condition variable, or until the time is up: three steps.
pub fn timed_wait(condition: &'static str, mutex: &'static str) -> Statement {
    Statement::new(Action::Wait { condition, mutex, timed: true })
}

/// Waits at a barrier, which must have been set up: one step for the last thread, two for the others.
pub fn barrier(object: &'static str) -> Statement {
    Statement::new(Action::Barrier(object))
}

/// Performs the statements unless somebody has begun to; then waits until they are performed.
pub fn once(object: &'static str, body: impl Into<Vec<Statement>>) -> Statement {
    Statement::new(Action::Once(object, body.into()))
}

/// Creates a thread, by its number from 1 on.
pub fn spawn(thread: usize) -> Statement {
    Statement::new(Action::Spawn(thread))
}

/// Waits for the end of a thread that the same thread has created.
pub fn join(thread: usize) -> Statement {
    Statement::new(Action::Join(thread))
}

/// Allocates an object, writes 7 to it while nobody else can, and stores its address.
pub fn publish(name: &'static str) -> Statement {
    Statement::new(Action::Publish(name))
}

/// Reads an address and, unless it is null, what is there (a plain load); the result is that, or 0.
pub fn look_through(name: &'static str) -> Statement {
    Statement::new(Action::LookThrough(name))
}

/// Reads an address and, unless it is null, frees what is there.
pub fn free_through(name: &'static str) -> Statement {
    Statement::new(Action::FreeThrough(name))
}
