//! The machine stops at the builtins that are said to be visible, and at no others.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use selvedge_program::builtins::{Builtin, PointerUse, Visibility};
use selvedge_program::{
    FunctionBuilder, InstKind, Operand, Program, ProgramBuilder, Symbol, Terminator, Type,
};
use selvedge_vm::{Config, Image, Machine, Stop, ThreadId};

/// Whether another thread has been created before.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    None,
    One,
}

/// A program that calls a builtin, with arguments that it can do something with.
fn program(builtin: Builtin, others: Others, number: u128) -> Program {
    let mut program = ProgramBuilder::new("builtin.c");
    let mut worker = FunctionBuilder::new("worker", &[Type::Ptr], &[Type::Ptr]);
    worker.end(Terminator::Return(vec![Operand::Const(Type::Ptr, 0)]));
    let worker = Operand::Address(Symbol::Function(program.add(worker.finish())), 0);
    let mut main = FunctionBuilder::new("main", &[Type::I32, Type::Ptr, Type::Ptr], &[]);
    let mut call = |main: &mut FunctionBuilder, builtin: Builtin, args: Vec<Operand>| {
        let (params, result) = builtin.signature();
        let callee = program.external(&builtin.name(), params, result.as_slice());
        let call = program.call(callee, args);
        main.call(call).first().copied()
    };
    let word = |number| Operand::Const(Type::I64, number);
    let null = Operand::Const(Type::Ptr, 0);
    let buffer = main.slot(64, 16);
    let buffer = main.value(InstKind::SlotAddress(buffer), Type::Ptr);
    let heap = call(&mut main, Builtin::Allocate, vec![word(64), word(16), Operand::Const(Type::I32, 1)]);
    let handle = match others {
        Others::One => call(&mut main, Builtin::Spawn, vec![worker, null]),
        Others::None => Some(word(7)),
    };
    let (heap, handle) = (heap.expect("an object"), handle.expect("a handle"));
    if builtin == Builtin::LongJump {
        call(&mut main, Builtin::SetJump, vec![buffer]);
    }
    let is_thread = matches!(builtin, Builtin::Join | Builtin::JoinError | Builtin::Detach);
    let arg = |(position, ty): (usize, &Type)| match (*ty, builtin) {
        (Type::Ptr, Builtin::Spawn | Builtin::SpawnWith) => worker,
        (Type::Ptr, Builtin::Release | Builtin::AllocationSize) => heap,
        (Type::Ptr, _) => match builtin.pointers().iter().any(|(parameter, _)| *parameter == position) {
            true => buffer,
            false => null,
        },
        (Type::I64, _) if is_thread => handle,
        (Type::I64, _) => word(8),
        // A conversion that is one, where that is asked for.
        (ty, Builtin::FormatDouble) if position == 3 => Operand::Const(ty, u128::from(b'f')),
        (ty, _) => Operand::Const(ty, number),
    };
    let args = builtin.signature().0.iter().enumerate().map(arg).collect();
    call(&mut main, builtin, args);
    call(&mut main, Builtin::Exit, vec![Operand::Const(Type::I32, 0)]);
    let main = program.add(main.finish());
    program.finish(main)
}

/// Calls the builtin. Gives why the machine stops, and whether it is before an operation then.
fn call(builtin: Builtin, others: Others, number: u128) -> (Stop, bool) {
    let program = program(builtin, others, number);
    let image = Image::new(&program).expect("code");
    let mut machine = Machine::new(&image, Config { fuel: 100, ..Config::default() }).expect("a machine");
    let main = ThreadId::MAIN;
    let mut stop = machine.run(main);
    if others == Others::One {
        assert!(matches!(stop, Stop::Visible), "{}: no thread is created", builtin.name());
        stop = machine.perform(main, 0);
    }
    assert!(!matches!(stop, Stop::Unsupported(_)) || builtin == Builtin::Unsupported, "{}", builtin.name());
    let pending = machine.pending(main).is_some();
    (stop, pending)
}

/// Whether the machine stops at the builtin.
fn stops_at(builtin: Builtin, others: Others, number: u128) -> bool {
    matches!(call(builtin, others, number), (Stop::Visible, true))
}

#[test]
fn what_is_visible_stops_the_thread() {
    for builtin in Builtin::all() {
        for others in [Others::None, Others::One] {
            for number in [0, 1] {
                let stops = stops_at(builtin, others, number);
                match builtin.visibility() {
                    Visibility::Visible => assert!(stops, "{}", builtin.name()),
                    Visibility::Invisible => assert!(!stops, "{}", builtin.name()),
                    Visibility::Sometimes => {}
                }
            }
        }
    }
}

#[test]
fn some_stop_the_thread_if_somebody_can_see_it() {
    let synchronises = |builtin: &Builtin| matches!(builtin, Builtin::Sync(_) | Builtin::Yield);
    for builtin in Builtin::all().filter(synchronises) {
        assert_eq!(builtin.visibility(), Visibility::Sometimes, "{}", builtin.name());
        assert!(stops_at(builtin, Others::One, 1), "{}", builtin.name());
    }
    assert!(!stops_at(Builtin::Yield, Others::None, 1));
    assert!(stops_at(Builtin::Assume, Others::None, 0));
    assert!(!stops_at(Builtin::Assume, Others::One, 1));
}

#[test]
fn what_ends_an_object_is_known() {
    let ends =
        Builtin::all().filter(|builtin| builtin.pointers().iter().any(|one| one.1 == PointerUse::Ends));
    assert_eq!(ends.collect::<Vec<_>>(), [Builtin::Release]);
}

#[test]
fn a_loop_of_long_jumps_takes_fuel() {
    let (stop, _) = call(Builtin::LongJump, Others::None, 1);
    assert!(matches!(stop, Stop::OutOfFuel), "{stop:?}");
}
