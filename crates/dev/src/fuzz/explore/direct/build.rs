//! The oracle's programs as programs of the machine, without C and without a compiler.
//!
//! The same as `print_c` writes: registers are values, a thread hands its registers to who joins it packed into its result, and
//! main deals with the outcome in the end. Each statement has a line, so that places can be compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use selvedge_oracle::{Observation, Order, Outcome, Program as Oracle, Statement, Test, Until, Value};
use selvedge_program::{
    BinaryOp, BlockId, CastOp, FenceOrder, FenceScope, FuncId, FunctionBuilder, GlobalId, InstKind,
    IntCompare, Jump, LoadOrder, Operand, Program, ProgramBuilder, RmwOp, RmwOrder, StoreOrder, Symbol,
    Terminator, Type,
};

use crate::fuzz::explore::answer::Places;

/// A program of the machine, and where things are.
pub struct Built {
    /// The program.
    pub program: Program,
    /// Where.
    pub places: Arc<Places>,
}

/// What main does with the outcome.
#[derive(Clone, Copy)]
pub enum Ending<'o> {
    /// It reads it.
    Observe,
    /// For each of these outcomes, and for any other, another place is reached that is an error.
    Distinguish(&'o [&'o Outcome]),
}

const INT: Type = Type::I32;

/// The size of a location.
const SIZE: i64 = 4;

/// Sizes of synchronisation objects.
const MUTEX: u64 = 40;
const CONDITION: u64 = 48;
const SEMAPHORE: u64 = 32;

/// How many bits of a thread's result a register takes, and how many of a number that stands for an outcome.
const PACKED: u128 = 8;
const OBSERVED: u128 = 16;

/// Builds a valid program.
pub fn build(oracle: &Oracle, ending: Ending<'_>) -> Built {
    let mut program = ProgramBuilder::new("program.c");
    let mut locations = Vec::new();
    for array in oracle.arrays() {
        let (name, count) = (Oracle::location(array.start), array.len());
        let initial = oracle.locations[array].iter().flat_map(|value| value.to_le_bytes()).collect();
        let global = program.global(&name, SIZE as u64 * count as u64, initial);
        locations.extend((0..count).map(|index| (global, SIZE * index as i64)));
    }
    let mut objects = |name: &str, count: usize, size: u64| -> Vec<GlobalId> {
        (0..count).map(|number| program.global(&format!("{name}{number}"), size, Vec::new())).collect()
    };
    let mutexes = objects("m", oracle.mutexes, MUTEX);
    let conditions = objects("c", oracle.conditions, CONDITION);
    let semaphores = objects("s", oracle.semaphores, SEMAPHORE);
    let mut builder = Builder {
        oracle,
        program,
        locations,
        mutexes,
        conditions,
        semaphores,
        functions: vec![None; oracle.threads.len()],
        places: Places::default(),
        line: 1,
    };
    // The creator of a thread has a lower number.
    for thread in (1..oracle.threads.len()).rev() {
        builder.thread(thread);
    }
    let entry = builder.main(ending);
    Built { program: builder.program.finish(entry), places: Arc::new(builder.places) }
}

struct Builder<'o> {
    oracle: &'o Oracle,
    program: ProgramBuilder,
    /// The global of each location, and how far from its beginning it is.
    locations: Vec<(GlobalId, i64)>,
    mutexes: Vec<GlobalId>,
    conditions: Vec<GlobalId>,
    semaphores: Vec<GlobalId>,
    /// The functions of the threads.
    functions: Vec<Option<FuncId>>,
    places: Places,
    /// The next line.
    line: u32,
}

/// What a thread has computed so far.
struct Frame {
    function: FunctionBuilder,
    name: String,
    registers: Vec<Operand>,
    handles: BTreeMap<usize, Operand>,
    results: BTreeMap<usize, Operand>,
}

fn number(value: u128) -> Operand {
    Operand::Const(INT, value)
}

impl Builder<'_> {
    fn frame(&self, function: FunctionBuilder, name: &str) -> Frame {
        Frame {
            function,
            name: name.to_owned(),
            registers: vec![number(0); self.oracle.registers],
            handles: BTreeMap::new(),
            results: BTreeMap::new(),
        }
    }

    fn thread(&mut self, thread: usize) {
        let name = format!("thread_{thread}");
        let mut frame = self.frame(FunctionBuilder::new(&name, &[Type::Ptr], &[Type::Ptr]), &name);
        self.body(thread, &self.oracle.threads[thread], &mut 0, &mut frame);
        self.next_line(&mut frame);
        let mut parts = Vec::new();
        for register in frame.registers.clone() {
            parts.push((extended(&mut frame.function, register), 1));
        }
        for child in self.oracle.children(thread) {
            let slots = self.oracle.packed_registers(child).len() as u128;
            parts.push((frame.results[&child], slots));
        }
        let (mut packed, mut shift) = (Operand::Const(Type::I64, 0), 0);
        for (part, slots) in parts {
            let amount = Operand::Const(Type::I64, PACKED * shift);
            let part = binary(&mut frame.function, BinaryOp::Shl, part, amount);
            packed = binary(&mut frame.function, BinaryOp::Or, packed, part);
            shift += slots;
        }
        let cast = InstKind::Cast { op: CastOp::Bits, from: Type::I64, to: Type::Ptr, value: packed };
        let result = frame.function.value(cast, Type::Ptr);
        frame.function.end(Terminator::Return(vec![result]));
        self.functions[thread] = Some(self.program.add(frame.function.finish()));
    }

    fn main(&mut self, ending: Ending<'_>) -> FuncId {
        let mut frame = self.frame(FunctionBuilder::new("main", &[INT, Type::Ptr, Type::Ptr], &[]), "main");
        self.next_line(&mut frame);
        for semaphore in self.semaphores.clone() {
            self.sync(&mut frame, "semaphore_init", vec![address(semaphore), number(0)]);
        }
        self.body(0, &self.oracle.threads[0], &mut 0, &mut frame);
        let observed = self.observe(&mut frame);
        self.use_all(&mut frame);
        if let Ending::Distinguish(outcomes) = ending {
            self.distinguish(outcomes, &observed, &mut frame);
        }
        self.next_line(&mut frame);
        self.builtin(&mut frame, "exit", &[INT], &[], vec![number(0)]);
        self.program.add(frame.function.finish())
    }

    /// Lets main use what is in its registers, without doing anything: so whether results of operations are used does not depend on how
    /// the program ends.
    fn use_all(&mut self, frame: &mut Frame) {
        for register in frame.registers.clone() {
            let kind = InstKind::Compare { op: IntCompare::Eq, ty: INT, lhs: register, rhs: number(0) };
            let condition = frame.function.value(kind, Type::BOOL);
            let (next, _) = frame.function.block(&[]);
            let to = Jump { block: next, args: Vec::new() };
            frame.function.end(Terminator::Branch { condition, if_true: to.clone(), if_false: to });
            frame.function.go_to(next);
        }
    }

    /// The next line, for what is added from now on.
    fn next_line(&mut self, frame: &mut Frame) -> usize {
        let line = self.line;
        self.line += 1;
        frame.function.at(self.program.span(&frame.name, line));
        line as usize
    }

    fn builtin(
        &mut self,
        frame: &mut Frame,
        name: &str,
        params: &[Type],
        results: &[Type],
        args: Vec<Operand>,
    ) -> Vec<Operand> {
        let callee = self.program.external(&format!("__selvedge_{name}"), params, results);
        let call = self.program.call(callee, args);
        frame.function.call(call)
    }

    /// An operation on a synchronisation object.
    fn sync(&mut self, frame: &mut Frame, name: &str, args: Vec<Operand>) -> Operand {
        let params: Vec<Type> = args
            .iter()
            .map(|arg| if matches!(arg, Operand::Address(..)) { Type::Ptr } else { INT })
            .collect();
        self.builtin(frame, name, &params, &[INT], args)[0]
    }

    fn body(&mut self, thread: usize, body: &[Statement], at: &mut usize, frame: &mut Frame) {
        for statement in body {
            let line = self.next_line(frame);
            self.places.lines.insert((thread, *at), line);
            *at += 1;
            match statement {
                Statement::If { register, test, constant, body } => {
                    let op = if *test == Test::Equal { IntCompare::Eq } else { IntCompare::Ne };
                    let (lhs, rhs) = (frame.registers[*register], number(u128::from(*constant)));
                    let compare = InstKind::Compare { op, ty: INT, lhs, rhs };
                    let condition = frame.function.value(compare, Type::BOOL);
                    let (inside, _) = frame.function.block(&[]);
                    let (end, merged) = frame.function.block(&vec![INT; frame.registers.len()]);
                    let jump = |registers: &[Operand]| Jump { block: end, args: registers.to_vec() };
                    frame.function.end(Terminator::Branch {
                        condition,
                        if_true: Jump { block: inside, args: Vec::new() },
                        if_false: jump(&frame.registers),
                    });
                    frame.function.go_to(inside);
                    self.body(thread, body, at, frame);
                    let back = Terminator::Jump(jump(&frame.registers));
                    frame.function.end(back);
                    frame.function.go_to(end);
                    frame.registers = merged;
                }
                Statement::Loop { body, register, test, value, .. } => {
                    let registers = vec![INT; frame.registers.len()];
                    let (head, inside) = frame.function.block(&registers);
                    let (end, after) = frame.function.block(&registers);
                    let jump = |block, registers: &[Operand]| Jump { block, args: registers.to_vec() };
                    let enter = Terminator::Jump(jump(head, &frame.registers));
                    frame.function.end(enter);
                    frame.function.go_to(head);
                    frame.registers = inside;
                    self.body(thread, body, at, frame);
                    let op = if *test == Test::Equal { IntCompare::Eq } else { IntCompare::Ne };
                    let (lhs, rhs) = (frame.registers[*register], computed(frame, value));
                    let compare = InstKind::Compare { op, ty: INT, lhs, rhs };
                    let condition = frame.function.value(compare, Type::BOOL);
                    let (if_true, if_false) = (jump(end, &frame.registers), jump(head, &frame.registers));
                    frame.function.end(Terminator::Branch { condition, if_true, if_false });
                    frame.function.go_to(end);
                    frame.registers = after;
                }
                Statement::Await { into, at, until, order } => {
                    frame.registers[*into] = self.wait(*at, until, *order, frame);
                }
                statement => {
                    let value = self.statement(statement, frame);
                    if let (Some(into), Some(value)) = (statement.target(), value) {
                        frame.registers[into] = value;
                    }
                }
            }
        }
    }

    /// Adds a loop in which the thread waits for a value; returns that. A round has no effect on any other value, so one that leads
    /// nowhere leaves the same state.
    fn wait(&mut self, at: usize, until: &Until, order: Order, frame: &mut Frame) -> Operand {
        let (op, other) = match until {
            Until::Load { test: Test::Equal, value } => (IntCompare::Eq, computed(frame, value)),
            Until::Load { test: Test::NotEqual, value } => (IntCompare::Ne, computed(frame, value)),
            Until::Exchange { value } => (IntCompare::Ne, computed(frame, value)),
            Until::CompareExchange { expected, .. } => (IntCompare::Eq, number(u128::from(*expected))),
        };
        let (round, _) = frame.function.block(&[]);
        let (after, _) = frame.function.block(&[]);
        let to = |block: BlockId| Jump { block, args: Vec::new() };
        frame.function.end(Terminator::Jump(to(round)));
        frame.function.go_to(round);
        // The register does not matter: the value is what is returned.
        let value = self.statement(&until.last_round(0, at, order), frame).unwrap_or(other);
        let compare = InstKind::Compare { op, ty: INT, lhs: value, rhs: other };
        let condition = frame.function.value(compare, Type::BOOL);
        frame.function.end(Terminator::Branch { condition, if_true: to(after), if_false: to(round) });
        frame.function.go_to(after);
        value
    }

    /// Adds a statement that is no branch; returns the value of the register that it sets.
    fn statement(&mut self, statement: &Statement, frame: &mut Frame) -> Option<Operand> {
        use Statement::*;
        let place = self.place(statement, frame);
        let rmw = |frame: &mut Frame, op, value, order| {
            let kind = InstKind::Rmw { op, ty: INT, address: place, value, order: of_update(order) };
            Some(frame.function.value(kind, INT))
        };
        match *statement.access() {
            Load { order, .. } => {
                let kind = InstKind::Load { ty: INT, address: place, order: of_load(order) };
                Some(frame.function.value(kind, INT))
            }
            Store { ref value, order, .. } => {
                let value = computed(frame, value);
                let kind = InstKind::Store { ty: INT, address: place, value, order: of_store(order) };
                frame.function.push(kind, &[]);
                None
            }
            FetchAdd { add, order, .. } => rmw(frame, RmwOp::Add, number(u128::from(add)), order),
            Exchange { ref value, order, .. } => {
                let value = computed(frame, value);
                rmw(frame, RmwOp::Exchange, value, order)
            }
            CompareExchange { ref expected, ref new, order, succeeded, .. } => {
                let (expected, new) = (computed(frame, expected), computed(frame, new));
                let kind = InstKind::CompareExchange {
                    ty: INT,
                    address: place,
                    expected,
                    new,
                    success: of_update(order),
                    failure: of_load(order.of_failure()),
                    weak: false,
                };
                let results = frame.function.push(kind, &[INT, Type::BOOL]);
                if let (Some(register), Some(did)) = (succeeded, results.get(1)) {
                    let cast = CastOp::ZeroExtend;
                    let kind = InstKind::Cast { op: cast, from: Type::BOOL, to: INT, value: *did };
                    frame.registers[register] = frame.function.value(kind, INT);
                }
                results.first().copied()
            }
            Fence { order } => {
                let kind = InstKind::Fence { order: of_fence(order), scope: FenceScope::System };
                frame.function.push(kind, &[]);
                None
            }
            Lock { mutex } => self.on(frame, "mutex_lock", self.mutexes[mutex]),
            Unlock { mutex } => self.on(frame, "mutex_unlock", self.mutexes[mutex]),
            TryLock { mutex, .. } => {
                let error = self.sync(frame, "mutex_trylock", vec![address(self.mutexes[mutex])]);
                let kind = InstKind::Compare { op: IntCompare::Ne, ty: INT, lhs: error, rhs: number(0) };
                let failed = frame.function.value(kind, Type::BOOL);
                let cast = CastOp::ZeroExtend;
                let kind = InstKind::Cast { op: cast, from: Type::BOOL, to: INT, value: failed };
                Some(frame.function.value(kind, INT))
            }
            Wait { condition, mutex } => {
                let (condition, mutex) = (address(self.conditions[condition]), address(self.mutexes[mutex]));
                self.sync(frame, "condition_release", vec![condition, mutex]);
                self.sync(frame, "condition_block", vec![condition, number(0)]);
                self.sync(frame, "mutex_lock", vec![mutex]);
                None
            }
            Signal { condition } => self.on(frame, "condition_signal", self.conditions[condition]),
            Broadcast { condition } => self.on(frame, "condition_broadcast", self.conditions[condition]),
            Post { semaphore } => self.on(frame, "semaphore_post", self.semaphores[semaphore]),
            Down { semaphore } => self.on(frame, "semaphore_wait", self.semaphores[semaphore]),
            Spawn { thread } => {
                let function = self.functions[thread].map(|id| Operand::Address(Symbol::Function(id), 0));
                let args = vec![function?, Operand::Const(Type::Ptr, 0)];
                let handle = self.builtin(frame, "spawn", &[Type::Ptr, Type::Ptr], &[Type::I64], args);
                frame.handles.insert(thread, handle[0]);
                None
            }
            Join { thread } => {
                let args = vec![frame.handles[&thread]];
                let result = self.builtin(frame, "join", &[Type::I64], &[Type::Ptr], args)[0];
                let kind = InstKind::Cast { op: CastOp::Bits, from: Type::Ptr, to: Type::I64, value: result };
                let result = frame.function.value(kind, Type::I64);
                frame.results.insert(thread, result);
                None
            }
            Assign { ref value, .. } => Some(computed(frame, value)),
            Choose { options, .. } => {
                Some(self.builtin(frame, "choose", &[INT], &[INT], vec![number(u128::from(options))])[0])
            }
            If { .. } | Loop { .. } | Await { .. } | Indexed { .. } => None,
        }
    }

    /// The address of what a statement accesses; null if it accesses nothing.
    fn place(&self, statement: &Statement, frame: &mut Frame) -> Operand {
        let first = statement.locations().next().and_then(|at| self.locations.get(at));
        let Some((global, offset)) = first else { return Operand::Const(Type::Ptr, 0) };
        let base = Operand::Address(Symbol::Global(*global), *offset);
        let Statement::Indexed { register, count, .. } = statement else { return base };
        let (lhs, rhs) = (frame.registers[*register], number(*count as u128));
        let index = InstKind::Binary { op: BinaryOp::URem, ty: INT, lhs, rhs };
        let index = frame.function.value(index, INT);
        let terms = vec![(extended(&mut frame.function, index), SIZE)];
        frame.function.value(InstKind::Offset { base, offset: 0, terms }, Type::Ptr)
    }

    /// An operation on a synchronisation object, without its result.
    fn on(&mut self, frame: &mut Frame, name: &str, object: GlobalId) -> Option<Operand> {
        self.sync(frame, name, vec![address(object)]);
        None
    }

    /// Reads the outcome.
    fn observe(&mut self, frame: &mut Frame) -> BTreeMap<Observed, Operand> {
        self.next_line(frame);
        let mut observed: BTreeMap<Observed, Operand> = BTreeMap::new();
        for at in 0..self.oracle.locations.len() {
            // As C reads an atomic object; of what only plain accesses are to, that is plain, too.
            let order = if self.oracle.is_array_atomic(at) { LoadOrder::SeqCst } else { LoadOrder::Plain };
            let (global, offset) = self.locations[at];
            let address = Operand::Address(Symbol::Global(global), offset);
            let kind = InstKind::Load { ty: INT, address, order };
            let value = frame.function.value(kind, INT);
            observed.insert(Observed::Location(at), extended(&mut frame.function, value));
        }
        for (register, value) in frame.registers.clone().into_iter().enumerate() {
            observed.insert(Observed::Register(0, register), extended(&mut frame.function, value));
        }
        for child in self.oracle.children(0) {
            for (slot, (thread, register)) in self.oracle.packed_registers(child).into_iter().enumerate() {
                let amount = Operand::Const(Type::I64, PACKED * slot as u128);
                let part = binary(&mut frame.function, BinaryOp::LShr, frame.results[&child], amount);
                let mask = Operand::Const(Type::I64, (1 << PACKED) - 1);
                let part = binary(&mut frame.function, BinaryOp::And, part, mask);
                observed.insert(Observed::Register(thread, register), part);
            }
        }
        observed
    }

    /// Reaches a place that stands for the outcome.
    fn distinguish(
        &mut self,
        outcomes: &[&Outcome],
        observed: &BTreeMap<Observed, Operand>,
        frame: &mut Frame,
    ) {
        let Some(first) = outcomes.first() else {
            self.reach(frame);
            return;
        };
        // All that is observed as a few numbers.
        let names: Vec<Observed> = first.observations().into_iter().map(|one| name_of(one).0).collect();
        let per_number = (64 / OBSERVED) as usize;
        let mut numbers = Vec::new();
        for names in names.chunks(per_number) {
            let mut packed = Operand::Const(Type::I64, 0);
            for (slot, name) in names.iter().enumerate() {
                let amount = Operand::Const(Type::I64, OBSERVED * slot as u128);
                let part = binary(&mut frame.function, BinaryOp::Shl, observed[name], amount);
                packed = binary(&mut frame.function, BinaryOp::Or, packed, part);
            }
            numbers.push(packed);
        }
        for outcome in outcomes {
            let values: Vec<u128> = outcome.observations().into_iter().map(|one| name_of(one).1).collect();
            let mut same = Operand::Const(Type::BOOL, 1);
            for (number, values) in numbers.iter().zip(values.chunks(per_number)) {
                let slots = values.iter().enumerate();
                let expected = slots.fold(0, |sum, (slot, value)| sum | value << (OBSERVED * slot as u128));
                let rhs = Operand::Const(Type::I64, expected);
                let compare = InstKind::Compare { op: IntCompare::Eq, ty: Type::I64, lhs: *number, rhs };
                let equal = frame.function.value(compare, Type::BOOL);
                let both = InstKind::Binary { op: BinaryOp::And, ty: Type::BOOL, lhs: same, rhs: equal };
                same = frame.function.value(both, Type::BOOL);
            }
            let to = |block: BlockId| Jump { block, args: Vec::new() };
            let (found, _) = frame.function.block(&[]);
            let (next, _) = frame.function.block(&[]);
            frame.function.end(Terminator::Branch {
                condition: same,
                if_true: to(found),
                if_false: to(next),
            });
            frame.function.go_to(found);
            let line = self.reach(frame);
            self.places.outcomes.insert(line as u64, (*outcome).clone());
            frame.function.go_to(next);
        }
        self.reach(frame);
        let (after, _) = frame.function.block(&[]);
        frame.function.go_to(after);
    }

    /// A place that is an error; returns its line.
    fn reach(&mut self, frame: &mut Frame) -> usize {
        let line = self.next_line(frame);
        self.builtin(frame, "reach_error", &[], &[], Vec::new());
        line
    }
}

/// Something about the end.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Observed {
    Location(usize),
    Register(usize, usize),
}

fn name_of(observation: Observation) -> (Observed, u128) {
    match observation {
        Observation::Location { at, value } => (Observed::Location(at), u128::from(value)),
        Observation::Register { thread, register, value } => {
            (Observed::Register(thread, register), u128::from(value))
        }
    }
}

fn address(global: GlobalId) -> Operand {
    Operand::Address(Symbol::Global(global), 0)
}

fn computed(frame: &mut Frame, value: &Value) -> Operand {
    match *value {
        Value::Constant(constant) => number(u128::from(constant)),
        Value::Sum(register, add) => {
            let (lhs, rhs) = (frame.registers[register], number(u128::from(add)));
            frame.function.value(InstKind::Binary { op: BinaryOp::Add, ty: INT, lhs, rhs }, INT)
        }
    }
}

fn binary(function: &mut FunctionBuilder, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
    function.value(InstKind::Binary { op, ty: Type::I64, lhs, rhs }, Type::I64)
}

fn extended(function: &mut FunctionBuilder, value: Operand) -> Operand {
    function.value(InstKind::Cast { op: CastOp::ZeroExtend, from: INT, to: Type::I64, value }, Type::I64)
}

fn of_load(order: Order) -> LoadOrder {
    match order {
        Order::Plain => LoadOrder::Plain,
        Order::Relaxed => LoadOrder::Relaxed,
        Order::SeqCst => LoadOrder::SeqCst,
        Order::Acquire | Order::Release | Order::AcqRel => LoadOrder::Acquire,
    }
}

fn of_store(order: Order) -> StoreOrder {
    match order {
        Order::Plain => StoreOrder::Plain,
        Order::Relaxed => StoreOrder::Relaxed,
        Order::SeqCst => StoreOrder::SeqCst,
        Order::Acquire | Order::Release | Order::AcqRel => StoreOrder::Release,
    }
}

fn of_update(order: Order) -> RmwOrder {
    match order {
        Order::Plain | Order::Relaxed => RmwOrder::Relaxed,
        Order::Acquire => RmwOrder::Acquire,
        Order::Release => RmwOrder::Release,
        Order::AcqRel => RmwOrder::AcqRel,
        Order::SeqCst => RmwOrder::SeqCst,
    }
}

fn of_fence(order: Order) -> FenceOrder {
    match order {
        Order::Acquire => FenceOrder::Acquire,
        Order::Release => FenceOrder::Release,
        Order::AcqRel => FenceOrder::AcqRel,
        Order::Plain | Order::Relaxed | Order::SeqCst => FenceOrder::SeqCst,
    }
}
