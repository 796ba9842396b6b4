//! LLVM's intrinsic functions.

use crate::body::{BodyTranslator, Translated};
use crate::layout::{Unsupported, scalar};
use crate::llvm::Value;
use selvedge_program::scalar::mask;
use selvedge_program::*;

impl<'c> BodyTranslator<'_, 'c> {
    /// Translates a call of the intrinsic `name`.
    pub fn intrinsic(&mut self, i: Value<'c>, name: &str) -> Translated {
        let full = name;
        let name = name.strip_prefix("llvm.").unwrap_or(name);
        if self.ignored(name) {
            return Ok(());
        }
        if self.memory_intrinsic(i, name)? || self.arithmetic_intrinsic(i, name)? {
            return Ok(());
        }
        if self.math_intrinsic(i, name)? {
            return Ok(());
        }
        Err(Unsupported(format!("the intrinsic `{full}`")))
    }

    /// Hints and markers without an effect.
    fn ignored(&self, name: &str) -> bool {
        const IGNORED: [&str; 14] = [
            "dbg.",
            "assume",
            "donothing",
            "prefetch",
            "invariant.",
            "experimental.noalias.scope.decl",
            "sideeffect",
            "pseudoprobe",
            "va_end",
            "annotation",
            "var.annotation",
            "x86.sse2.pause",
            "clear_cache",
            "codeview.",
        ];
        IGNORED.iter().any(|prefix| name.starts_with(prefix))
    }

    fn memory_intrinsic(&mut self, i: Value<'c>, name: &str) -> Translated<bool> {
        let args = i.call_args();
        if name.starts_with("memcpy.") || name.starts_with("memmove.") {
            let (to, from) = (self.operand(args[0])?, self.operand(args[1])?);
            let size = self.size_operand(args[2])?;
            self.emit_effect(InstKind::CopyMemory { to, from, size });
        } else if name.starts_with("memset.") {
            let (to, byte) = (self.operand(args[0])?, self.operand(args[1])?);
            let size = self.size_operand(args[2])?;
            self.emit_effect(InstKind::SetMemory { to, byte, size });
        } else if name.starts_with("lifetime.") {
            let Some(pointer) = args.last() else { return Ok(false) };
            if let Some(slot) = self.slot_of(*pointer) {
                let start = name.starts_with("lifetime.start");
                if start {
                    self.function.slots[slot.index()].scoped = true;
                }
                self.emit_effect(match start {
                    true => InstKind::LifetimeStart(slot),
                    false => InstKind::LifetimeEnd(slot),
                });
            }
        } else if name.starts_with("stacksave") {
            let saved = self.emit(InstKind::StackSave, Type::Ptr);
            self.define(i, vec![saved]);
        } else if name.starts_with("stackrestore") {
            let saved = self.operand(args[0])?;
            self.emit_effect(InstKind::StackRestore { saved });
        } else if name.starts_with("va_start") {
            let list = self.operand(args[0])?;
            self.emit_effect(InstKind::VaStart { list });
        } else if name.starts_with("va_copy") {
            let (to, from) = (self.operand(args[0])?, self.operand(args[1])?);
            let size = Operand::Const(Type::I64, 24);
            self.emit_effect(InstKind::CopyMemory { to, from, size });
        } else if name.starts_with("threadlocal.address") {
            let address = self.thread_local_address(args[0])?;
            self.define(i, vec![address]);
        } else if name == "x86.sse2.mfence" {
            self.emit_effect(InstKind::Fence { order: FenceOrder::SeqCst, scope: FenceScope::System });
        } else if name == "x86.sse2.lfence" || name == "x86.sse.sfence" {
            // Weaker than any C fence: plain accesses are ordered by the model itself.
        } else if name == "trap" || name == "debugtrap" {
            self.emit_effect(InstKind::Trap { reason: TrapReason::Trap });
        } else if name == "ubsantrap" {
            let reason = TrapReason::Sanitizer(args[0].int_value() as u8);
            self.emit_effect(InstKind::Trap { reason });
        } else if name.starts_with("objectsize.") {
            let Some(ty) = scalar(i.ty())? else { return Ok(false) };
            let minimum = args[1].int_value() != 0;
            let most = mask(ty.bits());
            let known = self.object_size(args[0])?.map(u128::from).filter(|size| *size <= most);
            let value = known.unwrap_or(if minimum { 0 } else { most });
            self.define(i, vec![Operand::Const(ty, value)]);
        } else if name == "returnaddress" || name.starts_with("frameaddress") {
            self.define(i, vec![Operand::Const(Type::Ptr, 0)]);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// How many bytes of an object lie at and behind an address, where the compiler knows it at `-O0`.
    fn object_size(&mut self, pointer: Value<'c>) -> Translated<Option<u64>> {
        if let Some(slot) = self.slot_of(pointer) {
            return Ok(Some(self.function.slots[slot.index()].size));
        }
        Ok(match self.operand(pointer)? {
            Operand::Address(Symbol::Global(id), offset) => {
                let size = self.outer.program.global(id).size;
                u64::try_from(offset).ok().map(|offset| size.saturating_sub(offset))
            }
            _ => None,
        })
    }

    /// A size as a 64-bit operand.
    fn size_operand(&mut self, size: Value<'c>) -> Translated<Operand> {
        let ty = scalar(size.ty())?.unwrap_or(Type::I64);
        let value = self.operand(size)?;
        Ok(match (ty, value) {
            (_, Operand::Const(_, bits)) => Operand::Const(Type::I64, bits),
            (Type::I64, value) => value,
            (from, value) => {
                self.emit(InstKind::Cast { op: CastOp::ZeroExtend, from, to: Type::I64, value }, Type::I64)
            }
        })
    }

    fn arithmetic_intrinsic(&mut self, i: Value<'c>, name: &str) -> Translated<bool> {
        let base = name.split('.').next().unwrap_or_default();
        // Without the type at the end: `sadd.sat` of `sadd.sat.i32`.
        let two = name.rsplit_once('.').map_or(name, |(two, _)| two);
        let args = i.call_args();
        let binary = match base {
            "umin" => Some(BinaryOp::UMin),
            "umax" => Some(BinaryOp::UMax),
            "smin" => Some(BinaryOp::SMin),
            "smax" => Some(BinaryOp::SMax),
            "minnum" | "minimumnum" => Some(BinaryOp::FMinNum),
            "maxnum" | "maximumnum" => Some(BinaryOp::FMaxNum),
            "minimum" => Some(BinaryOp::FMinimum),
            "maximum" => Some(BinaryOp::FMaximum),
            "copysign" => Some(BinaryOp::CopySign),
            _ => match two {
                "uadd.sat" => Some(BinaryOp::UAddSat),
                "sadd.sat" => Some(BinaryOp::SAddSat),
                "usub.sat" => Some(BinaryOp::USubSat),
                "ssub.sat" => Some(BinaryOp::SSubSat),
                "ushl.sat" => Some(BinaryOp::UShlSat),
                "sshl.sat" => Some(BinaryOp::SShlSat),
                _ => None,
            },
        };
        if let Some(op) = binary {
            self.lanes2(i, |this, ty, lhs, rhs| this.emit(InstKind::Binary { op, ty, lhs, rhs }, ty))?;
            return Ok(true);
        }
        let unary = match base {
            "ctpop" => Some(UnaryOp::CountOnes),
            "ctlz" => Some(UnaryOp::LeadingZeros),
            "cttz" => Some(UnaryOp::TrailingZeros),
            "bswap" => Some(UnaryOp::SwapBytes),
            "bitreverse" => Some(UnaryOp::ReverseBits),
            "abs" => Some(UnaryOp::Abs),
            "fabs" => Some(UnaryOp::FAbs),
            "sqrt" => Some(UnaryOp::Sqrt),
            "floor" => Some(UnaryOp::Floor),
            "ceil" => Some(UnaryOp::Ceil),
            "trunc" => Some(UnaryOp::Truncate),
            "round" => Some(UnaryOp::Round),
            "rint" | "nearbyint" | "roundeven" => Some(UnaryOp::RoundEven),
            _ => None,
        };
        if let Some(op) = unary {
            let leaves = self.leaves(i.ty())?;
            let values = self.operands(args[0])?;
            let results = leaves.iter().zip(values);
            let results = results
                .map(|(leaf, value)| self.emit(InstKind::Unary { op, ty: leaf.ty, value }, leaf.ty))
                .collect();
            self.define(i, results);
            return Ok(true);
        }
        let overflow = overflow_operation(name);
        if let Some((op, sign)) = overflow {
            let (lhs, rhs) = (self.operand(args[0])?, self.operand(args[1])?);
            let ty = self.leaves(args[0].ty())?[0].ty;
            let results = self.emit_many(InstKind::Overflow { op, sign, ty, lhs, rhs }, &[ty, Type::BOOL]);
            self.define(i, results);
            return Ok(true);
        }
        match base {
            "expect" | "ssa" | "launder" | "strip" | "arithmetic" => {
                let operands = self.operands(args[0])?;
                self.define(i, operands);
            }
            "is" if name.starts_with("is.constant") => {
                self.define(i, vec![Operand::Const(Type::BOOL, u128::from(args[0].is_constant()))]);
            }
            "is" if name.starts_with("is.fpclass") => {
                let value = self.operand(args[0])?;
                let ty = self.leaves(args[0].ty())?[0].ty;
                let mask = args[1].int_value() as u32;
                let result = self.emit(InstKind::FloatClass { ty, value, mask }, Type::BOOL);
                self.define(i, vec![result]);
            }
            "fshl" | "fshr" => {
                let leaves = self.leaves(i.ty())?;
                let (high, low) = (self.operands(args[0])?, self.operands(args[1])?);
                let amount = self.operands(args[2])?;
                let mut results = Vec::new();
                for (lane, leaf) in leaves.iter().enumerate() {
                    let (high, low, amount) = (high[lane], low[lane], amount[lane]);
                    let kind = InstKind::FunnelShift { left: base == "fshl", ty: leaf.ty, high, low, amount };
                    results.push(self.emit(kind, leaf.ty));
                }
                self.define(i, results);
            }
            "fma" | "fmuladd" => {
                let leaves = self.leaves(i.ty())?;
                let (a, b) = (self.operands(args[0])?, self.operands(args[1])?);
                let c = self.operands(args[2])?;
                let mut results = Vec::new();
                for (lane, leaf) in leaves.iter().enumerate() {
                    let (ty, a, b, c) = (leaf.ty, a[lane], b[lane], c[lane]);
                    results.push(if base == "fma" {
                        self.emit(InstKind::FusedMultiplyAdd { ty, a, b, c }, ty)
                    } else {
                        // Baseline x86-64 has no fused instruction: two roundings.
                        let kind = InstKind::Binary { op: BinaryOp::FMul, ty, lhs: a, rhs: b };
                        let lhs = self.emit(kind, ty);
                        self.emit(InstKind::Binary { op: BinaryOp::FAdd, ty, lhs, rhs: c }, ty)
                    });
                }
                self.define(i, results);
            }
            "fptoui" | "fptosi" if name.contains(".sat.") => {
                let op = match base {
                    "fptoui" => CastOp::FloatToUnsignedSat,
                    _ => CastOp::FloatToSignedSat,
                };
                let value = self.operand(args[0])?;
                let (from, to) = (self.leaves(args[0].ty())?[0].ty, self.leaves(i.ty())?[0].ty);
                let result = self.emit(InstKind::Cast { op, from, to, value }, to);
                self.define(i, vec![result]);
            }
            "ptrmask" => {
                let (pointer, rhs) = (self.operand(args[0])?, self.operand(args[1])?);
                let bits = |from, to, value| InstKind::Cast { op: CastOp::Bits, from, to, value };
                let lhs = self.emit(bits(Type::Ptr, Type::I64, pointer), Type::I64);
                let kind = InstKind::Binary { op: BinaryOp::And, ty: Type::I64, lhs, rhs };
                let masked = self.emit(kind, Type::I64);
                let result = self.emit(bits(Type::I64, Type::Ptr, masked), Type::Ptr);
                self.define(i, vec![result]);
            }
            "get" if name == "get.rounding" => {
                self.define(i, vec![Operand::Const(Type::I32, 1)]);
            }
            _ if name.starts_with("vector.reduce.") => return self.vector_reduce(i, name),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn vector_reduce(&mut self, i: Value<'c>, name: &str) -> Translated<bool> {
        let op = match name.trim_start_matches("vector.reduce.").split('.').next().unwrap_or_default() {
            "add" => BinaryOp::Add,
            "mul" => BinaryOp::Mul,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            "umin" => BinaryOp::UMin,
            "umax" => BinaryOp::UMax,
            "smin" => BinaryOp::SMin,
            "smax" => BinaryOp::SMax,
            _ => return Ok(false),
        };
        let ty = self.leaves(i.ty())?[0].ty;
        let lanes = self.operands(i.operand(0))?;
        let mut lanes = lanes.into_iter();
        let Some(mut result) = lanes.next() else { return Ok(false) };
        for rhs in lanes {
            result = self.emit(InstKind::Binary { op, ty, lhs: result, rhs }, ty);
        }
        self.define(i, vec![result]);
        Ok(true)
    }

    /// `modf` and `frexp`: the intrinsics give two results, the library functions one of them through a
    /// pointer.
    fn two_results(&mut self, i: Value<'c>, name: &str) -> Translated<bool> {
        let leaves = self.leaves(i.ty())?;
        let [first, second] = leaves.as_slice() else { return Ok(false) };
        let (first, second) = (first.ty, second.ty);
        let value = self.operand(i.call_args()[0])?;
        let slot = self.new_slot(8, 8);
        let address = self.emit(InstKind::SlotAddress(slot), Type::Ptr);
        let function = if first == Type::F32 { format!("{name}f") } else { name.to_owned() };
        let args = vec![(value, first), (address, Type::Ptr)];
        let mut results = self.call_named(&function, args, &[first])?;
        let order = LoadOrder::Plain;
        results.push(self.emit(InstKind::Load { ty: second, address, order }, second));
        self.define(i, results);
        Ok(true)
    }

    /// Mathematical functions: calls of the library function of that name.
    fn math_intrinsic(&mut self, i: Value<'c>, name: &str) -> Translated<bool> {
        const NAMES: [&str; 23] = [
            "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2",
            "exp10", "log", "log2", "log10", "pow", "powi", "ldexp", "lrint", "llrint", "lround", "llround",
        ];
        let base = name.split('.').next().unwrap_or_default();
        if let "modf" | "frexp" = base {
            return self.two_results(i, base);
        }
        if !NAMES.contains(&base) {
            return Ok(false);
        }
        let args = i.call_args();
        let mut typed = Vec::new();
        for arg in &args {
            let Some(ty) = scalar(arg.ty())? else { return Ok(false) };
            typed.push((self.operand(*arg)?, ty));
        }
        let Some(result) = scalar(i.ty())? else { return Ok(false) };
        let float = typed.first().is_some_and(|(_, ty)| *ty == Type::F32);
        let function = match (base, float) {
            ("powi", false) => "__powidf2".to_owned(),
            ("powi", true) => "__powisf2".to_owned(),
            (base, false) => base.to_owned(),
            (base, true) => format!("{base}f"),
        };
        let results = self.call_named(&function, typed, &[result])?;
        self.define(i, results);
        Ok(true)
    }
}

/// What `sadd.with.overflow.i32` and its kin do.
fn overflow_operation(name: &str) -> Option<(OverflowOp, Signedness)> {
    let (operation, _) = name.split_once(".with.overflow.")?;
    let (sign, op) = operation.split_at_checked(1)?;
    let sign = match sign {
        "u" => Signedness::Unsigned,
        _ => Signedness::Signed,
    };
    let op = match op {
        "add" => OverflowOp::Add,
        "sub" => OverflowOp::Sub,
        "mul" => OverflowOp::Mul,
        _ => return None,
    };
    Some((op, sign))
}
