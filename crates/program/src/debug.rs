//! Variables and their declared types, from debug information. Used for naming only: nothing that is
//! executed depends on it.

use crate::{Signedness, SpanId, index_type};

index_type!(
    /// A variable of the source.
    VariableId
);
index_type!(
    /// A type of the source.
    DebugTypeId
);

/// A variable of the source: global, local or parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its declared type, if known.
    pub ty: Option<DebugTypeId>,
    /// Where it is declared.
    pub span: SpanId,
}

/// A field of a struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an anonymous struct or union.
    pub name: String,
    /// Offset in bits from the start of the aggregate.
    pub offset_bits: u64,
    /// Size in bits (bit-fields: their width).
    pub size_bits: u64,
    /// Its type.
    pub ty: Option<DebugTypeId>,
    /// Whether it is a bit-field: then its bytes may be those of others, too.
    pub is_bit_field: bool,
}

/// The fields that share the `size` bytes at `offset`, if bit-fields are among them. An access to one is an access to all: the
/// compiler reads and writes whole bytes, and C takes adjacent bit-fields for one memory location.
pub(crate) fn bit_fields_at(members: &[Member], offset: u64, size: u64) -> Vec<&Member> {
    let (from, to) = (offset.saturating_mul(8), offset.saturating_add(size).saturating_mul(8));
    let touched = |m: &&Member| m.offset_bits < to && m.offset_bits.saturating_add(m.size_bits) > from;
    let touched: Vec<&Member> = members.iter().filter(touched).collect();
    match touched.iter().any(|member| member.is_bit_field) {
        true => touched,
        false => Vec::new(),
    }
}

/// The names of several fields, as in `.{a, b}`.
pub(crate) fn fields_text(fields: &[&Member]) -> String {
    let names: Vec<&str> = fields.iter().map(|member| member.name.as_str()).collect();
    format!(".{{{}}}", names.join(", "))
}

/// The way from an object to some bytes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// How the source would write it, such as `.slots[2].next`; `.{a, b}` for fields that share the bytes.
    pub text: String,
    /// Whether the bytes are those of several fields, bit-fields among them.
    pub is_shared: bool,
}

/// A type as the source declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DebugType {
    /// `int`, `double`, enumerations, …: nothing inside.
    Scalar {
        /// Its name.
        name: String,
        /// Its size in bytes.
        bytes: u64,
        /// Whether it is an integer with a sign, if it is an integer and that is known.
        sign: Option<Signedness>,
    },
    /// A pointer.
    Pointer {
        /// What it points to; `None` for `void`.
        to: Option<DebugTypeId>,
    },
    /// A struct or a union.
    Aggregate {
        /// Its tag; may be empty.
        name: String,
        /// Its size in bytes.
        bytes: u64,
        /// Its fields, in order of declaration.
        members: Vec<Member>,
    },
    /// An array.
    Array {
        /// Type of the elements.
        element: Option<DebugTypeId>,
        /// Number of elements; 0 when unknown (flexible or variable-length).
        count: u64,
    },
    /// A typedef or a qualifier: the same type under another name.
    Alias {
        /// The type behind it; `None` for `void`.
        to: Option<DebugTypeId>,
    },
}

/// The table of types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DebugTypes {
    types: Vec<DebugType>,
}

impl DebugTypes {
    /// Adds a type.
    pub fn add(&mut self, ty: DebugType) -> DebugTypeId {
        self.types.push(ty);
        DebugTypeId::new(self.types.len() - 1)
    }

    /// Replaces a type: recursive types are entered first and filled later.
    pub fn set(&mut self, id: DebugTypeId, ty: DebugType) {
        self.types[id.index()] = ty;
    }

    /// How many there are; they are numbered from 0.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &DebugType> {
        self.types.iter()
    }

    /// The type with aliases taken off.
    pub fn resolve(&self, mut id: DebugTypeId) -> Option<&DebugType> {
        // A chain of aliases is finite in valid debug information; broken input must not hang us.
        for _ in 0..64 {
            match &self.types[id.index()] {
                DebugType::Alias { to } => id = (*to)?,
                other => return Some(other),
            }
        }
        None
    }

    /// What a pointer type points to.
    pub fn pointee(&self, id: DebugTypeId) -> Option<DebugTypeId> {
        match self.resolve(id)? {
            DebugType::Pointer { to } => *to,
            DebugType::Array { element, .. } => *element,
            _ => None,
        }
    }

    /// Size in bytes; 0 when unknown.
    pub fn size(&self, id: DebugTypeId) -> u64 {
        self.size_within(id, 16)
    }

    fn size_within(&self, id: DebugTypeId, depth: u32) -> u64 {
        if depth == 0 {
            return 0;
        }
        match self.resolve(id) {
            Some(DebugType::Scalar { bytes, .. } | DebugType::Aggregate { bytes, .. }) => *bytes,
            Some(DebugType::Pointer { .. }) => 8,
            Some(DebugType::Array { element, count }) => {
                element.map_or(0, |e| self.size_within(e, depth - 1)).saturating_mul(*count)
            }
            Some(DebugType::Alias { .. }) | None => 0,
        }
    }

    /// The path from an object of type `id` to the bytes at `offset`. `size` is the number of bytes accessed: a whole
    /// struct is not narrowed to its first field. `None` where the type has nothing at that offset.
    pub fn path(&self, id: DebugTypeId, offset: u64, size: u64) -> Option<Path> {
        let to = |text: String| Some(Path { text, is_shared: false });
        let mut path = String::new();
        let (mut id, mut offset) = (id, offset);
        for _ in 0..64 {
            let here = self.size(id);
            let shared = match self.resolve(id)? {
                DebugType::Aggregate { members, .. } => bit_fields_at(members, offset, size),
                _ => Vec::new(),
            };
            let is_whole = offset == 0 && here != 0 && size >= here;
            // A struct of nothing but bit-fields has the size of an access to them.
            if shared.len() > 1 && (!is_whole || shared.iter().all(|member| member.is_bit_field)) {
                path.push_str(&fields_text(&shared));
                return Some(Path { text: path, is_shared: true });
            }
            if is_whole {
                return to(path);
            }
            match self.resolve(id)? {
                DebugType::Aggregate { members, .. } => {
                    let member = members.iter().find(|m| {
                        let (from, to) = (m.offset_bits / 8, (m.offset_bits + m.size_bits).div_ceil(8));
                        from <= offset && (offset < to || m.size_bits == 0)
                    })?;
                    if !member.name.is_empty() {
                        path.push('.');
                        path.push_str(&member.name);
                    }
                    offset -= member.offset_bits / 8;
                    id = member.ty?;
                }
                DebugType::Array { element, .. } => {
                    let element = (*element)?;
                    let stride = self.size(element);
                    if stride == 0 {
                        return None;
                    }
                    path.push_str(&format!("[{}]", offset / stride));
                    offset %= stride;
                    id = element;
                }
                _ if offset == 0 => return to(path),
                _ => {
                    path.push_str(&format!("+{offset}"));
                    return to(path);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_fields_and_elements() {
        let mut types = DebugTypes::default();
        let int = types.add(DebugType::Scalar { name: "int".into(), bytes: 4, sign: None });
        let node = types.add(DebugType::Scalar { name: "hole".into(), bytes: 0, sign: None });
        let next = types.add(DebugType::Pointer { to: Some(node) });
        types.set(
            node,
            DebugType::Aggregate {
                name: "node".into(),
                bytes: 16,
                members: vec![
                    Member {
                        name: "value".into(),
                        offset_bits: 0,
                        size_bits: 32,
                        ty: Some(int),
                        is_bit_field: false,
                    },
                    Member {
                        name: "next".into(),
                        offset_bits: 64,
                        size_bits: 64,
                        ty: Some(next),
                        is_bit_field: false,
                    },
                ],
            },
        );
        let slots = types.add(DebugType::Array { element: Some(node), count: 4 });
        let queue = types.add(DebugType::Aggregate {
            name: "queue".into(),
            bytes: 72,
            members: vec![
                Member {
                    name: "head".into(),
                    offset_bits: 0,
                    size_bits: 32,
                    ty: Some(int),
                    is_bit_field: false,
                },
                Member {
                    name: "slots".into(),
                    offset_bits: 64,
                    size_bits: 512,
                    ty: Some(slots),
                    is_bit_field: false,
                },
            ],
        });
        let name = |offset, size| types.path(queue, offset, size).map(|path| path.text);
        assert_eq!(name(0, 4).as_deref(), Some(".head"));
        assert_eq!(name(8 + 2 * 16 + 8, 8).as_deref(), Some(".slots[2].next"));
        assert_eq!(name(8 + 16, 16).as_deref(), Some(".slots[1]"));
        assert_eq!(name(0, 72).as_deref(), Some(""));
        assert_eq!(name(9, 1).as_deref(), Some(".slots[0].value+1"));
        assert_eq!(name(72, 4), None);
    }

    #[test]
    fn bit_fields_that_share_bytes_are_named_together() {
        let mut types = DebugTypes::default();
        let int = types.add(DebugType::Scalar { name: "int".into(), bytes: 4, sign: None });
        let field = |name: &str, offset_bits, size_bits, is_bit_field| Member {
            name: name.into(),
            offset_bits,
            size_bits,
            ty: Some(int),
            is_bit_field,
        };
        let members = vec![
            field("a", 0, 3, true),
            field("b", 3, 13, true),
            field("c", 16, 16, true),
            field("d", 32, 32, false),
        ];
        let flags = types.add(DebugType::Aggregate { name: "flags".into(), bytes: 8, members });
        let path = |offset, size| types.path(flags, offset, size).map(|path| (path.text, path.is_shared));
        assert_eq!(path(0, 1), Some((".{a, b}".to_owned(), true)));
        assert_eq!(path(0, 4), Some((".{a, b, c}".to_owned(), true)));
        assert_eq!(path(1, 1), Some((".b+1".to_owned(), false)));
        assert_eq!(path(2, 2), Some((".c".to_owned(), false)));
        assert_eq!(path(4, 4), Some((".d".to_owned(), false)));
        assert_eq!(path(0, 8), Some((String::new(), false)));
    }
}
