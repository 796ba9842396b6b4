//! Each rule is broken once.

use super::*;
use crate::*;

/// The function with instructions of all kinds.
const ALL: usize = 1;

/// A program for which all rules hold, with everything that there is a rule for.
fn fine() -> Program {
    let mut program = ProgramBuilder::new("fine.c");
    let span = program.span("all", 1);
    program.external("callee", &[Type::I32], &[Type::I32]);
    let local = program.global("local", 4, Vec::new());
    let shared = program.global("shared", 16, vec![1, 2, 3]);
    let mut all =
        FunctionBuilder::new("all", &[Type::I32, Type::Ptr, Type::I64, Type::F64, Type::BOOL], &[Type::I32]);
    all.at(span);
    all.slot(8, 8);
    for kind in samples::kinds() {
        let results: Vec<Type> = kind.results().collect();
        all.push(kind, &results);
    }
    let (_, values) = all.block(&[Type::I32]);
    let (last, _) = all.block(&[]);
    // Block 1 is taken from three places, and leads to block 2.
    all.end(samples::terminators().swap_remove(2));
    all.go_to(BlockId(1));
    let ty = Type::I32;
    let sum =
        all.value(InstKind::Binary { op: BinaryOp::Mul, ty, lhs: values[0], rhs: Operand::Const(ty, 3) }, ty);
    let condition = all.value(InstKind::Compare { op: IntCompare::Eq, ty, lhs: sum, rhs: sum }, Type::BOOL);
    let again = Jump { block: BlockId(1), args: vec![sum] };
    let leave = Jump { block: last, args: Vec::new() };
    all.end(Terminator::Branch { condition, if_true: again, if_false: leave });
    all.go_to(last);
    all.end(Terminator::Return(vec![sum]));
    program.add(all.finish());
    let mut entry = FunctionBuilder::new("entry", &[Type::I32, Type::Ptr, Type::Ptr], &[]);
    entry.end(Terminator::Unreachable);
    let entry = program.add(entry.finish());
    let mut program = program.finish(entry);
    program.functions[0].signature.variadic = true;
    program.functions[ALL].signature.variadic = true;
    program.globals[local.index()].thread_local = true;
    let symbol = Symbol::Global(shared);
    program.globals[shared.index()].relocations.push(Relocation { offset: 8, symbol, addend: 4 });
    let int = program.types.add(DebugType::Scalar { name: "int".to_owned(), bytes: 4, sign: None });
    program.types.add(DebugType::Pointer { to: Some(int) });
    program.variables.push(Variable { name: "x".to_owned(), ty: Some(int), span });
    program.globals[shared.index()].variable = Some(VariableId(0));
    program.functions[ALL].slots[0].variable = Some(VariableId(0));
    program.functions[ALL].value_variables = vec![(ValueId(0), VariableId(0)), (ValueId(2), VariableId(0))];
    program.source.scopes.push(Scope { function: "inlined".to_owned(), inlined_at: Some(span) });
    program.miscompiled.push(Miscompiled { span, object: None, deviation: Deviation::StaleValue });
    program
}

/// Breaks a rule; the problem must be found, and be the one that is meant.
#[track_caller]
fn broken(expected: &str, change: impl FnOnce(&mut Program)) {
    let mut program = fine();
    change(&mut program);
    match verify(&program) {
        Ok(()) => panic!("not found: {expected}"),
        Err(problem) => assert!(problem.to_string().contains(expected), "{problem}, not: {expected}"),
    }
}

/// Changes the first instruction of a kind; its results get the types that it gives then.
#[track_caller]
fn broken_inst(expected: &str, mut change: impl FnMut(&mut InstKind) -> bool) {
    broken(expected, |program| {
        let function = &mut program.functions[ALL];
        let mut insts = function.blocks.iter_mut().flat_map(|block| &mut block.insts);
        let inst =
            insts.find_map(|inst| change(&mut inst.kind).then_some(inst)).expect("such an instruction");
        for (value, ty) in inst.results.iter().zip(inst.kind.results()) {
            function.values[value.index()] = ty;
        }
    });
}

/// A change of the fields of one kind of instruction.
macro_rules! set {
    ($expected:literal, $kind:ident { $($field:ident = $value:expr),+ }) => {
        broken_inst($expected, |kind| match kind {
            InstKind::$kind { $($field),+, .. } => {
                $(*$field = $value;)+
                true
            }
            _ => false,
        })
    };
}

#[test]
fn the_program_is_fine() {
    assert_eq!(verify(&fine()), Ok(()));
    assert_eq!(verify_calls(&fine()), Ok(()));
}

#[test]
fn operands_have_the_types_of_their_instruction() {
    let wrong = Operand::Const(Type::Int(16), 0);
    let pointer = Operand::Value(ValueId(1));
    set!("i16 0 is i16, not i32", Binary { lhs = wrong });
    set!("%1 is ptr, not i32", Unary { value = pointer });
    set!("%1 is ptr, not i32", Overflow { rhs = pointer });
    set!("not i32", FunnelShift { amount = wrong });
    set!("not f64", FusedMultiplyAdd { c = wrong });
    set!("not i32", Compare { rhs = wrong });
    set!("not f64", CompareFloat { lhs = wrong });
    set!("not f64", FloatClass { value = wrong });
    set!("not i32", Cast { value = wrong });
    set!("not i1", Select { condition = wrong });
    set!("not i32", Select { if_false = wrong });
    set!("not ptr", Offset { base = wrong });
    set!("not i64", Offset { terms = vec![(wrong, 1)] });
    set!("not i64", DynamicAlloca { size = wrong });
    set!("not ptr", StackRestore { saved = wrong });
    set!("not ptr", Load { address = wrong });
    set!("not i32", Store { value = wrong });
    set!("not i32", Rmw { value = wrong });
    set!("not i32", CompareExchange { new = wrong });
    set!("not i64", CopyMemory { size = wrong });
    set!("not i8", SetMemory { byte = wrong });
    set!("not ptr", VaStart { list = wrong });
    set!("not i32", Binary { rhs = Operand::Undefined(Type::I64) });
    set!("&fn0 is ptr, not i32", Binary { rhs = Operand::Address(Symbol::Function(FuncId(0)), 0) });
}

#[test]
fn the_address_of_a_symbol_may_be_an_integer() {
    let mut program = fine();
    let address = Operand::Address(Symbol::Global(GlobalId(1)), 8);
    for inst in &mut program.functions[ALL].blocks[0].insts {
        if let InstKind::CopyMemory { to, size, .. } = &mut inst.kind {
            (*to, *size) = (address, address);
        }
    }
    assert_eq!(verify(&program), Ok(()));
}

#[test]
fn results_have_the_types_of_their_instruction() {
    let result = |program: &mut Program, is_it: fn(&InstKind) -> bool, ty: Type| {
        let function = &mut program.functions[ALL];
        let inst = function.blocks[0].insts.iter().find(|inst| is_it(&inst.kind)).expect("an instruction");
        let value = inst.results[0];
        function.values[value.index()] = ty;
    };
    let expected = "gives results of other types";
    broken(expected, |program| result(program, |kind| matches!(kind, InstKind::Load { .. }), Type::I64));
    broken(expected, |program| result(program, |kind| matches!(kind, InstKind::Compare { .. }), Type::I32));
    broken(expected, |program| result(program, |kind| matches!(kind, InstKind::Call(_)), Type::F32));
    broken(expected, |program| {
        program.functions[ALL].blocks[0].insts[0].results.pop();
    });
}

#[test]
fn instructions_have_rules_of_their_own() {
    let float = Operand::Undefined(Type::F64);
    set!("it takes floats", Binary { op = BinaryOp::FAdd });
    set!("it takes integers", Binary { ty = Type::F64, lhs = float, rhs = float });
    set!("it takes floats", Unary { op = UnaryOp::Sqrt });
    set!("it takes floats", FusedMultiplyAdd { ty = Type::I64 });
    set!("it takes integers or pointers", Compare { ty = Type::F64 });
    set!("ten classes", FloatClass { mask = 1 << 10 });
    set!("no such conversion", Cast { op = CastOp::Truncate });
    set!("no such conversion", Cast { op = CastOp::Bits });
    set!("no such conversion", Cast { op = CastOp::SignedToFloat });
    set!("power of two", DynamicAlloca { align = 12 });
    set!("1, 2, 4, 8 or 16 bytes", Load { ty = Type::Int(24) });
    set!("1, 2, 4, 8 or 16 bytes", Store { ty = Type::BOOL, order = StoreOrder::SeqCst });
    set!("it takes floats", Rmw { op = RmwOp::FAdd });
    set!("it takes integers", Rmw { ty = Type::F32 });
    set!("an atomic load", CompareExchange { failure = LoadOrder::Plain });
    // Whole bytes are swapped.
    broken_inst("it takes whole bytes", |kind| match kind {
        InstKind::Unary { op, ty, value } => {
            (*op, *ty, *value) = (UnaryOp::SwapBytes, Type::Int(12), Operand::Const(Type::Int(12), 0));
            true
        }
        _ => false,
    });
}

#[test]
fn constants_fit_their_type() {
    set!("no constant of a type", Binary { rhs = Operand::Const(Type::I32, 1 << 32) });
    set!("no constant of a type", Binary { rhs = Operand::Const(Type::Int(0), 0) });
    broken("there is no type i129", |program| program.functions[ALL].values[0] = Type::Int(129));
    broken("there is no type i0", |program| program.functions[0].signature.results = vec![Type::Int(0)]);
}

#[test]
fn calls_have_the_types_that_they_say() {
    let call = |expected: &str, which: usize, change: fn(&mut Call)| {
        let mut number = 0;
        broken_inst(expected, |kind| match kind {
            InstKind::Call(call) => {
                number += 1;
                if number == which {
                    change(call);
                }
                number == which
            }
            _ => false,
        });
    };
    let (direct, variadic) = (1, 2);
    call("is i16, not i32", direct, |call| call.args[0] = Operand::Const(Type::Int(16), 0));
    call("another number of arguments than types", direct, |call| call.args.truncate(1));
    call("all arguments are fixed", direct, |call| call.fixed = 1);
    call("all arguments are fixed", direct, |call| call.signature.variadic = true);
    call("is i64, not ptr", direct, |call| {
        call.callee = Callee::Pointer(Operand::Const(Type::I64, 0));
    });
    call("no function fn9", direct, |call| call.callee = Callee::Function(FuncId(9)));
    call("one place", variadic, |call| call.fixed = 2);
    call("one place", variadic, |call| call.signature.variadic = false);
    call("outside the block of arguments", variadic, |call| {
        call.variadic.as_mut().expect("variadic").size = Variadic::REGISTER_AREA;
    });
    call("outside the block of arguments", variadic, |call| {
        call.variadic.as_mut().expect("variadic").args[0].by_value = Some(4);
    });
}

#[test]
fn calls_can_be_held_to_their_callee() {
    let wrong = |expected: &str, change: fn(&mut Program)| {
        let mut program = fine();
        change(&mut program);
        assert_eq!(verify(&program), Ok(()));
        let problem = verify_calls(&program).expect_err(expected).to_string();
        assert!(problem.contains(expected), "{problem}, not: {expected}");
    };
    wrong("it takes at least 2 arguments, 3 are passed", |program| {
        program.functions[0].signature.params = vec![Type::I32; 2];
        for inst in &mut program.functions[ALL].blocks[0].insts {
            if let InstKind::Call(call) = &mut inst.kind
                && call.signature.variadic
            {
                (call.signature.variadic, call.variadic, call.fixed) = (false, None, 3);
            }
        }
    });
    wrong("it takes 1 arguments, 3 are passed", |program| program.functions[0].signature.variadic = false);
    wrong("parameter 1 is f64, i32 is passed", |program| {
        program.functions[0].signature.params[0] = Type::F64;
    });
    wrong("its result is of another type", |program| {
        program.functions[0].signature.results = vec![Type::F64]
    });
    wrong("a builtin of another type", |program| {
        program.functions[0].name = "__selvedge_yield".to_owned();
    });
}

#[test]
fn values_are_defined_once_and_before_they_are_used() {
    broken("%0 is defined twice", |program| {
        program.functions[ALL].blocks[1].params[0] = ValueId(0);
    });
    broken("%999 is out of range", |program| {
        program.functions[ALL].blocks[0].insts[0].results[0] = ValueId(999)
    });
    let unknown = Operand::Value(ValueId(999));
    set!("%999 is used but never defined", Binary { lhs = unknown });
    broken("is used before it is defined", |program| {
        let function = &mut program.functions[ALL];
        function.blocks[1].insts.swap(0, 1);
    });
    broken("is used before it is defined", |program| {
        let insts = &mut program.functions[ALL].blocks[1].insts;
        let own = Operand::Value(insts[0].results[0]);
        insts[0].kind.for_each_operand_mut(|operand| *operand = own);
    });
    broken("%999 is used but never defined", |program| {
        program.functions[ALL].blocks[2].terminator = Terminator::Return(vec![unknown]);
    });
}

#[test]
fn definitions_dominate_uses() {
    // If the switch leads to the last block directly, what block 1 defines may be missing there.
    broken("where it may not be defined", |program| {
        let Terminator::Switch { cases, .. } = &mut program.functions[ALL].blocks[0].terminator else {
            panic!("no switch");
        };
        cases[0].1 = Jump { block: BlockId(2), args: Vec::new() };
    });
}

#[test]
fn blocks_are_in_order() {
    broken("b1 cannot be reached from a block before it", |program| {
        program.functions[ALL].blocks[0].terminator = Terminator::Unreachable;
    });
    broken("jumps to b9, which does not exist", |program| {
        program.functions[ALL].blocks[0].terminator.jumps_mut().for_each(|jump| jump.block = BlockId(9));
    });
    broken("b1 jumps to the entry", |program| {
        program.functions[ALL].blocks[1].terminator.jumps_mut().for_each(|jump| jump.block = BlockId(0));
    });
    broken("the entry takes parameters", |program| {
        let function = &mut program.functions[ALL];
        let value = function.new_value(Type::I32);
        function.blocks[0].params.push(value);
    });
}

#[test]
fn jumps_pass_what_blocks_take() {
    let jump = |expected: &str, change: fn(&mut Jump)| {
        broken(expected, |program| {
            let jump = program.functions[ALL].blocks[0].terminator.jumps_mut().last();
            change(jump.expect("a jump"));
        });
    };
    jump("wrong number of arguments", |jump| jump.args.clear());
    jump("is i64, not i32", |jump| jump.args[0] = Operand::Const(Type::I64, 0));
    broken("not i1", |program| {
        let Terminator::Branch { condition, .. } = &mut program.functions[ALL].blocks[1].terminator else {
            panic!("no branch");
        };
        *condition = Operand::Const(Type::I32, 0);
    });
    let switch = |expected: &str, change: fn(&mut Type, &mut Vec<(u128, Jump)>)| {
        broken(expected, |program| {
            let Terminator::Switch { ty, cases, .. } = &mut program.functions[ALL].blocks[0].terminator
            else {
                panic!("no switch");
            };
            change(ty, cases);
        });
    };
    switch("not i64", |ty, _| *ty = Type::I64);
    switch("two cases are equal", |_, cases| cases[0].0 = cases[1].0);
    switch("a case is out of range", |_, cases| cases[0].0 = 1 << 32);
}

#[test]
fn returns_match_the_signature() {
    let give = |expected: &str, values: Vec<Operand>| {
        broken(expected, |program| program.functions[ALL].blocks[2].terminator = Terminator::Return(values));
    };
    give("does not match the signature", Vec::new());
    give("is i64, not i32", vec![Operand::Const(Type::I64, 0)]);
    broken("parameters do not match the signature", |program| {
        program.functions[ALL].signature.params[0] = Type::F32;
    });
    broken("it has no body, but values", |program| program.functions[0].values.push(Type::I32));
}

#[test]
fn what_is_referred_to_exists() {
    broken_inst("there is no slot s7", |kind| {
        let found = matches!(kind, InstKind::SlotAddress(_));
        if found {
            *kind = InstKind::SlotAddress(SlotId(7));
        }
        found
    });
    broken_inst("@1 is not thread-local", |kind| {
        let found = matches!(kind, InstKind::ThreadLocalAddress(_));
        if found {
            *kind = InstKind::ThreadLocalAddress(GlobalId(1));
        }
        found
    });
    set!("@0 is thread-local", Load { address = Operand::Address(Symbol::Global(GlobalId(0)), 0) });
    set!("no global @7", Load { address = Operand::Address(Symbol::Global(GlobalId(7)), 0) });
    set!("no function fn7", Load { address = Operand::Address(Symbol::Function(FuncId(7)), 0) });
    broken("no variable arguments", |program| program.functions[ALL].signature.variadic = false);
    broken("there is no span 99", |program| program.functions[ALL].blocks[0].insts[3].span = SpanId(99));
    broken("there is no span 99", |program| program.functions[ALL].blocks[2].span = SpanId(99));
    broken("s0 has an alignment of 3", |program| program.functions[ALL].slots[0].align = 3);
    broken("s0 is a variable", |program| program.functions[ALL].slots[0].variable = Some(VariableId(9)));
    broken("a name for a value", |program| {
        program.functions[ALL].value_variables[1].1 = VariableId(9);
    });
    broken("not in order", |program| program.functions[ALL].value_variables.reverse());
}

#[test]
fn the_program_starts_with_a_function_of_the_arguments() {
    broken("no function of argc", |program| program.entry = Some(FuncId::new(ALL)));
    broken("no function fn9", |program| program.entry = Some(FuncId(9)));
}

#[test]
fn globals_have_room_for_their_contents() {
    let global = |expected: &str, change: fn(&mut Global)| broken(expected, |p| change(&mut p.globals[1]));
    global("the alignment is 0", |global| global.align = 0);
    global("but more contents", |global| global.bytes = vec![0; 17]);
    global("an address at 12 is outside", |global| global.relocations[0].offset = 12);
    global("is outside", |global| global.relocations[0].offset = u64::MAX);
    global("no global @9", |global| global.relocations[0].symbol = Symbol::Global(GlobalId(9)));
    global("@0 is thread-local", |global| global.relocations[0].symbol = Symbol::Global(GlobalId(0)));
    global("a variable that does not exist", |global| global.variable = Some(VariableId(1)));
}

#[test]
fn tables_refer_to_what_exists() {
    broken("do not mean \"unknown\"", |program| program.source.files[0] = "fine.c".to_owned());
    broken("span 1 is in a file", |program| program.source.spans[1].file = FileId(9));
    broken("span 1 is in a file or scope", |program| program.source.spans[1].scope = ScopeId(9));
    broken("a span that does not exist", |program| {
        program.source.scopes[2].inlined_at = Some(SpanId(9));
    });
    broken("is inlined in itself", |program| program.source.spans[1].scope = ScopeId(2));
    broken("type t1 refers to", |program| {
        program.types.set(DebugTypeId(1), DebugType::Pointer { to: Some(DebugTypeId(2)) });
    });
    broken("variable v0 has a type", |program| program.variables[0].ty = Some(DebugTypeId(9)));
    broken("variable v0 has a type or a span", |program| program.variables[0].span = SpanId(9));
    broken("a miscompiled expression", |program| program.miscompiled[0].span = SpanId(9));
}
