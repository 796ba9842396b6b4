//! Objects: allocating them, finding them by address, naming them, and publishing them to other threads.
//!
//! What is known of an object is kept in the simulated memory itself, in headers that the program cannot
//! touch, so it is rewound with everything else and costs nothing to maintain:
//!
//! * a heap object is preceded by [`HEAP_HEADER`] bytes: size, allocation and free sites, thread, number;
//! * a stack frame begins with the number of its function, whose slots say the rest;
//! * a dynamic local object is preceded by a header with its size and the one before it.
//!
//! The object an address belongs to is found by going back through the shadow to the next header.

use crate::address;
use crate::fault::Note;
use crate::machine::Machine;
use crate::memory::{COUNT, Poison, SHARED};
use selvedge_program::debug::Path;
use selvedge_program::{DebugTypeId, SpanId};
use selvedge_trace::ThreadId;

/// Bytes before a heap object.
const HEAP_HEADER: u64 = 32;
/// At least this many bytes behind a heap object.
const HEAP_GAP: u64 = 16;
/// Bytes before a dynamic local object.
const DYNAMIC_HEADER: u64 = 32;
/// Marks the header of a dynamic local object, where a frame has the number of its function.
const DYNAMIC: u32 = u32::MAX;

/// Offsets in a heap object's header.
mod field {
    pub const SIZE: u64 = 0;
    pub const ALLOCATED_AT: u64 = 8;
    pub const FREED_AT: u64 = 12;
    pub const NUMBER: u64 = 16;
    pub const FREED: u64 = 24;
}

/// Offsets in a dynamic local object's header.
mod dynamic_field {
    pub const MARK: u64 = 0;
    pub const SPAN: u64 = 4;
    pub const SIZE: u64 = 8;
    pub const PREVIOUS: u64 = 16;
}

/// What sort of object it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A global variable (index in the program's table), or a thread's instance of it.
    Global(u32),
    /// A local variable: function and slot.
    Local {
        /// The function.
        function: u32,
        /// The slot.
        slot: u32,
    },
    /// A variable-length array, or memory from `alloca`.
    Dynamic {
        /// Where it was allocated.
        span: SpanId,
    },
    /// A heap object.
    Heap {
        /// Where it was allocated.
        allocated: SpanId,
        /// Where it was freed, if it was.
        freed: Option<SpanId>,
        /// The thread that allocated it.
        thread: ThreadId,
        /// Which of that thread's allocations it is.
        number: u32,
    },
    /// The arguments of the program.
    Arguments,
}

/// An object of the program under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Its first address.
    pub start: u64,
    /// Its size in bytes.
    pub size: u64,
    /// What it is.
    pub kind: ObjectKind,
}

impl Object {
    /// The type it was declared with, if known.
    fn declared_type(&self, machine: &Machine<'_>) -> Option<DebugTypeId> {
        let program = machine.image.program;
        let variable = match self.kind {
            ObjectKind::Global(id) => program.globals[id as usize].variable,
            ObjectKind::Local { function, slot } => {
                program.functions[function as usize].slots[slot as usize].variable
            }
            _ => None,
        };
        program.variable(variable?).ty
    }

    /// What to call it.
    pub fn describe(&self, machine: &Machine<'_>) -> String {
        let program = machine.image.program;
        match self.kind {
            ObjectKind::Global(id) => {
                let global = &program.globals[id as usize];
                match global.variable {
                    Some(variable) if !program.variable(variable).name.is_empty() => {
                        format!("`{}`", program.variable(variable).name)
                    }
                    _ if global.constant && global.name.starts_with(".str") => "a string literal".to_owned(),
                    _ => format!("`{}`", global.name),
                }
            }
            ObjectKind::Local { function, slot } => {
                let function = &program.functions[function as usize];
                match function.slots[slot as usize].variable {
                    Some(variable) => format!("`{}` of `{}`", program.variable(variable).name, function.name),
                    None => format!("a temporary object of `{}`", function.name),
                }
            }
            ObjectKind::Dynamic { .. } => "a variable-length array".to_owned(),
            ObjectKind::Heap { .. } => format!("a heap object of {}", bytes(self.size)),
            ObjectKind::Arguments => "the program's arguments".to_owned(),
        }
    }

    /// The name of some bytes of it, such as `queue.slots[2].next`, if it has a declared type.
    pub fn path(&self, machine: &Machine<'_>, address: u64, size: u64) -> Option<String> {
        let path = self.declared_path(machine, address, size)?;
        let name = self.describe(machine);
        let name = name.trim_start_matches('`').split('`').next()?.to_owned();
        Some(name + &path.text)
    }

    /// Whether some bytes of it are those of several fields, bit-fields among them.
    pub fn is_shared(&self, machine: &Machine<'_>, address: u64, size: u64) -> bool {
        self.declared_path(machine, address, size).is_some_and(|path| path.is_shared)
    }

    fn declared_path(&self, machine: &Machine<'_>, address: u64, size: u64) -> Option<Path> {
        let ty = self.declared_type(machine)?;
        machine.image.program.types.path(ty, address.checked_sub(self.start)?, size)
    }

    /// Where an access lies in relation to the object.
    pub fn place(&self, machine: &Machine<'_>, address: u64, size: u64) -> String {
        let name = self.describe(machine);
        // A heap object's description says its size already.
        let sized = match self.kind {
            ObjectKind::Heap { .. } => name.clone(),
            _ => format!("{name} ({})", bytes(self.size)),
        };
        if address < self.start {
            return format!("{} before {sized}", bytes(self.start - address));
        }
        let offset = address - self.start;
        if offset >= self.size {
            return match offset - self.size {
                0 => format!("just behind {sized}"),
                past => format!("{} behind the end of {sized}", bytes(past)),
            };
        }
        let inside = match self.path(machine, address, size) {
            Some(path) if !path.is_empty() => format!(" (`{path}`)"),
            _ => String::new(),
        };
        match offset + size > self.size {
            true => format!("at offset {offset} of {sized}{inside}, past its end"),
            false => format!("at offset {offset} of {name}{inside}"),
        }
    }

    /// Where it comes from.
    pub fn notes(&self, machine: &Machine<'_>) -> Vec<Note> {
        let program = machine.image.program;
        let declared = |variable: Option<selvedge_program::VariableId>| {
            let variable = program.variable(variable?);
            (variable.span != SpanId::NONE).then(|| Note {
                message: format!("`{}` is declared here", variable.name),
                span: variable.span,
            })
        };
        match self.kind {
            ObjectKind::Global(id) => declared(program.globals[id as usize].variable).into_iter().collect(),
            ObjectKind::Local { function, slot } => {
                let slots = &program.functions[function as usize].slots;
                declared(slots[slot as usize].variable).into_iter().collect()
            }
            ObjectKind::Dynamic { span } => vec![Note { message: "it is allocated here".to_owned(), span }],
            ObjectKind::Heap { allocated, freed, thread, .. } => {
                let by = match thread {
                    ThreadId::MAIN => String::new(),
                    thread => format!(" by thread {thread}"),
                };
                let allocated = Note { message: format!("it was allocated here{by}"), span: allocated };
                let freed = freed.map(|span| Note { message: "it was freed here".to_owned(), span });
                [allocated].into_iter().chain(freed).collect()
            }
            ObjectKind::Arguments => Vec::new(),
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// Why `free` cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseError {
    /// It was freed before.
    Twice,
    /// It is not the start of a heap object.
    Invalid,
}

impl Machine<'_> {
    /// A new heap object of the thread; `None` if it does not fit.
    pub(crate) fn allocate(&mut self, index: usize, size: u64, align: u64) -> Option<u64> {
        let span = self.user_span(index);
        let thread = &self.threads[index];
        let align = align.clamp(16, 1 << 30).next_power_of_two();
        let end = address::heap(thread.id).end;
        let start = thread.position.heap_next.checked_add(HEAP_HEADER)?.checked_next_multiple_of(align)?;
        let next = start.checked_add(size)?.checked_add(HEAP_GAP)?.checked_next_multiple_of(16)?;
        if next > end {
            return None;
        }
        let number = thread.position.allocations;
        let header = start - HEAP_HEADER;
        let memory = &mut self.memory;
        memory.fill_shadow(header, HEAP_HEADER, Poison::Gap as u8);
        memory.fill_shadow(header, 8, Poison::HeapHeader as u8);
        memory.write_scalar(header + field::SIZE, 8, u128::from(size));
        memory.write_scalar(header + field::ALLOCATED_AT, 4, u128::from(span.0));
        memory.write_scalar(header + field::FREED_AT, 4, 0);
        memory.write_scalar(header + field::NUMBER, 4, u128::from(number));
        memory.write_scalar(header + field::FREED, 1, 0);
        memory.allow(start, size, 0);
        let behind = (start + size).next_multiple_of(8);
        memory.fill_shadow(behind, next - behind, Poison::Gap as u8);
        memory.set_defined(start, size, false);
        let position = &mut self.threads[index].position;
        position.heap_next = next;
        position.allocations += 1;
        Some(start)
    }

    /// The heap object that starts at an address and is alive.
    pub(crate) fn live_heap_object(&self, start: u64) -> Result<u64, ReleaseError> {
        let object = self.object_at(start).filter(|object| object.start == start);
        match object.map(|object| (object.size, object.kind)) {
            Some((size, ObjectKind::Heap { freed: None, .. })) => Ok(size),
            Some((_, ObjectKind::Heap { freed: Some(_), .. })) => Err(ReleaseError::Twice),
            _ => Err(ReleaseError::Invalid),
        }
    }

    /// Ends a heap object's life.
    pub(crate) fn release(&mut self, index: usize, start: u64) -> Result<(), ReleaseError> {
        let size = self.live_heap_object(start)?;
        let span = self.user_span(index);
        let header = start - HEAP_HEADER;
        self.memory.write_scalar(header + field::FREED_AT, 4, u128::from(span.0));
        self.memory.write_scalar(header + field::FREED, 1, 1);
        // One of no bytes has some behind it that nobody may access.
        self.memory.fill_shadow(start, size.max(1).next_multiple_of(8), Poison::Freed as u8);
        Ok(())
    }

    /// A new local object of the executing frame; `None` if the stack is full.
    pub(crate) fn allocate_dynamic(&mut self, index: usize, size: u64, align: u64) -> Option<u64> {
        let span = self.user_span(index);
        let align = align.clamp(16, 1 << 20).next_power_of_two();
        let thread = &self.threads[index];
        let from = thread.position.stack_next.max(thread.position.stack_top);
        let start = from.checked_add(DYNAMIC_HEADER)?.checked_next_multiple_of(align)?;
        let next = start.checked_add(size)?.checked_add(16)?.checked_next_multiple_of(16)?;
        if next + (1 << 16) > address::stack(thread.id).end {
            return None;
        }
        let previous = thread.top().map_or(0, |frame| frame.dynamic);
        let header = start - DYNAMIC_HEADER;
        let memory = &mut self.memory;
        memory.fill_shadow(header, next - header, Poison::Gap as u8);
        memory.fill_shadow(header, 8, Poison::FrameHeader as u8);
        memory.write_scalar(header + dynamic_field::MARK, 4, u128::from(DYNAMIC));
        memory.write_scalar(header + dynamic_field::SPAN, 4, u128::from(span.0));
        memory.write_scalar(header + dynamic_field::SIZE, 8, u128::from(size));
        memory.write_scalar(header + dynamic_field::PREVIOUS, 8, u128::from(previous));
        memory.allow(start, size, 0);
        memory.set_defined(start, size, false);
        let thread = &mut self.threads[index];
        thread.position.stack_next = next;
        thread.position.stack_top = next;
        if let Some(frame) = thread.frames.last_mut() {
            frame.dynamic = start;
        }
        Some(start)
    }

    /// Ends the dynamic local objects of the executing frame that lie at or above an address.
    pub(crate) fn release_dynamic(&mut self, index: usize, from: u64) {
        let mut object = self.threads[index].top().map_or(0, |frame| frame.dynamic);
        while object != 0 && object >= from {
            let (size, previous) = self.dynamic_object(object);
            self.memory.fill_shadow(object, size.next_multiple_of(8), Poison::DeadStack as u8);
            object = previous;
        }
        if let Some(frame) = self.threads[index].frames.last_mut() {
            frame.dynamic = object;
        }
    }

    /// The size of a dynamic local object, and the one before it in its frame (0 if it is the first).
    pub(crate) fn dynamic_object(&self, object: u64) -> (u64, u64) {
        let header = object - DYNAMIC_HEADER;
        let word = |offset: u64| self.memory.read_scalar(header + offset, 8) as u64;
        (word(dynamic_field::SIZE), word(dynamic_field::PREVIOUS))
    }

    /// The object at, or just before, an address.
    pub fn object_at(&self, address: u64) -> Option<Object> {
        let owner = address::owner(address)?;
        if (address::GLOBALS..address::GLOBALS_END).contains(&address) {
            return self.global_at(address);
        }
        if address::heap(owner).contains(address) {
            return self.heap_object_at(owner, address);
        }
        if address::stack(owner).contains(address) {
            return self.stack_object_at(owner, address);
        }
        None
    }

    fn global_at(&self, address: u64) -> Option<Object> {
        let image = self.image;
        let start_of = |id: &u32| image.code.global_addresses[*id as usize];
        let after = image.globals_by_address.partition_point(|id| start_of(id) <= address);
        // The gap belongs to the nearer neighbour.
        let before = after.checked_sub(1).map(|k| image.globals_by_address[k]);
        let next = image.globals_by_address.get(after).copied();
        let end_of = |id: u32| start_of(&id) + image.program.globals[id as usize].size;
        let id = match (before, next) {
            (Some(before), Some(next))
                if address > end_of(before) + 8 && start_of(&next) - address < address - end_of(before) =>
            {
                next
            }
            (Some(before), _) => before,
            (None, next) => next?,
        };
        let size = image.program.globals[id as usize].size;
        Some(Object { start: start_of(&id), size, kind: ObjectKind::Global(id) })
    }

    /// The granule at or before `address` whose shadow is `poison`.
    fn header_before(&self, address: u64, lowest: u64, poison: Poison) -> Option<u64> {
        let mut at = address & !7;
        while at >= lowest {
            let shadow = self.memory.shadow(at);
            if shadow & COUNT == 0 && Poison::of(shadow) == poison {
                return Some(at);
            }
            at -= 8;
        }
        None
    }

    fn heap_object_at(&self, owner: ThreadId, address: u64) -> Option<Object> {
        let heap = address::heap(owner);
        if address >= self.thread(owner)?.position.heap_next + 4096 {
            return None;
        }
        // A small negative index runs into the header of the object itself: look from behind it.
        let header = self.header_before(address, heap.start, Poison::HeapHeader)?;
        let word = |offset| self.memory.read_scalar(header + offset, 4) as u32;
        let freed = self.memory.read_scalar(header + field::FREED, 1) != 0;
        Some(Object {
            start: header + HEAP_HEADER,
            size: self.memory.read_scalar(header + field::SIZE, 8) as u64,
            kind: ObjectKind::Heap {
                allocated: SpanId(word(field::ALLOCATED_AT)),
                freed: freed.then(|| SpanId(word(field::FREED_AT))),
                thread: owner,
                number: word(field::NUMBER),
            },
        })
    }

    fn stack_object_at(&self, owner: ThreadId, address: u64) -> Option<Object> {
        let thread = self.thread(owner)?;
        let first = address::stack(owner).start;
        let code = &self.image.code;
        let locals = thread.thread_locals();
        if address < locals + u64::from(code.thread_local_size) {
            return self.thread_local_at(locals, address);
        }
        if address > thread.position.stack_next.max(thread.position.stack_top) + (1 << 20) {
            let arguments = self.memory.shadow(address) & COUNT != 0;
            return arguments.then_some(Object { start: address, size: 0, kind: ObjectKind::Arguments });
        }
        let header = self.header_before(address, first, Poison::FrameHeader)?;
        let mark = self.memory.read_scalar(header, 4) as u32;
        if mark == DYNAMIC {
            let span = SpanId(self.memory.read_scalar(header + dynamic_field::SPAN, 4) as u32);
            let size = self.memory.read_scalar(header + dynamic_field::SIZE, 8) as u64;
            return Some(Object { start: header + DYNAMIC_HEADER, size, kind: ObjectKind::Dynamic { span } });
        }
        let slots = &code.functions.get(mark as usize)?.slots;
        let distance = |start: u64, size: u64| match address {
            _ if address < start => start - address,
            _ if address >= start + size => 1 + address - (start + size),
            _ => 0,
        };
        let (slot, layout) = slots
            .iter()
            .enumerate()
            .min_by_key(|(_, layout)| distance(header + u64::from(layout.offset), layout.size))?;
        let start = header + u64::from(layout.offset);
        let kind = ObjectKind::Local { function: mark, slot: slot as u32 };
        Some(Object { start, size: layout.size, kind })
    }

    fn thread_local_at(&self, base: u64, address: u64) -> Option<Object> {
        let program = self.image.program;
        let offsets = &self.image.code.thread_local_offsets;
        let start = |id: usize| base + u64::from(offsets[id]);
        let id = (0..program.globals.len())
            .filter(|id| program.globals[*id].thread_local && start(*id) <= address)
            .max_by_key(|id| start(*id))?;
        let kind = ObjectKind::Global(id as u32);
        Some(Object { start: start(id), size: program.globals[id].size, kind })
    }

    /// The object that a value points into, if it can be a pointer: a live, private object.
    fn private_pointee(&self, value: u64) -> Option<Object> {
        // Tags in the high bits are ignored, those in the low bits do not leave the object.
        let address = value & (address::LIMIT - 1);
        if address < address::GLOBALS || value >> 48 != 0 && value >> 56 == 0 {
            return None;
        }
        let shadow = self.memory.shadow(address);
        let is_shared = shadow & COUNT != 0 && shadow & SHARED != 0;
        if is_shared || shadow & COUNT == 0 && Poison::of(shadow) == Poison::Unallocated {
            return None;
        }
        let object = self.object_at(address)?;
        let inside = address >= object.start && address <= object.start + object.size;
        let alive = self.memory.shadow(object.start);
        (inside && alive & COUNT != 0 && alive & SHARED == 0).then_some(object)
    }

    /// Makes the object that `value` points into, and all that can be reached from it, visible to other
    /// threads.
    pub(crate) fn publish(&mut self, value: u64) {
        let mut next = self.private_pointee(value);
        let mut pending = Vec::new();
        while let Some(object) = next.take().or_else(|| self.next_pointee(&mut pending)) {
            if self.memory.any_flag(object.start, object.size, crate::memory::READ_ONLY) {
                continue;
            }
            self.memory.add_flags(object.start, object.size, SHARED);
            self.entangled = true;
            self.published.push((object.start, object.size));
            self.pointers_in(object.start, object.size, &mut pending);
        }
    }

    /// The first private object that one of some values points into; takes it and those before it off the list.
    fn next_pointee(&self, values: &mut Vec<u64>) -> Option<Object> {
        std::iter::from_fn(|| values.pop()).find_map(|value| self.private_pointee(value))
    }

    /// Collects the words of a range that may be pointers.
    fn pointers_in(&self, start: u64, size: u64, into: &mut Vec<u64>) {
        let mut at = start.next_multiple_of(8);
        while at + 8 <= start + size {
            let word = self.memory.read_scalar(at, 8) as u64;
            if word >= address::GLOBALS {
                into.push(word);
            }
            at += 8;
        }
    }

    /// Publishes whatever pointers a range of memory holds.
    pub(crate) fn publish_range(&mut self, start: u64, size: u64) {
        let mut pointers = Vec::new();
        self.pointers_in(start, size, &mut pointers);
        for pointer in pointers {
            self.publish(pointer);
        }
    }

    /// Publishes all that the globals refer to. Done when the second thread is created.
    pub(crate) fn publish_globals(&mut self) {
        for id in 0..self.image.program.globals.len() {
            let global = &self.image.program.globals[id];
            if !global.thread_local && !global.external {
                self.publish_range(self.image.code.global_addresses[id], global.size);
            }
        }
    }

    /// Heap objects that are alive but cannot be reached from any global, thread-local or live local
    /// object or register.
    pub fn leaked_objects(&self) -> Vec<Object> {
        let image = self.image;
        let mut pending = Vec::new();
        for (id, global) in image.program.globals.iter().enumerate() {
            if !global.thread_local {
                self.pointers_in(image.code.global_addresses[id], global.size, &mut pending);
            }
        }
        for thread in &self.threads {
            let stack = address::stack(thread.id).start;
            self.pointers_in(stack, thread.position.stack_top.saturating_sub(stack), &mut pending);
            let live = thread.frames.last().map_or(0, |frame| {
                frame.base as usize + usize::from(image.code.functions[frame.function as usize].registers)
            });
            pending.extend(&thread.registers[..live]);
        }
        let mut reached = rustc_hash::FxHashSet::default();
        while let Some(value) = pending.pop() {
            let address = value & (address::LIMIT - 1);
            let Some(owner) = address::owner(address) else { continue };
            if !address::heap(owner).contains(address) {
                continue;
            }
            let Some(object) = self.heap_object_at(owner, address) else { continue };
            let inside = address >= object.start && address <= object.start + object.size;
            if inside
                && matches!(object.kind, ObjectKind::Heap { freed: None, .. })
                && reached.insert(object.start)
            {
                self.pointers_in(object.start, object.size, &mut pending);
            }
        }
        let mut leaked = Vec::new();
        for thread in &self.threads {
            let heap = address::heap(thread.id).start;
            let mut at = heap;
            while at < thread.position.heap_next {
                let shadow = self.memory.shadow(at);
                let header = shadow & COUNT == 0 && Poison::of(shadow) == Poison::HeapHeader;
                if header && let Some(object) = self.heap_object_at(thread.id, at) {
                    let alive = matches!(object.kind, ObjectKind::Heap { freed: None, .. });
                    if alive && !reached.contains(&object.start) {
                        leaked.push(object);
                    }
                    at = (object.start + object.size).next_multiple_of(8);
                    continue;
                }
                at += 8;
            }
        }
        leaked
    }
}
