//! Programs that no compiler has made: for tests, and for random programs that are explored as they are.
//!
//! A [`ProgramBuilder`] collects functions and globals, a [`FunctionBuilder`] the blocks of one function. What is built is not
//! checked here: [`crate::verify`] does that.

use crate::{
    Block, BlockId, Call, Callee, FileId, FuncId, Function, Global, GlobalId, Inst, InstKind, Operand,
    Program, Scope, ScopeId, Signature, SlotId, Span, SpanId, StackSlot, Terminator, Type, ValueId,
};

/// A program under construction.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// An empty program whose spans are in this file.
    pub fn new(file: &str) -> Self {
        let mut program = Program::default();
        program.source.files.push(file.to_owned());
        Self { program }
    }

    /// A place in the file: a line of a function.
    pub fn span(&mut self, function: &str, line: u32) -> SpanId {
        let source = &mut self.program.source;
        let known = source.scopes.iter().rposition(|scope| scope.function == function);
        let scope = known.unwrap_or_else(|| {
            source.scopes.push(Scope { function: function.to_owned(), inlined_at: None });
            source.scopes.len() - 1
        });
        source.spans.push(Span { file: FileId(1), line, column: 1, scope: ScopeId::new(scope) });
        SpanId::new(source.spans.len() - 1)
    }

    /// A global variable with this size and these first bytes; zeros follow.
    pub fn global(&mut self, name: &str, size: u64, bytes: Vec<u8>) -> GlobalId {
        self.program.globals.push(Global {
            name: name.to_owned(),
            size,
            align: 16,
            bytes,
            relocations: Vec::new(),
            constant: false,
            thread_local: false,
            external: false,
            untranslated: None,
            library: false,
            variable: None,
        });
        GlobalId::new(self.program.globals.len() - 1)
    }

    /// A function without a body: one that the machine provides.
    pub fn external(&mut self, name: &str, params: &[Type], results: &[Type]) -> FuncId {
        let known = self.program.functions.iter().position(|function| function.name == name);
        known.map(FuncId::new).unwrap_or_else(|| {
            let signature = Signature { params: params.to_vec(), results: results.to_vec(), variadic: false };
            self.add(Function::external(name.to_owned(), signature))
        })
    }

    /// Adds a function.
    pub fn add(&mut self, function: Function) -> FuncId {
        self.program.functions.push(function);
        FuncId::new(self.program.functions.len() - 1)
    }

    /// A call of a function, which must have been added, with these arguments.
    pub fn call(&self, callee: FuncId, args: Vec<Operand>) -> Call {
        let signature = self.program.function(callee).signature.clone();
        let fixed = args.len();
        Call { callee: Callee::Function(callee), args, signature, fixed, variadic: None }
    }

    /// The program, which starts with a function of (argc, argv, envp).
    pub fn finish(mut self, entry: FuncId) -> Program {
        self.program.entry = Some(entry);
        self.program
    }
}

/// A function under construction. There is always a block to which instructions are added.
#[derive(Debug)]
pub struct FunctionBuilder {
    function: Function,
    block: BlockId,
    span: SpanId,
}

impl FunctionBuilder {
    /// A function with an empty first block.
    pub fn new(name: &str, params: &[Type], results: &[Type]) -> Self {
        let signature = Signature { params: params.to_vec(), results: results.to_vec(), variadic: false };
        let mut function = Function::external(name.to_owned(), signature);
        function.params = params.iter().map(|ty| function.new_value(*ty)).collect();
        let mut builder = Self { function, block: BlockId(0), span: SpanId::NONE };
        builder.block(&[]);
        builder
    }

    /// The parameters.
    pub fn params(&self) -> impl Iterator<Item = Operand> {
        self.function.params.iter().map(|value| Operand::Value(*value))
    }

    /// A local object that lives as long as the call.
    pub fn slot(&mut self, size: u64, align: u64) -> SlotId {
        self.function.slots.push(StackSlot { size, align, variable: None, scoped: false });
        SlotId::new(self.function.slots.len() - 1)
    }

    /// What is added from now on stands at this place.
    pub fn at(&mut self, span: SpanId) {
        self.span = span;
        if self.function.span == SpanId::NONE {
            self.function.span = span;
        }
    }

    /// A new block that takes values of these types, and what it calls them. It cannot be left until it is ended.
    pub fn block(&mut self, params: &[Type]) -> (BlockId, Vec<Operand>) {
        let params: Vec<ValueId> = params.iter().map(|ty| self.function.new_value(*ty)).collect();
        let values = params.iter().map(|value| Operand::Value(*value)).collect();
        let block = Block { params, insts: Vec::new(), terminator: Terminator::Unreachable, span: self.span };
        self.function.blocks.push(block);
        (BlockId::new(self.function.blocks.len() - 1), values)
    }

    /// What is added from now on belongs to this block.
    pub fn go_to(&mut self, block: BlockId) {
        self.block = block;
    }

    /// Adds an instruction with results of these types.
    pub fn push(&mut self, kind: InstKind, results: &[Type]) -> Vec<Operand> {
        let results: Vec<ValueId> = results.iter().map(|ty| self.function.new_value(*ty)).collect();
        let values = results.iter().map(|value| Operand::Value(*value)).collect();
        let inst = Inst { kind, results, span: self.span };
        self.function.blocks[self.block.index()].insts.push(inst);
        values
    }

    /// Adds an instruction with one result.
    pub fn value(&mut self, kind: InstKind, ty: Type) -> Operand {
        self.push(kind, &[ty]).first().copied().unwrap_or(Operand::Undefined(ty))
    }

    /// Adds a call.
    pub fn call(&mut self, call: Call) -> Vec<Operand> {
        let results = call.signature.results.clone();
        self.push(InstKind::Call(Box::new(call)), &results)
    }

    /// Ends the present block.
    pub fn end(&mut self, terminator: Terminator) {
        let block = &mut self.function.blocks[self.block.index()];
        (block.terminator, block.span) = (terminator, self.span);
    }

    /// The function, its blocks in order: they may have other ids than before, and those that control cannot reach are gone.
    pub fn finish(mut self) -> Function {
        self.function.arrange_blocks();
        self.function
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinaryOp, IntCompare, Jump, verify};

    /// `int largest(int a, int b)`, and a caller.
    #[test]
    fn what_is_built_holds_up_and_can_be_printed() {
        let int = Type::I32;
        let mut program = ProgramBuilder::new("largest.c");
        let line = program.span("largest", 3);
        let mut function = FunctionBuilder::new("largest", &[int, int], &[int]);
        function.at(line);
        let params: Vec<Operand> = function.params().collect();
        let (lhs, rhs) = (params[0], params[1]);
        let less = InstKind::Compare { op: IntCompare::SLt, ty: int, lhs, rhs };
        let condition = function.value(less, Type::BOOL);
        let (end, values) = function.block(&[int]);
        let jump = |value: Operand| Jump { block: end, args: vec![value] };
        function.end(Terminator::Branch { condition, if_true: jump(rhs), if_false: jump(lhs) });
        function.go_to(end);
        function.end(Terminator::Return(values));
        let largest = program.add(function.finish());
        let mut entry = FunctionBuilder::new("start", &[int, Type::Ptr, Type::Ptr], &[]);
        let three = Operand::Const(int, 3);
        let call = program.call(largest, vec![three, three]);
        let result = entry.call(call)[0];
        let sum = InstKind::Binary { op: BinaryOp::Add, ty: int, lhs: result, rhs: result };
        entry.value(sum, int);
        let entry = program.add(entry.finish());
        let program = program.finish(entry);
        assert_eq!(verify::verify(&program), Ok(()));
        assert_eq!(program.source.describe(program.function(largest).span).to_string(), "largest.c:3:1");
        assert!(program.function(largest).definition(ValueId(2)).is_some());
    }

    #[test]
    fn what_does_not_hold_up_is_found() {
        let mut program = ProgramBuilder::new("wrong.c");
        let mut function = FunctionBuilder::new("wrong", &[], &[Type::I32]);
        function.end(Terminator::Return(Vec::new()));
        let wrong = program.add(function.finish());
        assert!(verify::verify(&program.finish(wrong)).is_err());
    }

    #[test]
    fn external_functions_are_added_once() {
        let mut program = ProgramBuilder::new("external.c");
        let one = program.external("__selvedge_yield", &[], &[]);
        assert_eq!(program.external("__selvedge_yield", &[], &[]), one);
        assert_eq!(program.global("x", 4, vec![1]), GlobalId(0));
    }
}
