//! A compiled program that can be asked.

use crate::contradiction::{Contradiction, Purpose};
use crate::outcome::{Error, Times, timed};
use crate::plan::{self, Plan};
use crate::request::Request;
use crate::systems::Start;
use selvedge_explore::{Explorer, Explores};
use selvedge_frontend::{Compiled, Inputs, Promotion, Sources};
use selvedge_program::Program;
use selvedge_vm::{Image, LoadError, Memories};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A compiled program. It is compiled to code when that is first needed, and then kept: for steps and for graphs. It can be
/// asked as often as one likes, and by several threads at the same time.
///
/// To make a machine takes as long as to explore a small program, nearly all of it to get memory. So the memory of machines
/// that are gone is kept for those to come ([`Memories`]). It is blank when it is used again, and everything else of a system is
/// made anew: no answer can depend on what was asked before.
pub struct Verifier {
    // Images refer to the program, and are dropped before it.
    steps: OnceLock<Image<'static>>,
    graphs: OnceLock<Image<'static>>,
    program: Arc<Program>,
    /// The memory of machines that are gone.
    memories: Memories,
    /// How it was compiled, if that is known.
    origin: Option<Origin>,
}

/// How a program was compiled.
struct Origin {
    promotion: Promotion,
    warnings: String,
    inputs: Inputs,
    /// How long that took.
    time: Duration,
}

impl Verifier {
    /// Compiles sources, for requests that look for uninitialised values if this one does. The compiler is stopped at the
    /// request's deadline.
    pub fn compile(sources: &Sources, request: &Request) -> Result<Self, Error> {
        let promotion = request.promotion();
        let mut time = Duration::ZERO;
        let compile = || selvedge_frontend::compile(sources, promotion, request.limits.deadline);
        let Compiled { program, warnings, inputs } = timed(&mut time, compile)?;
        Ok(Self { origin: Some(Origin { promotion, warnings, inputs, time }), ..Self::new(program) })
    }

    /// Takes a program as it is.
    pub fn new(program: Program) -> Self {
        let (steps, graphs) = (OnceLock::new(), OnceLock::new());
        Self { steps, graphs, program: Arc::new(program), memories: Memories::default(), origin: None }
    }

    /// The same, but it shares memory with others: for who asks about many programs, one after the other.
    pub fn sharing(self, memories: &Memories) -> Self {
        // Images that were compiled before have the other memory.
        let (steps, graphs) = (OnceLock::new(), OnceLock::new());
        Self { steps, graphs, memories: memories.clone(), ..self }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What the compiler has warned about.
    pub fn warnings(&self) -> &str {
        self.origin.as_ref().map_or("", |origin| &origin.warnings)
    }

    /// What the compiler has read, if the program was compiled from sources.
    pub fn inputs(&self) -> Option<&Inputs> {
        self.origin.as_ref().map(|origin| &origin.inputs)
    }

    /// The time that it took to compile the program, if that was done here; nothing else has taken any yet.
    pub(crate) fn times(&self) -> Times {
        let front_end = self.origin.as_ref().map_or(Duration::ZERO, |origin| origin.time);
        Times { front_end, ..Times::default() }
    }

    /// Plans how to answer a request.
    pub fn plan(&self, request: &Request) -> Result<Plan, Error> {
        self.plan_for(request, Purpose::Verify)
    }

    pub(crate) fn plan_for(&self, request: &Request, purpose: Purpose) -> Result<Plan, Error> {
        let is_promoted = self.origin.as_ref().is_some_and(|origin| origin.promotion == Promotion::On);
        if request.properties.uninitialised && is_promoted {
            return Err(Error::Contradiction(Contradiction::CompiledWithoutLocals, None));
        }
        plan::plan(request, &self.program, purpose)
            .map_err(|(contradiction, because)| Error::Contradiction(contradiction, because))
    }

    /// The program's code.
    pub(crate) fn image(&self, explores: Explores) -> Result<&Image<'_>, LoadError> {
        // SAFETY: the program is behind a reference count that this object holds, so it stays where it is and is not changed as
        // long as this object lives. Images are dropped first, and are lent for no longer than this object is.
        let program: &'static Program = unsafe { &*Arc::as_ptr(&self.program) };
        let known = match explores {
            Explores::Steps => &self.steps,
            Explores::Graphs => &self.graphs,
        };
        if let Some(image) = known.get() {
            return Ok(image);
        }
        let image = match explores {
            Explores::Steps => Image::new(program)?,
            Explores::Graphs => Image::for_graphs(program)?,
        };
        Ok(known.get_or_init(|| image.sharing(&self.memories)))
    }

    /// What systems start from that an explorer explores.
    pub(crate) fn start(&self, request: &Request, explorer: Explorer) -> Result<Start<'_>, LoadError> {
        Ok(Start {
            image: self.image(explorer.about().explores)?,
            config: request.config(explorer),
            bounds: request.thread_bounds(),
        })
    }
}

/// A time that lies in the middle between now and another.
pub(crate) fn half_way(until: Instant) -> Instant {
    let now = Instant::now();
    now + until.saturating_duration_since(now) / 2
}
