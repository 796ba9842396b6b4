//! The one place that talks to LLVM's C interface.
//!
//! `inkwell` does not reach everything the translator needs (cmpxchg orders, switch cases, constant
//! expressions, debug records, …), so this module wraps the raw calls in small `Copy` handles with safe
//! methods. A handle is a pointer into a module of the [`Context`](inkwell::context::Context) that the
//! caller keeps alive for as long as it translates; no handle leaves this crate.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::*;
pub use inkwell::llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMDbgRecordKind, LLVMIntPredicate, LLVMLinkage, LLVMOpcode,
    LLVMRealPredicate, LLVMTypeKind,
};
use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

unsafe extern "C" {
    /// What the C interface does not give (`promote.cpp`).
    fn selvedge_encoding(node: LLVMMetadataRef) -> u32;
}

/// Calls the C interface.
macro_rules! llvm {
    ($call:expr) => {{
        // SAFETY: every handle wraps a pointer that LLVM gave us for a live module of the context that
        // outlives `'c`; the methods below check the kind of value first where a call demands one.
        #[allow(clippy::macro_metavars_in_unsafe)]
        unsafe {
            $call
        }
    }};
}

/// A module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Module<'c>(LLVMModuleRef, PhantomData<&'c ()>);
/// A value: constant, global, argument, instruction, …
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'c>(LLVMValueRef, PhantomData<&'c ()>);
/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty<'c>(LLVMTypeRef, PhantomData<&'c ()>);
/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'c>(LLVMBasicBlockRef, PhantomData<&'c ()>);
/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'c>(LLVMMetadataRef, PhantomData<&'c ()>);

/// A debug record of the kind that ties a variable to a value or an address.
pub struct VariableRecord<'c> {
    /// Whether `value` is the variable's address (a declaration) rather than its value.
    pub declare: bool,
    /// The value or address.
    pub value: Option<Value<'c>>,
    /// The variable.
    pub variable: Metadata<'c>,
}

fn value<'c>(raw: LLVMValueRef) -> Option<Value<'c>> {
    (!raw.is_null()).then_some(Value(raw, PhantomData))
}

fn metadata<'c>(raw: LLVMMetadataRef) -> Option<Metadata<'c>> {
    (!raw.is_null()).then_some(Metadata(raw, PhantomData))
}

fn text(raw: *const c_char, length: usize) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: LLVM gave us a pointer to `length` bytes that live as long as the module.
    let bytes = unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a string that LLVM allocated.
fn owned_text(raw: *mut c_char) -> String {
    // SAFETY: LLVM gave us a zero-terminated string, and it is ours to dispose of.
    unsafe {
        let result = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        result
    }
}

/// Walks one of LLVM's intrusive lists.
fn walk<T: Copy>(first: Option<T>, next: impl Fn(T) -> Option<T>) -> impl Iterator<Item = T> {
    std::iter::successors(first, move |item| next(*item))
}

impl<'c> Module<'c> {
    /// The handle of an `inkwell` module.
    pub fn of(module: &inkwell::module::Module<'c>) -> Self {
        Module(module.as_mut_ptr(), PhantomData)
    }

    /// The pointer itself, for LLVM's pass manager.
    pub fn as_raw(self) -> LLVMModuleRef {
        self.0
    }

    /// All functions, declarations included.
    pub fn functions(self) -> impl Iterator<Item = Value<'c>> {
        walk(value(llvm!(LLVMGetFirstFunction(self.0))), |f| value(llvm!(LLVMGetNextFunction(f.0))))
    }

    /// All global variables, declarations included.
    pub fn globals(self) -> impl Iterator<Item = Value<'c>> {
        walk(value(llvm!(LLVMGetFirstGlobal(self.0))), |g| value(llvm!(LLVMGetNextGlobal(g.0))))
    }

    /// All aliases.
    pub fn aliases(self) -> impl Iterator<Item = Value<'c>> {
        walk(value(llvm!(LLVMGetFirstGlobalAlias(self.0))), |g| value(llvm!(LLVMGetNextGlobalAlias(g.0))))
    }

    /// The target triple.
    pub fn triple(self) -> String {
        // SAFETY: a zero-terminated string owned by the module.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.0)).to_string_lossy().into_owned() }
    }

    fn layout(self) -> LLVMTargetDataRef {
        llvm!(LLVMGetModuleDataLayout(self.0))
    }

    /// Size of a type in memory, padding included.
    pub fn size_of(self, ty: Ty<'c>) -> u64 {
        llvm!(LLVMABISizeOfType(self.layout(), ty.0))
    }

    /// Alignment of a type.
    pub fn align_of(self, ty: Ty<'c>) -> u64 {
        u64::from(llvm!(LLVMABIAlignmentOfType(self.layout(), ty.0)))
    }

    /// Offset of a field of a struct type.
    pub fn offset_of(self, ty: Ty<'c>, field: u32) -> u64 {
        llvm!(LLVMOffsetOfElement(self.layout(), ty.0, field))
    }
}

impl<'c> Ty<'c> {
    /// Its kind.
    pub fn kind(self) -> LLVMTypeKind {
        llvm!(LLVMGetTypeKind(self.0))
    }

    /// Whether it has a size.
    pub fn is_sized(self) -> bool {
        llvm!(LLVMTypeIsSized(self.0)) != 0
    }

    /// Width of an integer type.
    pub fn int_width(self) -> u32 {
        llvm!(LLVMGetIntTypeWidth(self.0))
    }

    /// Number of fields of a struct.
    pub fn field_count(self) -> u32 {
        llvm!(LLVMCountStructElementTypes(self.0))
    }

    /// The type of a field of a struct, which has it: LLVM does not read modules with other indices.
    pub fn struct_field(self, index: u32) -> Ty<'c> {
        assert!(index < self.field_count(), "field {index} of `{}`", self.print());
        Ty(llvm!(LLVMStructGetTypeAtIndex(self.0, index)), PhantomData)
    }

    /// Field types of a struct.
    pub fn struct_fields(self) -> Vec<Ty<'c>> {
        let count = llvm!(LLVMCountStructElementTypes(self.0)) as usize;
        let mut raw = vec![std::ptr::null_mut(); count];
        llvm!(LLVMGetStructElementTypes(self.0, raw.as_mut_ptr()));
        raw.into_iter().map(|ty| Ty(ty, PhantomData)).collect()
    }

    /// Element type of an array or vector.
    pub fn element(self) -> Ty<'c> {
        Ty(llvm!(LLVMGetElementType(self.0)), PhantomData)
    }

    /// Number of elements of an array or vector.
    pub fn length(self) -> u64 {
        match self.kind() {
            LLVMTypeKind::LLVMVectorTypeKind => u64::from(llvm!(LLVMGetVectorSize(self.0))),
            _ => llvm!(LLVMGetArrayLength2(self.0)),
        }
    }

    /// Result type of a function type.
    pub fn return_type(self) -> Ty<'c> {
        Ty(llvm!(LLVMGetReturnType(self.0)), PhantomData)
    }

    /// Parameter types of a function type.
    pub fn params(self) -> Vec<Ty<'c>> {
        let count = llvm!(LLVMCountParamTypes(self.0)) as usize;
        let mut raw = vec![std::ptr::null_mut(); count];
        llvm!(LLVMGetParamTypes(self.0, raw.as_mut_ptr()));
        raw.into_iter().map(|ty| Ty(ty, PhantomData)).collect()
    }

    /// Whether a function type takes more arguments.
    pub fn is_variadic(self) -> bool {
        llvm!(LLVMIsFunctionVarArg(self.0)) != 0
    }

    /// As LLVM prints it.
    pub fn print(self) -> String {
        owned_text(llvm!(LLVMPrintTypeToString(self.0)))
    }
}

/// Makes methods that ask whether a value is of a kind.
macro_rules! is_a {
    ($($(#[$doc:meta])* $name:ident = $call:ident;)*) => {
        impl<'c> Value<'c> {
            $($(#[$doc])* pub fn $name(self) -> bool { !llvm!($call(self.0)).is_null() })*
        }
    };
}

is_a! {
    /// A function.
    is_function = LLVMIsAFunction;
    /// A global variable.
    is_global = LLVMIsAGlobalVariable;
    /// An alias.
    is_alias = LLVMIsAGlobalAlias;
    /// An indirect function.
    is_ifunc = LLVMIsAGlobalIFunc;
    /// A constant of any kind.
    is_constant = LLVMIsAConstant;
    /// An integer constant.
    is_constant_int = LLVMIsAConstantInt;
    /// A floating-point constant.
    is_constant_float = LLVMIsAConstantFP;
    /// The null pointer.
    is_null_pointer = LLVMIsAConstantPointerNull;
    /// All zeros.
    is_zero_aggregate = LLVMIsAConstantAggregateZero;
    /// A constant expression.
    is_constant_expr = LLVMIsAConstantExpr;
    /// An undefined value, poison included.
    is_undefined = LLVMIsAUndefValue;
    /// Inline assembly.
    is_inline_asm = LLVMIsAInlineAsm;
    /// The address of a block.
    is_block_address = LLVMIsABlockAddress;
    /// An array or vector of plain data.
    is_data_sequential = LLVMIsAConstantDataSequential;
    /// An instruction.
    is_instruction = LLVMIsAInstruction;
}

impl<'c> Value<'c> {
    /// Its type.
    pub fn ty(self) -> Ty<'c> {
        Ty(llvm!(LLVMTypeOf(self.0)), PhantomData)
    }

    /// Its name.
    pub fn name(self) -> String {
        let mut length = 0;
        let raw = llvm!(LLVMGetValueName2(self.0, &mut length));
        text(raw, length)
    }

    /// As LLVM prints it.
    pub fn print(self) -> String {
        owned_text(llvm!(LLVMPrintValueToString(self.0)))
    }

    /// Number of operands.
    pub fn operand_count(self) -> u32 {
        llvm!(LLVMGetNumOperands(self.0)).max(0) as u32
    }

    /// An operand that is a value.
    pub fn operand(self, index: u32) -> Value<'c> {
        Value(llvm!(LLVMGetOperand(self.0, index)), PhantomData)
    }

    /// The low 64 bits of an integer constant, and all of it when it is wider.
    pub fn int_value(self) -> u128 {
        let width = self.ty().int_width();
        if width <= 64 {
            return u128::from(llvm!(LLVMConstIntGetZExtValue(self.0)));
        }
        // The C interface gives no more than 64 bits: read "i128 -5".
        let printed = self.print();
        let digits = printed.rsplit(' ').next().unwrap_or_default();
        match digits.parse::<i128>() {
            Ok(number) => (number as u128) & (u128::MAX >> (128 - width.min(128))),
            Err(_) => digits.parse::<u128>().unwrap_or_default(),
        }
    }

    /// The bits of a `float` or `double` constant.
    pub fn float_bits(self) -> u64 {
        let mut lossy = 0;
        let number = llvm!(LLVMConstRealGetDouble(self.0, &mut lossy));
        match self.ty().kind() {
            LLVMTypeKind::LLVMFloatTypeKind => u64::from((number as f32).to_bits()),
            _ => number.to_bits(),
        }
    }

    /// The bytes of an `[n x i8]` constant, if it is one.
    pub fn string_bytes(self) -> Option<Vec<u8>> {
        if !self.is_data_sequential() || llvm!(LLVMIsConstantString(self.0)) == 0 {
            return None;
        }
        let mut length = 0;
        let raw = llvm!(LLVMGetAsString(self.0, &mut length));
        // SAFETY: LLVM gave us a pointer to `length` bytes owned by the constant.
        Some(unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) }.to_vec())
    }

    /// An element of an aggregate constant.
    pub fn aggregate_element(self, index: u64) -> Option<Value<'c>> {
        value(llvm!(LLVMGetAggregateElement(self.0, u32::try_from(index).ok()?)))
    }

    /// The operation of a constant expression.
    pub fn constant_opcode(self) -> LLVMOpcode {
        llvm!(LLVMGetConstOpcode(self.0))
    }

    /// The operation of an instruction.
    pub fn opcode(self) -> LLVMOpcode {
        llvm!(LLVMGetInstructionOpcode(self.0))
    }

    /// What a `getelementptr` steps over first.
    pub fn gep_source_type(self) -> Ty<'c> {
        Ty(llvm!(LLVMGetGEPSourceElementType(self.0)), PhantomData)
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value<'c> {
        Value(llvm!(LLVMAliasGetAliasee(self.0)), PhantomData)
    }

    // Globals and functions.

    /// The type of a global's contents, or a function's type.
    pub fn value_type(self) -> Ty<'c> {
        Ty(llvm!(LLVMGlobalGetValueType(self.0)), PhantomData)
    }

    /// Linkage of a global or function.
    pub fn linkage(self) -> LLVMLinkage {
        llvm!(LLVMGetLinkage(self.0))
    }

    /// Whether a global or function is only declared here.
    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }

    /// Initial value of a global.
    pub fn initializer(self) -> Option<Value<'c>> {
        value(llvm!(LLVMGetInitializer(self.0)))
    }

    /// Whether a global is constant.
    pub fn is_global_constant(self) -> bool {
        llvm!(LLVMIsGlobalConstant(self.0)) != 0
    }

    /// Whether a global has an instance per thread.
    pub fn is_thread_local(self) -> bool {
        llvm!(LLVMIsThreadLocal(self.0)) != 0
    }

    /// Alignment of a global or a memory instruction, as written; 0 if not.
    pub fn alignment(self) -> u64 {
        u64::from(llvm!(LLVMGetAlignment(self.0)))
    }

    /// Parameters of a function.
    pub fn params(self) -> Vec<Value<'c>> {
        (0..llvm!(LLVMCountParams(self.0)))
            .filter_map(|index| value(llvm!(LLVMGetParam(self.0, index))))
            .collect()
    }

    /// Number of the intrinsic that a function is; 0 if none.
    pub fn intrinsic_id(self) -> u32 {
        llvm!(LLVMGetIntrinsicID(self.0))
    }

    /// Blocks of a function.
    pub fn blocks(self) -> impl Iterator<Item = Block<'c>> {
        let block = |raw: LLVMBasicBlockRef| (!raw.is_null()).then_some(Block(raw, PhantomData));
        walk(block(llvm!(LLVMGetFirstBasicBlock(self.0))), move |b: Block<'c>| {
            block(llvm!(LLVMGetNextBasicBlock(b.0)))
        })
    }

    // Instructions.

    /// Type that an `alloca` allocates.
    pub fn allocated_type(self) -> Ty<'c> {
        Ty(llvm!(LLVMGetAllocatedType(self.0)), PhantomData)
    }

    /// Order of a load, store, fence or read-modify-write.
    pub fn ordering(self) -> LLVMAtomicOrdering {
        llvm!(LLVMGetOrdering(self.0))
    }

    /// Orders of a compare-exchange: success, failure.
    pub fn exchange_orderings(self) -> (LLVMAtomicOrdering, LLVMAtomicOrdering) {
        (llvm!(LLVMGetCmpXchgSuccessOrdering(self.0)), llvm!(LLVMGetCmpXchgFailureOrdering(self.0)))
    }

    /// Whether a compare-exchange may fail for no reason.
    pub fn is_weak(self) -> bool {
        llvm!(LLVMGetWeak(self.0)) != 0
    }

    /// Whether an atomic instruction orders only its own thread.
    pub fn is_single_thread(self) -> bool {
        llvm!(LLVMIsAtomicSingleThread(self.0)) != 0
    }

    /// What a read-modify-write does.
    pub fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        llvm!(LLVMGetAtomicRMWBinOp(self.0))
    }

    /// Integer comparison.
    pub fn int_predicate(self) -> LLVMIntPredicate {
        llvm!(LLVMGetICmpPredicate(self.0))
    }

    /// Floating-point comparison.
    pub fn float_predicate(self) -> LLVMRealPredicate {
        llvm!(LLVMGetFCmpPredicate(self.0))
    }

    /// Indices of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        let count = llvm!(LLVMGetNumIndices(self.0)) as usize;
        let raw = llvm!(LLVMGetIndices(self.0));
        // SAFETY: the instruction owns `count` indices.
        unsafe { std::slice::from_raw_parts(raw, count) }.to_vec()
    }

    /// A lane of a `shufflevector`'s mask; `None` where the result does not matter.
    pub fn mask_lane(self, lane: u32) -> Option<u32> {
        u32::try_from(llvm!(LLVMGetMaskValue(self.0, lane))).ok()
    }

    /// Number of lanes of a `shufflevector`'s mask.
    pub fn mask_length(self) -> u32 {
        llvm!(LLVMGetNumMaskElements(self.0))
    }

    /// Blocks before a phi, each with the value that comes from there.
    pub fn incoming(self) -> impl Iterator<Item = (Block<'c>, Value<'c>)> {
        (0..llvm!(LLVMCountIncoming(self.0))).map(move |index| {
            (
                Block(llvm!(LLVMGetIncomingBlock(self.0, index)), PhantomData),
                Value(llvm!(LLVMGetIncomingValue(self.0, index)), PhantomData),
            )
        })
    }

    /// Where a terminator may go.
    pub fn successors(self) -> Vec<Block<'c>> {
        (0..llvm!(LLVMGetNumSuccessors(self.0)))
            .map(|index| Block(llvm!(LLVMGetSuccessor(self.0, index)), PhantomData))
            .collect()
    }

    /// Whether a branch has a condition.
    pub fn is_conditional(self) -> bool {
        llvm!(LLVMIsConditional(self.0)) != 0
    }

    /// The condition of a branch.
    pub fn condition(self) -> Value<'c> {
        Value(llvm!(LLVMGetCondition(self.0)), PhantomData)
    }

    /// The value of case `index` of a switch; 0 is the default.
    pub fn switch_case(self, index: u32) -> Value<'c> {
        Value(llvm!(LLVMGetSwitchCaseValue(self.0, index)), PhantomData)
    }

    /// What a call calls.
    pub fn called_value(self) -> Value<'c> {
        Value(llvm!(LLVMGetCalledValue(self.0)), PhantomData)
    }

    /// The type a call believes its callee to have.
    pub fn called_type(self) -> Ty<'c> {
        Ty(llvm!(LLVMGetCalledFunctionType(self.0)), PhantomData)
    }

    /// Arguments of a call.
    pub fn call_args(self) -> Vec<Value<'c>> {
        (0..llvm!(LLVMGetNumArgOperands(self.0))).map(|index| self.operand(index)).collect()
    }

    /// The type of a `byval` argument of a call.
    pub fn call_by_value_type(self, argument: u32) -> Option<Ty<'c>> {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(self.0, argument + 1, attribute_kind(c"byval")));
        (!attribute.is_null()).then(|| Ty(llvm!(LLVMGetTypeAttributeValue(attribute)), PhantomData))
    }

    /// The alignment that a call's argument is passed with, if stated.
    pub fn call_argument_alignment(self, argument: u32) -> Option<u64> {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(self.0, argument + 1, attribute_kind(c"align")));
        (!attribute.is_null()).then(|| llvm!(LLVMGetEnumAttributeValue(attribute)))
    }

    /// Text and constraints of inline assembly.
    pub fn inline_asm(self) -> (String, String) {
        let mut length = 0;
        let raw = llvm!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        let code = text(raw, length);
        let raw = llvm!(LLVMGetInlineAsmConstraintString(self.0, &mut length));
        (code, text(raw, length))
    }

    // Debug information.

    /// The block that an instruction stands in.
    pub fn block(self) -> Option<Block<'c>> {
        let raw = llvm!(LLVMGetInstructionParent(self.0));
        (!raw.is_null()).then_some(Block(raw, PhantomData))
    }

    /// The place of an instruction.
    pub fn debug_location(self) -> Option<Metadata<'c>> {
        metadata(llvm!(LLVMInstructionGetDebugLoc(self.0)))
    }

    /// The description of a function.
    pub fn subprogram(self) -> Option<Metadata<'c>> {
        metadata(llvm!(LLVMGetSubprogram(self.0)))
    }

    /// Debug records that stand before an instruction.
    pub fn variable_records(self) -> Vec<VariableRecord<'c>> {
        let record = |raw: LLVMDbgRecordRef| (!raw.is_null()).then_some(raw);
        walk(record(llvm!(LLVMGetFirstDbgRecord(self.0))), move |r| record(llvm!(LLVMGetNextDbgRecord(r))))
            .filter_map(|raw| {
                let kind = llvm!(LLVMDbgRecordGetKind(raw));
                if kind == LLVMDbgRecordKind::LLVMDbgRecordLabel {
                    return None;
                }
                Some(VariableRecord {
                    declare: kind == LLVMDbgRecordKind::LLVMDbgRecordDeclare,
                    value: value(llvm!(LLVMDbgVariableRecordGetValue(raw, 0))),
                    variable: metadata(llvm!(LLVMDbgVariableRecordGetVariable(raw)))?,
                })
            })
            .collect()
    }

    /// The description of a global variable.
    pub fn global_variable(self) -> Option<Metadata<'c>> {
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        if entries.is_null() {
            return None;
        }
        let mut found = None;
        for index in 0..count as u32 {
            let node = llvm!(LLVMValueMetadataEntriesGetMetadata(entries, index));
            let is_variable = matches!(
                llvm!(LLVMGetMetadataKind(node)),
                LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind
            );
            if found.is_none() && is_variable {
                found = metadata(llvm!(LLVMDIGlobalVariableExpressionGetVariable(node)));
            }
        }
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// The string, if the value is metadata that holds one.
    fn metadata_string(self) -> Option<String> {
        let mut length = 0;
        let raw = llvm!(LLVMGetMDString(self.0, &mut length));
        (!raw.is_null()).then(|| text(raw, length as usize))
    }
}

fn attribute_kind(name: &CStr) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr(), name.count_bytes()))
}

impl<'c> Block<'c> {
    /// Its instructions.
    pub fn instructions(self) -> impl Iterator<Item = Value<'c>> {
        walk(value(llvm!(LLVMGetFirstInstruction(self.0))), |i| value(llvm!(LLVMGetNextInstruction(i.0))))
    }

    /// Its last instruction.
    pub fn terminator(self) -> Option<Value<'c>> {
        value(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }
}

/// The node that an operand of a metadata node is, if it is one.
fn as_node<'c>(operand: LLVMValueRef) -> Option<Metadata<'c>> {
    let operand = value(operand).filter(|operand| !operand.is_constant())?;
    metadata(llvm!(LLVMValueAsMetadata(operand.0)))
}

/// Kinds of metadata node that the translator tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// `DIBasicType`.
    BasicType,
    /// `DIDerivedType`.
    DerivedType,
    /// `DICompositeType`.
    CompositeType,
    /// `DISubroutineType`.
    SubroutineType,
    /// `DISubprogram`.
    Subprogram,
    /// `DISubrange`.
    Subrange,
    /// Anything else.
    Other,
}

impl<'c> Metadata<'c> {
    /// What sort of node it is.
    pub fn kind(self) -> NodeKind {
        use LLVMMetadataKind as Kind;
        match llvm!(LLVMGetMetadataKind(self.0)) {
            Kind::LLVMDIBasicTypeMetadataKind => NodeKind::BasicType,
            Kind::LLVMDIDerivedTypeMetadataKind => NodeKind::DerivedType,
            Kind::LLVMDICompositeTypeMetadataKind => NodeKind::CompositeType,
            Kind::LLVMDISubroutineTypeMetadataKind => NodeKind::SubroutineType,
            Kind::LLVMDISubprogramMetadataKind => NodeKind::Subprogram,
            Kind::LLVMDISubrangeMetadataKind => NodeKind::Subrange,
            _ => NodeKind::Other,
        }
    }

    /// DWARF tag.
    pub fn tag(self) -> u16 {
        llvm!(LLVMGetDINodeTag(self.0))
    }

    /// Size of a type in bits.
    pub fn type_size_bits(self) -> u64 {
        llvm!(LLVMDITypeGetSizeInBits(self.0))
    }

    /// How a basic type represents its values, as a number of DWARF; 0 for other nodes.
    pub fn encoding(self) -> u32 {
        llvm!(selvedge_encoding(self.0))
    }

    /// Offset of a member in bits.
    pub fn type_offset_bits(self) -> u64 {
        llvm!(LLVMDITypeGetOffsetInBits(self.0))
    }

    /// Whether a member is a bit-field.
    pub fn is_bit_field(self) -> bool {
        llvm!(LLVMDITypeGetFlags(self.0)) & LLVMDIFlagBitField != 0
    }

    /// Name of a type.
    pub fn type_name(self) -> String {
        let mut length = 0;
        let raw = llvm!(LLVMDITypeGetName(self.0, &mut length));
        text(raw, length)
    }

    /// Line of a location.
    pub fn line(self) -> u32 {
        llvm!(LLVMDILocationGetLine(self.0))
    }

    /// Column of a location.
    pub fn column(self) -> u32 {
        llvm!(LLVMDILocationGetColumn(self.0))
    }

    /// Scope of a location.
    pub fn location_scope(self) -> Option<Metadata<'c>> {
        metadata(llvm!(LLVMDILocationGetScope(self.0)))
    }

    /// The call a location was inlined at.
    pub fn inlined_at(self) -> Option<Metadata<'c>> {
        metadata(llvm!(LLVMDILocationGetInlinedAt(self.0)))
    }

    /// Line of a function.
    pub fn subprogram_line(self) -> u32 {
        llvm!(LLVMDISubprogramGetLine(self.0))
    }

    /// Line of a variable.
    pub fn variable_line(self) -> u32 {
        llvm!(LLVMDIVariableGetLine(self.0))
    }

    /// File of a variable.
    pub fn variable_file(self) -> Option<Metadata<'c>> {
        metadata(llvm!(LLVMDIVariableGetFile(self.0)))
    }

    /// File of a scope.
    pub fn scope_file(self) -> Option<Metadata<'c>> {
        metadata(llvm!(LLVMDIScopeGetFile(self.0)))
    }

    /// Folder of a file; may be empty.
    pub fn file_directory(self) -> String {
        let mut length = 0;
        let raw = llvm!(LLVMDIFileGetDirectory(self.0, &mut length));
        text(raw, length as usize)
    }

    /// Name of a file.
    pub fn file_name(self) -> String {
        let mut length = 0;
        let raw = llvm!(LLVMDIFileGetFilename(self.0, &mut length));
        text(raw, length as usize)
    }

    fn as_value(self, context: LLVMContextRef) -> Value<'c> {
        Value(llvm!(LLVMMetadataAsValue(context, self.0)), PhantomData)
    }

    /// The operands; null for those that are not there.
    fn raw_operands(self, context: LLVMContextRef) -> Vec<LLVMValueRef> {
        let node = self.as_value(context);
        let count = llvm!(LLVMGetMDNodeNumOperands(node.0)) as usize;
        let mut raw = vec![std::ptr::null_mut(); count];
        llvm!(LLVMGetMDNodeOperands(node.0, raw.as_mut_ptr()));
        raw
    }

    /// Operand `index`, if it is a node.
    pub fn node_operand(self, context: LLVMContextRef, index: usize) -> Option<Metadata<'c>> {
        as_node(*self.raw_operands(context).get(index)?)
    }

    /// All operands that are nodes.
    pub fn node_operands(self, context: LLVMContextRef) -> Vec<Metadata<'c>> {
        self.raw_operands(context).into_iter().filter_map(as_node).collect()
    }

    /// Operand `index`, if it is a string.
    pub fn string_operand(self, context: LLVMContextRef, index: usize) -> Option<String> {
        value(*self.raw_operands(context).get(index)?)?.metadata_string()
    }

    /// Operand `index`, if it is an integer constant.
    pub fn int_operand(self, context: LLVMContextRef, index: usize) -> Option<u64> {
        let operand = value(*self.raw_operands(context).get(index)?)?;
        operand.is_constant_int().then(|| operand.int_value() as u64)
    }
}
