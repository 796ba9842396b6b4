//! Instructions, terminators and operands.

use crate::{BlockId, Signature, SlotId, SpanId, Symbol, Type, ValueId};

/// Something an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The result of another instruction, or a parameter.
    Value(ValueId),
    /// A constant integer (zero-extended), pointer-sized integers and null included; floats as bits.
    Const(Type, u128),
    /// The address of a symbol plus an offset; a pointer, or a 64-bit integer where one is expected. The symbol is no
    /// thread-local global, which has an address for each thread.
    Address(Symbol, i64),
    /// Any value at all: reads as zero.
    Undefined(Type),
}

impl Operand {
    /// The constant, if it is one; an undefined operand counts as zero.
    pub fn as_const(self) -> Option<u128> {
        match self {
            Operand::Const(_, bits) => Some(bits),
            Operand::Undefined(_) => Some(0),
            Operand::Value(_) | Operand::Address(..) => None,
        }
    }

    /// The value, if it is one.
    pub fn as_value(self) -> Option<ValueId> {
        match self {
            Operand::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// Orders a load can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoadOrder {
    /// Not atomic.
    Plain,
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire` (and `consume`).
    Acquire,
    /// `memory_order_seq_cst`.
    SeqCst,
}

/// Orders a store can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StoreOrder {
    /// Not atomic.
    Plain,
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_release`.
    Release,
    /// `memory_order_seq_cst`.
    SeqCst,
}

/// Orders a read-modify-write can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RmwOrder {
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

/// Orders a fence can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FenceOrder {
    /// `memory_order_acquire`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

/// What a read-modify-write does with the old value and its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RmwOp {
    /// The operand replaces the old value.
    Exchange,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Bitwise and.
    And,
    /// Complement of the bitwise and.
    Nand,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Signed maximum.
    Max,
    /// Signed minimum.
    Min,
    /// Unsigned maximum.
    UMax,
    /// Unsigned minimum.
    UMin,
    /// Floating-point sum.
    FAdd,
    /// Floating-point difference.
    FSub,
}

/// Read-modify-writes that commute with each other: applied to one location one after the other, they leave the same there in any
/// order. (Floating-point sums do not: each is rounded.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of `RmwOp`")]
pub enum CommutingOp {
    /// Sums and differences.
    Sum,
    And,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

impl RmwOp {
    /// Those that it commutes with, itself among them.
    pub fn commuting(self) -> Option<CommutingOp> {
        Some(match self {
            RmwOp::Add | RmwOp::Sub => CommutingOp::Sum,
            RmwOp::And => CommutingOp::And,
            RmwOp::Or => CommutingOp::Or,
            RmwOp::Xor => CommutingOp::Xor,
            RmwOp::Max => CommutingOp::Max,
            RmwOp::Min => CommutingOp::Min,
            RmwOp::UMax => CommutingOp::UMax,
            RmwOp::UMin => CommutingOp::UMin,
            RmwOp::Exchange | RmwOp::Nand | RmwOp::FAdd | RmwOp::FSub => return None,
        })
    }
}

/// Whether the program goes on to use what a read-modify-write has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OldValue {
    /// It may.
    Used,
    /// It does not, whatever the value is: no instruction with an effect depends on it.
    Unused,
}

/// Operations on two operands of one type, giving that type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    /// Saturating.
    UAddSat,
    /// Saturating.
    SAddSat,
    /// Saturating.
    USubSat,
    /// Saturating.
    SSubSat,
    /// Saturating.
    UShlSat,
    /// Saturating.
    SShlSat,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    /// A NaN operand gives the other one.
    FMinNum,
    /// A NaN operand gives the other one.
    FMaxNum,
    /// A NaN operand gives a NaN.
    FMinimum,
    /// A NaN operand gives a NaN.
    FMaximum,
    CopySign,
}

impl BinaryOp {
    /// Whether it is on floating-point numbers; the others are on integers.
    pub fn is_float(self) -> bool {
        use BinaryOp::*;
        matches!(self, FAdd | FSub | FMul | FDiv | FRem | FMinNum | FMaxNum | FMinimum | FMaximum | CopySign)
    }
}

/// Operations on one operand, giving its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Number of one bits.
    CountOnes,
    /// Number of leading zero bits; the width for zero.
    LeadingZeros,
    /// Number of trailing zero bits; the width for zero.
    TrailingZeros,
    /// Bytes in reverse order.
    SwapBytes,
    /// Bits in reverse order.
    ReverseBits,
    /// Magnitude of a signed integer (the minimum stays as it is).
    Abs,
    /// Sign flipped.
    FNeg,
    /// Sign cleared.
    FAbs,
    /// Square root.
    Sqrt,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceil,
    /// Towards zero.
    Truncate,
    /// To the nearest, ties away from zero.
    Round,
    /// To the nearest, ties to even.
    RoundEven,
}

impl UnaryOp {
    /// Whether it is on floating-point numbers; the others are on integers.
    pub fn is_float(self) -> bool {
        use UnaryOp::*;
        matches!(self, FNeg | FAbs | Sqrt | Floor | Ceil | Truncate | Round | RoundEven)
    }
}

/// Integer comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum IntCompare {
    Eq,
    Ne,
    ULt,
    ULe,
    UGt,
    UGe,
    SLt,
    SLe,
    SGt,
    SGe,
}

/// Floating-point comparisons: true for which of less, equal, greater, unordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatCompare {
    /// True if the first is less.
    pub less: bool,
    /// True if they are equal.
    pub equal: bool,
    /// True if the first is greater.
    pub greater: bool,
    /// True if one is a NaN.
    pub unordered: bool,
}

/// Conversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastOp {
    /// To fewer bits.
    Truncate,
    /// To more bits, zeros in front (pointer and integer conversions too).
    ZeroExtend,
    /// To more bits, copies of the sign in front.
    SignExtend,
    /// Between `float` and `double`.
    FloatToFloat,
    /// Towards zero; out of range as x86-64 does it.
    FloatToUnsigned,
    /// Towards zero; out of range as x86-64 does it.
    FloatToSigned,
    /// Towards zero, saturating, NaN gives 0.
    FloatToUnsignedSat,
    /// Towards zero, saturating, NaN gives 0.
    FloatToSignedSat,
    /// To the nearest.
    UnsignedToFloat,
    /// To the nearest.
    SignedToFloat,
    /// The same bits.
    Bits,
}

/// Arithmetic that also tells whether it overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
}

/// Whether integers are taken as signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// Natural.
    Unsigned,
}

/// Whether a fence orders threads, or only a thread and its signal handlers (then it is a compiler
/// barrier and does nothing here).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenceScope {
    /// All threads.
    System,
    /// The thread itself.
    SingleThread,
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Callee {
    /// A known function.
    Function(crate::FuncId),
    /// Whatever function is at that address.
    Pointer(Operand),
}

/// The place of one variadic argument in the callee's argument block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariadicArg {
    /// `Some(size)`: the argument is the address of a struct of that many bytes, which are copied.
    pub by_value: Option<u64>,
    /// Offset in the argument block: [`Variadic::REGISTER_AREA`] bytes of register save area, then the
    /// overflow area.
    pub offset: u32,
}

/// The variadic part of a call, laid out as the System V ABI for x86-64 says, because that is what the
/// code clang makes for `va_arg` expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variadic {
    /// For each argument after the fixed ones, its place.
    pub args: Vec<VariadicArg>,
    /// Bytes of the general-purpose register save area taken by fixed arguments.
    pub gp_offset: u32,
    /// Offset of the first free floating-point save slot.
    pub fp_offset: u32,
    /// Size of the whole argument block.
    pub size: u32,
}

impl Variadic {
    /// Size of the register save area: 6 general-purpose and 8 vector registers.
    pub const REGISTER_AREA: u32 = 6 * 8 + 8 * 16;
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// All scalar arguments, fixed ones first.
    pub args: Vec<Operand>,
    /// What the caller believes the callee's signature to be; variadic arguments' types included in
    /// `params`.
    pub signature: Signature,
    /// How many of `args` are fixed parameters of the callee's type.
    pub fixed: usize,
    /// Layout of the rest, for variadic callees.
    pub variadic: Option<Box<Variadic>>,
}

/// What an instruction does.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are explained in the variant's text")]
pub enum InstKind {
    /// `lhs op rhs`, both of type `ty`.
    Binary { op: BinaryOp, ty: Type, lhs: Operand, rhs: Operand },
    /// `op value`.
    Unary { op: UnaryOp, ty: Type, value: Operand },
    /// Two results: the wrapped value, and whether it differs from the true one.
    Overflow { op: OverflowOp, sign: Signedness, ty: Type, lhs: Operand, rhs: Operand },
    /// The high (`left`) or low half of `high:low` shifted by `amount` modulo the width.
    FunnelShift { left: bool, ty: Type, high: Operand, low: Operand, amount: Operand },
    /// `a * b + c`, rounded once.
    FusedMultiplyAdd { ty: Type, a: Operand, b: Operand, c: Operand },
    /// Integer or pointer comparison.
    Compare { op: IntCompare, ty: Type, lhs: Operand, rhs: Operand },
    /// Floating-point comparison.
    CompareFloat { op: FloatCompare, ty: Type, lhs: Operand, rhs: Operand },
    /// Whether the float is in one of the classes of `mask` (LLVM's `is.fpclass` bits).
    FloatClass { ty: Type, value: Operand, mask: u32 },
    /// Conversion.
    Cast { op: CastOp, from: Type, to: Type, value: Operand },
    /// `if_true` or `if_false`.
    Select { ty: Type, condition: Operand, if_true: Operand, if_false: Operand },
    /// `base + offset + Σ index·scale`; indices are 64-bit.
    Offset { base: Operand, offset: i64, terms: Vec<(Operand, i64)> },
    /// Address of a local object.
    SlotAddress(SlotId),
    /// Address of the calling thread's instance of a thread-local global.
    ThreadLocalAddress(crate::GlobalId),
    /// A new local object of `size` bytes.
    DynamicAlloca { size: Operand, align: u64 },
    /// The current top of the dynamic allocations.
    StackSave,
    /// Ends the dynamic allocations made since the given save.
    StackRestore { saved: Operand },
    /// The local object comes to life, uninitialised.
    LifetimeStart(SlotId),
    /// The local object's life ends.
    LifetimeEnd(SlotId),
    /// Reads memory.
    Load { ty: Type, address: Operand, order: LoadOrder },
    /// Writes memory.
    Store { ty: Type, address: Operand, value: Operand, order: StoreOrder },
    /// Reads and writes memory in one step; the result is the old value.
    Rmw { op: RmwOp, ty: Type, address: Operand, value: Operand, order: RmwOrder },
    /// Compares memory with `expected` and, if equal, writes `new`, in one step. Two results: the old
    /// value, and whether it was written. A failure is a load of order `failure`.
    CompareExchange {
        ty: Type,
        address: Operand,
        expected: Operand,
        new: Operand,
        success: RmwOrder,
        failure: LoadOrder,
        weak: bool,
    },
    /// Orders accesses.
    Fence { order: FenceOrder, scope: FenceScope },
    /// Copies `size` bytes; the ranges may overlap.
    CopyMemory { to: Operand, from: Operand, size: Operand },
    /// Sets `size` bytes to `byte`.
    SetMemory { to: Operand, byte: Operand, size: Operand },
    /// A call.
    Call(Box<Call>),
    /// Fills the `va_list` at `list`.
    VaStart { list: Operand },
    /// A trap of the compiler: an overflow or shift check that failed, `__builtin_trap`.
    Trap { reason: TrapReason },
    /// Something the front end cannot translate; an error if it is ever reached.
    Unsupported(Box<str>),
}

/// Why the compiler put a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrapReason {
    /// `__builtin_trap` and the like.
    Trap,
    /// A check of the undefined-behaviour sanitizer, by its number.
    Sanitizer(u8),
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// The values it defines.
    pub results: Vec<ValueId>,
    /// Where it stands.
    pub span: SpanId,
}

/// A jump with arguments for the target's parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The block jumped to.
    pub block: BlockId,
    /// One operand per parameter of the block.
    pub args: Vec<Operand>,
}

/// How a block ends.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are explained in the variant's text")]
pub enum Terminator {
    /// Goes on elsewhere.
    Jump(Jump),
    /// Goes one way or the other.
    Branch { condition: Operand, if_true: Jump, if_false: Jump },
    /// Goes to the case that equals `value`.
    Switch { ty: Type, value: Operand, cases: Vec<(u128, Jump)>, default: Jump },
    /// Leaves the function.
    Return(Vec<Operand>),
    /// Cannot be reached; a violation if it is.
    Unreachable,
    /// A terminator the front end cannot translate; an error if it is ever reached.
    Unsupported(Box<str>),
}

impl InstKind {
    /// Whether it is an atomic operation or a fence between threads that is weaker than sequentially consistent.
    pub fn is_weak_atomic(&self) -> bool {
        match self {
            InstKind::Load { order, .. } => matches!(order, LoadOrder::Relaxed | LoadOrder::Acquire),
            InstKind::Store { order, .. } => matches!(order, StoreOrder::Relaxed | StoreOrder::Release),
            InstKind::Rmw { order, .. } => *order != RmwOrder::SeqCst,
            InstKind::CompareExchange { success, failure, .. } => {
                *success != RmwOrder::SeqCst || *failure != LoadOrder::SeqCst
            }
            InstKind::Fence { order, scope } => *order != FenceOrder::SeqCst && *scope == FenceScope::System,
            _ => false,
        }
    }

    /// Whether it is executed for its result alone: if nobody reads that, it can go.
    pub fn is_pure(&self) -> bool {
        match self {
            InstKind::Binary { op, .. } => {
                !matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
            }
            InstKind::Unary { .. }
            | InstKind::Overflow { .. }
            | InstKind::FunnelShift { .. }
            | InstKind::FusedMultiplyAdd { .. }
            | InstKind::Compare { .. }
            | InstKind::CompareFloat { .. }
            | InstKind::FloatClass { .. }
            | InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Offset { .. }
            | InstKind::SlotAddress(_)
            | InstKind::ThreadLocalAddress(_) => true,
            _ => false,
        }
    }
}
