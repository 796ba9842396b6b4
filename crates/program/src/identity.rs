//! Whether threads can tell which of several they are, as far as the program's text shows.
//!
//! Threads that run the same function with the same argument differ in their handles, in the addresses of their own memory
//! (stack, thread-local variables, what they allocate), and in what they create or join. A program hides these if no function
//! that a thread other than `main` may call
//!
//! - prints, asks for its own handle, creates, joins or detaches a thread, allocates or frees memory, or jumps out of a function;
//! - uses the address of memory of its own for anything but accesses to that memory: the address is not stored, returned,
//!   compared, or made a number, and is passed only to functions of which the same is true;
//! - waits for a condition variable or a barrier: what is left there says who came.
//!
//! And what the function of a thread returns to who joins it is a constant, or one of its own parameters. (Functions of the library
//! that only call the function of a thread return what that returns.)
//!
//! What a thread may call is not followed pointer by pointer: every function whose address is taken somewhere counts. So this
//! errs on one side only. Of a program that does not hide identities it may still be true that nobody looks at them.

use crate::sync::ObjectKind;
use crate::{
    Builtin, Call, Callee, FuncId, Function, InstKind, Jump, Operand, Program, Symbol, Terminator, ValueId,
};

/// Whether no thread but `main` can tell which one it is.
pub fn is_hidden(program: &Program) -> bool {
    let called = called_by_threads(program);
    let is_hidden_in = |(function, _): (&Function, &bool)| match function.is_external() {
        true => Builtin::find(&function.name).is_some_and(is_harmless),
        false => true,
    };
    let functions = || program.functions.iter().zip(&called).filter(|(_, called)| **called);
    functions().all(is_hidden_in)
        && Addresses::new(program).stay_private(&called)
        && results_are_alike(program)
}

/// Functions whose addresses are taken.
fn addressed(program: &Program) -> Vec<bool> {
    let mut is_addressed = vec![false; program.functions.len()];
    let mut note = |symbol| {
        if let Symbol::Function(function) = symbol {
            is_addressed[function.index()] = true;
        }
    };
    for function in &program.functions {
        function.for_each_operand(|operand| {
            if let Operand::Address(symbol, _) = operand {
                note(symbol);
            }
        });
    }
    program
        .globals
        .iter()
        .flat_map(|global| &global.relocations)
        .for_each(|relocation| note(relocation.symbol));
    is_addressed
}

/// What a function calls by name.
fn calls(function: &Function) -> impl Iterator<Item = &Call> {
    function.blocks.iter().flat_map(|block| &block.insts).filter_map(|inst| match &inst.kind {
        InstKind::Call(call) => Some(&**call),
        _ => None,
    })
}

/// The functions that threads other than `main` may call.
fn called_by_threads(program: &Program) -> Vec<bool> {
    let mut called = addressed(program);
    let mut open: Vec<usize> = (0..called.len()).filter(|at| called[*at]).collect();
    while let Some(at) = open.pop() {
        for call in calls(&program.functions[at]) {
            if let Callee::Function(callee) = call.callee
                && !std::mem::replace(&mut called[callee.index()], true)
            {
                open.push(callee.index());
            }
        }
    }
    called
}

/// Whether who calls a builtin learns nothing of which thread it is.
fn is_harmless(builtin: Builtin) -> bool {
    match builtin {
        Builtin::Sync(op) => !matches!(op.object(), ObjectKind::Condition | ObjectKind::Barrier),
        Builtin::Exit
        | Builtin::Abort
        | Builtin::AssertFail
        | Builtin::ReachError
        | Builtin::Unsupported
        | Builtin::Yield
        | Builtin::Choose
        | Builtin::Assume
        | Builtin::Nondet
        | Builtin::AtomicBegin
        | Builtin::AtomicEnd
        | Builtin::Math(_) => true,
        _ => false,
    }
}

/// Whether functions that may be those of threads return constants, or their own parameters.
fn results_are_alike(program: &Program) -> bool {
    let mut may_be_of_threads = addressed(program);
    for call in program.functions.iter().flat_map(calls) {
        if let Callee::Function(callee) = call.callee
            && Builtin::find(&program.function(callee).name) == Some(Builtin::SpawnWith)
            && let Some(Operand::Address(Symbol::Function(through), _)) = call.args.first()
        {
            may_be_of_threads[through.index()] = false;
        }
    }
    let mut functions = program.functions.iter().zip(may_be_of_threads).filter(|(_, may_be)| *may_be);
    functions.all(|(function, _)| {
        let is_alike = |operand: &Operand| match operand {
            Operand::Value(value) => function.params.contains(value),
            _ => true,
        };
        function.blocks.iter().all(|block| match &block.terminator {
            Terminator::Return(values) => values.iter().all(is_alike),
            _ => true,
        })
    })
}

/// Which values of each function are addresses of the thread's own memory.
struct Addresses<'p> {
    program: &'p Program,
    /// By function and value.
    own: Vec<Vec<bool>>,
}

/// Whether an address goes where others, or the thread itself, could look at it.
#[derive(PartialEq, Eq)]
struct Escapes;

impl<'p> Addresses<'p> {
    fn new(program: &'p Program) -> Self {
        let own = program.functions.iter().map(|function| vec![false; function.values.len()]).collect();
        Self { program, own }
    }

    /// Whether all these functions use own addresses for accesses only.
    fn stay_private(mut self, called: &[bool]) -> bool {
        // Each round adds at least one value, or is the last.
        loop {
            let mut is_new = false;
            for at in (0..called.len()).filter(|at| called[*at]) {
                match self.follow(FuncId::new(at)) {
                    Ok(new) => is_new |= new,
                    Err(Escapes) => return false,
                }
            }
            if !is_new {
                return true;
            }
        }
    }

    fn is_own(&self, function: FuncId, operand: Operand) -> bool {
        operand.as_value().is_some_and(|value| self.own[function.index()][value.index()])
    }

    /// Notes that a value is an own address. Whether that is new.
    fn add(&mut self, function: FuncId, value: ValueId) -> bool {
        !std::mem::replace(&mut self.own[function.index()][value.index()], true)
    }

    /// Follows own addresses through a function. Whether more values are known to be such addresses.
    fn follow(&mut self, id: FuncId) -> Result<bool, Escapes> {
        let program = self.program;
        let mut is_new = false;
        for block in &program.function(id).blocks {
            for inst in &block.insts {
                if self.makes_own(id, &inst.kind)? {
                    for result in &inst.results {
                        is_new |= self.add(id, *result);
                    }
                }
                if let InstKind::Call(call) = &inst.kind {
                    is_new |= self.pass(id, call)?;
                }
            }
            let mut escapes = false;
            block.terminator.for_each_own_operand(|operand| escapes |= self.is_own(id, operand));
            if escapes {
                return Err(Escapes);
            }
            for Jump { block: target, args } in block.terminator.jumps() {
                let params = &program.function(id).block(*target).params;
                for (param, arg) in params.iter().zip(args) {
                    if self.is_own(id, *arg) {
                        is_new |= self.add(id, *param);
                    }
                }
            }
        }
        Ok(is_new)
    }

    /// Whether the result of an instruction is an own address.
    fn makes_own(&self, id: FuncId, kind: &InstKind) -> Result<bool, Escapes> {
        let mut own = 0;
        kind.for_each_operand(|operand| own += usize::from(self.is_own(id, operand)));
        let is_own = |operand: &Operand| self.is_own(id, *operand);
        // How many operands are where addresses may be.
        let expected = match kind {
            InstKind::SlotAddress(_)
            | InstKind::ThreadLocalAddress(_)
            | InstKind::DynamicAlloca { .. }
            | InstKind::StackSave => return if own == 0 { Ok(true) } else { Err(Escapes) },
            InstKind::Call(_) => return Ok(false),
            _ if own == 0 => return Ok(false),
            InstKind::Offset { base, terms, .. } => {
                let is_number = !terms.iter().any(|(term, _)| is_own(term));
                return if is_own(base) && is_number { Ok(true) } else { Err(Escapes) };
            }
            InstKind::Select { condition, .. } => {
                return if is_own(condition) { Err(Escapes) } else { Ok(true) };
            }
            InstKind::Load { address, .. }
            | InstKind::Store { address, .. }
            | InstKind::Rmw { address, .. }
            | InstKind::CompareExchange { address, .. } => usize::from(is_own(address)),
            InstKind::CopyMemory { to, from, .. } => usize::from(is_own(to)) + usize::from(is_own(from)),
            InstKind::SetMemory { to, .. } => usize::from(is_own(to)),
            InstKind::StackRestore { .. } => 1,
            _ => 0,
        };
        if own == expected { Ok(false) } else { Err(Escapes) }
    }

    /// Follows own addresses into a function that is called.
    fn pass(&mut self, id: FuncId, call: &Call) -> Result<bool, Escapes> {
        let is_own: Vec<bool> = call.args.iter().map(|arg| self.is_own(id, *arg)).collect();
        let is_called_by_own = matches!(call.callee, Callee::Pointer(pointer) if self.is_own(id, pointer));
        if is_called_by_own {
            return Err(Escapes);
        }
        if !is_own.contains(&true) {
            return Ok(false);
        }
        let Callee::Function(callee) = call.callee else { return Err(Escapes) };
        let program = self.program;
        let function = program.function(callee);
        if function.is_external() || is_own.len() > function.params.len() {
            return Err(Escapes);
        }
        let params = function.params.iter().zip(is_own).filter(|(_, is_own)| *is_own);
        Ok(params.fold(false, |is_new, (param, _)| self.add(callee, *param) || is_new))
    }
}
