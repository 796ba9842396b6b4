//! Register code: what the interpreter executes.
//!
//! A function becomes a run of [`Op`]s, 16 bytes each, with operands resolved to registers of the frame
//! and constants in place. What is executed often has an operation of its own (32- and 64-bit arithmetic,
//! comparisons fused with branches, loads and stores with scaled addressing); everything else goes through
//! [`Op::Generic`], which looks at a description in a side table (`tables.rs`).
//!
//! *Conventions.* A register is 64 bits. An integer of `n` ≤ 64 bits is kept zero-extended; wider ones take
//! two neighbouring registers, low half first. A `float` is its 32 bits, a `double` its 64.
//!
//! *Safety.* The interpreter does not check register numbers, code addresses or table indices. It relies on
//! [`Code::check`] (in `code_check.rs`), which runs over all code once, after compilation.

mod tables;

pub use tables::{AccessKind, CallSite, End, Generic, Source, SwitchTable, Target, VariadicBlock};

use selvedge_program::Site;

/// A register of the current frame.
pub type Reg = u16;
/// A position in [`Code::ops`].
pub type Pc = u32;

/// One operation. `d` is where the result goes; `t` and `f` are where a branch goes if true or false.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
#[allow(missing_docs, reason = "the fields are explained by the enum's text and the names")]
pub enum Op {
    // Moves.
    Const {
        d: Reg,
        value: u64,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    Select {
        d: Reg,
        c: Reg,
        a: Reg,
        b: Reg,
    },

    // Integer arithmetic; `32` keeps the low half, `Imm` takes the second operand from the code.
    Add64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Add32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddImm64 {
        d: Reg,
        a: Reg,
        b: u64,
    },
    AddImm32 {
        d: Reg,
        a: Reg,
        b: u32,
    },
    Sub64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubFromImm64 {
        d: Reg,
        b: Reg,
        a: u64,
    },
    Mul64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulImm64 {
        d: Reg,
        a: Reg,
        b: u64,
    },
    MulImm32 {
        d: Reg,
        a: Reg,
        b: u32,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AndImm {
        d: Reg,
        a: Reg,
        b: u64,
    },
    OrImm {
        d: Reg,
        a: Reg,
        b: u64,
    },
    XorImm {
        d: Reg,
        a: Reg,
        b: u64,
    },
    Shl64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shl32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LShr64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LShr32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AShr64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AShr32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShlImm64 {
        d: Reg,
        a: Reg,
        b: u8,
    },
    ShlImm32 {
        d: Reg,
        a: Reg,
        b: u8,
    },
    LShrImm {
        d: Reg,
        a: Reg,
        b: u8,
    },
    AShrImm64 {
        d: Reg,
        a: Reg,
        b: u8,
    },
    AShrImm32 {
        d: Reg,
        a: Reg,
        b: u8,
    },
    /// Sign extension from 32 to 64 bits.
    Extend32 {
        d: Reg,
        a: Reg,
    },
    /// Sign extension in general: left then right by `shift`, then masked.
    Extend {
        shift: u8,
        d: Reg,
        a: Reg,
        mask: u64,
    },
    /// Division; may fault.
    UDiv32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    UDiv64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SDiv32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SDiv64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    URem32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    URem64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SRem32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SRem64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },

    // Comparisons as values.
    SetEq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetNe {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetULt {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetULe {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetSLt32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetSLe32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetSLt64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetSLe64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SetEqImm {
        d: Reg,
        a: Reg,
        b: u64,
    },
    SetNeImm {
        d: Reg,
        a: Reg,
        b: u64,
    },

    // Floating point.
    AddF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },

    // Control.
    Jump {
        t: Pc,
    },
    Branch {
        a: Reg,
        t: Pc,
        f: Pc,
    },
    BranchEq {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    BranchULt {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    BranchULe {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    BranchSLt32 {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    BranchSLe32 {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    BranchSLt64 {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    BranchSLe64 {
        a: Reg,
        b: Reg,
        t: Pc,
        f: Pc,
    },
    /// Immediates are sign-extended to 64 bits, or taken as 32-bit numbers.
    BranchEqImm {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    BranchULtImm {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    BranchUGtImm {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    BranchSLtImm32 {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    BranchSGtImm32 {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    BranchSLtImm64 {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    BranchSGtImm64 {
        a: Reg,
        b: i32,
        t: Pc,
        f: Pc,
    },
    Switch {
        a: Reg,
        table: u32,
    },
    /// A call of a compiled function with as many arguments as it has parameters and at most one result.
    Call {
        args: u8,
        d: Reg,
        function: u32,
        pool: u32,
    },
    /// Any other call: variadic, indirect, builtin, several results.
    CallSite {
        site: u32,
    },
    Return0,
    Return1 {
        a: Reg,
    },
    Return {
        pool: u32,
        count: u32,
    },

    // Addresses.
    Offset {
        d: Reg,
        a: Reg,
        index: Reg,
        scale: u32,
        offset: i32,
    },
    SlotAddress {
        d: Reg,
        offset: u32,
    },
    ThreadLocalAddress {
        d: Reg,
        offset: u32,
    },

    // Memory: `base + offset`, or `base + index * scale + offset`. `info` indexes [`Code::accesses`].
    Load8 {
        d: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    Load16 {
        d: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    Load32 {
        d: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    Load64 {
        d: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    LoadIndexed8 {
        scale: u8,
        d: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    LoadIndexed16 {
        scale: u8,
        d: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    LoadIndexed32 {
        scale: u8,
        d: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    LoadIndexed64 {
        scale: u8,
        d: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    Store8 {
        s: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    Store16 {
        s: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    Store32 {
        s: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    Store64 {
        s: Reg,
        base: Reg,
        offset: i32,
        info: u32,
    },
    StoreIndexed8 {
        scale: u8,
        s: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    StoreIndexed16 {
        scale: u8,
        s: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    StoreIndexed32 {
        scale: u8,
        s: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },
    StoreIndexed64 {
        scale: u8,
        s: Reg,
        base: Reg,
        index: Reg,
        offset: i32,
        info: u32,
    },

    /// Anything else, described in [`Code::generic`].
    Generic {
        index: u32,
    },
    /// A path the front end could not translate, or that must not be reached; [`Code::ends`] says which.
    End {
        index: u32,
    },
}

/// A local object within its function's stack frame.
#[derive(Debug, Clone, Copy)]
pub struct SlotLayout {
    /// Offset in the frame.
    pub offset: u32,
    /// Size in bytes.
    pub size: u64,
    /// Whether it is dead until its scope is entered.
    pub scoped: bool,
}

/// A compiled function.
#[derive(Debug, Clone, Default)]
pub struct CompiledFunction {
    /// Its first operation; `None` for an external function.
    pub entry: Option<Pc>,
    /// Its first operation behind.
    pub end: Pc,
    /// Registers of a frame.
    pub registers: u16,
    /// Registers of the parameters.
    pub params: Vec<Reg>,
    /// Whether it takes variadic arguments.
    pub variadic: bool,
    /// Local objects.
    pub slots: Vec<SlotLayout>,
    /// Bytes of stack memory of a frame; 0 if there are no local objects.
    pub frame_size: u32,
    /// Alignment of that memory.
    pub frame_align: u32,
    /// Shadow bytes of a fresh frame.
    pub shadow: Vec<u8>,
}

/// The compiled program.
#[derive(Debug, Default)]
pub struct Code {
    /// All operations.
    pub ops: Vec<Op>,
    /// The instruction or terminator that each operation comes from.
    pub origins: Vec<Site>,
    /// Functions, indexed by [`FuncId`].
    pub functions: Vec<CompiledFunction>,
    /// Lists of registers: arguments and return values.
    pub pool: Vec<Reg>,
    /// Loads and stores.
    pub accesses: Vec<AccessKind>,
    /// Generic operations.
    pub generic: Vec<Generic>,
    /// Ends.
    pub ends: Vec<End>,
    /// Calls.
    pub sites: Vec<CallSite>,
    /// Switches.
    pub switches: Vec<SwitchTable>,
    /// Address of each global; 0 for thread-local ones.
    pub global_addresses: Vec<u64>,
    /// Offset of each thread-local global in a thread's block.
    pub thread_local_offsets: Vec<u32>,
    /// Size of a thread's block of thread-local variables.
    pub thread_local_size: u32,
}

/// A promise of the compiler that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("internal error: the code of `{function}` is malformed at {pc}: {what}")]
pub struct Malformed {
    /// The function's number.
    pub function: usize,
    /// The operation.
    pub pc: Pc,
    /// What is wrong.
    pub what: &'static str,
}

const _: () = assert!(size_of::<Op>() == 16);
