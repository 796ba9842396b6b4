//! From modules to a [`Program`]: the worklist of reachable functions and globals.

use crate::body::BodyTranslator;
use crate::debug_info::DebugInfo;
use crate::error::Error;
use crate::layout::{Leaf, Unsupported, leaves};
use crate::llvm::{Module, Ty, Value};
use crate::models::Models;
use crate::symbols::{LoadedModule, Symbols, is_local};
use inkwell::context::Context;
use rustc_hash::FxHashMap;
use selvedge_program::*;

/// Something that was referred to and must still be translated.
enum Work<'c> {
    Function { value: Value<'c>, module: usize, id: FuncId },
    Global { value: Value<'c>, module: usize, id: GlobalId },
}

/// Translates everything reachable from `main`.
pub struct Translator<'c> {
    /// The user's, then those of the library that were needed so far.
    modules: Vec<LoadedModule<'c>>,
    models: Models<'c>,
    /// Why one of them could not be read.
    failure: Option<Error>,
    symbols: Symbols<'c>,
    /// The result.
    pub program: Program,
    /// Debug information read so far.
    pub debug: DebugInfo<'c>,
    entities: FxHashMap<Value<'c>, Symbol>,
    externals: FxHashMap<String, Symbol>,
    queue: Vec<Work<'c>>,
}

impl<'c> Translator<'c> {
    /// For modules of that context.
    pub fn new(context: &'c Context) -> Self {
        Self {
            modules: Vec::new(),
            models: Models::new(context),
            failure: None,
            symbols: Symbols::default(),
            program: Program::default(),
            debug: DebugInfo::new(context.raw()),
            entities: FxHashMap::default(),
            externals: FxHashMap::default(),
            queue: Vec::new(),
        }
    }

    /// Adds a module of the user's.
    pub fn add_module(&mut self, module: LoadedModule<'c>) -> Result<(), Error> {
        self.modules.push(module);
        self.symbols.add(&self.modules, self.modules.len() - 1)
    }

    /// Translates all that `main` can reach.
    pub fn translate(mut self) -> Result<Program, Error> {
        let entry = self.make_entry()?;
        self.program.entry = Some(entry);
        while let Some(work) = self.queue.pop() {
            match work {
                Work::Function { value, module, id } => self.translate_function(value, module, id),
                Work::Global { value, module, id } => self.translate_global(value, module, id),
            }
        }
        if let Some(error) = self.failure {
            return Err(error);
        }
        verify::verify(&self.program)?;
        Ok(self.program)
    }

    /// The definition that a function, global or alias of a module stands for.
    pub fn resolve(&mut self, module: Module<'c>, value: Value<'c>) -> (Value<'c>, Module<'c>) {
        let index = self.index_of(module);
        let (value, index) = self.resolve_index(index, value);
        (value, self.modules[index].module)
    }

    fn resolve_index(&mut self, module: usize, value: Value<'c>) -> (Value<'c>, usize) {
        if is_local(value) {
            return (value, module);
        }
        self.find(&value.name()).unwrap_or((value, module))
    }

    /// The definition of a name, the user's or else the library's, and the index of its module.
    fn find(&mut self, name: &str) -> Option<(Value<'c>, usize)> {
        let known = self.symbols.find(name);
        if known.is_some() {
            return known;
        }
        match self.models.load(name) {
            Ok(Some(module)) => {
                let model = LoadedModule { module, file: "the library".to_owned(), library: true };
                if let Err(error) = self.add_module(model) {
                    self.failure.get_or_insert(error);
                }
            }
            Ok(None) => {}
            Err(error) => drop(self.failure.get_or_insert(error)),
        }
        self.symbols.find(name)
    }

    fn index_of(&self, module: Module<'c>) -> usize {
        self.modules.iter().position(|m| m.module == module).unwrap_or_default()
    }

    /// The symbol for a function or global, which will be translated.
    pub fn symbol(&mut self, module: Module<'c>, value: Value<'c>) -> Result<Symbol, Unsupported> {
        if let Some(symbol) = self.entities.get(&value) {
            return Ok(*symbol);
        }
        if value.is_ifunc() {
            return Err(Unsupported(format!("the indirect function `{}`", value.name())));
        }
        let own = self.index_of(module);
        let (target, index) = self.resolve_index(own, value);
        if target != value {
            // An alias of an object with an offset has no symbol of its own; clang makes none in C.
            let target_module = self.modules[index].module;
            let base = if target.is_alias() { target.aliasee() } else { target };
            if base.is_constant_expr() {
                return Err(Unsupported(format!("the alias `{}`", value.name())));
            }
            let symbol = self.symbol(target_module, base)?;
            self.entities.insert(value, symbol);
            return Ok(symbol);
        }
        let external = value.is_declaration();
        let name = value.name();
        if external && let Some(symbol) = self.externals.get(&name) {
            return Ok(*symbol);
        }
        let library = self.modules[index].library;
        let symbol = if value.is_function() {
            let id = FuncId::new(self.program.functions.len());
            let signature = self.function_signature(index, value).unwrap_or_default();
            let mut function = Function::external(name.clone(), signature);
            function.library = library;
            self.program.functions.push(function);
            if !external {
                self.queue.push(Work::Function { value, module: index, id });
            }
            Symbol::Function(id)
        } else {
            let id = GlobalId::new(self.program.globals.len());
            self.program.globals.push(self.declare_global(index, value, external));
            if !external {
                self.queue.push(Work::Global { value, module: index, id });
            }
            Symbol::Global(id)
        };
        if external {
            self.externals.insert(name, symbol);
        }
        self.entities.insert(value, symbol);
        Ok(symbol)
    }

    fn declare_global(&self, module: usize, value: Value<'c>, external: bool) -> Global {
        let loaded = &self.modules[module];
        let ty = value.value_type();
        let (size, natural) = match ty.is_sized() {
            true => (loaded.module.size_of(ty), loaded.module.align_of(ty)),
            false => (0, 1),
        };
        Global {
            name: value.name(),
            size,
            align: value.alignment().max(natural).max(1),
            bytes: Vec::new(),
            relocations: Vec::new(),
            // The streams' variables are never assigned in portable C, and read by all that prints.
            constant: value.is_global_constant()
                || (loaded.library && matches!(value.name().as_str(), "stdin" | "stdout" | "stderr")),
            thread_local: value.is_thread_local(),
            external,
            untranslated: None,
            library: loaded.library,
            variable: None,
        }
    }

    fn translate_global(&mut self, value: Value<'c>, module: usize, id: GlobalId) {
        let handle = self.modules[module].module;
        let variable = value.global_variable().map(|node| self.debug.variable(&mut self.program, node));
        let contents = value.initializer().map(|initializer| self.contents(handle, initializer));
        let global = &mut self.program.globals[id.index()];
        global.variable = variable;
        match contents {
            Some(Ok(contents)) => {
                global.bytes = contents.bytes;
                global.relocations = contents.relocations;
            }
            // Its contents cannot be expressed: using it is the error.
            Some(Err(Unsupported(what))) => {
                global.external = true;
                global.untranslated = Some(what.into());
            }
            None => {}
        }
    }

    fn translate_function(&mut self, value: Value<'c>, module: usize, id: FuncId) {
        let span = self.debug.function_span(&mut self.program, value);
        let handle = self.modules[module].module;
        let library = self.modules[module].library;
        let function = match self.function_signature(module, value) {
            Ok(signature) if is_error_function(&value.name()) => self.error_function(value, signature),
            Ok(signature) => BodyTranslator::new(self, handle, value, signature).translate(span, library),
            Err(Unsupported(what)) => {
                let mut function = Function::external(value.name(), Signature::default());
                function.span = span;
                function.library = library;
                function.blocks.push(Block {
                    params: Vec::new(),
                    insts: Vec::new(),
                    terminator: Terminator::Unsupported(what.into()),
                    span,
                });
                function
            }
        };
        self.program.functions[id.index()] = function;
    }

    /// `reach_error` and its kin are errors whatever their bodies say.
    fn error_function(&mut self, value: Value<'c>, signature: Signature) -> Function {
        let mut function = Function::external(value.name(), signature);
        function.library = true;
        let types = function.signature.params.clone();
        function.params = types.into_iter().map(|ty| function.new_value(ty)).collect();
        let mut block = Block {
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Terminator::Unreachable,
            span: SpanId::NONE,
        };
        let signature = Signature::default();
        if let Ok(callee) = self.named_function("__selvedge_reach_error", &signature) {
            let callee = Callee::Function(callee);
            let call = Call { callee, args: Vec::new(), signature, fixed: 0, variadic: None };
            let kind = InstKind::Call(Box::new(call));
            block.insts.push(Inst { kind, results: Vec::new(), span: SpanId::NONE });
        }
        function.blocks.push(block);
        function
    }

    fn function_signature(&self, module: usize, function: Value<'c>) -> Result<Signature, Unsupported> {
        self.signature(self.modules[module].module, function.value_type())
    }

    /// The scalars that a function type takes and gives.
    pub fn signature(&self, module: Module<'c>, ty: Ty<'c>) -> Result<Signature, Unsupported> {
        let types = |leaves: Vec<Leaf>| leaves.into_iter().map(|leaf| leaf.ty);
        let mut params = Vec::new();
        for param in ty.params() {
            params.extend(types(leaves(module, param)?));
        }
        let results = types(leaves(module, ty.return_type())?).collect();
        Ok(Signature { params, results, variadic: ty.is_variadic() })
    }

    /// A function known by name only: the library's or the machine's.
    pub fn named_function(&mut self, name: &str, signature: &Signature) -> Result<FuncId, Unsupported> {
        let symbol = match self.find(name) {
            Some((value, module)) => self.symbol(self.modules[module].module, value)?,
            None => match self.externals.get(name) {
                Some(symbol) => *symbol,
                None => {
                    let id = FuncId::new(self.program.functions.len());
                    self.program.functions.push(Function::external(name.to_owned(), signature.clone()));
                    self.externals.insert(name.to_owned(), Symbol::Function(id));
                    Symbol::Function(id)
                }
            },
        };
        match symbol {
            Symbol::Function(id) => Ok(id),
            Symbol::Global(_) => Err(Unsupported(format!("`{name}` is a variable, not a function"))),
        }
    }

    /// Functions listed in `@llvm.global_ctors` or `@llvm.global_dtors`, by priority.
    fn listed_functions(&mut self, list: &str) -> Vec<FuncId> {
        let mut found = Vec::new();
        for index in 0..self.modules.len() {
            let module = self.modules[index].module;
            let lists: Vec<_> = module.globals().filter(|global| global.name() == list).collect();
            for entries in lists.into_iter().filter_map(Value::initializer) {
                if entries.is_zero_aggregate() {
                    continue;
                }
                for entry in (0..entries.ty().length()).filter_map(|i| entries.aggregate_element(i)) {
                    let (Some(priority), Some(function)) =
                        (entry.aggregate_element(0), entry.aggregate_element(1))
                    else {
                        continue;
                    };
                    if let Ok(Symbol::Function(id)) = self.symbol(module, function) {
                        found.push((priority.int_value(), id));
                    }
                }
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// The function where execution starts: destructors are registered, constructors run, then `main`,
    /// then `exit` with its result.
    fn make_entry(&mut self) -> Result<FuncId, Error> {
        let (main, module) =
            self.symbols.find("main").filter(|(v, _)| v.is_function()).ok_or(Error::NoMain)?;
        let handle = self.modules[module].module;
        let Ok(Symbol::Function(main)) = self.symbol(handle, main) else { return Err(Error::BadMain) };
        let main_signature = self.program.function(main).signature.clone();
        let entry_signature =
            Signature { params: vec![Type::I32, Type::Ptr, Type::Ptr], results: vec![], variadic: false };
        if !entry_signature.params.starts_with(&main_signature.params) || main_signature.results.len() > 1 {
            return Err(Error::BadMain);
        }
        let exit_signature = Signature { params: vec![Type::I32], results: vec![], variadic: false };
        let atexit_signature =
            Signature { params: vec![Type::Ptr], results: vec![Type::I32], variadic: false };
        let unreachable = |Unsupported(what)| Error::Runtime(what);
        let exit = self.named_function("exit", &exit_signature).map_err(unreachable)?;

        let mut entry = Function::external("_start".to_owned(), entry_signature.clone());
        entry.library = true;
        entry.params = entry_signature.params.iter().map(|ty| entry.new_value(*ty)).collect();
        let mut insts = Vec::new();
        let mut call = |entry: &mut Function, callee, args: Vec<Operand>, mut signature: Signature| {
            // Nothing variadic is passed, whatever the function takes.
            signature.variadic = false;
            let results: Vec<ValueId> = signature.results.iter().map(|ty| entry.new_value(*ty)).collect();
            let fixed = args.len();
            let callee = Callee::Function(callee);
            let call = Call { callee, args, signature, fixed, variadic: None };
            insts.push(Inst {
                kind: InstKind::Call(Box::new(call)),
                results: results.clone(),
                span: SpanId::NONE,
            });
            results
        };
        for destructor in self.listed_functions("llvm.global_dtors") {
            let atexit = self.named_function("atexit", &atexit_signature).map_err(unreachable)?;
            let address = Operand::Address(Symbol::Function(destructor), 0);
            call(&mut entry, atexit, vec![address], atexit_signature.clone());
        }
        for constructor in self.listed_functions("llvm.global_ctors") {
            // A constructor may take what `main` takes. If it takes anything else, the call is the error.
            let mut signature = self.program.function(constructor).signature.clone();
            signature.params = entry_signature.params.iter().take(signature.params.len()).copied().collect();
            let args = entry.params.iter().take(signature.params.len()).map(|v| Operand::Value(*v)).collect();
            call(&mut entry, constructor, args, signature);
        }
        let args =
            entry.params.iter().take(main_signature.params.len()).map(|v| Operand::Value(*v)).collect();
        let status = call(&mut entry, main, args, main_signature.clone());
        let status = match status.first() {
            Some(value) if entry.type_of(*value) == Type::I32 => Operand::Value(*value),
            _ => Operand::Const(Type::I32, 0),
        };
        call(&mut entry, exit, vec![status], exit_signature);
        entry.blocks.push(Block {
            params: Vec::new(),
            insts,
            terminator: Terminator::Unreachable,
            span: SpanId::NONE,
        });
        self.program.functions.push(entry);
        Ok(FuncId::new(self.program.functions.len() - 1))
    }
}

/// Functions that verification benchmarks call where the program must not get.
fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}
