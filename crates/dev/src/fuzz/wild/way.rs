//! The ways to explore that are compared with `exhaustive`, and what each promises.

use std::sync::LazyLock;

use selvedge_explore::{self as explorer, Choice, Explorer, Explores, Workers};
use selvedge_memory::Model;

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
#[derive(Clone, Debug)]
pub struct Way {
    /// What it is called in tables.
    pub name: &'static str,
    /// The memory model.
    pub model: &'static str,
    /// The options that select it.
    pub options: Vec<&'static str>,
    /// What explores.
    pub engine: Engine,
    /// What it promises.
    pub promise: Promise,
}

/// All ways: every explorer under every model that it declares, and some variants.
pub static WAYS: LazyLock<Vec<Way>> = LazyLock::new(|| {
    let models = Model::ALL.iter().copied();
    let declared =
        models.flat_map(|model| Explorer::ALL.iter().filter_map(move |explorer| declared(model, *explorer)));
    declared.chain(VARIANTS.iter().map(variant)).collect()
});

/// An explorer as it declares itself, under a model. `exhaustive` is who judges, and samples promise nothing.
fn declared(model: Model, explorer: Explorer) -> Option<Way> {
    let about = explorer.about();
    let is_judge = explorer == Explorer::Exhaustive;
    if is_judge || about.promise == explorer::Promise::Sample || !about.goes_with(model) {
        return None;
    }
    let mut options = vec!["--explorer", about.name];
    if about.workers == Workers::Several {
        options.extend(["--workers", "1"]);
    }
    if about.accepts(Choice::Preemptions) && about.promise == explorer::Promise::Interleavings {
        options.extend(["--preemptions", "1000"]);
    }
    let engine = match about.explores {
        Explores::Graphs => Engine::Graphs,
        Explores::Steps if about.counts_views() => Engine::Views,
        Explores::Steps => Engine::Steps,
    };
    let promise = match about.promise {
        _ if !model.about().has_steps => Promise::More,
        explorer::Promise::Orders if model == Model::Sc => Promise::Counted,
        _ => Promise::Same,
    };
    Some(Way { name: about.name, model: model.name(), options, engine, promise })
}

/// Name, model, what explores, what it promises, options.
type Variant = (&'static str, &'static str, Engine, Promise, &'static str);

/// Other ways to call explorers, and what the tool chooses.
const VARIANTS: &[Variant] = &[
    ("optimal, 3 workers", "sc", Engine::Steps, Promise::Counted, "--explorer optimal --workers 3"),
    ("optimal, once", "sc", Engine::Steps, Promise::One, "--explorer optimal --workers 1"),
    ("preemptions", "sc", Engine::Steps, Promise::Same, "--explorer optimal --preemptions 1000"),
    ("exhaustive, once", "sc", Engine::Steps, Promise::One, "--explorer exhaustive"),
    ("se-mcr, solver", "sc", Engine::Views, Promise::Same, "--explorer se-mcr --patience 0 --workers 3"),
    ("graph, once", "sc", Engine::Graphs, Promise::One, "--explorer graph"),
    ("default", "sc", Engine::Steps, Promise::Counted, "--workers 1"),
    ("default, 3 workers", "sc", Engine::Steps, Promise::Counted, "--workers 3"),
    ("default, once", "sc", Engine::Steps, Promise::One, ""),
    ("default, once", "tso", Engine::Steps, Promise::One, ""),
    ("default, once", "pso", Engine::Steps, Promise::One, ""),
    ("graph, written out", "sc", Engine::Graphs, Promise::WrittenOut, "--explorer graph"),
    ("graph, written out", "tso", Engine::Graphs, Promise::WrittenOut, "--explorer graph"),
    ("graph, written out", "rc11", Engine::Graphs, Promise::WrittenOut, ""),
    ("graph, written out", "ra", Engine::Graphs, Promise::WrittenOut, ""),
];

fn variant(&(name, model, engine, promise, options): &Variant) -> Way {
    Way { name, model, options: options.split_whitespace().collect(), engine, promise }
}

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

    /// The model whose executions, explored exhaustively, are the truth.
    pub fn judged_by(&self) -> &'static str {
        if matches!(self.promise, Promise::More | Promise::WrittenOut) { "sc" } else { self.model }
    }

    /// The options that it is called with.
    pub fn words(&self) -> Vec<&'static str> {
        let keep_going: &[&str] = if self.promise == Promise::One { &[] } else { &["--keep-going"] };
        [&["--model", self.model], keep_going, &self.options].concat()
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
