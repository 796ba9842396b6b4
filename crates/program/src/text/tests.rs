//! What is written can be read again, and errors say where the text is wrong.

use super::*;
use crate::verify::verify;
use crate::*;

/// A program with everything that can be written.
fn everything() -> Program {
    let mut program = ProgramBuilder::new("folder/with \"quotes\".c");
    let span = program.span("all", 3);
    program.external("callee", &[Type::I32], &[Type::I32]);
    program.global("local", 4, Vec::new());
    program.global(".str.1", 40, b"\"a\\b\"\n\0\xff\x7f".to_vec());
    let mut zeros = vec![0; 20];
    zeros.extend([1, 0, 0, 2]);
    zeros.extend([0; 16]);
    program.global("a name", 48, zeros);
    let params = [Type::I32, Type::Ptr, Type::I64, Type::F64, Type::BOOL];
    let mut all = FunctionBuilder::new("all", &params, &[Type::I32]);
    all.at(span);
    all.slot(8, 8);
    all.slot(3, 1);
    for kind in samples::kinds() {
        let results: Vec<Type> = kind.results().collect();
        all.push(kind, &results);
    }
    for bits in [0, 1 << 63, 0x3ff8_0000_0000_0000, 0x7ff8_0000_0000_0001, 0x7ff0 << 48, 1] {
        let value = Operand::Const(Type::F64, bits);
        all.value(InstKind::Unary { op: UnaryOp::FNeg, ty: Type::F64, value }, Type::F64);
    }
    for bits in [0x3fc0_0000, 0x8000_0000, 0xff80_0000, 0x7fc0_0001] {
        let value = Operand::Const(Type::F32, bits);
        let op = CastOp::FloatToUnsignedSat;
        let to = Type::Int(128);
        all.value(InstKind::Cast { op, from: Type::F32, to, value }, to);
    }
    let wide = Type::Int(128);
    let lhs = Operand::Const(wide, u128::MAX);
    all.value(InstKind::Binary { op: BinaryOp::Xor, ty: wide, lhs, rhs: Operand::Undefined(wide) }, wide);
    for offset in [i64::MIN, -1, 8] {
        for symbol in [Symbol::Global(GlobalId(1)), Symbol::Function(FuncId(1))] {
            let base = Operand::Address(symbol, offset);
            all.value(
                InstKind::Offset { base, offset: -offset.wrapping_add(1), terms: Vec::new() },
                Type::Ptr,
            );
        }
    }
    let op = FloatCompare { less: false, equal: false, greater: false, unordered: false };
    let float = Operand::Const(Type::F32, 0);
    all.value(InstKind::CompareFloat { op, ty: Type::F32, lhs: float, rhs: float }, Type::BOOL);
    all.push(InstKind::Trap { reason: TrapReason::Trap }, &[]);
    let plain = program.call(FuncId(0), vec![Operand::Const(Type::I32, 1)]);
    all.call(plain);
    // Values that nothing defines.
    let unused = all.value(InstKind::StackSave, Type::Ptr);
    let (next, _) = all.block(&[Type::I32]);
    all.end(samples::terminators().swap_remove(2));
    all.go_to(next);
    all.end(Terminator::Unsupported("\u{1}\t\u{e9} \\".into()));
    program.add(all.finish());
    let mut entry = FunctionBuilder::new("_start", &[Type::I32, Type::Ptr, Type::Ptr], &[]);
    entry.end(Terminator::Return(Vec::new()));
    let entry = program.add(entry.finish());
    let mut program = program.finish(entry);
    let all = &mut program.functions[1];
    all.signature.variadic = true;
    let insts = &mut all.blocks[0].insts;
    insts.retain(|inst| !inst.results.iter().any(|value| Operand::Value(*value) == unused));
    all.value_variables = vec![(ValueId(0), VariableId(1)), (ValueId(3), VariableId(0))];
    (all.slots[0].variable, all.slots[1].scoped) = (Some(VariableId(1)), true);
    program.functions[0].library = true;
    program.functions[0].signature.variadic = false;
    let no_params = Signature { params: Vec::new(), results: Vec::new(), variadic: true };
    program.functions.push(Function::external("knr name".to_owned(), no_params));
    let [local, text, named] = program.globals.as_mut_slice() else { panic!("three globals") };
    (local.thread_local, local.external, local.untranslated) = (true, true, Some("why not".into()));
    (text.constant, text.library) = (true, true);
    named.variable = Some(VariableId(0));
    named.relocations = vec![
        Relocation { offset: 8, symbol: Symbol::Function(FuncId(1)), addend: 0 },
        Relocation { offset: 0, symbol: Symbol::Global(GlobalId(1)), addend: -4 },
    ];
    let int = DebugType::Scalar { name: "int".to_owned(), bytes: 4, sign: Some(Signedness::Signed) };
    let int = Some(program.types.add(int));
    program.types.add(DebugType::Scalar { name: "float".to_owned(), bytes: 4, sign: None });
    let member = |name: &str, ty, is_bit_field| Member {
        name: name.to_owned(),
        offset_bits: 64,
        size_bits: 3,
        ty,
        is_bit_field,
    };
    let members = vec![member("a", int, false), member("", None, true)];
    let pair = program.types.add(DebugType::Aggregate { name: "pair".to_owned(), bytes: 16, members });
    program.types.add(DebugType::Aggregate { name: String::new(), bytes: 0, members: Vec::new() });
    program.types.add(DebugType::Pointer { to: Some(pair) });
    program.types.add(DebugType::Alias { to: None });
    program.types.add(DebugType::Array { element: int, count: 7 });
    program.variables.push(Variable { name: "x".to_owned(), ty: int, span });
    program.variables.push(Variable { name: String::new(), ty: None, span: SpanId::NONE });
    program.source.scopes.push(Scope { function: String::new(), inlined_at: Some(span) });
    program.miscompiled = vec![
        Miscompiled { span, object: Some("x".to_owned()), deviation: Deviation::NotBoolean },
        Miscompiled { span: SpanId::NONE, object: None, deviation: Deviation::StalePointer },
    ];
    program
}

#[test]
fn what_is_written_is_read() {
    let program = everything();
    assert_eq!(verify(&program), Ok(()));
    let text = program.to_string();
    let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.to_string(), text);
    assert!(read == program, "{text}");
}

#[test]
fn a_program_is_readable() {
    let text = "\
# A program that no compiler has made.
selvedge program 1
entry fn1

@0 counter: 4 bytes, align 4, v0

fn0 __selvedge_exit(i32) -> () external

fn1 _start(%0 i32, %1 ptr, %2 ptr) -> () !1
b0:
  %3 i32 = Load.i32.Plain @0 !1
  %4 i1 = SLt.i32 %3, %0
  branch %4, b1(%3), b1(i32 7)
b1(%5 i32):
  Call fn0(%5) # __selvedge_exit
  unreachable

contents @0: \"\\x01\"

file 1 \"counter.c\"

scope 1 main

!1 = 1:3:5 in 1

t0 = scalar \"int\" 4 bytes Signed

v0 counter: t0 !1
";
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(verify::verify_calls(&program), Ok(()));
    assert_eq!(program.globals[0].bytes, [1]);
    assert_eq!(program.source.describe(program.variables[0].span).to_string(), "counter.c:3:5");
    let (_, behind) = text.split_once('\n').unwrap_or_default();
    assert_eq!(program.to_string(), behind);
}

/// Text in which something is wrong, and what is said of it.
#[track_caller]
fn wrong(text: &str, expected: &str) {
    match parse(&format!("selvedge program 1\n{text}")) {
        Ok(_) => panic!("this was read:\n{text}"),
        Err(error) => assert_eq!(error.to_string(), expected, "\n{text}"),
    }
}

#[test]
fn errors_say_where_and_what() {
    assert_eq!(parse("").map_err(|error| error.to_string()), {
        Err("1:1: expected `selvedge program 1`, found the end of the text".to_owned())
    });
    assert!(parse("selvedge program 2\n").is_err());
    wrong("nonsense", "2:1: expected a global, a function, or an entry of a table, found `nonsense`");
    wrong("@1 x: 4 bytes, align 4", "2:1: expected `@0`, found `@`");
    wrong("@0 x: 4 byte, align 4", "2:9: expected `bytes`, found `byte`");
    wrong(
        "@0 x: 4 bytes, align 4, volatile",
        "2:25: expected a property, or a variable such as `v0`, found `volatile`",
    );
    wrong("fn0 f(i32) -> (i33, i129) external", "2:21: expected a type, found `i129`");
    wrong("fn0 f(i32) -> ()", "2:6: expected parameters with values, such as `%0 i32`, found `(`");
    wrong("fn0 f() -> ()\nb0:\n  return 7\n", "4:10: expected an operand, found `7`");
    wrong("fn0 f() -> ()\nb0:\n", "4:1: expected an instruction, found the end of the text");
    wrong("fn0 f() -> ()\nb1:\n", "3:1: expected `b0`, found `b1`");
    wrong("fn0 f() -> ()\nb0:\n  Add.i32 i32 1\n", "4:16: expected `,`, found the end of the line");
    wrong("fn0 f() -> ()\nb0:\n  Add.i99x i32 1\n", "4:3: expected a type in place of `i99x`, found `Add`");
    wrong(
        "fn0 f() -> ()\nb0:\n  Mix.i32 i32 1\n",
        "4:3: expected an instruction (there is no `Mix`), found `Mix`",
    );
    wrong(
        "fn0 f() -> ()\nb0:\n  Load.i32.AcqRel ptr 0\n",
        "4:3: expected an instruction (there is no `AcqRel`), found `Load`",
    );
    wrong(
        "fn0 f() -> ()\nb0:\n  %7 i32 = StackSave\n  return\n",
        "4:6: expected a value below %1, since the function has 1, found `i32`",
    );
    wrong(
        "fn0 f(%0 i32) -> ()\nb0:\n  %0 ptr = StackSave\n  return\n",
        "4:6: expected another value than %0, which is defined twice, found `ptr`",
    );
    wrong(
        "fn0 f() -> ()\nb0:\n  Call fn7()\n  return\n",
        "4:8: expected a function of the program, found `fn7`",
    );
    wrong(
        "fn0 f() -> ()\nb0:\n  Call fn0(i32 1)\n  return\n",
        "4:8: expected a function that takes these arguments, or `as` and a signature behind them, found `fn0`",
    );
    wrong(
        "fn0 f() -> ()\nb0:\n  Call ptr 0()\n  return\n",
        "4:15: expected `as` and a signature, found the end of the line",
    );
    wrong("contents @0: \"\"", "2:10: expected a global that was declared before, found `@`");
    wrong("file 1 \"\\q\"", "2:9: expected `\\n`, `\\\"`, `\\\\` or `\\x00`, found `\\\\`");
    wrong("file 1 \"\\xff\"", "2:8: expected text in UTF-8, found `\\\"`");
    wrong("file 1 \"open\n", "2:13: expected `\"`, found the end of the line");
    wrong("!1 = 1:99999999999:3 in 1", "2:8: expected a number of at most 32 bits, found `99999999999`");
    wrong(
        "@0 x: 4 bytes, align 4\ncontents @0: zeros 99999999999999",
        "3:14: expected at most 268435456 bytes, found `zeros`",
    );
}

#[test]
fn nothing_that_is_read_makes_it_panic() {
    let text = everything().to_string();
    let read = |text: &str| {
        if let Ok(program) = parse(text) {
            // Whatever was read can be checked, and be written again if it holds up.
            if verify(&program).is_ok() {
                assert!(parse(&program.to_string()).is_ok_and(|again| again == program), "{text}");
            }
        }
    };
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        read(&text[..end]);
    }
    let mut state = 0x5e1f_ed6e_u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        let at = random(bytes.len());
        match random(3) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, b"0%@!b,.()- \n\"\\i9"[random(16)]),
            _ => bytes[at] = 1 + random(127) as u8,
        }
        if let Ok(text) = String::from_utf8(bytes) {
            read(&text);
        }
    }
}
