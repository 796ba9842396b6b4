//! Operations that are described rather than encoded: wide and odd integers, conversions, atomics, memory
//! blocks, dynamic stack memory.

use crate::access::{Direction, Visibility};
use crate::call::Flow;
use crate::code::{Generic, Source};
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use crate::memory::Poison;
use selvedge_program::{LoadOrder, StoreOrder, Type, scalar};

/// What becomes of the scope of a local object.
#[derive(Clone, Copy)]
enum Scope {
    Begins,
    Ends,
}

impl Machine<'_> {
    pub(crate) fn generic(&mut self, index: usize, number: u32) -> Flow {
        let image = self.image;
        match self.execute_generic(index, &image.code.generic[number as usize]) {
            Ok(Visibility::Private) => Flow::Next,
            Ok(Visibility::Visible) => Flow::Visible,
            Err(stop) => Flow::Stop(stop),
        }
    }

    fn execute_generic(&mut self, index: usize, generic: &Generic) -> Result<Visibility, Stop> {
        let get = |this: &Self, source: Source, ty: Type| this.value(index, source, ty);
        let word = |this: &Self, source: Source| this.value(index, source, Type::I64) as u64;
        match *generic {
            Generic::Binary { op, ty, d, a, b } => {
                match scalar::binary(op, ty, get(self, a, ty), get(self, b, ty)) {
                    Ok(value) => self.set(index, d, ty, value),
                    Err(error) => return Err(self.division_fault(index, error)),
                }
            }
            Generic::Unary { op, ty, d, a } => {
                let value = scalar::unary(op, ty, get(self, a, ty));
                self.set(index, d, ty, value);
            }
            Generic::Overflow { op, sign, ty, d, flag, a, b } => {
                let (a, b) = (get(self, a, ty), get(self, b, ty));
                let (value, overflowed) = scalar::overflow(op, sign, ty, a, b);
                self.set(index, d, ty, value);
                self.set(index, flag, Type::BOOL, u128::from(overflowed));
            }
            Generic::FunnelShift { left, ty, d, high, low, amount } => {
                let (high, low) = (get(self, high, ty), get(self, low, ty));
                let value = scalar::funnel_shift(left, ty, high, low, get(self, amount, ty));
                self.set(index, d, ty, value);
            }
            Generic::FusedMultiplyAdd { ty, d, a, b, c } => {
                let (a, b, c) = (get(self, a, ty), get(self, b, ty), get(self, c, ty));
                self.set(index, d, ty, scalar::fused_multiply_add(ty, a, b, c));
            }
            Generic::Compare { op, ty, d, a, b } => {
                let value = scalar::compare(op, ty, get(self, a, ty), get(self, b, ty));
                self.set(index, d, Type::BOOL, u128::from(value));
            }
            Generic::CompareFloat { op, ty, d, a, b } => {
                let value = scalar::compare_float(op, ty, get(self, a, ty), get(self, b, ty));
                self.set(index, d, Type::BOOL, u128::from(value));
            }
            Generic::FloatClass { ty, d, a, mask } => {
                let value = scalar::float_class(ty, get(self, a, ty), mask);
                self.set(index, d, Type::BOOL, u128::from(value));
            }
            Generic::Cast { op, from, to, d, a } => {
                let value = scalar::cast(op, from, to, get(self, a, from));
                self.set(index, d, to, value);
            }
            Generic::Select { ty, d, c, a, b } => {
                let chosen = if get(self, c, Type::BOOL) & 1 != 0 { a } else { b };
                let value = get(self, chosen, ty);
                self.set(index, d, ty, value);
            }
            Generic::Load { ty, d, address, order } => {
                let address = word(self, address);
                let size = u64::from(ty.bytes());
                let apart = order != LoadOrder::Plain && self.is_seen_later(index, address);
                if self.classify(index, address, size, Direction::Read)? == Visibility::Visible || apart {
                    return Ok(Visibility::Visible);
                }
                let value = self.memory.read_scalar(address, ty.bytes()) & scalar::mask(ty.bits());
                self.set(index, d, ty, value);
            }
            Generic::Store { ty, address, value, order } => {
                let address = word(self, address);
                let size = u64::from(ty.bytes());
                let apart = order != StoreOrder::Plain && self.is_seen_later(index, address);
                if self.classify(index, address, size, Direction::Write)? == Visibility::Visible || apart {
                    return Ok(Visibility::Visible);
                }
                let (bits, mask) = (get(self, value, ty), self.source_defined(index, value, ty));
                let logged = self.begin_private(index, address, size);
                self.memory.write_scalar(address, ty.bytes(), bits);
                if self.memory.tracks_initialisation() {
                    self.store_defined(address, ty.bytes(), mask);
                }
                self.end_private(logged);
            }
            Generic::Rmw { op, ty, d, address, value, .. } => {
                let address = word(self, address);
                let size = u64::from(ty.bytes());
                let apart = self.is_seen_later(index, address);
                if self.classify(index, address, size, Direction::Write)? == Visibility::Visible || apart {
                    return Ok(Visibility::Visible);
                }
                let old = self.memory.read_scalar(address, ty.bytes());
                let new = scalar::rmw(op, ty, old, get(self, value, ty));
                self.memory.write_scalar(address, ty.bytes(), new);
                self.set(index, d, ty, old);
            }
            Generic::CompareExchange { ty, d, flag, address, expected, new, .. } => {
                let address = word(self, address);
                let size = u64::from(ty.bytes());
                let apart = self.is_seen_later(index, address);
                if self.classify(index, address, size, Direction::Write)? == Visibility::Visible || apart {
                    return Ok(Visibility::Visible);
                }
                let old = self.memory.read_scalar(address, ty.bytes());
                let success = old == get(self, expected, ty);
                let new = get(self, new, ty);
                if success {
                    self.memory.write_scalar(address, ty.bytes(), new);
                }
                self.set(index, d, ty, old);
                self.set(index, flag, Type::BOOL, u128::from(success));
            }
            Generic::Fence { .. } => {
                if self.multithreaded {
                    return Ok(Visibility::Visible);
                }
            }
            Generic::Copy { to, from, size } => {
                let (to, from, size) = (word(self, to), word(self, from), word(self, size));
                let source = self.classify(index, from, size, Direction::Read)?;
                let target = self.classify(index, to, size, Direction::Write)?;
                if source == Visibility::Visible || target == Visibility::Visible {
                    return Ok(Visibility::Visible);
                }
                self.work += size / 64;
                let logged = self.begin_private(index, to, size);
                self.memory.copy_within(to, from, size);
                self.end_private(logged);
            }
            Generic::Set { to, byte, size } => {
                let (to, byte, size) = (word(self, to), word(self, byte) as u8, word(self, size));
                if self.classify(index, to, size, Direction::Write)? == Visibility::Visible {
                    return Ok(Visibility::Visible);
                }
                self.work += size / 64;
                let logged = self.begin_private(index, to, size);
                self.memory.fill(to, byte, size);
                self.end_private(logged);
            }
            Generic::DynamicAlloca { d, size, align } => {
                let size = word(self, size);
                match self.allocate_dynamic(index, size, align) {
                    Some(address) => self.set(index, d, Type::Ptr, u128::from(address)),
                    None => return Err(self.dynamic_overflow(index, size)),
                }
            }
            Generic::StackSave { d } => {
                let top = self.threads[index].position.stack_top;
                self.set(index, d, Type::Ptr, u128::from(top));
            }
            Generic::StackRestore { saved } => {
                let saved = word(self, saved);
                if self.shared_dynamic(index, saved).is_some() {
                    return Ok(Visibility::Visible);
                }
                self.release_dynamic(index, saved);
                let position = &mut self.threads[index].position;
                position.stack_top = saved.min(position.stack_top);
            }
            Generic::LifetimeStart { slot } | Generic::LifetimeEnd { slot }
                if self.shared_local_in_slot(index, slot).is_some() =>
            {
                return Ok(Visibility::Visible);
            }
            Generic::LifetimeStart { slot } => self.lifetime(index, slot, Scope::Begins),
            Generic::LifetimeEnd { slot } => self.lifetime(index, slot, Scope::Ends),
            Generic::VaStart { list } => {
                let list = word(self, list);
                if self.classify(index, list, 24, Direction::Write)? == Visibility::Visible {
                    let what = "`va_start` on a `va_list` that other threads can see".to_owned();
                    return Err(self.unsupported(index, what, None));
                }
                let Some(frame) = self.threads[index].top().copied() else { return Ok(Visibility::Private) };
                let (general, vector) = frame.variadic_offsets;
                let overflow = frame.variadic + u64::from(selvedge_program::Variadic::REGISTER_AREA);
                self.memory.write_scalar(list, 4, u128::from(general));
                self.memory.write_scalar(list + 4, 4, u128::from(vector));
                self.memory.write_scalar(list + 8, 8, u128::from(overflow));
                self.memory.write_scalar(list + 16, 8, u128::from(frame.variadic));
            }
        }
        Ok(Visibility::Private)
    }

    #[cold]
    fn dynamic_overflow(&mut self, index: usize, size: u64) -> Stop {
        let message = format!("stack overflow: a variable-length array of {size} bytes does not fit");
        self.fault(index, FaultKind::StackOverflow, message, Vec::new())
    }

    /// A local object's scope begins or ends.
    fn lifetime(&mut self, index: usize, slot: u32, scope: Scope) {
        let Some(frame) = self.threads[index].top().copied() else { return };
        let layout = self.image.code.functions[frame.function as usize].slots[slot as usize];
        let address = frame.stack + u64::from(layout.offset);
        match scope {
            Scope::Begins => {
                self.memory.allow(address, layout.size, 0);
                self.memory.set_defined(address, layout.size, false);
            }
            Scope::Ends => {
                self.memory.fill_shadow(address, layout.size.next_multiple_of(8), Poison::DeadStack as u8);
            }
        }
    }
}
