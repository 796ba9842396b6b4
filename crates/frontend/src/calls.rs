//! Calls: ordinary, variadic, by value, inline assembly.

use crate::body::{BodyTranslator, Translated, is_vector};
use crate::layout::{Unsupported, scalar};
use crate::llvm::{Ty, Value};
use selvedge_program::*;

impl<'c> BodyTranslator<'_, 'c> {
    /// Translates a `call`.
    pub fn call(&mut self, i: Value<'c>) -> Translated {
        let callee = i.called_value();
        if callee.is_inline_asm() {
            return self.inline_asm(i, callee);
        }
        if callee.is_function() && callee.intrinsic_id() != 0 {
            return self.intrinsic(i, &callee.name());
        }
        if callee.is_function() {
            // The generic atomic functions of libatomic, with a constant size, are ordinary atomics.
            if callee.name().starts_with("__atomic_") && callee.is_declaration() && self.library_atomic(i)? {
                return Ok(());
            }
        }
        let ty = i.called_type();
        let fixed_params = ty.params().len();
        let mut signature = self.outer.signature(self.module, ty)?;
        let fixed = signature.params.len();
        signature.variadic = ty.is_variadic();

        let mut args = Vec::new();
        let mut layout = VariadicLayout::default();
        let mut variadic = Vec::new();
        let mut copies = Vec::new();
        for (index, arg) in i.call_args().into_iter().enumerate() {
            let by_value = i.call_by_value_type(index as u32);
            if index < fixed_params {
                match by_value {
                    Some(ty) => {
                        let (slot, copy) = self.copy_by_value(arg, ty)?;
                        copies.push(slot);
                        args.push(copy);
                    }
                    None => args.extend(self.operands(arg)?),
                }
                layout.fixed(self, arg.ty(), by_value.is_some())?;
                continue;
            }
            let leaves = self.leaves(arg.ty())?;
            let operands = self.operands(arg)?;
            match by_value {
                Some(ty) => {
                    let size = self.module.size_of(ty);
                    let align = i.call_argument_alignment(index as u32).unwrap_or(8);
                    let offset = layout.memory(size, align)?;
                    let value = operands[0];
                    variadic.push(VariadicArg { by_value: Some(size), offset });
                    signature.params.push(Type::Ptr);
                    args.push(value);
                }
                None => {
                    let offset = layout.place(self, arg.ty())?;
                    for (leaf, value) in leaves.iter().zip(operands) {
                        let offset = offset + leaf.offset as u32;
                        variadic.push(VariadicArg { by_value: None, offset });
                        signature.params.push(leaf.ty);
                        args.push(value);
                    }
                }
            }
        }
        let variadic = signature.variadic.then(|| {
            Box::new(Variadic {
                args: variadic,
                gp_offset: layout.fixed_general * 8,
                fp_offset: 48 + layout.fixed_vector * 16,
                size: Variadic::REGISTER_AREA + layout.overflow.next_multiple_of(8),
            })
        });
        let callee = match callee {
            callee if callee.is_function() || callee.is_alias() => {
                match self.outer.scalar_constant(self.module, callee)? {
                    crate::constants::Scalar::Address(Symbol::Function(id), 0) => Callee::Function(id),
                    _ => return Err(Unsupported(format!("a call of `{}`", callee.name()))),
                }
            }
            callee => Callee::Pointer(self.operand(callee)?),
        };
        let results = signature.results.clone();
        let call = Call { callee, args, signature, fixed, variadic };
        let results = self.emit_many(InstKind::Call(Box::new(call)), &results);
        self.define(i, results);
        for slot in copies {
            self.emit_effect(InstKind::LifetimeEnd(slot));
        }
        Ok(())
    }

    /// A struct passed by value in memory: the callee gets the address of a copy that lives as long as
    /// the call.
    fn copy_by_value(&mut self, address: Value<'c>, ty: Ty<'c>) -> Translated<(SlotId, Operand)> {
        let from = self.operand(address)?;
        let size = self.module.size_of(ty);
        let slot = self.new_slot(size, self.module.align_of(ty).max(8));
        self.function.slots[slot.index()].scoped = true;
        self.emit_effect(InstKind::LifetimeStart(slot));
        let to = self.emit(InstKind::SlotAddress(slot), Type::Ptr);
        let size = Operand::Const(Type::I64, u128::from(size));
        self.emit_effect(InstKind::CopyMemory { to, from, size });
        Ok((slot, to))
    }

    /// Calls a library function by name.
    pub fn call_named(
        &mut self,
        name: &str,
        args: Vec<(Operand, Type)>,
        results: &[Type],
    ) -> Translated<Vec<Operand>> {
        let (args, params): (Vec<Operand>, Vec<Type>) = args.into_iter().unzip();
        let signature = Signature { params, results: results.to_vec(), variadic: false };
        let callee = Callee::Function(self.outer.named_function(name, &signature)?);
        let fixed = args.len();
        let call = Call { callee, args, signature, fixed, variadic: None };
        Ok(self.emit_many(InstKind::Call(Box::new(call)), results))
    }

    /// Inline assembly: barriers, and the few instructions that lock-free C code uses.
    fn inline_asm(&mut self, i: Value<'c>, asm: Value<'c>) -> Translated {
        let (code, constraints) = asm.inline_asm();
        let code = code.trim();
        match code {
            // A barrier for the compiler. `asm volatile("" : "+r"(x))` gives its inputs back.
            "" => {
                let mut inputs = Vec::new();
                for arg in i.call_args() {
                    inputs.push(self.operands(arg)?);
                }
                let outputs = self.tied_outputs(&constraints, &inputs)?;
                let leaves = self.leaves(i.ty())?;
                if outputs.len() != leaves.len() {
                    return Err(Unsupported(format!("inline assembly with constraints `{constraints}`")));
                }
                self.define(i, outputs);
                Ok(())
            }
            "mfence" | "lock; addl $$0,0(%rsp)" | "lock; addl $$0,-4(%rsp)" => {
                let (order, scope) = (FenceOrder::SeqCst, FenceScope::System);
                self.emit_effect(InstKind::Fence { order, scope });
                Ok(())
            }
            "pause" | "rep; nop" | "rep nop" | "nop" | "lfence" | "sfence" => Ok(()),
            _ => Err(Unsupported(format!("inline assembly `{code}`"))),
        }
    }

    /// The outputs of empty assembly: each is tied to an input.
    fn tied_outputs(&self, constraints: &str, inputs: &[Vec<Operand>]) -> Translated<Vec<Operand>> {
        let parts: Vec<&str> =
            constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~')).collect();
        let is_output = |c: &str| c.starts_with('=');
        // Indirect outputs ("=*m") are addresses among the inputs and produce nothing.
        let direct: Vec<usize> =
            (0..parts.len()).filter(|k| is_output(parts[*k]) && !parts[*k].starts_with("=*")).collect();
        let indirect = parts.iter().filter(|c| c.starts_with("=*")).count();
        let mut tied: Vec<Option<Vec<Operand>>> = vec![None; parts.len()];
        for (argument, part) in (indirect..).zip(parts.iter().filter(|c| !is_output(c))) {
            if let Ok(output) = part.parse::<usize>()
                && let Some(tied) = tied.get_mut(output)
            {
                *tied = inputs.get(argument).cloned();
            }
        }
        let mut outputs = Vec::new();
        for output in direct {
            match tied[output].take() {
                Some(operands) => outputs.extend(operands),
                None => {
                    return Err(Unsupported(format!("inline assembly with constraints `{constraints}`")));
                }
            }
        }
        Ok(outputs)
    }

    /// `__atomic_load(16, p, out, order)` and its kin: what clang emits for atomics the target has no
    /// instruction for (16 bytes without `-mcx16`, odd sizes). A size that is a power of two up to 16
    /// becomes one atomic access. Returns whether it was one of them.
    fn library_atomic(&mut self, i: Value<'c>) -> Translated<bool> {
        let name = i.called_value().name();
        let args = i.call_args();
        let name = name.trim_start_matches("__atomic_");
        let (operation, sized) = match name.rsplit_once('_').and_then(|(op, n)| Some((op, n.parse().ok()?))) {
            Some((operation, size)) => (operation, Some(size)),
            None => (name, None),
        };
        let size = match sized {
            Some(size) => size,
            None => match args.first() {
                Some(size) if size.is_constant_int() => size.int_value() as u64,
                _ => return Ok(false),
            },
        };
        if operation == "is_lock_free" {
            let ty = self.leaves(i.ty())?[0].ty;
            let lock_free = matches!(size, 1 | 2 | 4 | 8);
            self.define(i, vec![Operand::Const(ty, u128::from(lock_free))]);
            return Ok(true);
        }
        let Some(ty) = matches!(size, 1 | 2 | 4 | 8 | 16).then(|| Type::Int((size * 8) as u8)) else {
            return match operation {
                "load" | "store" | "exchange" | "compare_exchange" => {
                    Err(Unsupported(format!("an atomic object of {size} bytes")))
                }
                _ => Ok(false),
            };
        };
        let rest = if sized.is_some() { &args[..] } else { &args[1..] };
        let mut operands = Vec::new();
        for arg in rest {
            operands.push(self.operands(*arg)?);
        }
        // Sized functions pass values, generic ones pass addresses of values. A 16-byte value arrives
        // as one i128.
        let generic = sized.is_none();
        let value = |this: &mut Self, operand: Operand| match generic {
            true => this.emit(InstKind::Load { ty, address: operand, order: LoadOrder::Plain }, ty),
            false => operand,
        };
        let scalars: Vec<Operand> = operands.into_iter().flatten().collect();
        // A function of that name and another type is not libatomic's.
        let mut types = Vec::new();
        for arg in rest {
            types.extend(scalar(arg.ty())?);
        }
        let (passed, int) = (if generic { Type::Ptr } else { ty }, Type::I32);
        let params = match (operation, generic) {
            ("load", true) => vec![Type::Ptr, passed, int],
            ("load", false) => vec![Type::Ptr, int],
            ("exchange", true) => vec![Type::Ptr, passed, passed, int],
            ("compare_exchange", _) => vec![Type::Ptr, Type::Ptr, passed, int, int],
            _ => vec![Type::Ptr, passed, int],
        };
        let result = match (operation, generic) {
            ("store", _) | ("load" | "exchange", true) => None,
            ("compare_exchange", _) => Some(Type::BOOL),
            _ => Some(ty),
        };
        if types != params || scalar(i.ty())? != result {
            return Ok(false);
        }
        match (operation, scalars.as_slice()) {
            ("load", [address, rest @ ..]) => {
                let order = load_order(rest.last());
                let loaded = self.emit(InstKind::Load { ty, address: *address, order }, ty);
                self.give(i, generic.then(|| rest.first().copied()).flatten(), loaded, ty);
            }
            ("store", [address, new, order]) => {
                let value = value(self, *new);
                let order = store_order(Some(order));
                self.emit_effect(InstKind::Store { ty, address: *address, value, order });
                self.define(i, Vec::new());
            }
            ("exchange", [address, new, rest @ ..]) => {
                let value = value(self, *new);
                let order = rmw_order(rest.last());
                let kind = InstKind::Rmw { op: RmwOp::Exchange, ty, address: *address, value, order };
                let old = self.emit(kind, ty);
                self.give(i, generic.then(|| rest.first().copied()).flatten(), old, ty);
            }
            ("compare_exchange", [address, expected_address, new, success, failure]) => {
                let kind = InstKind::Load { ty, address: *expected_address, order: LoadOrder::Plain };
                let expected = self.emit(kind, ty);
                let new = value(self, *new);
                let kind = InstKind::CompareExchange {
                    ty,
                    address: *address,
                    expected,
                    new,
                    success: rmw_order(Some(success)),
                    failure: load_order(Some(failure)),
                    weak: false,
                };
                let results = self.emit_many(kind, &[ty, Type::BOOL]);
                // Writing the value that was found is harmless where it equals the expected one.
                let order = StoreOrder::Plain;
                let (address, value) = (*expected_address, results[0]);
                self.emit_effect(InstKind::Store { ty, address, value, order });
                self.define(i, vec![results[1]]);
            }
            (fetch, [address, operand, order]) if fetch.starts_with("fetch_") && !generic => {
                let op = match fetch {
                    "fetch_add" => RmwOp::Add,
                    "fetch_sub" => RmwOp::Sub,
                    "fetch_and" => RmwOp::And,
                    "fetch_or" => RmwOp::Or,
                    "fetch_xor" => RmwOp::Xor,
                    "fetch_nand" => RmwOp::Nand,
                    _ => return Ok(false),
                };
                let (address, value, order) = (*address, *operand, rmw_order(Some(order)));
                let old = self.emit(InstKind::Rmw { op, ty, address, value, order }, ty);
                self.define(i, vec![old]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Delivers a value as the call's result, or through the address the caller gave.
    fn give(&mut self, i: Value<'c>, through: Option<Operand>, value: Operand, ty: Type) {
        match through {
            Some(address) => {
                self.emit_effect(InstKind::Store { ty, address, value, order: StoreOrder::Plain });
                self.define(i, Vec::new());
            }
            None => self.define(i, vec![value]),
        }
    }
}

// The orders of libatomic's functions are numbers: relaxed, consume, acquire, release, acq_rel, seq_cst.
// One that is not constant is taken as the strongest.

fn load_order(order: Option<&Operand>) -> LoadOrder {
    match order.and_then(|o| o.as_const()) {
        Some(0) => LoadOrder::Relaxed,
        Some(1 | 2) => LoadOrder::Acquire,
        _ => LoadOrder::SeqCst,
    }
}

fn store_order(order: Option<&Operand>) -> StoreOrder {
    match order.and_then(|o| o.as_const()) {
        Some(0) => StoreOrder::Relaxed,
        Some(3) => StoreOrder::Release,
        _ => StoreOrder::SeqCst,
    }
}

fn rmw_order(order: Option<&Operand>) -> RmwOrder {
    match order.and_then(|o| o.as_const()) {
        Some(0) => RmwOrder::Relaxed,
        Some(1 | 2) => RmwOrder::Acquire,
        Some(3) => RmwOrder::Release,
        Some(4) => RmwOrder::AcqRel,
        _ => RmwOrder::SeqCst,
    }
}

/// Variadic arguments in memory do not take more bytes than this.
const MAX_OVERFLOW: u64 = 1 << 30;

/// Assigns variadic arguments to registers and memory as the System V ABI does.
#[derive(Default)]
struct VariadicLayout {
    general: u32,
    vector: u32,
    fixed_general: u32,
    fixed_vector: u32,
    overflow: u32,
}

/// Which registers an argument of some type takes.
enum Class {
    General(u32),
    Vector,
    Memory,
}

impl VariadicLayout {
    fn class<'c>(translator: &BodyTranslator<'_, 'c>, ty: Ty<'c>) -> Translated<Class> {
        let leaves = translator.leaves(ty)?;
        Ok(match leaves.as_slice() {
            [leaf] if leaf.ty.is_float() => Class::Vector,
            [leaf] => Class::General(leaf.ty.bits().div_ceil(64)),
            _ if is_vector(ty) && translator.module.size_of(ty) <= 16 => Class::Vector,
            _ => Class::Memory,
        })
    }

    /// Registers for one argument: the offset in the save area, if it fits.
    fn registers(&mut self, class: &Class) -> Option<u32> {
        match class {
            Class::General(count) if self.general + count <= 6 => {
                let offset = self.general * 8;
                self.general += count;
                Some(offset)
            }
            Class::Vector if self.vector < 8 => {
                let offset = 48 + self.vector * 16;
                self.vector += 1;
                Some(offset)
            }
            _ => None,
        }
    }

    fn fixed<'c>(&mut self, t: &BodyTranslator<'_, 'c>, ty: Ty<'c>, by_value: bool) -> Translated {
        if !by_value {
            self.registers(&Self::class(t, ty)?);
            (self.fixed_general, self.fixed_vector) = (self.general, self.vector);
        }
        Ok(())
    }

    fn place<'c>(&mut self, t: &BodyTranslator<'_, 'c>, ty: Ty<'c>) -> Translated<u32> {
        if let Some(offset) = self.registers(&Self::class(t, ty)?) {
            return Ok(offset);
        }
        self.memory(t.module.size_of(ty), t.module.align_of(ty))
    }

    fn memory(&mut self, size: u64, align: u64) -> Translated<u32> {
        let start = self.overflow.next_multiple_of(align.clamp(8, 4096) as u32);
        let end = size.checked_next_multiple_of(8).and_then(|size| size.checked_add(u64::from(start)));
        let Some(end) = end.filter(|end| *end <= MAX_OVERFLOW) else {
            return Err(Unsupported(format!("a variadic argument of {size} bytes")));
        };
        self.overflow = end as u32;
        Ok(Variadic::REGISTER_AREA + start)
    }
}
