//! Names for memory accesses in the programmer's own terms.
//!
//! There are two sources of names. The *object* an address lies in may be a variable: its declared type
//! then gives the path to the accessed bytes ([`DebugTypes::path`](crate::DebugTypes::path)); that is the
//! business of whoever knows the objects. The *expression* that computed the address is the other:
//! `node->next` is named here, from the instructions and from the variables that debug information
//! attaches to values.

use crate::{DebugTypeId, Function, Inst, InstKind, Operand, Program, Symbol, ValueId};

/// How deep an expression may be before it is cut short.
const MAX_DEPTH: u32 = 12;

/// An lvalue of the source.
#[derive(Debug, Clone)]
struct Place {
    /// How the source would write it, e.g. `queue->slots`.
    text: String,
    /// Its type.
    ty: Option<DebugTypeId>,
}

/// The source expression for `size` bytes at the address `address` computes, such as `queue->slots[i].next`.
pub fn describe_address(
    program: &Program,
    function: &Function,
    address: Operand,
    size: u64,
) -> Option<String> {
    let namer = Namer { program, function };
    namer.place(address, 0, size, MAX_DEPTH).map(|place| place.text)
}

/// The instruction that defines a value.
fn definition(function: &Function, value: ValueId) -> Option<&Inst> {
    function.blocks.iter().flat_map(|b| &b.insts).find(|inst| inst.results.contains(&value))
}

struct Namer<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Namer<'_> {
    /// What stands `offset` bytes behind the address.
    fn place(&self, address: Operand, offset: i64, size: u64, depth: u32) -> Option<Place> {
        if depth == 0 {
            return None;
        }
        match address {
            Operand::Address(Symbol::Global(id), addend) => {
                let global = self.program.global(id);
                let (name, ty) = match global.variable {
                    Some(v) => (&self.program.variable(v).name, self.program.variable(v).ty),
                    None => (&global.name, None),
                };
                self.within(name.clone(), ty, addend + offset, size)
            }
            Operand::Address(Symbol::Function(id), _) => {
                Some(Place { text: self.program.function(id).name.clone(), ty: None })
            }
            Operand::Const(..) | Operand::Undefined(_) => None,
            Operand::Value(value) => self.value_place(value, offset, size, depth),
        }
    }

    fn value_place(&self, value: ValueId, offset: i64, size: u64, depth: u32) -> Option<Place> {
        let inst = definition(self.function, value);
        match inst.map(|inst| &inst.kind) {
            Some(InstKind::SlotAddress(slot)) => {
                let variable = self.program.variable(self.function.slots[slot.index()].variable?);
                self.within(variable.name.clone(), variable.ty, offset, size)
            }
            Some(InstKind::ThreadLocalAddress(global)) => {
                self.place(Operand::Address(Symbol::Global(*global), 0), offset, size, depth - 1)
            }
            Some(InstKind::Offset { base, offset: more, terms }) => match terms.as_slice() {
                [] => self.place(*base, offset + more, size, depth - 1),
                [(index, scale)] => self.element(*base, *more, *index, *scale, offset, size, depth - 1),
                _ => None,
            },
            // The address was itself a value of the source, a pointer: what it points to.
            _ => {
                let pointer = self.pointer(value, depth - 1)?;
                self.pointed_to(&pointer, offset, size)
            }
        }
    }

    /// The pointer expression that a value holds.
    fn pointer(&self, value: ValueId, depth: u32) -> Option<Place> {
        if let Some(variable) = self.function.variable_of(value) {
            let variable = self.program.variable(variable);
            return Some(Place { text: variable.name.clone(), ty: variable.ty });
        }
        match &definition(self.function, value)?.kind {
            InstKind::Load { address, .. } => self.place(*address, 0, 8, depth),
            InstKind::Cast { value: Operand::Value(inner), .. } if depth > 0 => {
                self.pointer(*inner, depth - 1)
            }
            _ => None,
        }
    }

    /// `pointer->path`, `*pointer` or `pointer[n]`.
    fn pointed_to(&self, pointer: &Place, offset: i64, size: u64) -> Option<Place> {
        let text = &pointer.text;
        let Some(ty) = pointer.ty.and_then(|ty| self.program.types.pointee(ty)) else {
            let text = if offset == 0 { format!("*{text}") } else { format!("*({text} + {offset} bytes)") };
            return Some(Place { text, ty: None });
        };
        let stride = self.program.types.size(ty);
        let (index, rest) = match i64::try_from(stride) {
            Ok(stride) if stride > 0 => (offset.div_euclid(stride), offset.rem_euclid(stride)),
            _ => (0, offset),
        };
        let (path, inner) = match u64::try_from(rest).ok().and_then(|r| self.program.types.path(ty, r, size))
        {
            Some((path, inner)) => (path, Some(inner)),
            None => (String::new(), None),
        };
        let text = match (index, path.strip_prefix('.')) {
            (0, Some(field)) => format!("{text}->{field}"),
            (0, None) if path.is_empty() => format!("*{text}"),
            (0, None) => format!("(*{text}){path}"),
            (index, _) => format!("{text}[{index}]{path}"),
        };
        Some(Place { text, ty: inner })
    }

    /// `base[index]` with what lies `offset` bytes into the element.
    #[allow(clippy::too_many_arguments, reason = "the parts of one address computation")]
    fn element(
        &self,
        base: Operand,
        base_offset: i64,
        index: Operand,
        scale: i64,
        offset: i64,
        size: u64,
        depth: u32,
    ) -> Option<Place> {
        if depth == 0 {
            return None;
        }
        let index = self.index_text(index, depth);
        let scale = u64::try_from(scale).ok()?;
        // An array object: `slots[i]`; otherwise a pointer: `p[i]`.
        let array_size = scale.saturating_mul(2).max(scale + 1);
        let (text, ty) = match self.array_place(base, base_offset, array_size, depth) {
            Some(place) => (place.text, place.ty.and_then(|ty| self.program.types.pointee(ty))),
            None => {
                let pointer = self.pointer(base.as_value()?, depth - 1)?;
                (pointer.text, pointer.ty.and_then(|ty| self.program.types.pointee(ty)))
            }
        };
        self.within(format!("{text}[{index}]"), ty, offset, size)
    }

    /// The array that stands at an address, if the address is that of an array object.
    fn array_place(&self, base: Operand, offset: i64, size: u64, depth: u32) -> Option<Place> {
        let is_object = match base {
            Operand::Address(..) => true,
            Operand::Value(value) => matches!(
                definition(self.function, value).map(|inst| &inst.kind),
                Some(InstKind::SlotAddress(_) | InstKind::Offset { .. } | InstKind::ThreadLocalAddress(_))
            ),
            _ => false,
        };
        if !is_object {
            return None;
        }
        self.place(base, offset, size, depth - 1)
    }

    fn index_text(&self, index: Operand, depth: u32) -> String {
        match index {
            Operand::Const(_, value) => (value as i64).to_string(),
            Operand::Value(value) => {
                self.pointer(value, depth - 1).map_or_else(|| "…".to_owned(), |place| place.text)
            }
            _ => "…".to_owned(),
        }
    }

    /// A part of a named object.
    fn within(&self, name: String, ty: Option<DebugTypeId>, offset: i64, size: u64) -> Option<Place> {
        let path = match (ty, u64::try_from(offset)) {
            (Some(ty), Ok(offset)) => self.program.types.path(ty, offset, size),
            _ => None,
        };
        Some(match path {
            Some((path, ty)) => Place { text: name + &path, ty: Some(ty) },
            None if offset == 0 => Place { text: name, ty },
            None => Place { text: format!("{name}+{offset}"), ty: None },
        })
    }
}
