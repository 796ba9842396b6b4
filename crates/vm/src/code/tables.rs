//! The side tables of register code: descriptions of what has no operation of its own.

use super::{Pc, Reg};
use selvedge_program::{
    BinaryOp, CastOp, FenceOrder, FloatCompare, FuncId, IntCompare, LoadOrder, OldValue, OverflowOp, RmwOp,
    RmwOrder, Signature, Signedness, StoreOrder, TrapReason, Type, UnaryOp,
};

/// What a load or store is, beyond its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// A load.
    Load(LoadOrder),
    /// A store.
    Store(StoreOrder),
}

/// An operand of a generic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A register, or two for a wide type.
    Register(Reg),
    /// A constant.
    Constant(u128),
}

/// An operation that is described rather than encoded.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "mirrors selvedge_program::InstKind, with operands resolved")]
pub enum Generic {
    Binary {
        op: BinaryOp,
        ty: Type,
        d: Reg,
        a: Source,
        b: Source,
    },
    Unary {
        op: UnaryOp,
        ty: Type,
        d: Reg,
        a: Source,
    },
    Overflow {
        op: OverflowOp,
        sign: Signedness,
        ty: Type,
        d: Reg,
        flag: Reg,
        a: Source,
        b: Source,
    },
    FunnelShift {
        left: bool,
        ty: Type,
        d: Reg,
        high: Source,
        low: Source,
        amount: Source,
    },
    FusedMultiplyAdd {
        ty: Type,
        d: Reg,
        a: Source,
        b: Source,
        c: Source,
    },
    Compare {
        op: IntCompare,
        ty: Type,
        d: Reg,
        a: Source,
        b: Source,
    },
    CompareFloat {
        op: FloatCompare,
        ty: Type,
        d: Reg,
        a: Source,
        b: Source,
    },
    FloatClass {
        ty: Type,
        d: Reg,
        a: Source,
        mask: u32,
    },
    Cast {
        op: CastOp,
        from: Type,
        to: Type,
        d: Reg,
        a: Source,
    },
    Select {
        ty: Type,
        d: Reg,
        c: Source,
        a: Source,
        b: Source,
    },
    Load {
        ty: Type,
        d: Reg,
        address: Source,
        order: LoadOrder,
    },
    Store {
        ty: Type,
        address: Source,
        value: Source,
        order: StoreOrder,
    },
    Rmw {
        op: RmwOp,
        ty: Type,
        d: Reg,
        address: Source,
        value: Source,
        order: RmwOrder,
        old: OldValue,
    },
    CompareExchange {
        ty: Type,
        d: Reg,
        flag: Reg,
        address: Source,
        expected: Source,
        new: Source,
        success: RmwOrder,
        failure: LoadOrder,
        weak: bool,
    },
    Fence {
        order: FenceOrder,
    },
    Copy {
        to: Source,
        from: Source,
        size: Source,
    },
    Set {
        to: Source,
        byte: Source,
        size: Source,
    },
    DynamicAlloca {
        d: Reg,
        size: Source,
        align: u64,
    },
    StackSave {
        d: Reg,
    },
    StackRestore {
        saved: Source,
    },
    LifetimeStart {
        slot: u32,
    },
    LifetimeEnd {
        slot: u32,
    },
    VaStart {
        list: Source,
    },
}

/// Where execution must not go on.
#[derive(Debug, Clone)]
pub enum End {
    /// Not translated: what it was.
    Unsupported(Box<str>),
    /// `__builtin_unreachable`, or the end of a function that must return a value.
    Unreachable,
    /// A trap.
    Trap(TrapReason),
}

/// A call that needs more than [`Op::Call`].
#[derive(Debug, Clone)]
pub struct CallSite {
    /// What is called.
    pub target: Target,
    /// The arguments and their types, fixed ones first.
    pub args: Vec<(Source, Type)>,
    /// Where results go, and what type the caller expects.
    pub results: Vec<(Reg, Type)>,
    /// What the caller takes the function's signature for.
    pub signature: Signature,
    /// How many arguments are fixed.
    pub fixed: usize,
    /// The variadic ones.
    pub variadic: Option<VariadicBlock>,
}

/// What a call site calls.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// A function of the program.
    Function(FuncId),
    /// Whatever is at an address.
    Pointer(Source),
}

/// Layout of the variadic arguments of a call, see [`selvedge_program::Variadic`].
#[derive(Debug, Clone)]
pub struct VariadicBlock {
    /// (value, type, bytes to copy from `value` if it is an address, offset)
    pub args: Vec<(Source, Type, Option<u64>, u32)>,
    /// Initial `gp_offset`.
    pub gp_offset: u32,
    /// Initial `fp_offset`.
    pub fp_offset: u32,
    /// Size of the block.
    pub size: u32,
}

/// A `switch`.
#[derive(Debug, Clone)]
pub struct SwitchTable {
    /// Value of the first entry of `dense`.
    pub base: u64,
    /// Targets of consecutive values.
    pub dense: Vec<Pc>,
    /// Sorted (value, target) pairs, when values are far apart.
    pub sparse: Vec<(u64, Pc)>,
    /// Where all others go.
    pub default: Pc,
}

impl SwitchTable {
    /// Where a value goes.
    pub fn target(&self, value: u64) -> Pc {
        if let Some(target) = self.dense.get(value.wrapping_sub(self.base) as usize) {
            return *target;
        }
        match self.sparse.binary_search_by_key(&value, |(v, _)| *v) {
            Ok(index) => self.sparse[index].1,
            Err(_) => self.default,
        }
    }
}
