//! Names for memory accesses in the programmer's own terms.
//!
//! There are two sources of names. The *object* an address lies in may be a variable: its declared type
//! then gives the path to the accessed bytes ([`DebugTypes::path`](crate::DebugTypes::path)); that is the
//! business of whoever knows the objects. The *expression* that computed the address is the other:
//! `node->next` is named here, from the instructions and from the variables that debug information
//! attaches to values.
//!
//! An address is taken apart into a root (a variable, or a pointer that is itself an expression), a constant
//! offset and indices with their scales. The declared type of the root says what they mean: `16·i + 8` behind
//! an array of 16-byte structs is `[i].next`.

use crate::debug::{bit_fields_at, fields_text};
use crate::{
    BinaryOp, Callee, DebugType, DebugTypeId, Function, InstKind, Member, Operand, Program, Symbol, ValueId,
    scalar,
};

/// How deep an expression may be before it is cut short.
const MAX_DEPTH: u32 = 12;
/// How deep types may nest.
const MAX_NESTING: u32 = 32;
/// How much of a string literal is shown.
const MAX_LITERAL: usize = 16;
/// Stands for what has no name.
const UNKNOWN: &str = "…";

/// An lvalue of the source.
#[derive(Debug, Clone)]
struct Lvalue {
    /// How the source would write it, e.g. `queue->slots`.
    text: String,
    /// Its type.
    ty: Option<DebugTypeId>,
}

/// How far behind the root of an address the access is.
#[derive(Debug, Default)]
struct Distance {
    /// Bytes.
    offset: i64,
    /// Indices, and by how many bytes each counts.
    terms: Vec<(Operand, i64)>,
}

/// The source expression for `size` bytes at the address `address` computes, such as `queue->slots[i].next`.
pub fn describe_address(
    program: &Program,
    function: &Function,
    address: Operand,
    size: u64,
) -> Option<String> {
    let namer = Namer { program, function };
    namer.place(address, size, MAX_DEPTH).map(|place| place.text)
}

/// The declared type of the `size` bytes at the address that `address` computes.
pub fn declared_type(
    program: &Program,
    function: &Function,
    address: Operand,
    size: u64,
) -> Option<DebugTypeId> {
    let namer = Namer { program, function };
    namer.place(address, size, MAX_DEPTH)?.ty
}

/// An expression as the operand of another one.
fn operand_text(text: String) -> String {
    if text.contains(' ') && !text.ends_with([')', ']']) { format!("({text})") } else { text }
}

struct Namer<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Namer<'_> {
    /// What stands at the address.
    fn place(&self, address: Operand, size: u64, depth: u32) -> Option<Lvalue> {
        let mut distance = Distance::default();
        let mut address = address;
        for _ in 0..depth {
            match address {
                Operand::Address(Symbol::Global(id), addend) => {
                    distance.offset += addend;
                    let (name, ty) = self.global(id);
                    return Some(self.within(name, ty, distance, size, depth - 1));
                }
                Operand::Address(Symbol::Function(id), _) => {
                    return Some(Lvalue { text: self.program.function(id).name.clone(), ty: None });
                }
                Operand::Const(..) | Operand::Undefined(_) => return None,
                Operand::Value(value) => match self.function.definition(value).map(|inst| &inst.kind) {
                    Some(InstKind::SlotAddress(slot)) => {
                        let variable = self.program.variable(self.function.slots[slot.index()].variable?);
                        let name = variable.name.clone();
                        return Some(self.within(name, variable.ty, distance, size, depth - 1));
                    }
                    Some(InstKind::ThreadLocalAddress(global)) => {
                        address = Operand::Address(Symbol::Global(*global), 0);
                    }
                    // Unless the source has a name for that very address.
                    Some(InstKind::Offset { base, offset, terms })
                        if self.function.variable_of(value).is_none() =>
                    {
                        distance.offset += offset;
                        distance.terms.splice(0..0, terms.iter().copied());
                        address = *base;
                    }
                    _ => {
                        let pointer = self.pointer(value, depth - 1)?;
                        return Some(self.pointed_to(&pointer, distance, size, depth - 1));
                    }
                },
            }
        }
        None
    }

    /// Name and type of a global.
    fn global(&self, id: crate::GlobalId) -> (String, Option<DebugTypeId>) {
        let global = self.program.global(id);
        match global.variable.map(|id| self.program.variable(id)) {
            Some(variable) if !variable.name.is_empty() => (variable.name.clone(), variable.ty),
            // String literals have a type, but no name.
            Some(variable) if global.constant => {
                let text = String::from_utf8_lossy(&global.bytes);
                let text = text.trim_end_matches('\0');
                let name = match text.char_indices().nth(MAX_LITERAL) {
                    Some((end, _)) => format!("{:?}…", &text[..end]),
                    None => format!("{text:?}"),
                };
                (name, variable.ty)
            }
            variable => (global.name.clone(), variable.and_then(|variable| variable.ty)),
        }
    }

    /// The pointer expression that a value holds.
    fn pointer(&self, value: ValueId, depth: u32) -> Option<Lvalue> {
        if let Some(variable) = self.function.variable_of(value) {
            let variable = self.program.variable(variable);
            return Some(Lvalue { text: variable.name.clone(), ty: variable.ty });
        }
        let depth = depth.checked_sub(1)?;
        match &self.function.definition(value)?.kind {
            InstKind::Load { address, .. } => self.place(*address, 8, depth),
            InstKind::Cast { value: Operand::Value(inner), .. } => self.pointer(*inner, depth),
            _ => {
                let text = self.value_text(value, depth);
                (text != UNKNOWN).then(|| Lvalue { text: operand_text(text), ty: None })
            }
        }
    }

    /// `pointer->path`, `*pointer` or `pointer[n]`.
    fn pointed_to(&self, pointer: &Lvalue, distance: Distance, size: u64, depth: u32) -> Lvalue {
        let text = &pointer.text;
        // What is postfix binds tighter than what is prefix.
        let operand = if text.starts_with('*') { format!("({text})") } else { text.clone() };
        let pointee = pointer.ty.and_then(|ty| self.program.types.pointee(ty));
        let stride = pointee.and_then(|ty| i64::try_from(self.program.types.size(ty)).ok()).unwrap_or(0);
        let (Some(ty), 1..) = (pointee, stride) else {
            let text = match (distance.offset, distance.terms.as_slice()) {
                (0, []) => format!("*{text}"),
                (offset, []) => format!("*({text} + {offset} bytes)"),
                _ => format!("*({text} + {UNKNOWN})"),
            };
            return Lvalue { text, ty: None };
        };
        let mut distance = distance;
        let index = match self.is_flexible_at(ty, &distance) {
            true => None,
            false => self.take_index(&mut distance, stride, depth),
        };
        let inner = self.walk(ty, distance, size, depth);
        let (path, ty) = inner.map_or((format!("+{UNKNOWN}"), None), |inner| (inner.text, inner.ty));
        let text = match (index, path.strip_prefix('.')) {
            (Some(index), _) => format!("{operand}[{index}]{path}"),
            (None, Some(field)) => format!("{operand}->{field}"),
            (None, None) if path.starts_with('[') => format!("(*{text}){path}"),
            (None, None) => format!("*{text}{path}"),
        };
        Lvalue { text, ty }
    }

    /// Whether the access lies in the flexible array at the end of a struct: there is no other struct behind.
    fn is_flexible_at(&self, ty: DebugTypeId, distance: &Distance) -> bool {
        let Some(DebugType::Aggregate { members, .. }) = self.program.types.resolve(ty) else { return false };
        let Some(last) = members.last().filter(|last| last.size_bits == 0) else { return false };
        let is_array = last.ty.and_then(|ty| self.program.types.resolve(ty));
        matches!(is_array, Some(DebugType::Array { .. })) && distance.offset >= (last.offset_bits / 8) as i64
    }

    /// A part of a named object.
    fn within(
        &self,
        name: String,
        ty: Option<DebugTypeId>,
        distance: Distance,
        size: u64,
        depth: u32,
    ) -> Lvalue {
        let (offset, indexed) = (distance.offset, !distance.terms.is_empty());
        match ty.and_then(|ty| self.walk(ty, distance, size, depth)) {
            Some(Lvalue { text, ty }) => Lvalue { text: name + &text, ty },
            None if indexed => Lvalue { text: format!("{name}[{UNKNOWN}]"), ty: None },
            None if offset == 0 => Lvalue { text: name, ty },
            None => Lvalue { text: format!("{name}+{offset}"), ty: None },
        }
    }

    /// The path from an object of a type to `size` bytes at a distance from its beginning, such as
    /// `.slots[i].next`.
    fn walk(&self, ty: DebugTypeId, mut distance: Distance, size: u64, depth: u32) -> Option<Lvalue> {
        let types = &self.program.types;
        let (mut ty, mut text) = (ty, String::new());
        for _ in 0..MAX_NESTING {
            let whole = types.size(ty);
            let at_start = distance.offset == 0 && distance.terms.is_empty();
            if at_start && whole != 0 && size >= whole && !self.has_scalar(ty, 0, size, MAX_NESTING) {
                return Some(Lvalue { text, ty: Some(ty) });
            }
            match types.resolve(ty)? {
                DebugType::Aggregate { members, .. } => {
                    let offset = u64::try_from(distance.offset).ok()?;
                    let fields = bit_fields_at(members, offset, size);
                    if fields.len() > 1 && distance.terms.is_empty() {
                        text.push_str(&fields_text(&fields));
                        return Some(Lvalue { text, ty: None });
                    }
                    let member = self.member_at(members, offset, &distance, size)?;
                    if !member.name.is_empty() {
                        text.push('.');
                        text.push_str(&member.name);
                    }
                    distance.offset -= (member.offset_bits / 8) as i64;
                    ty = member.ty?;
                }
                DebugType::Array { element, .. } => {
                    ty = (*element)?;
                    let stride = i64::try_from(types.size(ty)).ok().filter(|stride| *stride > 0)?;
                    let index = self.take_index(&mut distance, stride, depth);
                    text.push_str(&format!("[{}]", index.as_deref().unwrap_or("0")));
                }
                _ if !distance.terms.is_empty() => return None,
                _ => {
                    if distance.offset != 0 {
                        text.push_str(&format!("+{}", distance.offset));
                    }
                    return Some(Lvalue { text, ty: Some(ty) });
                }
            }
        }
        None
    }

    /// The member that an access is to. In a union there may be several: then the one that has something of
    /// that size there.
    fn member_at<'m>(
        &self,
        members: &'m [Member],
        offset: u64,
        distance: &Distance,
        size: u64,
    ) -> Option<&'m Member> {
        let candidates = || {
            members.iter().filter(|m| {
                let (from, to) = (m.offset_bits / 8, (m.offset_bits + m.size_bits).div_ceil(8));
                from <= offset && (offset < to || m.size_bits == 0)
            })
        };
        let fits = |member: &&Member| {
            let Some(ty) = member.ty else { return false };
            match distance.terms.is_empty() {
                true => self.has_scalar(ty, offset - member.offset_bits / 8, size, MAX_NESTING),
                false => matches!(self.program.types.resolve(ty), Some(DebugType::Array { .. })),
            }
        };
        candidates().find(fits).or_else(|| candidates().next())
    }

    /// Whether a type has a scalar of that size at that offset.
    fn has_scalar(&self, ty: DebugTypeId, offset: u64, size: u64, depth: u32) -> bool {
        let types = &self.program.types;
        let Some(depth) = depth.checked_sub(1).filter(|_| size <= 16) else { return false };
        match types.resolve(ty) {
            Some(DebugType::Aggregate { members, .. }) => members.iter().any(|member| {
                let start = member.offset_bits / 8;
                let inner = |ty| self.has_scalar(ty, offset - start, size, depth);
                start <= offset && member.ty.is_some_and(inner)
            }),
            Some(DebugType::Array { element: Some(element), .. }) => match types.size(*element) {
                0 => false,
                stride => offset < types.size(ty) && self.has_scalar(*element, offset % stride, size, depth),
            },
            Some(DebugType::Scalar { .. } | DebugType::Pointer { .. }) => {
                offset == 0 && types.size(ty) == size
            }
            _ => false,
        }
    }

    /// Takes from a distance what counts elements of `stride` bytes; `None` if that is nothing.
    fn take_index(&self, distance: &mut Distance, stride: i64, depth: u32) -> Option<String> {
        let constant = distance.offset.div_euclid(stride);
        distance.offset = distance.offset.rem_euclid(stride);
        let mut text = String::new();
        distance.terms.retain(|(index, scale)| {
            if scale % stride != 0 {
                return true;
            }
            let factor = scale / stride;
            let index = self.operand_text(*index, depth);
            let index = match factor.unsigned_abs() {
                1 => index,
                factor => format!("{factor} * {}", operand_text(index)),
            };
            match (text.is_empty(), factor < 0) {
                (true, false) => text = index,
                (true, true) => text = format!("-{}", operand_text(index)),
                (false, false) => text.push_str(&format!(" + {index}")),
                (false, true) => text.push_str(&format!(" - {}", operand_text(index))),
            }
            false
        });
        match (text.is_empty(), constant) {
            (true, 0) => return None,
            (true, constant) => return Some(constant.to_string()),
            (false, 0) => {}
            (false, 1..) => text.push_str(&format!(" + {constant}")),
            (false, _) => text.push_str(&format!(" - {}", constant.unsigned_abs())),
        }
        Some(text)
    }

    /// What the source would write for an operand.
    fn operand_text(&self, operand: Operand, depth: u32) -> String {
        match operand {
            Operand::Const(ty, bits) => scalar::signed(bits, ty.bits()).to_string(),
            Operand::Value(value) => self.value_text(value, depth),
            _ => UNKNOWN.to_owned(),
        }
    }

    fn value_text(&self, value: ValueId, depth: u32) -> String {
        if let Some(variable) = self.function.variable_of(value) {
            return self.program.variable(variable).name.clone();
        }
        let Some(depth) = depth.checked_sub(1) else { return UNKNOWN.to_owned() };
        let text = match self.function.definition(value).map(|inst| &inst.kind) {
            Some(InstKind::Load { address, ty, .. }) => {
                self.place(*address, u64::from(ty.bytes()), depth).map(|place| place.text)
            }
            Some(InstKind::Cast { value, .. }) => Some(self.operand_text(*value, depth)),
            Some(InstKind::Binary { op, lhs, rhs, .. }) => self.binary_text(*op, *lhs, *rhs, depth),
            Some(InstKind::Call(call)) => match call.callee {
                Callee::Function(id) => {
                    let dots = if call.args.is_empty() { "" } else { UNKNOWN };
                    Some(format!("{}({dots})", self.program.function(id).name))
                }
                Callee::Pointer(_) => None,
            },
            _ => None,
        };
        text.unwrap_or_else(|| UNKNOWN.to_owned())
    }

    /// `lhs op rhs`, if both have names.
    fn binary_text(&self, op: BinaryOp, lhs: Operand, rhs: Operand, depth: u32) -> Option<String> {
        let symbol = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::UDiv | BinaryOp::SDiv => "/",
            BinaryOp::URem | BinaryOp::SRem => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::LShr | BinaryOp::AShr => ">>",
            _ => return None,
        };
        let (lhs, rhs_text) = (self.operand_text(lhs, depth), self.operand_text(rhs, depth));
        if lhs == UNKNOWN || rhs_text == UNKNOWN {
            return None;
        }
        let lhs = operand_text(lhs);
        Some(match (op, rhs_text.strip_prefix('-'), rhs) {
            (BinaryOp::Add, Some(magnitude), Operand::Const(..)) => format!("{lhs} - {magnitude}"),
            _ => format!("{lhs} {symbol} {}", operand_text(rhs_text)),
        })
    }
}
