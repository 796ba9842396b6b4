//! Builtins: functions without a body that the machine provides. What they are called, what they take and give, and what
//! whoever does not execute them has to know: whether others can see them, which memory they access, whether they return.
//!
//! The library models (`frontend/runtime`) call them; `selvedge_builtins.h` there says what each does. A builtin runs in one
//! go and accesses no memory that another thread could see, except where it is a visible operation itself.

mod math;

pub use math::MathFunction;

use crate::sync::{Action, SyncOp};
use crate::{Program, Type};

/// A function that the machine provides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `void *__selvedge_allocate(size_t size, size_t align, int zeroed)`
    Allocate,
    /// `void __selvedge_release(void *object)`
    Release,
    /// `size_t __selvedge_allocation_size(const void *object)`
    AllocationSize,
    /// `void __selvedge_write(int descriptor, const void *bytes, size_t count)`
    Write,
    /// `void __selvedge_exit(int status)`
    Exit,
    /// `void __selvedge_abort(void)`
    Abort,
    /// `void __selvedge_assert_fail(const char *, const char *, unsigned, const char *)`
    AssertFail,
    /// `void __selvedge_reach_error(void)`
    ReachError,
    /// `void __selvedge_unsupported(const char *what)`
    Unsupported,
    /// `size_t __selvedge_format_double(char *, size_t, double, int, int, int)`
    FormatDouble,
    /// `double __selvedge_parse_double(const char *, size_t)`
    ParseDouble,
    /// `float __selvedge_parse_float(const char *, size_t)`
    ParseFloat,
    /// `unsigned long __selvedge_spawn(void *(*)(void *), void *)`
    Spawn,
    /// `unsigned long __selvedge_spawn_with(main, start, argument)`: calls `main(start, argument)`
    SpawnWith,
    /// `void *__selvedge_join(unsigned long)`
    Join,
    /// `int __selvedge_join_error(unsigned long)`
    JoinError,
    /// `void __selvedge_detach(unsigned long)`
    Detach,
    /// `unsigned long __selvedge_self(void)`
    Self_,
    /// `void __selvedge_thread_exit(void *)`
    ThreadExit,
    /// `void __selvedge_yield(void)`
    Yield,
    /// `void __selvedge_wait_for_others(void *result)`
    WaitForOthers,
    /// `int __selvedge_choose(int options)`
    Choose,
    /// `void __selvedge_assume(int condition)`
    Assume,
    /// `int __selvedge_nondet(void)`: a number from the range the user gives.
    Nondet,
    /// `void __selvedge_atomic_begin(void)`
    AtomicBegin,
    /// `void __selvedge_atomic_end(void)`
    AtomicEnd,
    /// `int __selvedge_mutex_lock(void *)` and the like; some take a second argument.
    Sync(SyncOp),
    /// `int setjmp(jmp_buf)`
    SetJump,
    /// `int __sigsetjmp(jmp_buf, int)`
    SignalSetJump,
    /// `void longjmp(jmp_buf, int)`
    LongJump,
    /// A function of numbers; it may set the thread's own `errno`.
    Math(MathFunction),
}

/// The names of the builtins that are the machine's own have this before them.
const PREFIX: &str = "__selvedge_";

/// Names behind [`PREFIX`]; those of synchronisation objects are in [`crate::sync`].
const OWN: [(&str, Builtin); 26] = [
    ("allocate", Builtin::Allocate),
    ("release", Builtin::Release),
    ("allocation_size", Builtin::AllocationSize),
    ("write", Builtin::Write),
    ("exit", Builtin::Exit),
    ("abort", Builtin::Abort),
    ("assert_fail", Builtin::AssertFail),
    ("reach_error", Builtin::ReachError),
    ("unsupported", Builtin::Unsupported),
    ("format_double", Builtin::FormatDouble),
    ("parse_double", Builtin::ParseDouble),
    ("parse_float", Builtin::ParseFloat),
    ("spawn", Builtin::Spawn),
    ("spawn_with", Builtin::SpawnWith),
    ("join", Builtin::Join),
    ("join_error", Builtin::JoinError),
    ("detach", Builtin::Detach),
    ("self", Builtin::Self_),
    ("thread_exit", Builtin::ThreadExit),
    ("yield", Builtin::Yield),
    ("wait_for_others", Builtin::WaitForOthers),
    ("choose", Builtin::Choose),
    ("assume", Builtin::Assume),
    ("nondet", Builtin::Nondet),
    ("atomic_begin", Builtin::AtomicBegin),
    ("atomic_end", Builtin::AtomicEnd),
];

/// Names of the C library. `setjmp` and the like cannot be models, because they leave their frame.
const JUMPS: [(&str, Builtin); 8] = [
    ("setjmp", Builtin::SetJump),
    ("_setjmp", Builtin::SetJump),
    ("__sigsetjmp", Builtin::SignalSetJump),
    ("sigsetjmp", Builtin::SignalSetJump),
    ("longjmp", Builtin::LongJump),
    ("_longjmp", Builtin::LongJump),
    ("siglongjmp", Builtin::LongJump),
    ("__longjmp_chk", Builtin::LongJump),
];

/// Whether a call is a step of its own that the memory model and the explorer decide about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Never: it is executed together with what comes before.
    Invisible,
    /// It depends: whether there are other threads, whether they can reach an object, what the argument is.
    Sometimes,
    /// Always.
    Visible,
}

/// What a builtin does to the memory that an argument points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointerUse {
    /// Reads it.
    Reads,
    /// Writes it.
    Writes,
    /// Reads and writes it.
    Updates,
    /// Ends the object's life.
    Ends,
}

/// How often a call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// At most once, as functions do.
    Once,
    /// Never: control does not get behind the call.
    Never,
    /// Perhaps again, later.
    Again,
}

impl Builtin {
    /// The builtin of that name.
    pub fn find(name: &str) -> Option<Self> {
        let among = |table: &[(&str, Self)], name: &str| {
            table.iter().find(|(known, _)| *known == name).map(|(_, builtin)| *builtin)
        };
        match name.strip_prefix(PREFIX) {
            Some(rest) => among(&OWN, rest).or_else(|| SyncOp::from_name(rest).map(Self::Sync)),
            None => among(&JUMPS, name).or_else(|| MathFunction::find(name).map(Self::Math)),
        }
    }

    /// Its name, the first if it has several.
    pub fn name(self) -> String {
        let among = |table: &[(&'static str, Self)]| {
            table.iter().find(|(_, builtin)| *builtin == self).map(|(name, _)| *name)
        };
        match self {
            Self::Sync(op) => format!("{PREFIX}{}", op.description().name),
            Self::Math(function) => function.name().to_owned(),
            _ => match among(&OWN) {
                Some(name) => format!("{PREFIX}{name}"),
                None => among(&JUMPS).unwrap_or_default().to_owned(),
            },
        }
    }

    /// Types of its parameters and result.
    pub fn signature(self) -> (&'static [Type], Option<Type>) {
        use Builtin::*;
        const WORD: Type = Type::I64;
        const INT: Type = Type::I32;
        const PTR: Type = Type::Ptr;
        match self {
            Allocate => (&[WORD, WORD, INT], Some(PTR)),
            Release | Unsupported | ThreadExit | WaitForOthers => (&[PTR], None),
            AllocationSize => (&[PTR], Some(WORD)),
            Write => (&[INT, PTR, WORD], None),
            Exit | Assume => (&[INT], None),
            Abort | Yield | ReachError | AtomicBegin | AtomicEnd => (&[], None),
            AssertFail => (&[PTR, PTR, INT, PTR], None),
            FormatDouble => (&[PTR, WORD, Type::F64, INT, INT, INT], Some(WORD)),
            ParseDouble => (&[PTR, WORD], Some(Type::F64)),
            ParseFloat => (&[PTR, WORD], Some(Type::F32)),
            Spawn => (&[PTR, PTR], Some(WORD)),
            SpawnWith => (&[PTR, PTR, PTR], Some(WORD)),
            Join => (&[WORD], Some(PTR)),
            JoinError => (&[WORD], Some(INT)),
            Detach => (&[WORD], None),
            Self_ => (&[], Some(WORD)),
            SetJump => (&[PTR], Some(INT)),
            SignalSetJump => (&[PTR, INT], Some(INT)),
            LongJump => (&[PTR, INT], None),
            Choose => (&[INT], Some(INT)),
            Nondet => (&[], Some(INT)),
            Sync(op) => (op.params(), Some(INT)),
            Math(function) => (function.params(), Some(function.result())),
        }
    }

    /// Whether others can see it.
    pub fn visibility(self) -> Visibility {
        use Builtin::*;
        match self {
            Spawn | SpawnWith | Join | WaitForOthers | Choose | Nondet => Visibility::Visible,
            // What others can reach ends; there is somebody else; the assumption does not hold.
            Release | ThreadExit | LongJump | Sync(_) | Yield | Assume => Visibility::Sometimes,
            Allocate | AllocationSize | Write | Exit | Abort | AssertFail | ReachError | Unsupported
            | FormatDouble | ParseDouble | ParseFloat | JoinError | Detach | Self_ | AtomicBegin
            | AtomicEnd | SetJump | SignalSetJump | Math(_) => Visibility::Invisible,
        }
    }

    /// The parameters that point to memory it accesses, and how it does.
    pub fn pointers(self) -> &'static [(usize, PointerUse)] {
        use Builtin::*;
        match self {
            Release => &[(0, PointerUse::Ends)],
            Write => &[(1, PointerUse::Reads)],
            // The size of an object can be asked for as long as it lives.
            AllocationSize | AssertFail | Unsupported | ParseDouble | ParseFloat | LongJump => {
                &[(0, PointerUse::Reads)]
            }
            FormatDouble | SetJump | SignalSetJump => &[(0, PointerUse::Writes)],
            // An operation that fails may leave its object as it is.
            Sync(op) => match op.action() {
                Action::ReleaseAndWait => &[(0, PointerUse::Updates), (1, PointerUse::Updates)],
                Action::Look => &[(0, PointerUse::Reads)],
                _ => &[(0, PointerUse::Updates)],
            },
            // What is handed to a thread, or on by one, is accessed by its functions alone.
            Allocate | Exit | Abort | ReachError | Spawn | SpawnWith | Join | JoinError | Detach | Self_
            | ThreadExit | Yield | WaitForOthers | Choose | Assume | Nondet | AtomicBegin | AtomicEnd
            | Math(_) => &[],
        }
    }

    /// How often a call returns.
    pub fn returns(self) -> Returns {
        use Builtin::*;
        match self {
            Exit | Abort | AssertFail | ReachError | Unsupported | ThreadExit | LongJump => Returns::Never,
            SetJump | SignalSetJump => Returns::Again,
            Allocate | Release | AllocationSize | Write | FormatDouble | ParseDouble | ParseFloat | Spawn
            | SpawnWith | Join | JoinError | Detach | Self_ | Yield | WaitForOthers | Choose | Assume
            | Nondet | AtomicBegin | AtomicEnd | Sync(_) | Math(_) => Returns::Once,
        }
    }

    /// The builtins that a program declares, and so may call.
    pub fn of(program: &Program) -> impl Iterator<Item = Self> + '_ {
        let external = program.functions.iter().filter(|function| function.is_external());
        external.filter_map(|function| Self::find(&function.name))
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let jumps = [Self::SetJump, Self::SignalSetJump, Self::LongJump];
        OWN.into_iter()
            .map(|(_, builtin)| builtin)
            .chain(SyncOp::ALL.into_iter().map(Self::Sync))
            .chain(jumps)
            .chain(MathFunction::all().map(Self::Math))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_name() {
        for builtin in Builtin::all() {
            assert_eq!(Builtin::find(&builtin.name()), Some(builtin), "{}", builtin.name());
        }
        assert_eq!(Builtin::find("__sigsetjmp"), Builtin::find("sigsetjmp"));
        assert_eq!(Builtin::find("atan2f").map(Builtin::name).as_deref(), Some("atan2f"));
        assert_eq!(Builtin::find("allocate"), None);
        assert_eq!(Builtin::find("__selvedge_sin"), None);
    }

    #[test]
    fn what_is_accessed_is_a_pointer() {
        for builtin in Builtin::all() {
            let (params, _) = builtin.signature();
            for (parameter, _) in builtin.pointers() {
                assert_eq!(params.get(*parameter), Some(&Type::Ptr), "{}", builtin.name());
            }
        }
    }

    #[test]
    fn what_never_returns_gives_nothing() {
        for builtin in Builtin::all().filter(|builtin| builtin.returns() == Returns::Never) {
            assert_eq!(builtin.signature().1, None, "{}", builtin.name());
        }
    }
}
