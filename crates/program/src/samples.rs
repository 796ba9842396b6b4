//! For tests: one instruction of each kind, and one terminator of each kind.

use crate::*;

/// Instructions of all kinds, each well typed where `%0` is an `i32`, `%1` a `ptr`, `%2` an `i64`, `%3` a `f64` and `%4` an
/// `i1`, and where slot 0, global 0 (which is thread-local) and function 0, which takes an `i32`, exist.
pub fn kinds() -> Vec<InstKind> {
    let [int, pointer, word, float, truth] = [0, 1, 2, 3, 4].map(|number| Operand::Value(ValueId(number)));
    let number = Operand::Const(Type::I32, 7);
    let function = Operand::Address(Symbol::Function(FuncId(0)), 0);
    let signature =
        |params: &[Type], variadic| Signature { params: params.to_vec(), results: vec![Type::I32], variadic };
    let indirect = Call {
        callee: Callee::Pointer(function),
        args: vec![int, pointer],
        signature: signature(&[Type::I32, Type::Ptr], false),
        fixed: 2,
        variadic: None,
    };
    let places = [(None, 8), (Some(24), Variadic::REGISTER_AREA)];
    let variadic = Call {
        callee: Callee::Function(FuncId(0)),
        args: vec![int, number, pointer],
        signature: signature(&[Type::I32, Type::I32, Type::Ptr], true),
        fixed: 1,
        variadic: Some(Box::new(Variadic {
            args: places
                .iter()
                .map(|(by_value, offset)| VariadicArg { by_value: *by_value, offset: *offset })
                .collect(),
            gp_offset: 8,
            fp_offset: 48,
            size: Variadic::REGISTER_AREA + 24,
        })),
    };
    let (ty, wide) = (Type::I32, Type::I64);
    let less = FloatCompare { less: true, equal: false, greater: false, unordered: true };
    vec![
        InstKind::Binary { op: BinaryOp::Add, ty, lhs: int, rhs: number },
        InstKind::Unary { op: UnaryOp::CountOnes, ty, value: int },
        InstKind::Overflow { op: OverflowOp::Mul, sign: Signedness::Signed, ty, lhs: int, rhs: number },
        InstKind::FunnelShift { left: true, ty, high: int, low: number, amount: int },
        InstKind::FusedMultiplyAdd { ty: Type::F64, a: float, b: float, c: Operand::Undefined(Type::F64) },
        InstKind::Compare { op: IntCompare::SLt, ty, lhs: int, rhs: number },
        InstKind::CompareFloat { op: less, ty: Type::F64, lhs: float, rhs: float },
        InstKind::FloatClass { ty: Type::F64, value: float, mask: 0x3f },
        InstKind::Cast { op: CastOp::SignExtend, from: ty, to: wide, value: int },
        InstKind::Select { ty, condition: truth, if_true: int, if_false: number },
        InstKind::Offset { base: pointer, offset: -8, terms: vec![(word, 4), (word, -1)] },
        InstKind::SlotAddress(SlotId(0)),
        InstKind::ThreadLocalAddress(GlobalId(0)),
        InstKind::DynamicAlloca { size: word, align: 16 },
        InstKind::StackSave,
        InstKind::StackRestore { saved: pointer },
        InstKind::LifetimeStart(SlotId(0)),
        InstKind::LifetimeEnd(SlotId(0)),
        InstKind::Load { ty, address: pointer, order: LoadOrder::Acquire },
        InstKind::Store { ty, address: pointer, value: int, order: StoreOrder::Plain },
        InstKind::Rmw { op: RmwOp::UMax, ty, address: pointer, value: int, order: RmwOrder::AcqRel },
        InstKind::CompareExchange {
            ty,
            address: pointer,
            expected: int,
            new: number,
            success: RmwOrder::SeqCst,
            failure: LoadOrder::Relaxed,
            weak: true,
        },
        InstKind::Fence { order: FenceOrder::SeqCst, scope: FenceScope::System },
        InstKind::CopyMemory { to: pointer, from: pointer, size: word },
        InstKind::SetMemory { to: pointer, byte: Operand::Const(Type::Int(8), 0), size: word },
        InstKind::Call(Box::new(indirect)),
        InstKind::Call(Box::new(variadic)),
        InstKind::VaStart { list: pointer },
        InstKind::Trap { reason: TrapReason::Sanitizer(3) },
        InstKind::Unsupported("a \"construct\"".into()),
    ]
}

/// Terminators of all kinds that have jumps or operands, for block 1, which takes an `i32`.
pub fn terminators() -> Vec<Terminator> {
    let (int, truth) = (Operand::Value(ValueId(0)), Operand::Value(ValueId(4)));
    let jump = |number| Jump { block: BlockId(1), args: vec![Operand::Const(Type::I32, number)] };
    vec![
        Terminator::Jump(jump(1)),
        Terminator::Branch { condition: truth, if_true: jump(2), if_false: jump(3) },
        Terminator::Switch {
            ty: Type::I32,
            value: int,
            cases: vec![(0, jump(4)), (9, jump(5))],
            default: jump(6),
        },
        Terminator::Return(vec![int]),
    ]
}
