//! Places in the source: files, spans, and the functions they stand in.

use std::fmt;

/// Makes a newtype over a `u32` index.
#[macro_export]
macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table it indexes.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of position `index`.
            pub fn new(index: usize) -> Self {
                Self(index as u32)
            }
        }
    };
}

index_type!(
    /// A source file.
    FileId
);
index_type!(
    /// A place in the source; [`SpanId::NONE`] when there is no debug information.
    SpanId
);
index_type!(
    /// The function body (possibly an inlined copy) that a span stands in.
    ScopeId
);

impl SpanId {
    /// No place is known.
    pub const NONE: SpanId = SpanId(0);
}

/// A place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// The function it stands in.
    pub scope: ScopeId,
}

/// A function body in the source, and where a copy of it was inlined.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The function's name.
    pub function: String,
    /// The call that was replaced by this body, if it was inlined.
    pub inlined_at: Option<SpanId>,
}

/// All files, scopes and spans of a program. Entry 0 of each table means "unknown".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMap {
    /// File names as the compiler knows them.
    pub files: Vec<String>,
    /// Scopes.
    pub scopes: Vec<Scope>,
    /// Spans.
    pub spans: Vec<Span>,
}

impl Default for SourceMap {
    fn default() -> Self {
        let unknown = Span { file: FileId(0), line: 0, column: 0, scope: ScopeId(0) };
        Self {
            files: vec!["<unknown>".to_owned()],
            scopes: vec![Scope { function: String::new(), inlined_at: None }],
            spans: vec![unknown],
        }
    }
}

impl SourceMap {
    /// The span with that id.
    pub fn span(&self, id: SpanId) -> Span {
        self.spans[id.index()]
    }

    /// The file name of a span.
    pub fn file(&self, id: SpanId) -> &str {
        &self.files[self.span(id).file.index()]
    }

    /// `file:line:column`, as far as known.
    pub fn describe(&self, id: SpanId) -> impl fmt::Display + '_ {
        let span = self.span(id);
        let file = &self.files[span.file.index()];
        fmt::from_fn(move |f| match (span.line, span.column) {
            (0, _) => f.write_str(file),
            (line, 0) => write!(f, "{file}:{line}"),
            (line, column) => write!(f, "{file}:{line}:{column}"),
        })
    }
}
