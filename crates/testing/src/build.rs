//! From statements to a program.

use crate::statement::{Action, Location, Order, Statement, Value, join, spawn};
use selvedge_program::{
    BinaryOp, BlockId, CastOp, FenceOrder, FenceScope, FuncId, FunctionBuilder, GlobalId, InstKind,
    IntCompare, Jump, LoadOrder, Operand, Program, ProgramBuilder, RmwOrder, StoreOrder, Symbol, Terminator,
    Type,
};
use std::collections::BTreeMap;

const INT: Type = Type::I32;
const WORD: Type = Type::I64;

/// The size of a location, and of a synchronisation object, in bytes.
const LOCATION: u64 = 16;
const OBJECT: u64 = 64;

/// The line of a statement: of thread 0, which is main, or another; from 1 on, those inside of others included.
pub fn line(thread: usize, statement: usize) -> u32 {
    (100 * thread + statement) as u32
}

/// The global of a name.
///
/// # Panics
///
/// If there is none.
#[allow(clippy::panic, reason = "for tests")]
pub fn symbol(program: &Program, name: &str) -> Symbol {
    match program.globals.iter().position(|global| global.name == name) {
        Some(at) => Symbol::Global(GlobalId::new(at)),
        None => panic!("no statement names `{name}`"),
    }
}

/// A program under construction.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    threads: Vec<Vec<Statement>>,
    initial: Vec<(&'static str, u64)>,
    first: Vec<Statement>,
    last: Vec<Statement>,
    main: Option<Vec<Statement>>,
    /// Of the threads after these: whose function each runs.
    alike: Vec<usize>,
}

/// A program with these threads besides `main`. They have the numbers from 1 on.
pub fn threads(bodies: impl IntoIterator<Item = Vec<Statement>>) -> Threads {
    Threads { threads: bodies.into_iter().collect(), ..Threads::default() }
}

impl Threads {
    /// The first bytes of a location before anything happens.
    pub fn initially(mut self, name: &'static str, value: u64) -> Self {
        self.initial.push((name, value));
        self
    }

    /// What `main` does before it creates the others.
    pub fn first(mut self, statements: impl Into<Vec<Statement>>) -> Self {
        self.first = statements.into();
        self
    }

    /// What `main` does when it has joined the others.
    pub fn last(mut self, statements: impl Into<Vec<Statement>>) -> Self {
        self.last = statements.into();
        self
    }

    /// One more thread, which runs the function of another one. These come after those that have functions of their own.
    pub fn another(mut self, thread: usize) -> Self {
        self.alike.push(thread);
        self
    }

    /// All that `main` does.
    pub fn main(mut self, statements: impl Into<Vec<Statement>>) -> Self {
        self.main = Some(statements.into());
        self
    }

    /// The program.
    pub fn build(self) -> Program {
        let own = self.threads.len();
        let numbers = 1..=own + self.alike.len();
        let main = self.main.unwrap_or_else(|| {
            let around = numbers.clone().map(spawn).chain(numbers.clone().map(join));
            self.first.into_iter().chain(around).chain(self.last).collect()
        });
        let mut builder = Builder {
            program: ProgramBuilder::new("test.c"),
            globals: BTreeMap::new(),
            initial: self.initial,
            functions: vec![None; numbers.end() + 1],
        };
        // The creator of a thread has a lower number.
        for (at, body) in self.threads.iter().enumerate().rev() {
            builder.thread(at + 1, body);
        }
        for (at, thread) in self.alike.iter().enumerate() {
            builder.functions[own + 1 + at] = builder.functions.get(*thread).copied().flatten();
        }
        let entry = builder.main(&main);
        builder.program.finish(entry)
    }
}

struct Builder {
    program: ProgramBuilder,
    globals: BTreeMap<&'static str, GlobalId>,
    initial: Vec<(&'static str, u64)>,
    /// The functions of threads, by number.
    functions: Vec<Option<FuncId>>,
}

/// A function under construction.
struct Frame {
    function: FunctionBuilder,
    name: String,
    /// The next line.
    line: u32,
    registers: BTreeMap<&'static str, Operand>,
    handles: BTreeMap<usize, Operand>,
}

impl Frame {
    fn new(function: FunctionBuilder, name: &str, thread: usize, body: &[Statement]) -> Self {
        let mut registers = BTreeMap::new();
        name_registers(body, &mut registers);
        let (name, line) = (name.to_owned(), line(thread, 1));
        Self { function, name, line, registers, handles: BTreeMap::new() }
    }

    fn values(&self) -> Vec<Operand> {
        self.registers.values().copied().collect()
    }

    fn set_values(&mut self, values: Vec<Operand>) {
        self.registers.values_mut().zip(values).for_each(|(register, value)| *register = value);
    }

    fn jump(&self, block: BlockId) -> Jump {
        Jump { block, args: self.values() }
    }

    /// A block that takes all registers.
    fn block(&mut self) -> (BlockId, Vec<Operand>) {
        self.function.block(&vec![INT; self.registers.len()])
    }

    fn read(&self, register: &'static str) -> Operand {
        self.registers.get(register).copied().unwrap_or(number(0))
    }

    fn compare(&mut self, op: IntCompare, ty: Type, lhs: Operand, rhs: Operand) -> Operand {
        self.function.value(InstKind::Compare { op, ty, lhs, rhs }, Type::BOOL)
    }

    /// Whether a register has a value.
    fn is(&mut self, register: &'static str, value: u64) -> Operand {
        let (lhs, rhs) = (self.read(register), number(u128::from(value)));
        self.compare(IntCompare::Eq, INT, lhs, rhs)
    }

    fn cast(&mut self, value: Operand, from: Type, to: Type) -> Operand {
        let op = match (from.bytes(), to.bytes()) {
            (from, to) if from < to => CastOp::ZeroExtend,
            (from, to) if from > to => CastOp::Truncate,
            _ => return value,
        };
        self.function.value(InstKind::Cast { op, from, to, value }, to)
    }

    fn value(&mut self, value: Value, ty: Type) -> Operand {
        match value {
            Value::Number(number) => Operand::Const(ty, u128::from(number)),
            Value::Register(register, 0) => {
                let value = self.read(register);
                self.cast(value, INT, ty)
            }
            Value::Register(register, more) => {
                let (lhs, rhs) = (self.read(register), number(u128::from(more)));
                let sum = InstKind::Binary { op: BinaryOp::Add, ty: INT, lhs, rhs };
                let sum = self.function.value(sum, INT);
                self.cast(sum, INT, ty)
            }
        }
    }
}

/// Finds the registers of some statements.
fn name_registers(body: &[Statement], into: &mut BTreeMap<&'static str, Operand>) {
    for statement in body {
        into.extend(statement.into.map(|register| (register, number(0))));
        if let Action::CompareExchange { succeeded, .. } = statement.action {
            into.extend(succeeded.map(|register| (register, number(0))));
        }
        match &statement.action {
            Action::If { body, .. } | Action::Until { body, .. } => name_registers(body, into),
            Action::Atomic(body) | Action::Once(_, body) => name_registers(body, into),
            _ => {}
        }
    }
}

fn number(value: u128) -> Operand {
    Operand::Const(INT, value)
}

fn null() -> Operand {
    Operand::Const(Type::Ptr, 0)
}

impl Builder {
    fn thread(&mut self, thread: usize, body: &[Statement]) {
        let name = format!("thread_{thread}");
        let function = FunctionBuilder::new(&name, &[Type::Ptr], &[Type::Ptr]);
        let mut frame = Frame::new(function, &name, thread, body);
        self.body(body, &mut frame);
        self.next_line(&mut frame);
        frame.function.end(Terminator::Return(vec![null()]));
        self.functions[thread] = Some(self.program.add(frame.function.finish()));
    }

    fn main(&mut self, body: &[Statement]) -> FuncId {
        let function = FunctionBuilder::new("main", &[INT, Type::Ptr, Type::Ptr], &[]);
        let mut frame = Frame::new(function, "main", 0, body);
        self.body(body, &mut frame);
        self.next_line(&mut frame);
        self.builtin(&mut frame, "exit", &[INT], &[], vec![number(0)]);
        self.program.add(frame.function.finish())
    }

    fn next_line(&mut self, frame: &mut Frame) {
        frame.function.at(self.program.span(&frame.name, frame.line));
        frame.line += 1;
    }

    fn global(&mut self, name: &'static str, size: u64) -> Operand {
        let known = self.globals.get(name).copied();
        let global = known.unwrap_or_else(|| {
            let initial = self.initial.iter().find(|(other, _)| *other == name);
            let bytes = initial.map_or_else(Vec::new, |(_, value)| value.to_le_bytes().to_vec());
            self.program.global(name, size, bytes)
        });
        self.globals.insert(name, global);
        Operand::Address(Symbol::Global(global), 0)
    }

    fn place(&mut self, place: Location, frame: &mut Frame) -> (Operand, Type) {
        let ty = match place.bytes {
            1 => Type::Int(8),
            2 => Type::Int(16),
            4 => INT,
            _ => WORD,
        };
        let address = match self.global(place.name, LOCATION) {
            Operand::Address(symbol, _) => Operand::Address(symbol, place.offset as i64),
            other => other,
        };
        let Some((register, count)) = place.index else { return (address, ty) };
        let (lhs, rhs) = (frame.read(register), number(u128::from(count)));
        let index = InstKind::Binary { op: BinaryOp::URem, ty: INT, lhs, rhs };
        let index = frame.function.value(index, INT);
        let terms = vec![(frame.cast(index, INT, WORD), i64::from(place.bytes))];
        let element = InstKind::Offset { base: address, offset: 0, terms };
        (frame.function.value(element, Type::Ptr), ty)
    }

    fn builtin(
        &mut self,
        frame: &mut Frame,
        name: &str,
        params: &[Type],
        results: &[Type],
        args: Vec<Operand>,
    ) -> Operand {
        let callee = self.program.external(&format!("__selvedge_{name}"), params, results);
        let call = self.program.call(callee, args);
        frame.function.call(call).first().copied().unwrap_or(number(0))
    }

    /// An operation on a synchronisation object.
    fn sync(
        &mut self,
        frame: &mut Frame,
        op: &str,
        object: &'static str,
        argument: Option<Operand>,
    ) -> Operand {
        let object = self.global(object, OBJECT);
        let ty = |operand: &Operand| if matches!(operand, Operand::Address(..)) { Type::Ptr } else { INT };
        let args: Vec<Operand> = std::iter::once(object).chain(argument).collect();
        let params: Vec<Type> = args.iter().map(ty).collect();
        self.builtin(frame, op, &params, &[INT], args)
    }

    fn body(&mut self, body: &[Statement], frame: &mut Frame) {
        for statement in body {
            self.next_line(frame);
            let result = self.statement(statement, frame);
            if let (Some(into), Some(result)) = (statement.into, result) {
                frame.registers.insert(into, result);
            }
        }
    }

    /// Performs something only if a condition holds.
    fn only_if(&mut self, frame: &mut Frame, condition: Operand, body: impl FnOnce(&mut Self, &mut Frame)) {
        let (inside, _) = frame.function.block(&[]);
        let (end, merged) = frame.block();
        let if_false = frame.jump(end);
        let if_true = Jump { block: inside, args: Vec::new() };
        frame.function.end(Terminator::Branch { condition, if_true, if_false });
        frame.function.go_to(inside);
        body(self, frame);
        let jump = frame.jump(end);
        frame.function.end(Terminator::Jump(jump));
        frame.function.go_to(end);
        frame.set_values(merged);
    }

    /// Adds a statement; returns its result, if it has one.
    fn statement(&mut self, statement: &Statement, frame: &mut Frame) -> Option<Operand> {
        let order = statement.order;
        match &statement.action {
            Action::Load(place) => {
                let (address, ty) = self.place(*place, frame);
                let kind = InstKind::Load { ty, address, order: of_load(order) };
                let value = frame.function.value(kind, ty);
                return Some(frame.cast(value, ty, INT));
            }
            Action::Store(place, value) => {
                let (address, ty) = self.place(*place, frame);
                let value = frame.value(*value, ty);
                frame.function.push(InstKind::Store { ty, address, value, order: of_store(order) }, &[]);
            }
            Action::Update(place, op, value) => {
                let (address, ty) = self.place(*place, frame);
                let value = frame.value(*value, ty);
                let kind = InstKind::Rmw { op: *op, ty, address, value, order: of_update(order) };
                let old = frame.function.value(kind, ty);
                return Some(frame.cast(old, ty, INT));
            }
            Action::CompareExchange { place, expected, new, succeeded } => {
                let (address, ty) = self.place(*place, frame);
                let (expected, new) = (frame.value(*expected, ty), frame.value(*new, ty));
                let kind = InstKind::CompareExchange {
                    ty,
                    address,
                    expected,
                    new,
                    success: of_update(order),
                    failure: of_failure(order),
                    weak: false,
                };
                let results = frame.function.push(kind, &[ty, Type::BOOL]);
                if let Some(register) = succeeded {
                    let did = frame.cast(results[1], Type::BOOL, INT);
                    frame.registers.insert(register, did);
                }
                return Some(frame.cast(results[0], ty, INT));
            }
            Action::Fence => {
                let kind = InstKind::Fence { order: of_fence(order), scope: FenceScope::System };
                frame.function.push(kind, &[]);
            }
            Action::Copy { to, from, bytes } => {
                let (to, from) = (self.global(to, LOCATION), self.global(from, LOCATION));
                let size = Operand::Const(WORD, u128::from(*bytes));
                frame.function.push(InstKind::CopyMemory { to, from, size }, &[]);
            }
            Action::Fill { to, byte, bytes } => {
                let to = self.global(to, LOCATION);
                let byte = Operand::Const(Type::Int(8), u128::from(*byte));
                let size = Operand::Const(WORD, u128::from(*bytes));
                frame.function.push(InstKind::SetMemory { to, byte, size }, &[]);
            }
            Action::Set(value) => return Some(frame.value(*value, INT)),
            Action::If { register, value, equal, body } => {
                let op = if *equal { IntCompare::Eq } else { IntCompare::Ne };
                let (lhs, rhs) = (frame.read(register), number(u128::from(*value)));
                let condition = frame.compare(op, INT, lhs, rhs);
                self.only_if(frame, condition, |builder, frame| builder.body(body, frame));
            }
            Action::Until { register, value, body } => {
                let (head, inside) = frame.block();
                let jump = frame.jump(head);
                frame.function.end(Terminator::Jump(jump));
                frame.function.go_to(head);
                frame.set_values(inside);
                self.body(body, frame);
                let condition = frame.is(register, *value);
                let (end, after) = frame.block();
                let (if_true, if_false) = (frame.jump(end), frame.jump(head));
                frame.function.end(Terminator::Branch { condition, if_true, if_false });
                frame.function.go_to(end);
                frame.set_values(after);
            }
            Action::Choose(options) => {
                let args = vec![number(u128::from(*options))];
                return Some(self.builtin(frame, "choose", &[INT], &[INT], args));
            }
            Action::Assume { register, value } => {
                let holds = frame.is(register, *value);
                let cast = CastOp::ZeroExtend;
                let kind = InstKind::Cast { op: cast, from: Type::BOOL, to: INT, value: holds };
                let holds = frame.function.value(kind, INT);
                self.builtin(frame, "assume", &[INT], &[], vec![holds]);
            }
            Action::Yield => drop(self.builtin(frame, "yield", &[], &[], Vec::new())),
            Action::Fail => drop(self.builtin(frame, "reach_error", &[], &[], Vec::new())),
            Action::Atomic(body) => {
                self.builtin(frame, "atomic_begin", &[], &[], Vec::new());
                self.body(body, frame);
                self.builtin(frame, "atomic_end", &[], &[], Vec::new());
            }
            Action::Sync { op, object, argument } => {
                let argument = argument.map(|argument| number(u128::from(argument)));
                return Some(self.sync(frame, op, object, argument));
            }
            Action::Wait { condition, mutex, timed } => {
                let argument = self.global(mutex, OBJECT);
                self.sync(frame, "condition_release", condition, Some(argument));
                let result = self.sync(frame, "condition_block", condition, Some(number(u128::from(*timed))));
                self.sync(frame, "mutex_lock", mutex, None);
                return Some(result);
            }
            Action::Barrier(object) => {
                let generation = self.sync(frame, "barrier_arrive", object, None);
                let waits = frame.compare(IntCompare::SGe, INT, generation, number(0));
                self.only_if(frame, waits, |builder, frame| {
                    builder.sync(frame, "barrier_block", object, Some(generation));
                });
            }
            Action::Once(object, body) => {
                let begun = self.sync(frame, "once_begin", object, None);
                let must = frame.compare(IntCompare::Ne, INT, begun, number(0));
                self.only_if(frame, must, |builder, frame| {
                    builder.body(body, frame);
                    builder.sync(frame, "once_end", object, None);
                });
            }
            Action::Spawn(thread) => {
                let function = self.functions.get(*thread).copied().flatten();
                let function = function.map_or(null(), |id| Operand::Address(Symbol::Function(id), 0));
                let args = vec![function, null()];
                let handle = self.builtin(frame, "spawn", &[Type::Ptr, Type::Ptr], &[WORD], args);
                frame.handles.insert(*thread, handle);
            }
            Action::Join(thread) => {
                let handle = frame.handles.get(thread).copied().unwrap_or(Operand::Const(WORD, 0));
                self.builtin(frame, "join", &[WORD], &[Type::Ptr], vec![handle]);
            }
            Action::Publish(name) => {
                let size = Operand::Const(WORD, 8);
                let args = vec![size, size, number(0)];
                let object = self.builtin(frame, "allocate", &[WORD, WORD, INT], &[Type::Ptr], args);
                let seven = number(7);
                let kind =
                    InstKind::Store { ty: INT, address: object, value: seven, order: StoreOrder::Plain };
                frame.function.push(kind, &[]);
                let address = self.global(name, LOCATION);
                let order = of_store(order);
                let kind = InstKind::Store { ty: Type::Ptr, address, value: object, order };
                frame.function.push(kind, &[]);
            }
            Action::LookThrough(name) => {
                let into = statement.into.unwrap_or_default();
                self.through(frame, name, order, |_, frame, object| {
                    let kind = InstKind::Load { ty: INT, address: object, order: LoadOrder::Plain };
                    let value = frame.function.value(kind, INT);
                    if frame.registers.contains_key(into) {
                        frame.registers.insert(into, value);
                    }
                });
            }
            Action::FreeThrough(name) => self.through(frame, name, order, |builder, frame, object| {
                builder.builtin(frame, "release", &[Type::Ptr], &[], vec![object]);
            }),
        }
        None
    }

    /// Reads an address and does something with what is there, unless it is null.
    fn through(
        &mut self,
        frame: &mut Frame,
        name: &'static str,
        order: Order,
        then: impl FnOnce(&mut Self, &mut Frame, Operand),
    ) {
        let address = self.global(name, LOCATION);
        let kind = InstKind::Load { ty: Type::Ptr, address, order: of_load(order) };
        let object = frame.function.value(kind, Type::Ptr);
        let is_there = frame.compare(IntCompare::Ne, Type::Ptr, object, null());
        self.only_if(frame, is_there, |builder, frame| then(builder, frame, object));
    }
}

fn of_load(order: Order) -> LoadOrder {
    match order {
        Order::Plain => LoadOrder::Plain,
        Order::Relaxed => LoadOrder::Relaxed,
        Order::SeqCst => LoadOrder::SeqCst,
        Order::Acquire | Order::Release | Order::AcqRel => LoadOrder::Acquire,
    }
}

/// The order of a compare-exchange that finds something else.
fn of_failure(order: Order) -> LoadOrder {
    match order {
        Order::Plain | Order::Relaxed | Order::Release => LoadOrder::Relaxed,
        Order::Acquire | Order::AcqRel => LoadOrder::Acquire,
        Order::SeqCst => LoadOrder::SeqCst,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::*;
    use selvedge_program::verify::verify;

    /// One of everything holds up.
    #[test]
    fn all_statements_are_well_formed() {
        let everything = vec![
            load("x").into("a").part(4, 8),
            store("x", "a").release(),
            store("x", sum("a", 3)).part(1, 1).plain(),
            add("x", 2).into("b").acq_rel(),
            exchange("x", "b").seq_cst(),
            compare_exchange("x", 0, 1).acquire().into("b"),
            compare_exchange("x", "b", sum("b", 1)).release().into("b").succeeded("h"),
            atomic(increment("x", "i", 2)),
            load("x").indexed("b", 4).into("a"),
            store("x", 1).part(2, 2).indexed("a", 3),
            fence(Order::SeqCst),
            copy("y", "x", 12),
            fill("y", 1, 3),
            set("c", 5),
            when("c", 5, [unless("a", 1, [set("a", 1), fail()])]),
            until("d", 1, [load("x").into("d"), yield_now()]),
            wait_until("x", 1),
            choose(3).into("e"),
            assume("e", 0),
            check("e", 0),
            atomic([load("x"), store("x", 1)]),
            lock("m"),
            try_lock("m").into("f"),
            unlock("m"),
            read_lock("l"),
            read_unlock("l"),
            write_lock("l"),
            write_unlock("l"),
            spin_lock("p"),
            spin_unlock("p"),
            sync("semaphore_init", "s").with(1),
            post("s"),
            down("s"),
            signal("c"),
            broadcast("c"),
            wait("c", "m"),
            timed_wait("c", "m").into("f"),
            barrier("b"),
            once("o", [store("x", 1)]),
            publish("q").release(),
            look_through("q").into("g"),
            free_through("q"),
        ];
        let program =
            threads([everything.clone(), vec![]]).first(everything.clone()).last(everything).build();
        assert_eq!(verify(&program), Ok(()));
    }

    #[test]
    fn statements_know_their_lines_and_globals_their_first_values() {
        let body = vec![when("a", 0, [store("x", 1)]), store("x", 2)];
        let program = threads([body.clone(), body]).initially("x", 258).build();
        let spans = |name: &str| -> Vec<u32> {
            let function = program.functions.iter().find(|function| function.name == name).expect("there");
            let insts = function.blocks.iter().flat_map(|block| &block.insts);
            let stores = insts.filter(|inst| matches!(inst.kind, InstKind::Store { .. }));
            stores.map(|inst| program.source.span(inst.span).line).collect()
        };
        assert_eq!(spans("thread_1"), [line(1, 2), line(1, 3)]);
        assert_eq!(spans("thread_2"), [line(2, 2), line(2, 3)]);
        assert_eq!(symbol(&program, "x"), Symbol::Global(GlobalId(0)));
        assert_eq!(program.globals[0].bytes[..2], [2, 1]);
    }
}
