//! The ways to explore that are compared with `exhaustive`, and what each promises.

use super::known::is_known;
use super::program::Program;

/// What a way to explore promises, where `exhaustive` under the same model has found everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The same violations and the same verdict.
    Same,
    /// That, and as many executions as there are classes if nothing is wrong and nothing is bounded.
    Counted,
    /// One of the violations, or the same verdict if there is none: without `--keep-going`.
    One,
    /// At least these violations, of sequential consistency: the model is weaker.
    More,
    /// The same violations, verdict and number of executions if loops are written out.
    WrittenOut,
}

/// What explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Steps of threads.
    Steps,
    /// Views: data races are not looked for.
    Views,
    /// Execution graphs: there are no atomic sections, and which access of a race comes second does not follow.
    Graphs,
}

/// A way to explore.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// What it is called in tables.
    pub name: &'static str,
    /// The memory model.
    pub model: &'static str,
    /// The options that select it.
    pub options: &'static [&'static str],
    /// What explores.
    pub engine: Engine,
    /// What it promises.
    pub promise: Promise,
}

macro_rules! way {
    ($name:literal, $model:literal, $engine:ident, $promise:ident, $($option:literal)*) => {
        Way { name: $name, model: $model, options: &[$($option),*], engine: Engine::$engine, promise: Promise::$promise }
    };
}

/// All ways.
pub const WAYS: &[Way] = &[
    way!("optimal", "sc", Steps, Counted, "--explorer" "optimal" "--workers" "1"),
    way!("optimal, 3 workers", "sc", Steps, Counted, "--explorer" "optimal" "--workers" "3"),
    way!("optimal, once", "sc", Steps, One, "--explorer" "optimal" "--workers" "1"),
    way!("source", "sc", Steps, Same, "--explorer" "source"),
    way!("classic", "sc", Steps, Same, "--explorer" "classic"),
    way!("context", "sc", Steps, Same, "--explorer" "context" "--preemptions" "1000"),
    way!("preemptions", "sc", Steps, Same, "--explorer" "optimal" "--preemptions" "1000"),
    way!("exhaustive, once", "sc", Steps, One, "--explorer" "exhaustive"),
    way!("vieq", "sc", Views, Same, "--explorer" "vieq" "--workers" "1"),
    way!("mcr", "sc", Views, Same, "--explorer" "mcr" "--workers" "1"),
    way!("se-mcr", "sc", Views, Same, "--explorer" "se-mcr" "--workers" "1"),
    way!("se-mcr, solver", "sc", Views, Same, "--explorer" "se-mcr" "--patience" "0" "--workers" "3"),
    way!("graph", "sc", Graphs, Same, "--explorer" "graph" "--workers" "1"),
    way!("graph, once", "sc", Graphs, One, "--explorer" "graph"),
    way!("default", "sc", Steps, Counted, "--workers" "1"),
    way!("default, 3 workers", "sc", Steps, Counted, "--workers" "3"),
    way!("default, once", "sc", Steps, One,),
    way!("optimal", "tso", Steps, Same, "--explorer" "optimal" "--workers" "1"),
    way!("source", "tso", Steps, Same, "--explorer" "source"),
    way!("classic", "tso", Steps, Same, "--explorer" "classic"),
    way!("context", "tso", Steps, Same, "--explorer" "context" "--preemptions" "1000"),
    way!("vieq", "tso", Views, Same, "--explorer" "vieq" "--workers" "1"),
    way!("se-mcr", "tso", Views, Same, "--explorer" "se-mcr" "--workers" "1"),
    way!("graph", "tso", Graphs, Same, "--explorer" "graph" "--workers" "1"),
    way!("default, once", "tso", Steps, One,),
    way!("optimal", "pso", Steps, Same, "--explorer" "optimal" "--workers" "1"),
    way!("source", "pso", Steps, Same, "--explorer" "source"),
    way!("vieq", "pso", Views, Same, "--explorer" "vieq" "--workers" "1"),
    way!("mcr", "pso", Views, Same, "--explorer" "mcr" "--workers" "1"),
    way!("se-mcr", "pso", Views, Same, "--explorer" "se-mcr" "--workers" "1"),
    way!("default, once", "pso", Steps, One,),
    way!("graph", "rc11", Graphs, More,),
    way!("graph", "ra", Graphs, More,),
    way!("graph, written out", "sc", Graphs, WrittenOut, "--explorer" "graph"),
    way!("graph, written out", "tso", Graphs, WrittenOut, "--explorer" "graph"),
    way!("graph, written out", "rc11", Graphs, WrittenOut,),
    way!("graph, written out", "ra", Graphs, WrittenOut,),
];

/// Whether disagreements that are known are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownOnes {
    /// They are left out.
    LeftOut,
    /// They are reported like others.
    Reported,
}

impl Way {
    /// The model and the name, in one word.
    pub fn word(&self) -> String {
        format!("{}-{}", self.model, self.name).replace([' ', ','], "-").replace("--", "-")
    }

    /// The model whose executions, all looked at, are the truth.
    pub fn judged_by(&self) -> &'static str {
        if matches!(self.promise, Promise::More | Promise::WrittenOut) { "sc" } else { self.model }
    }

    /// The options that it is called with.
    pub fn words(&self) -> Vec<&'static str> {
        let keep_going: &[&str] = if self.promise == Promise::One { &[] } else { &["--keep-going"] };
        [&["--model", self.model], keep_going, self.options].concat()
    }

    /// Whether it can be compared on a program.
    pub fn supports(&self, program: &Program, known: KnownOnes) -> bool {
        let written_out = self.promise == Promise::WrittenOut;
        let lacks = self.engine == Engine::Graphs && program.has_section()
            || written_out && !(program.has_loop() && program.options.is_empty());
        let left_out = || known == KnownOnes::LeftOut && is_known(program, &program.print(&[]), self);
        !lacks && !left_out()
    }
}
