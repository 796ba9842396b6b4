//! The machine: threads and memory, marks and rewinding.
//!
//! [`Image`] is what all executions of a program share; [`Machine`] is one execution. A machine decides
//! nothing: somebody else picks a thread, looks at its [`Operation`](crate::Operation), and completes it.
//!
//! # Rewinding
//!
//! [`Machine::mark`] remembers a point, [`Machine::rewind`] goes back to it; the mark stays set and can be
//! rewound to again. Memory keeps its own journal ([`crate::memory`]). A thread is saved piecewise, each
//! piece at most once between two marks and only if it is about to change: its position, and the registers
//! of a frame when that frame becomes the one that executes. So a step costs what it changes, and undoing
//! it costs the same.
//!
//! [`Machine::digest`] gives equal numbers for equal states; tests use it to see that rewinding restores everything.

use crate::address;
use crate::builtins::Builtins;
use crate::code::{Code, Malformed};
use crate::compile::CodeFor;
use crate::fault::{FaultKind, FaultKinds, Stop};
use crate::live::{LiveRegisters, LiveSet};
use crate::memory::{Initialisation, Memories, Memory, MemoryMark, Poison, READ_ONLY, SHARED};
use crate::quiet::QuietWays;
use crate::thread::{Frame, Position, ReturnTo, Status, Thread};
use rustc_hash::FxHashMap;
use selvedge_program::{Builtin, FuncId, GlobalId, Program, Site, Sites, SpanId, Symbol, Type};
use selvedge_trace::sync::Kinds;
use selvedge_trace::{SyncOp, ThreadId};
use std::hash::{Hash, Hasher};
use thiserror::Error;

/// Why a program cannot be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Its globals do not fit into the address space.
    #[error("the program's global variables are larger than the address space of the machine")]
    TooLarge,
    /// It has no start function.
    #[error("the program has no entry point")]
    NoEntry,
    /// The host refuses to reserve address space.
    #[error("cannot reserve address space for the program's memory: {0} (is `ulimit -v` set?)")]
    Reserve(std::io::Error),
    /// A promise of the compiler does not hold.
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

/// A program ready for execution.
pub struct Image<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its code.
    pub code: Code,
    /// The builtins among its functions.
    pub builtins: Builtins,
    /// The operations on synchronisation objects that it may perform, a bit each.
    sync_ops: u64,
    /// For each operation, whether a thread may come back to it within the same calls.
    pub in_loops: Vec<bool>,
    /// Which registers are live where.
    live: LiveRegisters,
    /// Where threads can go without a visible operation.
    quiet: QuietWays,
    /// Whether there are atomic sections.
    pub atomic_sections: bool,
    /// Whether atomic accesses to a thread's own heap are visible before others can reach the object: with execution
    /// graphs, whoever gets it may see it as it was before.
    pub atomics_are_visible: bool,
    /// The numbers of instructions.
    pub sites: Sites,
    /// For each operation, its site; none in the library models, and where the source is not known.
    user_sites: Vec<Site>,
    /// Globals (not thread-local) by address.
    pub(crate) globals_by_address: Vec<u32>,
    /// The library's `errno`, if the program uses it.
    pub(crate) errno: Option<GlobalId>,
    /// The library's virtual clock, if the program uses it.
    pub(crate) clock: Option<GlobalId>,
    /// The memory of its machines, when these are gone.
    memories: Memories,
}

impl<'p> Image<'p> {
    /// Compiles a program.
    pub fn new(program: &'p Program) -> Result<Self, LoadError> {
        Self::compile(program, CodeFor::Steps)
    }

    /// Compiles a program for execution graphs.
    pub fn for_graphs(program: &'p Program) -> Result<Self, LoadError> {
        Self::compile(program, CodeFor::Graphs)
    }

    /// The same, but its machines share memory with others that are gone.
    pub fn sharing(self, memories: &Memories) -> Self {
        Self { memories: memories.clone(), ..self }
    }

    fn compile(program: &'p Program, code_for: CodeFor) -> Result<Self, LoadError> {
        let sites = Sites::new(program);
        let code = crate::compile::compile(program, &sites, code_for)?;
        let builtins = Builtins::new(program);
        // A long jump can go anywhere.
        let in_loops = match builtins.iter().any(|builtin| builtin == Builtin::LongJump) {
            true => vec![true; code.ops.len()],
            false => crate::loops::in_loops(program, &sites, &code),
        };
        let atomic_sections = builtins.iter().any(|builtin| builtin == Builtin::AtomicBegin);
        let mut globals_by_address: Vec<u32> = (0..program.globals.len() as u32)
            .filter(|id| !program.globals[*id as usize].thread_local)
            .collect();
        globals_by_address.sort_by_key(|id| code.global_addresses[*id as usize]);
        let model = |name: &str| {
            let is_it = |g: &selvedge_program::Global| g.library && g.thread_local && g.name == name;
            program.globals.iter().position(is_it).map(GlobalId::new)
        };
        let (errno, clock) = (model("__model_errno"), model("__model_passed"));
        let user_sites = user_sites(program, &sites, &code);
        let sync_bit = |builtin: Builtin| match builtin {
            Builtin::Sync(op) => 1 << op as u32,
            _ => 0,
        };
        let sync_ops = builtins.iter().fold(0_u64, |ops, builtin| ops | sync_bit(builtin));
        Ok(Self {
            program,
            code,
            builtins,
            sync_ops,
            in_loops,
            live: LiveRegisters::new(program.functions.len()),
            quiet: QuietWays::new(program.functions.len()),
            atomic_sections,
            atomics_are_visible: code_for == CodeFor::Graphs,
            sites,
            user_sites,
            globals_by_address,
            errno,
            clock,
            memories: Memories::default(),
        })
    }

    /// Tells of each register that the innermost calls of a thread, from one on, may still read: its value.
    #[inline]
    pub fn for_each_live_register(&self, thread: &Thread, lowest: usize, tell: &mut impl FnMut(u64)) {
        for at in lowest..thread.frames.len() {
            let frame = &thread.frames[at];
            let count = usize::from(self.code.functions[frame.function as usize].registers);
            let registers = &thread.registers[frame.base as usize..][..count];
            match self.live_registers(thread, at) {
                LiveSet::All => registers.iter().for_each(|value| tell(*value)),
                LiveSet::Some(words) => {
                    for (word, registers) in words.iter().zip(registers.chunks(64)) {
                        let mut rest = *word;
                        while rest != 0 {
                            tell(registers[rest.trailing_zeros() as usize]);
                            rest &= rest - 1;
                        }
                    }
                }
            }
        }
    }

    /// The registers that a call of a thread may still read.
    #[inline]
    fn live_registers(&self, thread: &Thread, at: usize) -> LiveSet<'_> {
        let function = thread.frames[at].function;
        match thread.frames.get(at + 1) {
            Some(callee) => self.live.across(&self.code, function, callee.call),
            None => self.live.before(&self.code, function, thread.position.pc),
        }
    }

    /// Where an instruction stands in the source, for people.
    pub fn describe(&self, site: Site) -> impl std::fmt::Display + '_ {
        self.program.source.describe(self.sites.span(site))
    }

    /// Whether the program may perform an operation on a synchronisation object.
    pub(crate) fn has_sync(&self, op: SyncOp) -> bool {
        self.sync_ops & 1 << op as u32 != 0
    }

    /// The code as text, for people.
    pub fn listing(&self) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        for (function, compiled) in self.program.functions.iter().zip(&self.code.functions) {
            let Some(entry) = compiled.entry else { continue };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}: {} registers", function.name, compiled.registers);
            for pc in entry..compiled.end {
                let op = &self.code.ops[pc as usize];
                let detail = match op {
                    crate::code::Op::Generic { index } => format!("{:?}", self.code.generic[*index as usize]),
                    op => format!("{op:?}"),
                };
                let _ = writeln!(text, "  {pc:6} {detail}");
            }
        }
        text
    }

    /// The address of a symbol; 0 for a thread-local global, which has none of its own.
    pub fn address_of(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(id) => self.code.global_addresses[id.index()],
            Symbol::Function(id) => address::of_function(id),
        }
    }
}

/// The site of each operation, if it is in the user's program and has a place in the source.
fn user_sites(program: &Program, sites: &Sites, code: &Code) -> Vec<Site> {
    let mut own = vec![Site::NONE; code.ops.len()];
    for (function, compiled) in program.functions.iter().zip(&code.functions) {
        let (Some(entry), false) = (compiled.entry, function.library) else { continue };
        let range = entry as usize..compiled.end as usize;
        let (Some(to), Some(from)) = (own.get_mut(range.clone()), code.origins.get(range)) else { continue };
        for (to, site) in to.iter_mut().zip(from) {
            if sites.span(*site) != SpanId::NONE {
                *to = *site;
            }
        }
    }
    own
}

/// What the program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

/// What becomes of the program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// Kept, and undone by rewinding.
    #[default]
    Captured,
    /// Written at once to the tool's own streams.
    Direct,
}

/// How a machine behaves.
#[derive(Debug, Clone)]
pub struct Config {
    /// Whether uninitialised reads are noticed.
    pub initialisation: Initialisation,
    /// Whether heap objects that nothing refers to at exit are errors.
    pub leaks: bool,
    /// What is not wrong: whoever does it goes on as natively, where something definite happens there.
    pub allowed: FaultKinds,
    /// How many calls may be under way in a thread.
    pub max_depth: u32,
    /// How many blocks a thread may execute without a visible operation before it stops with
    /// [`Stop::OutOfFuel`] (it can be continued).
    pub fuel: u64,
    /// What becomes of output.
    pub output: Output,
    /// How often each thread may be woken from a condition variable without a signal.
    pub spurious_wakeups: u32,
    /// The numbers that `__VERIFIER_nondet_*` may give.
    pub nondet: std::ops::RangeInclusive<i32>,
    /// Whether stores to private memory are logged.
    pub private_log: bool,
    /// Arguments of the program, its name first.
    pub args: Vec<Vec<u8>>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            initialisation: Initialisation::Ignored,
            leaks: false,
            allowed: FaultKinds::default(),
            max_depth: 200_000,
            fuel: u64::MAX,
            output: Output::Captured,
            spurious_wakeups: 0,
            nondet: 0..=1,
            private_log: false,
            args: vec![b"program".to_vec()],
        }
    }
}

/// Where a thread stood.
#[derive(Debug, Clone, Copy)]
struct SavedPosition {
    thread: u32,
    /// The epoch in which it had been saved before.
    stamp: u32,
    position: Position,
}

/// A frame, and where its registers are saved.
#[derive(Debug, Clone, Copy)]
struct SavedFrame {
    thread: u32,
    index: u32,
    registers: u32,
    count: u32,
    frame: Frame,
}

/// A point to go back to: how much was there of everything. (There is one for each step, so it is small.)
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    memory: MemoryMark,
    positions: u32,
    frames: u32,
    registers: u32,
    threads: u32,
    output: u32,
    visits: u32,
    private_log: u32,
    exit: Option<i32>,
    multithreaded: bool,
}

/// One execution of a program.
pub struct Machine<'i> {
    /// The program.
    pub image: &'i Image<'i>,
    /// Its memory.
    pub memory: Memory,
    pub(crate) config: Config,
    /// Misuse of synchronisation objects that `config` allows.
    pub(crate) tolerated: Kinds,
    pub(crate) threads: Vec<Thread>,
    /// Index in `threads` of each thread that exists, by number; `u16::MAX` otherwise.
    by_id: Vec<u16>,
    saved_positions: Vec<SavedPosition>,
    saved_frames: Vec<SavedFrame>,
    saved_registers: Vec<u64>,
    /// Defined bits of the saved registers, if they are tracked.
    saved_defined: Vec<u64>,
    output: Vec<(Stream, u8)>,
    /// Visits to operations, if loops are bounded: thread, operation and call.
    visits: Vec<(ThreadId, u32, u32)>,
    /// How often each of them stands in `visits`.
    visit_counts: FxHashMap<(ThreadId, u32, u32), u32>,
    /// Stores to private memory, if they are logged.
    pub(crate) private_log: Vec<crate::private::PrivateStore>,
    pub(crate) exit: Option<i32>,
    /// Whether a second thread has ever existed: until then nothing is visible.
    pub(crate) multithreaded: bool,
    /// Objects (start, size) that became reachable for other threads since they were last asked for.
    pub(crate) published: Vec<(u64, u64)>,
    /// See [`Machine::take_entangled`].
    pub(crate) entangled: bool,
    /// See [`Machine::is_dependent`].
    pub(crate) dependent: bool,
    /// Threads that were let go since they were last asked for.
    pub(crate) woken: Vec<ThreadId>,
    /// Threads that were created and have not run yet.
    new_threads: Vec<ThreadId>,
    /// Work done by single operations, in units of a block, that fuel has not been taken for yet.
    pub(crate) work: u64,
}

impl<'i> Machine<'i> {
    /// The program before its first step.
    pub fn new(image: &'i Image<'i>, config: Config) -> Result<Self, LoadError> {
        let entry = image.program.entry.ok_or(LoadError::NoEntry)?;
        let memory = Memory::new(config.initialisation, &image.memories).map_err(LoadError::Reserve)?;
        let mut machine = Self {
            image,
            memory,
            tolerated: crate::sync::tolerated(config.allowed),
            config,
            threads: Vec::new(),
            by_id: vec![u16::MAX; ThreadId::COUNT as usize],
            saved_positions: Vec::new(),
            saved_frames: Vec::new(),
            saved_registers: Vec::new(),
            saved_defined: Vec::new(),
            output: Vec::new(),
            visits: Vec::new(),
            visit_counts: FxHashMap::default(),
            private_log: Vec::new(),
            exit: None,
            multithreaded: false,
            published: Vec::new(),
            entangled: false,
            dependent: false,
            woken: Vec::new(),
            new_threads: Vec::new(),
            work: 0,
        };
        machine.load_globals();
        machine.add_thread(ThreadId::MAIN);
        let (count, vector) = machine.load_arguments();
        machine.start_thread(0, entry, &[count, vector, vector + 8 * (count + 1)]);
        Ok(machine)
    }

    fn load_globals(&mut self) {
        let image = self.image;
        for (index, global) in image.program.globals.iter().enumerate() {
            if !global.thread_local {
                let address = image.code.global_addresses[index];
                let flags = if global.constant { READ_ONLY } else { SHARED };
                self.load_global(index, address, flags);
            }
        }
    }

    fn load_global(&mut self, index: usize, address: u64, flags: u8) {
        let global = &self.image.program.globals[index];
        let size = global.size;
        let before = address - 8;
        self.memory.fill_shadow(before, 8, Poison::Gap as u8);
        if global.external {
            return self.memory.fill_shadow(address, size.max(8), Poison::External as u8);
        }
        self.memory.allow(address, size, flags);
        self.memory.fill_shadow((address + size).next_multiple_of(8), 8, Poison::Gap as u8);
        self.memory.write_bytes(address, &global.bytes);
        self.memory.set_defined(address, size, true);
        for relocation in &global.relocations {
            let target = self.image.address_of(relocation.symbol).wrapping_add(relocation.addend as u64);
            self.memory.write_scalar(address + relocation.offset, 8, u128::from(target));
        }
    }

    /// Puts the arguments into memory: their number, and the address of their vector. An empty
    /// environment follows the vector.
    fn load_arguments(&mut self) -> (u64, u64) {
        let args = self.config.args.clone();
        let count = args.len() as u64;
        // Above everything the main thread's stack can ever reach.
        let end = address::stack(ThreadId::MAIN).end;
        let text: u64 = args.iter().map(|arg| arg.len() as u64 + 1).sum();
        let vector = (end - (text + 8 * (count + 2) + 64)).next_multiple_of(16) - 16;
        let mut at = vector + 8 * (count + 2) + 16;
        self.memory.allow(vector, 8 * (count + 2), 0);
        self.memory.fill_shadow(vector - 8, 8, Poison::Gap as u8);
        self.memory.fill(vector, 0, 8 * (count + 2));
        self.memory.allow(at, text, 0);
        for (index, arg) in args.iter().enumerate() {
            self.memory.write_bytes(at, arg);
            self.memory.write_bytes(at + arg.len() as u64, &[0]);
            self.memory.write_scalar(vector + 8 * index as u64, 8, u128::from(at));
            at += arg.len() as u64 + 1;
        }
        (count, vector)
    }

    /// Adds a thread without code to run; returns its index.
    fn add_thread(&mut self, id: ThreadId) -> usize {
        let code = &self.image.code;
        let thread = Thread::new(id, code.thread_local_size);
        let base = thread.thread_locals();
        for (index, global) in self.image.program.globals.iter().enumerate() {
            if global.thread_local {
                let address = base + u64::from(code.thread_local_offsets[index]);
                self.load_global(index, address, 0);
            }
        }
        self.by_id[id.number()] = self.threads.len() as u16;
        self.threads.push(thread);
        self.threads.len() - 1
    }

    /// Makes a thread begin with a call of `function`.
    fn start_thread(&mut self, index: usize, function: FuncId, args: &[u64]) {
        let compiled = &self.image.code.functions[function.index()];
        let thread = &mut self.threads[index];
        let stack = if compiled.frame_size > 0 {
            thread.position.stack_top.next_multiple_of(u64::from(compiled.frame_align))
        } else {
            0
        };
        let frame = Frame {
            function: function.0,
            call: 0,
            base: 0,
            return_to: ReturnTo::Thread,
            stack,
            caller_top: thread.position.stack_top,
            dynamic: 0,
            variadic: 0,
            variadic_offsets: (0, 0),
            activation: 0,
            stamp: self.memory.epoch(),
        };
        if stack != 0 {
            thread.position.stack_top = stack + u64::from(compiled.frame_size);
            thread.position.stack_next = thread.position.stack_top;
            self.memory.set_shadow(stack, &compiled.shadow);
            self.memory.set_defined(stack, u64::from(compiled.frame_size), false);
            self.memory.write_scalar(stack, 4, u128::from(function.0));
        }
        let thread = &mut self.threads[index];
        thread.registers.resize(usize::from(compiled.registers).max(64), 0);
        for (reg, value) in compiled.params.iter().zip(args) {
            thread.registers[usize::from(*reg)] = *value;
        }
        thread.frames.push(frame);
        thread.position.depth = 1;
        thread.position.pc = compiled.entry.unwrap_or_default();
        thread.position.status = Status::Running;
        thread.stamp = self.memory.epoch();
    }

    /// Creates the next child of `parent`, which calls `function(argument)`, or `through(function,
    /// argument)` if that is not 0; `None` if there is no room for another thread.
    pub fn spawn(
        &mut self,
        parent: ThreadId,
        through: u64,
        function: u64,
        argument: u64,
    ) -> Result<Option<ThreadId>, Stop> {
        let index = self.index(parent);
        let nth = self.threads[index].position.children;
        let Some(id) = ThreadId::child(parent, nth) else { return Ok(None) };
        let start = self.start_function(index, function, &[Type::Ptr])?;
        let (first, args) = match through {
            0 => (start, vec![argument]),
            through => {
                let first = self.start_function(index, through, &[Type::Ptr, Type::Ptr])?;
                (first, vec![function, argument])
            }
        };
        self.save(index);
        self.threads[index].position.children += 1;
        if !self.multithreaded {
            self.multithreaded = true;
            self.publish_globals();
        }
        self.publish(argument);
        let child = self.add_thread(id);
        self.start_thread(child, first, &args);
        self.new_threads.push(id);
        Ok(Some(id))
    }

    /// The function at an address, if it can be called with such parameters.
    fn start_function(&mut self, index: usize, address: u64, params: &[Type]) -> Result<FuncId, Stop> {
        let program = self.image.program;
        let problem = match self.function_at(address).map(|id| (id, program.function(id))) {
            None => format!("the start function of a thread is at {address:#x}, where there is none"),
            Some((id, function)) if !function.is_external() && function.signature.params == params => {
                return Ok(id);
            }
            Some((_, function)) => {
                format!("`{}` cannot be a thread's start function: its parameters do not fit", function.name)
            }
        };
        Err(self.fault(index, FaultKind::BadCall, problem, Vec::new()))
    }

    /// The function at an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<FuncId> {
        address::function_at(address).filter(|id| id.index() < self.image.program.functions.len())
    }

    /// The threads that exist, in the order in which they were created.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.threads.iter().map(|thread| thread.id)
    }

    /// Overwrites all registers of a thread that it cannot read any more, so that a test can see whether anything depends on them.
    /// Going back does not undo it.
    pub fn overwrite_dead_registers(&mut self, id: ThreadId, value: u64) {
        let index = usize::from(self.by_id[id.number()]);
        let Some(thread) = self.threads.get_mut(index) else { return };
        for at in 0..thread.frames.len() {
            if let LiveSet::Some(words) = self.image.live_registers(thread, at) {
                let frame = &thread.frames[at];
                let count = usize::from(self.image.code.functions[frame.function as usize].registers);
                let registers = &mut thread.registers[frame.base as usize..][..count];
                for (number, register) in registers.iter_mut().enumerate() {
                    if words[number / 64] >> (number % 64) & 1 == 0 {
                        *register = value;
                    }
                }
            }
        }
    }

    /// A thread; `None` if it does not exist (yet).
    #[inline]
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        match self.by_id[id.number()] {
            u16::MAX => None,
            index => Some(&self.threads[usize::from(index)]),
        }
    }

    pub(crate) fn index(&self, id: ThreadId) -> usize {
        usize::from(self.by_id[id.number()])
    }

    /// The objects (start, size) that became reachable for other threads since this was last called.
    pub fn take_published(&mut self) -> Vec<(u64, u64)> {
        std::mem::take(&mut self.published)
    }

    /// The threads that were let go by signals and barriers since this was last called.
    pub fn take_woken(&mut self) -> Vec<ThreadId> {
        std::mem::take(&mut self.woken)
    }

    /// Whether there is a thread that has to run to its first operation.
    #[inline]
    pub fn has_new(&self) -> bool {
        !self.new_threads.is_empty()
    }

    /// A thread that was created since this was last called and has to run to its first operation.
    pub fn take_new(&mut self) -> Option<ThreadId> {
        self.new_threads.pop()
    }

    /// Whether all other threads have ended and were joined: nobody is left who could notice what a thread does,
    /// and all that others did happened before.
    pub fn is_alone(&self, id: ThreadId) -> bool {
        let is_over = |thread: &Thread| {
            thread.id == id
                || (thread.position.status == Status::Finished && thread.position.joined.is_some())
        };
        self.threads.iter().all(is_over)
    }

    /// Whether a thread was stopped in the middle of an atomic section.
    pub fn is_stopped_in_section(&self, id: ThreadId) -> bool {
        let is_stopped = |thread: &Thread| thread.position.status == Status::Stopped;
        self.excludes_others(id) && self.thread(id).is_some_and(is_stopped)
    }

    /// Whether a thread that waits for a condition variable may be woken without a signal.
    #[inline]
    pub fn may_wake_by_itself(&self, id: ThreadId) -> bool {
        let most = self.config.spurious_wakeups;
        most > 0 && self.thread(id).is_some_and(|thread| thread.position.spurious_wakeups < most)
    }

    /// Stops a thread for good.
    pub fn halt(&mut self, id: ThreadId) {
        let index = self.index(id);
        self.save(index);
        self.threads[index].position.status = Status::Stopped;
    }

    /// Whether a thread has invisible code to run.
    pub fn can_run(&self, id: ThreadId) -> bool {
        self.thread(id).is_some_and(|thread| thread.position.status == Status::Running)
    }

    /// The process's exit status, once it has exited.
    pub fn exit_status(&self) -> Option<i32> {
        self.exit
    }

    /// What the program has printed to a stream.
    pub fn output(&self, stream: Stream) -> Vec<u8> {
        self.output.iter().filter(|(s, _)| *s == stream).map(|(_, byte)| *byte).collect()
    }

    pub(crate) fn print(&mut self, stream: Stream, bytes: &[u8]) {
        use std::io::Write;
        match (self.config.output, stream) {
            (Output::Captured, _) => self.output.extend(bytes.iter().map(|byte| (stream, *byte))),
            // A closed pipe is no business of the program under test.
            (Output::Direct, Stream::Out) => drop(std::io::stdout().write_all(bytes)),
            (Output::Direct, Stream::Error) => drop(std::io::stderr().write_all(bytes)),
        }
    }

    /// Remembers the present state. Marks nest: going back to one forgets those set after it.
    #[inline(always)]
    pub fn mark(&mut self) -> Mark {
        Mark {
            memory: self.memory.mark(),
            positions: self.saved_positions.len() as u32,
            frames: self.saved_frames.len() as u32,
            registers: self.saved_registers.len() as u32,
            threads: self.threads.len() as u32,
            output: self.output.len() as u32,
            visits: self.visits.len() as u32,
            private_log: self.private_log.len() as u32,
            exit: self.exit,
            multithreaded: self.multithreaded,
        }
    }

    /// A position in the journal of memory, for [`Machine::is_unchanged_since`].
    pub fn journal_position(&self) -> usize {
        self.memory.journal_position()
    }

    /// Whether all memory of a thread's own region that was written since a position of the journal has
    /// its old contents again. A mark must have been set at that position.
    ///
    /// The thread's virtual clock does not count: that time passes changes nothing.
    pub fn is_unchanged_since(&self, thread: ThreadId, journal: usize) -> bool {
        let clock = self.image.clock.zip(self.thread(thread)).map(|(global, thread)| {
            let offset = self.image.code.thread_local_offsets[global.index()];
            let start = thread.thread_locals() + u64::from(offset);
            address::Range { start, end: start + 8 }
        });
        self.memory.is_unchanged_since(journal, address::region(thread), clock)
    }

    /// Whether a thread may come back to its next operation without leaving one of its innermost `depth` calls.
    #[inline]
    pub fn is_in_loop(&self, id: ThreadId, depth: usize) -> bool {
        let Some(thread) = self.thread(id) else { return false };
        let mut pc = thread.position.pc;
        thread.frames.iter().rev().take(depth).any(|frame| {
            let here = self.image.in_loops.get(pc as usize).copied().unwrap_or(true);
            pc = frame.call;
            here
        })
    }

    /// Whether a thread that is before an atomic access may come back to it, in a loop of one of its innermost `depth` calls,
    /// without another visible operation on the way.
    pub fn may_come_back_at_once(&self, id: ThreadId, depth: usize) -> bool {
        let Some(thread) = self.thread(id) else { return false };
        let mut pc = thread.position.pc;
        for frame in thread.frames.iter().rev().take(depth) {
            let Some(ways) = self.image.quiet.from(&self.image.code, frame.function, pc) else {
                return false;
            };
            if ways.round {
                return true;
            }
            if !ways.out || !ways.from_entry {
                return false;
            }
            pc = frame.call;
        }
        false
    }

    /// The site of a thread's next operation, in the user's program: of an operation of the library, that of the call.
    pub fn site(&self, id: ThreadId) -> Site {
        self.user_site(self.index(id))
    }

    /// The place of a thread's next operation, in the user's program.
    pub fn place(&self, id: ThreadId) -> SpanId {
        self.user_span(self.index(id))
    }

    /// Counts that a thread has come to its present operation once more within the present call, and
    /// gives how often it has.
    pub fn note_visit(&mut self, id: ThreadId) -> u32 {
        let index = self.index(id);
        let thread = &self.threads[index];
        let activation = thread.top().map_or(0, |frame| frame.activation);
        let key = (id, thread.position.pc, activation);
        let count = self.visit_counts.entry(key).or_default();
        *count += 1;
        self.visits.push(key);
        *count
    }

    /// Restores the state at the mark, which stays set.
    ///
    /// Of what was saved since, only the oldest counts: what had been saved before in an epoch of the mark or a later one
    /// was saved or created since the mark, and is passed over.
    pub fn rewind(&mut self, mark: &Mark) {
        self.memory.rewind(mark.memory);
        self.restore_threads(mark);
        self.saved_frames.truncate(mark.frames as usize);
        self.saved_positions.truncate(mark.positions as usize);
        self.saved_registers.truncate(mark.registers as usize);
        self.saved_defined.truncate(mark.registers as usize);
        while self.threads.len() > mark.threads as usize {
            if let Some(thread) = self.threads.pop() {
                self.by_id[thread.id.number()] = u16::MAX;
            }
        }
        self.restore_rest(mark);
    }

    /// Restores what is neither memory nor a thread.
    fn restore_rest(&mut self, mark: &Mark) {
        self.output.truncate(mark.output as usize);
        while self.visits.len() > mark.visits as usize {
            if let Some(count) = self.visits.pop().and_then(|visit| self.visit_counts.get_mut(&visit)) {
                *count -= 1;
            }
        }
        self.private_log.truncate(mark.private_log as usize);
        self.new_threads.clear();
        self.exit = mark.exit;
        self.multithreaded = mark.multithreaded;
    }

    /// Restores the threads that there were at a mark, of which memory is in the state.
    fn restore_threads(&mut self, mark: &Mark) {
        let epoch = self.memory.epoch();
        // A frame that was left for its caller was saved before that, so the innermost comes last.
        for saved in self.saved_frames[mark.frames as usize..].iter().rev() {
            if saved.frame.stamp < epoch && saved.thread < mark.threads {
                let thread = &mut self.threads[saved.thread as usize];
                let (base, count) = (saved.frame.base as usize, saved.count as usize);
                let from = saved.registers as usize;
                thread.frames.truncate(saved.index as usize);
                thread.frames.push(saved.frame);
                thread.registers[base..base + count]
                    .copy_from_slice(&self.saved_registers[from..from + count]);
                if self.memory.tracks_initialisation() {
                    thread.defined.resize(thread.defined.len().max(base + count), u64::MAX);
                    thread.defined[base..base + count]
                        .copy_from_slice(&self.saved_defined[from..from + count]);
                }
            }
        }
        for saved in &self.saved_positions[mark.positions as usize..] {
            if saved.stamp < epoch && saved.thread < mark.threads {
                let thread = &mut self.threads[saved.thread as usize];
                thread.position = saved.position;
                thread.stamp = saved.stamp;
                thread.frames.truncate(saved.position.depth as usize);
            }
        }
    }

    /// Saves what a step of the thread changes first: its position and its executing frame.
    #[inline]
    pub(crate) fn save(&mut self, index: usize) {
        let epoch = self.memory.epoch();
        let thread = &mut self.threads[index];
        if thread.stamp != epoch {
            let (position, stamp) = (thread.position, thread.stamp);
            self.saved_positions.push(SavedPosition { thread: index as u32, stamp, position });
            thread.stamp = epoch;
        }
        if thread.frames.last().is_some_and(|frame| frame.stamp != epoch) {
            self.save_frame(index);
        }
    }

    /// Saves the innermost frame. Called when it is about to execute and was not saved since the mark.
    pub(crate) fn save_frame(&mut self, index: usize) {
        let epoch = self.memory.epoch();
        let thread = &mut self.threads[index];
        let depth = thread.frames.len() as u32;
        let Some(frame) = thread.frames.last_mut() else { return };
        let count = u32::from(self.image.code.functions[frame.function as usize].registers);
        let registers = self.saved_registers.len() as u32;
        let base = frame.base as usize;
        self.saved_registers.extend_from_slice(&thread.registers[base..base + count as usize]);
        if self.memory.tracks_initialisation() {
            let mask = |at: usize| thread.defined.get(at).copied().unwrap_or(u64::MAX);
            self.saved_defined.extend((base..base + count as usize).map(mask));
        }
        let saved = SavedFrame { thread: index as u32, index: depth - 1, registers, count, frame: *frame };
        self.saved_frames.push(saved);
        frame.stamp = epoch;
    }

    /// The place of the innermost call outside the library models.
    pub(crate) fn user_span(&self, index: usize) -> SpanId {
        self.image.sites.span(self.user_site(index))
    }

    /// The site of the innermost call outside the library models.
    pub(crate) fn user_site(&self, index: usize) -> Site {
        let thread = &self.threads[index];
        let mut pc = thread.position.pc;
        for frame in thread.frames.iter().rev() {
            let site = self.image.user_sites.get(pc as usize).copied().unwrap_or(Site::NONE);
            if site != Site::NONE {
                return site;
            }
            pc = frame.call;
        }
        Site::NONE
    }

    /// Whether something is not wrong.
    pub fn allows(&self, kind: FaultKind) -> bool {
        self.config.allowed.contains(kind)
    }

    /// A digest of the whole state, for tests of rewinding: equal states have equal digests.
    pub fn digest(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        let globals_end = self.image.globals_by_address.last().map_or(address::GLOBALS, |id| {
            let id = *id as usize;
            self.image.code.global_addresses[id] + self.image.program.globals[id].size + 64
        });
        self.memory.hash_range(address::GLOBALS, globals_end.next_multiple_of(64), &mut hasher);
        for thread in &self.threads {
            thread.id.hash(&mut hasher);
            thread.position.hash(&mut hasher);
            let live: usize = thread.frames.last().map_or(0, |frame| {
                frame.base as usize
                    + usize::from(self.image.code.functions[frame.function as usize].registers)
            });
            thread.registers[..live].hash(&mut hasher);
            for frame in &thread.frames {
                Frame { stamp: 0, ..*frame }.hash(&mut hasher);
            }
            let stack = address::stack(thread.id).start;
            self.memory.hash_range(stack, thread.position.stack_next.next_multiple_of(64), &mut hasher);
            let heap = address::heap(thread.id).start;
            self.memory.hash_range(heap, thread.position.heap_next.next_multiple_of(64), &mut hasher);
        }
        self.output.hash(&mut hasher);
        self.exit.hash(&mut hasher);
        self.multithreaded.hash(&mut hasher);
        hasher.finish()
    }
}
