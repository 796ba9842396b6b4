//! Visible operations: what a thread is about to do, and going on after it was done.
//!
//! [`Machine::pending`] shows the operation with its operands evaluated, [`Machine::complete`] supplies its
//! result and runs the thread on to the next one. What the result is, is the memory model's business;
//! [`Machine::perform`] is the simplest model: memory as it is, at once (sequential consistency).

use crate::access::Direction;
use crate::code::{AccessKind, Generic, Op, Target};
use crate::fault::{FaultKind, Stop};
use crate::machine::Machine;
use crate::thread::Status;
use selvedge_program::{Builtin, Type, scalar};
use selvedge_trace::ThreadId;
use selvedge_trace::sync::errno;
use selvedge_trace::{Completion, Operation, SyncOp};

impl Machine<'_> {
    /// The visible operation that a thread is before, if it is before one.
    pub fn pending(&self, id: ThreadId) -> Option<Operation> {
        let index = self.index(id);
        let thread = self.threads.get(index)?;
        let position = &thread.position;
        if position.status != Status::Pending {
            return None;
        }
        let code = &self.image.code;
        let registers = thread.top().and_then(|frame| thread.registers.get(frame.base as usize..))?;
        let register = |reg: u16| registers.get(usize::from(reg)).copied().unwrap_or(0);
        let at = |base: u16, offset: i32| register(base).wrapping_add(offset as i64 as u64);
        let indexed = |base: u16, i: u16, scale: u8, offset: i32| {
            at(base, offset).wrapping_add(register(i).wrapping_mul(u64::from(scale)))
        };
        use Op::*;
        let (address, bytes, stored, info) = match code.ops[position.pc as usize] {
            Load8 { base, offset, info, .. } => (at(base, offset), 1, None, info),
            Load16 { base, offset, info, .. } => (at(base, offset), 2, None, info),
            Load32 { base, offset, info, .. } => (at(base, offset), 4, None, info),
            Load64 { base, offset, info, .. } => (at(base, offset), 8, None, info),
            LoadIndexed8 { scale, base, index, offset, info, .. } => {
                (indexed(base, index, scale, offset), 1, None, info)
            }
            LoadIndexed16 { scale, base, index, offset, info, .. } => {
                (indexed(base, index, scale, offset), 2, None, info)
            }
            LoadIndexed32 { scale, base, index, offset, info, .. } => {
                (indexed(base, index, scale, offset), 4, None, info)
            }
            LoadIndexed64 { scale, base, index, offset, info, .. } => {
                (indexed(base, index, scale, offset), 8, None, info)
            }
            Store8 { s, base, offset, info } => (at(base, offset), 1, Some(s), info),
            Store16 { s, base, offset, info } => (at(base, offset), 2, Some(s), info),
            Store32 { s, base, offset, info } => (at(base, offset), 4, Some(s), info),
            Store64 { s, base, offset, info } => (at(base, offset), 8, Some(s), info),
            StoreIndexed8 { scale, s, base, index, offset, info } => {
                (indexed(base, index, scale, offset), 1, Some(s), info)
            }
            StoreIndexed16 { scale, s, base, index, offset, info } => {
                (indexed(base, index, scale, offset), 2, Some(s), info)
            }
            StoreIndexed32 { scale, s, base, index, offset, info } => {
                (indexed(base, index, scale, offset), 4, Some(s), info)
            }
            StoreIndexed64 { scale, s, base, index, offset, info } => {
                (indexed(base, index, scale, offset), 8, Some(s), info)
            }
            Generic { index: number } => {
                return self.pending_generic(index, &code.generic[number as usize]);
            }
            CallSite { site } => return self.pending_call(index, site),
            Return0 | Return1 { .. } | Return { .. } => return self.pending_scope_end(index),
            _ => return None,
        };
        let ty = Type::Int(bytes * 8);
        Some(match (code.accesses[info as usize], stored) {
            (AccessKind::Load(order), _) => Operation::Load { address, ty, order },
            (AccessKind::Store(order), stored) => {
                let value = u128::from(stored.map_or(0, register)) & scalar::mask(ty.bits());
                Operation::Store { address, ty, value, order }
            }
        })
    }

    fn pending_generic(&self, index: usize, generic: &Generic) -> Option<Operation> {
        let word = |source| self.value(index, source, Type::I64) as u64;
        Some(match *generic {
            Generic::Load { ty, address, order, .. } => Operation::Load { address: word(address), ty, order },
            Generic::Store { ty, address, value, order } => {
                let value = self.value(index, value, ty);
                Operation::Store { address: word(address), ty, value, order }
            }
            Generic::Rmw { op, ty, address, value, order, old, .. } => {
                let operand = self.value(index, value, ty);
                Operation::Rmw { address: word(address), ty, op, operand, order, old }
            }
            Generic::CompareExchange { ty, address, expected, new, success, failure, weak, .. } => {
                let (expected, new) = (self.value(index, expected, ty), self.value(index, new, ty));
                Operation::CompareExchange {
                    address: word(address),
                    ty,
                    expected,
                    new,
                    success,
                    failure,
                    weak,
                }
            }
            Generic::Fence { order } => Operation::Fence { order },
            Generic::Copy { to, from, size } => {
                Operation::Copy { to: word(to), from: word(from), size: word(size) }
            }
            Generic::Set { to, byte, size } => {
                Operation::Set { to: word(to), byte: word(byte) as u8, size: word(size) }
            }
            _ => return self.pending_scope_end(index),
        })
    }

    /// The builtin that a call site calls.
    pub(crate) fn builtin_at(&self, site: u32) -> Option<Builtin> {
        match self.image.code.sites[site as usize].target {
            Target::Function(id) => self.image.builtins.functions[id.index()],
            Target::Pointer(_) => None,
        }
    }

    fn pending_call(&self, index: usize, number: u32) -> Option<Operation> {
        let site = &self.image.code.sites[number as usize];
        let arg = |n: usize| site.args.get(n).map_or(0, |(s, ty)| self.value(index, *s, *ty) as u64);
        Some(match self.builtin_at(number)? {
            Builtin::Release => {
                let size = self.live_heap_object(arg(0)).unwrap_or(0);
                Operation::Release { address: arg(0), size }
            }
            Builtin::Spawn => Operation::Spawn { through: 0, function: arg(0), argument: arg(1) },
            Builtin::SpawnWith => Operation::Spawn { through: arg(0), function: arg(1), argument: arg(2) },
            Builtin::Join => Operation::Join { thread: ThreadId::from_handle(arg(0)) },
            Builtin::Yield => Operation::Yield,
            Builtin::WaitForOthers => Operation::WaitForOthers { result: arg(0) },
            Builtin::Sync(op) => Operation::Sync { op, object: arg(0), argument: arg(1) },
            Builtin::Choose => {
                Operation::Choose { options: u32::try_from(arg(0) as i32).unwrap_or(0), sampled: false }
            }
            Builtin::Nondet => {
                let (low, high) = (*self.config.nondet.start(), *self.config.nondet.end());
                Operation::Choose { options: high.abs_diff(low).saturating_add(1), sampled: true }
            }
            Builtin::Assume => Operation::Assume { condition: arg(0) as u32 != 0 },
            _ => return self.pending_scope_end(index),
        })
    }

    /// How the source writes the memory that the pending operation of a thread accesses, e.g.
    /// `queue->head`; `None` if it accesses none or nothing is known.
    pub fn name_of_pending(&self, id: ThreadId) -> Option<String> {
        let (address, size) = match self.pending(id)? {
            Operation::Release { address, .. } => (address, 1),
            Operation::EndScope { address, size } => (address, size),
            operation => operation.subject()?,
        };
        let object = self.object_at(address);
        if let Some(path) = object.as_ref().and_then(|object| object.path(self, address, size)) {
            return Some(path);
        }
        let thread = self.thread(id)?;
        let function = &self.image.program.functions[thread.top()?.function as usize];
        let site = self.image.code.origins.get(thread.position.pc as usize);
        let inst = site.and_then(|site| self.image.sites.inst(self.image.program, *site));
        use selvedge_program::InstKind;
        let expression = match inst.map(|inst| &inst.kind) {
            Some(
                InstKind::Load { address, .. }
                | InstKind::Store { address, .. }
                | InstKind::Rmw { address, .. }
                | InstKind::CompareExchange { address, .. },
            ) if !function.library => {
                selvedge_program::naming::describe_address(self.image.program, function, *address, size)
            }
            _ => None,
        };
        expression.or_else(|| object.map(|object| object.place(self, address, size)))
    }

    /// Whether a thread is before an operation that is no call: one that accesses memory, a fence, the end of a scope. The
    /// machine lets it always go on.
    #[inline]
    pub fn is_before_access(&self, id: ThreadId) -> bool {
        self.thread(id).is_some_and(|thread| {
            thread.position.status == Status::Pending
                && !matches!(self.image.code.ops[thread.position.pc as usize], Op::CallSite { .. })
        })
    }

    /// The call that a thread is before, if it is before a visible operation that is one.
    #[inline]
    fn pending_site(&self, id: ThreadId) -> Option<u32> {
        let thread = self.thread(id)?;
        match self.image.code.ops[thread.position.pc as usize] {
            Op::CallSite { site } if thread.position.status == Status::Pending => Some(site),
            _ => None,
        }
    }

    /// Whether the pending operation of a thread can be performed now.
    #[inline]
    pub fn is_enabled(&self, id: ThreadId) -> bool {
        let Some(thread) = self.thread(id) else { return false };
        if thread.position.status != Status::Pending {
            return false;
        }
        // Whatever is no call can always go on.
        match self.image.code.ops[thread.position.pc as usize] {
            Op::CallSite { site } => self.is_call_enabled(id, site),
            _ => true,
        }
    }

    /// Whether a call that a thread is before can be performed now.
    fn is_call_enabled(&self, id: ThreadId, site: u32) -> bool {
        match self.builtin_at(site) {
            Some(Builtin::WaitForOthers) => self
                .threads
                .iter()
                .all(|thread| thread.id == id || thread.position.status == Status::Finished),
            Some(_) => match self.pending_call(self.index(id), site) {
                // One that is an error can go on: performing it reports that.
                Some(Operation::Join { thread }) => match thread.and_then(|thread| self.thread(thread)) {
                    Some(thread) if thread.id == id || thread.position.detached.is_some() => true,
                    Some(thread) => self.result_of(thread.id).is_some(),
                    None => true,
                },
                Some(Operation::Sync { op, object, argument }) => {
                    self.sync_enabled(self.index(id), op, object, argument)
                }
                other => other.is_some(),
            },
            None => false,
        }
    }

    /// How many alternatives the pending operation of a thread has.
    #[inline]
    pub fn choices(&self, id: ThreadId) -> u32 {
        self.pending_site(id).map_or(1, |site| self.choices_of_call(id, site))
    }

    /// How many alternatives the call has that a thread is before.
    fn choices_of_call(&self, id: ThreadId, site: u32) -> u32 {
        match self.builtin_at(site) {
            Some(Builtin::Choose | Builtin::Nondet | Builtin::Sync(SyncOp::ConditionSignal)) => {
                match self.pending(id) {
                    Some(Operation::Choose { options, .. }) => options.max(1),
                    Some(Operation::Sync { object, .. }) => self.waiters(object).len().max(1) as u32,
                    _ => 1,
                }
            }
            _ => 1,
        }
    }

    /// Supplies the result of the pending operation and runs the thread on.
    pub fn complete(&mut self, id: ThreadId, completion: Completion) -> Stop {
        self.complete_with(id, completion, None)
    }

    /// The same for a load whose value did not come from memory alone: which of its bits are defined.
    pub fn complete_with(&mut self, id: ThreadId, completion: Completion, defined: Option<u128>) -> Stop {
        let index = self.index(id);
        if self.threads[index].position.status != Status::Pending {
            return Stop::Finished;
        }
        self.save(index);
        if self.memory.tracks_initialisation()
            && let (Some(Operation::Load { address, ty, .. }), Completion::Value(_)) =
                (self.pending(id), completion)
        {
            let defined = defined.unwrap_or_else(|| self.memory_defined(address, ty.bytes()));
            self.deliver_defined(index, defined);
        }
        self.deliver(index, completion);
        let again = completion == Completion::Done && self.is_executed_again(index);
        let position = &mut self.threads[index].position;
        position.pc += u32::from(!again);
        position.events += 1;
        position.atomic_begun = position.atomic_depth > 0;
        position.status = Status::Running;
        self.run(id)
    }

    /// Says which bits of a load's result are defined.
    fn deliver_defined(&mut self, index: usize, mask: u128) {
        let image = self.image;
        let pc = self.threads[index].position.pc;
        use Op::*;
        match image.code.ops[pc as usize] {
            Load8 { d, .. }
            | Load16 { d, .. }
            | Load32 { d, .. }
            | Load64 { d, .. }
            | LoadIndexed8 { d, .. }
            | LoadIndexed16 { d, .. }
            | LoadIndexed32 { d, .. }
            | LoadIndexed64 { d, .. } => self.set_register_defined(index, d, mask as u64),
            Generic { index: number } => {
                if let crate::code::Generic::Load { ty, d, .. } = image.code.generic[number as usize] {
                    self.set_register_defined(index, d, mask as u64);
                    if ty.is_wide() {
                        self.set_register_defined(index, d + 1, (mask >> 64) as u64);
                    }
                }
            }
            _ => {}
        }
    }

    /// Puts the result into the registers that the pending operation names.
    fn deliver(&mut self, index: usize, completion: Completion) {
        let image = self.image;
        let pc = self.threads[index].position.pc;
        let value = match completion {
            Completion::Done => return,
            Completion::Value(value) | Completion::Exchanged { old: value, .. } => value,
        };
        use Op::*;
        match image.code.ops[pc as usize] {
            Load8 { d, .. }
            | Load16 { d, .. }
            | Load32 { d, .. }
            | Load64 { d, .. }
            | LoadIndexed8 { d, .. }
            | LoadIndexed16 { d, .. }
            | LoadIndexed32 { d, .. }
            | LoadIndexed64 { d, .. } => self.set(index, d, Type::I64, value),
            Generic { index: number } => match image.code.generic[number as usize] {
                crate::code::Generic::Load { ty, d, .. } => {
                    self.set(index, d, ty, value & scalar::mask(ty.bits()));
                }
                crate::code::Generic::Rmw { ty, d, .. } => self.set(index, d, ty, value),
                crate::code::Generic::CompareExchange { ty, d, flag, .. } => {
                    self.set(index, d, ty, value);
                    let success = matches!(completion, Completion::Exchanged { success: true, .. });
                    self.set(index, flag, Type::BOOL, u128::from(success));
                }
                _ => {}
            },
            CallSite { site } => {
                if let Some((reg, ty)) = image.code.sites[site as usize].results.first() {
                    self.set(index, *reg, *ty, value);
                }
            }
            _ => {}
        }
    }

    /// Performs the pending operation on memory as it is, and runs the thread on.
    ///
    /// Must be called only if the operation is enabled; `choice` is one of its alternatives.
    pub fn perform(&mut self, id: ThreadId, choice: u32) -> Stop {
        let Some(operation) = self.pending(id) else { return Stop::Finished };
        match self.answer(id, &operation, choice) {
            Ok(completion) => self.complete(id, completion),
            Err(stop) => stop,
        }
    }

    /// Performs an operation of a thread on memory as it is, without running the thread on: what
    /// completes it.
    pub fn answer(&mut self, id: ThreadId, operation: &Operation, choice: u32) -> Result<Completion, Stop> {
        let index = self.index(id);
        self.save(index);
        match *operation {
            Operation::Sync { op, object, argument } => {
                let result = self.sync_perform(index, op, object, argument, choice)?;
                Ok(Completion::Value(u128::from(result)))
            }
            Operation::Choose { options: 0, .. } | Operation::Assume { condition: false } => {
                self.threads[index].position.status = Status::Stopped;
                Err(Stop::Discarded)
            }
            Operation::Choose { sampled, .. } => {
                Ok(Completion::Value(u128::from(self.chosen_value(sampled, choice))))
            }
            Operation::Assume { .. } => Ok(Completion::Done),
            Operation::Load { address, ty, .. } => {
                self.check_access(index, address, u64::from(ty.bytes()), Direction::Read)?;
                Ok(Completion::Value(self.memory.read_scalar(address, ty.bytes())))
            }
            Operation::Store { address, ty, value, .. } => {
                self.write_shared(index, address, ty, value)?;
                if self.memory.tracks_initialisation() {
                    let mask = self.pending_store_defined(index);
                    self.store_defined(address, ty.bytes(), mask);
                }
                Ok(Completion::Done)
            }
            Operation::Rmw { address, ty, .. } | Operation::CompareExchange { address, ty, .. } => {
                self.check_access(index, address, u64::from(ty.bytes()), Direction::Write)?;
                let old = self.memory.read_scalar(address, ty.bytes());
                let (completion, new) = result_of_access(operation, old);
                if let Some(new) = new {
                    self.write_shared(index, address, ty, new)?;
                }
                Ok(completion)
            }
            Operation::Fence { .. } | Operation::Yield | Operation::WaitForOthers { .. } => {
                Ok(Completion::Done)
            }
            Operation::Copy { to, from, size } => {
                self.check_access(index, from, size, Direction::Read)?;
                self.check_access(index, to, size, Direction::Write)?;
                self.memory.copy_within(to, from, size);
                if self.memory.any_flag(to, size, crate::memory::SHARED) {
                    self.publish_range(to, size);
                }
                Ok(Completion::Done)
            }
            Operation::Set { to, byte, size } => {
                self.check_access(index, to, size, Direction::Write)?;
                self.memory.fill(to, byte, size);
                Ok(Completion::Done)
            }
            Operation::Release { address, .. } => {
                self.release_checked(index, address)?;
                Ok(Completion::Done)
            }
            Operation::EndScope { address, size } => {
                self.end_scope(address, size);
                Ok(Completion::Done)
            }
            // The model's business.
            Operation::Flush { .. } => Ok(Completion::Done),
            Operation::Spawn { through, function, argument } => {
                let child = self.spawn(id, through, function, argument)?;
                Ok(Completion::Value(child.map_or(0, |child| u128::from(child.handle()))))
            }
            Operation::Join { thread } => self.join(index, thread),
        }
    }

    /// Checks the pending store of a thread without performing it: it goes to a buffer. What the value points to
    /// becomes visible. Returns the bits of the value that are defined.
    pub fn accept_store(&mut self, id: ThreadId, address: u64, ty: Type, value: u128) -> Result<u128, Stop> {
        let index = self.index(id);
        self.save(index);
        self.check_access(index, address, u64::from(ty.bytes()), Direction::Write)?;
        self.publish_value(ty.bytes(), value);
        Ok(match self.memory.tracks_initialisation() {
            true => self.pending_store_defined(index),
            false => u128::MAX,
        })
    }

    /// Checks the ranges of the pending copy or fill of a thread without performing it.
    pub fn accept_copy(&mut self, id: ThreadId, to: u64, from: Option<u64>, size: u64) -> Result<(), Stop> {
        let index = self.index(id);
        self.save(index);
        if let Some(from) = from {
            self.check_access(index, from, size, Direction::Read)?;
        }
        self.check_access(index, to, size, Direction::Write)
    }

    /// Makes visible what a value points to that others will be able to see.
    pub fn publish_value(&mut self, bytes: u32, value: u128) {
        for half in 0..bytes.div_ceil(8).min(2) {
            if bytes >= 8 {
                self.publish((value >> (64 * half)) as u64);
            }
        }
    }

    /// The bits of some bytes of memory that are defined.
    pub fn defined_bits(&self, address: u64, bytes: u32) -> u128 {
        match self.memory.tracks_initialisation() {
            true => self.memory_defined(address, bytes),
            false => u128::MAX,
        }
    }

    /// Says which bits of some bytes of memory are defined, if that is followed.
    pub fn set_defined_bits(&mut self, address: u64, bytes: u32, mask: u128) {
        if self.memory.tracks_initialisation() {
            self.store_defined(address, bytes, mask);
        }
    }

    /// The bits of what a thread is about to store that are defined.
    pub fn stored_bits(&self, id: ThreadId) -> u128 {
        match self.memory.tracks_initialisation() {
            true => self.pending_store_defined(self.index(id)),
            false => u128::MAX,
        }
    }

    /// Whether others can reach some bytes, which may be accessed.
    pub fn is_shared(&self, address: u64, size: u64) -> bool {
        self.memory.first_inaccessible(address, size).is_none()
            && self.memory.any_flag(address, size, crate::memory::SHARED)
    }

    /// Whether an address lies in the heap of a thread.
    pub fn is_on_heap(&self, address: u64) -> bool {
        crate::address::owner(address).is_some_and(|owner| crate::address::heap(owner).contains(address))
    }

    /// Whether an address lies in the stack of a thread.
    pub fn is_on_stack_of(&self, id: ThreadId, address: u64) -> bool {
        crate::address::stack(id).contains(address)
    }

    /// A store of a thread that was buffered reaches memory.
    pub fn arrive_store(
        &mut self,
        id: ThreadId,
        address: u64,
        bytes: u32,
        value: u128,
        defined: u128,
    ) -> Result<(), Stop> {
        let index = self.index(id);
        self.check_access(index, address, u64::from(bytes), Direction::Write)?;
        self.memory.write_scalar(address, bytes, value);
        if self.memory.tracks_initialisation() {
            self.store_defined(address, bytes, defined);
        }
        Ok(())
    }

    /// The value of an alternative of a choice; `sampled`: the choice offers a range of numbers, `--nondet`.
    pub fn chosen_value(&self, sampled: bool, choice: u32) -> u32 {
        match sampled {
            true => (*self.config.nondet.start()).wrapping_add(choice as i32) as u32,
            false => choice,
        }
    }

    /// Writes to memory that others can see; what the value points to becomes visible, too.
    fn write_shared(&mut self, index: usize, address: u64, ty: Type, value: u128) -> Result<(), Stop> {
        self.check_access(index, address, u64::from(ty.bytes()), Direction::Write)?;
        // An object of its own may be meant: see `Image::atomics_are_visible`.
        if !self.image.atomics_are_visible || self.is_shared(address, u64::from(ty.bytes())) {
            self.publish_value(ty.bytes(), value);
        }
        self.memory.write_scalar(address, ty.bytes(), value);
        Ok(())
    }

    fn join(&mut self, index: usize, thread: Option<ThreadId>) -> Result<Completion, Stop> {
        let target = thread.filter(|thread| self.thread(*thread).is_some());
        let problem = match target {
            None => Some("a thread that does not exist is joined".to_owned()),
            Some(target) => {
                let position = &self.threads[self.index(target)].position;
                match position {
                    _ if self.index(target) == index => Some("a thread joins itself".to_owned()),
                    position if position.joined.is_some() => Some(format!("thread {target} is joined twice")),
                    position if position.detached.is_some() => {
                        Some(format!("thread {target} is joined, which is detached"))
                    }
                    _ => None,
                }
            }
        };
        if let Some(message) = problem {
            return Err(self.fault(index, FaultKind::BadJoin, message, Vec::new()));
        }
        let result = target.and_then(|target| self.result_of(target)).unwrap_or(0);
        let target = target.map_or(index, |target| self.index(target));
        self.save(target);
        self.threads[target].position.joined = Some(self.threads[index].id);
        Ok(Completion::Value(u128::from(result)))
    }

    /// The error number that joining a thread gives, if it is an error of the program that is allowed: that follows from what
    /// the thread itself has done. (Whether others have detached it, or joined it before, depends on the order.)
    pub(crate) fn join_error(&mut self, index: usize, handle: u64) -> u64 {
        let me = self.threads[index].id;
        let target = ThreadId::from_handle(handle).filter(|_| self.allows(FaultKind::BadJoin));
        let Some(position) = target.and_then(|target| self.thread(target)).map(|thread| &thread.position)
        else {
            return 0;
        };
        match target {
            _ if position.detached == Some(me) => {
                (self.entangled, self.dependent) = (true, true);
                errno::EINVAL
            }
            Some(target) if target == me && position.detached.is_none() => errno::EDEADLK,
            _ => 0,
        }
    }

    /// Detaches a thread. That is no visible operation: whoever joins a thread that is ever detached does something wrong,
    /// whichever comes first.
    pub(crate) fn detach(&mut self, index: usize, handle: u64) -> Result<(), Stop> {
        let Some(thread) = ThreadId::from_handle(handle).filter(|thread| self.thread(*thread).is_some())
        else {
            return Ok(());
        };
        (self.entangled, self.dependent) = (true, true);
        let target = self.index(thread);
        if self.threads[target].position.joined.is_some() {
            let message = format!("thread {thread} is detached, which has been joined");
            return Err(self.fault(index, FaultKind::BadJoin, message, Vec::new()));
        }
        self.save(target);
        let by = self.threads[index].id;
        self.threads[target].position.detached.get_or_insert(by);
        Ok(())
    }

    /// Whether a thread was detached.
    pub fn is_detached(&self, id: ThreadId) -> bool {
        self.thread(id).is_some_and(|thread| thread.position.detached.is_some())
    }

    /// The result of a thread that has ended. The main thread has ended as far as others can tell when
    /// it only waits for them.
    fn result_of(&self, id: ThreadId) -> Option<u64> {
        let position = &self.thread(id)?.position;
        if position.status == Status::Finished {
            return Some(position.result);
        }
        match self.is_before_access(id) {
            true => None,
            false => match self.pending(id) {
                Some(Operation::WaitForOthers { result }) => Some(result),
                _ => None,
            },
        }
    }
}

/// What completes a load or read-modify-write that finds a value, and what it writes in its place.
#[inline]
pub fn result_of_access(operation: &Operation, old: u128) -> (Completion, Option<u128>) {
    match *operation {
        Operation::Rmw { ty, op, operand, .. } => {
            (Completion::Value(old), Some(scalar::rmw(op, ty, old, operand)))
        }
        Operation::CompareExchange { expected, new, .. } => {
            let success = old == expected;
            (Completion::Exchanged { old, success }, success.then_some(new))
        }
        _ => (Completion::Value(old), None),
    }
}
