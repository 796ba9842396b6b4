//! An answer in words: verdict, limits, counts; for people, and for programs.

use crate::arguments::{CheckOptions, SequenceRule};
use crate::render;
use selvedge_explore::Beyond;
use selvedge_explore::{SolverWork, ViewCounts};
use selvedge_program::Program;
use selvedge_report::json::{Solver, Summary};
use selvedge_verify::{Counted, Limit, ModelReason, Outcome, Verdict};
use std::time::Duration;

/// How many threads do the same, for people.
fn symmetry_line(threads: u64) -> String {
    match threads {
        0 => "  no symmetric threads: all executions were explored\n".to_owned(),
        threads => format!(
            "  {threads} symmetric threads: of executions that differ only in which of them does what, one was explored\n"
        ),
    }
}

/// Why a model was chosen.
pub fn because(program: &Program, reason: &ModelReason) -> String {
    match reason {
        ModelReason::WeakAtomic(span) => {
            let place = program.source.describe(*span);
            format!("an atomic operation is weaker than seq_cst at {place}")
        }
        ModelReason::NoWeakAtomic => "no atomic operation is weaker than seq_cst".to_owned(),
    }
}

/// An answer, to be put into words.
pub struct Words<'a> {
    /// What was asked.
    pub options: &'a CheckOptions,
    /// Of which program.
    pub program: &'a Program,
    /// The answer.
    pub outcome: &'a Outcome,
}

impl Words<'_> {
    /// Why this model, if the tool has chosen it.
    pub fn because(&self) -> Option<String> {
        self.outcome.model_because.as_ref().map(|reason| because(self.program, reason))
    }

    /// The answer for programs; time, memory and violations are left open.
    pub fn summary<'s>(&'s self, because: Option<&'s str>) -> Summary<'s> {
        let Self { options, outcome, .. } = self;
        Summary {
            files: options.files.iter().map(|file| file.display().to_string()).collect(),
            model: outcome.model.name(),
            model_because: because,
            release_sequences: options.execution.release_sequences.name(),
            explorer: outcome.explorer_name,
            verdict: outcome.verdict.name(),
            vacuous: outcome.is_vacuous,
            executions: outcome.statistics.executions,
            blocked: outcome.statistics.blocked,
            classes: match outcome.counted {
                Counted::Orders(orders) => Some(orders),
                _ => None,
            },
            symmetric_threads: match outcome.counted {
                Counted::Symmetric(threads) => Some(threads),
                _ => None,
            },
            views: match outcome.counted {
                Counted::Views(counts) => Some((counts.views, counts.redundant)),
                _ => None,
            },
            races_checked: self.predicts_races() && !self.is_by_orders(),
            solver: match outcome.counted {
                Counted::Views(counts) if self.solves() => Some(self.solver(&counts)),
                _ => None,
            },
            steps: outcome.statistics.steps,
            time_ms: 0.0,
            peak_rss_kb: 0,
            workers: outcome.stage.workers,
            limits: self.limits(),
            violations: Vec::new(),
        }
    }

    /// The answer for people, without violations.
    pub fn verdict(&self, time: Duration) -> String {
        let outcome = self.outcome;
        let mut text = format!("{}\n", self.verdict_line(time));
        if outcome.is_vacuous {
            text += vacuous_line(outcome.verdict);
        }
        if outcome.given_up == Some(Beyond::Loop) && outcome.verdict == Verdict::Incomplete {
            text += "  threads wait in loops: --explorer graph leaves out rounds that lead nowhere, and may be done sooner\n";
        }
        match &outcome.counted {
            Counted::Nothing | Counted::TooLittle(_) => {}
            Counted::Orders(orders) => text += &format!("{orders} orders of dependent operations\n"),
            Counted::Views(counts) => text += &self.views_line(counts),
            Counted::Symmetric(threads) => text += &symmetry_line(*threads),
        }
        text
    }

    /// Limits that were reached.
    fn limits(&self) -> Vec<String> {
        self.outcome.limits.iter().map(|limit| describe_limit(self.program, limit)).collect()
    }

    fn solves(&self) -> bool {
        self.outcome.stage.explorer.about().solves()
    }

    /// Whether all data races are predicted. Those of which one access always comes after the other are not; whether it is
    /// ordered depends on which store was read, not on its value. If every atomic operation is seq_cst, there are none of that
    /// kind.
    fn predicts_races(&self) -> bool {
        self.options.predict && self.program.weak_atomic().is_none()
    }

    /// Whether orders were explored in place of views.
    fn is_by_orders(&self) -> bool {
        matches!(self.outcome.counted, Counted::Views(ViewCounts { by_orders: true, .. }))
    }

    /// What was counted of views, for people.
    fn views_line(&self, counts: &ViewCounts) -> String {
        let ViewCounts { views, redundant, work, predicted, confirmed, .. } = counts;
        let mut line = format!("{views} views, {redundant} executions with a view that had been explored");
        if self.solves() {
            let SolverWork { seeds, calls, spared, nanoseconds, .. } = work;
            let time = nanoseconds / 1_000_000;
            line += &format!("; {seeds} seeds, {calls} questions to the solver, {time} ms");
            if *spared > 0 {
                line += &format!("; {spared} answered without it");
            }
        }
        line += &match self.options.predict {
            true => format!("; {predicted} violations predicted, {confirmed} confirmed"),
            false => "; data races were not looked for".to_owned(),
        };
        if counts.by_orders {
            line += "; these are orders, as the program sets synchronisation objects up again, lets others use its local variables when their scope ends, or disguises pointers; nothing was predicted";
        } else if self.options.predict && !self.predicts_races() {
            line += "; where atomic operations are weaker than seq_cst, not every data race is predicted";
        }
        line + "\n"
    }

    /// What a solver has done, for programs.
    fn solver(&self, counts: &ViewCounts) -> Solver {
        let work = counts.work;
        Solver {
            seeds: work.seeds,
            calls: work.calls,
            spared: work.spared,
            problems: work.problems,
            literals: work.literals,
            largest: work.largest,
            time_ms: work.nanoseconds as f64 / 1e6,
            predicted: self.options.predict.then_some((counts.predicted, counts.confirmed)),
        }
    }

    fn verdict_line(&self, time: Duration) -> String {
        let Self { options, outcome, .. } = self;
        let (verdict, statistics) = (outcome.verdict, &outcome.statistics);
        let styles = render::output_styles();
        let colour = match verdict {
            Verdict::Verified => styles.good,
            Verdict::Violation => styles.error,
            Verdict::Bounded | Verdict::Incomplete => styles.bold,
        };
        let model = match self.because() {
            Some(because) => format!("{}, as {because};", outcome.model.name()),
            None => format!("{},", outcome.model.name()),
        };
        let sequences = match options.execution.release_sequences {
            SequenceRule::C11 => " release sequences as in C11,",
            SequenceRule::C20 => "",
        };
        let mut line = format!(
            "{colour}{}{}: {} executions, {} blocked, {} steps, {:.2} s (model {model}{sequences} explorer {})",
            verdict.name(),
            styles.reset,
            statistics.executions,
            statistics.blocked,
            statistics.steps,
            time.as_secs_f64(),
            outcome.explorer_name,
        );
        if options.robust.is_some() && verdict == Verdict::Verified {
            line += &format!(
                "\n  robust: whatever the program does under {}, it does under sequential consistency, too",
                outcome.model.name()
            );
        }
        if matches!(verdict, Verdict::Bounded | Verdict::Incomplete) {
            line += "\n  no violation was found, but this is not a proof:";
        }
        for limit in self.limits() {
            line += &format!("\n  - {limit}");
        }
        line
    }
}

/// Says that there was nothing to examine, for people.
fn vacuous_line(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => {
            "  nothing was examined: the assumptions of the program (__VERIFIER_assume, selvedge_assume) exclude every execution\n"
        }
        _ => "  nothing was examined: no execution came to its end within the bounds\n",
    }
}

fn describe_limit(program: &Program, limit: &Limit) -> String {
    let place = |span| program.source.describe(span).to_string();
    match limit {
        Limit::Executions(n) => format!("stopped after {n} executions (--max-executions)"),
        Limit::Steps(n) => format!("threads were stopped after {n} steps of their own (--max-steps)"),
        Limit::Time => "the time limit was reached (--time-limit)".to_owned(),
        Limit::Interrupted => "interrupted".to_owned(),
        Limit::Unroll(spans) => {
            let places: Vec<String> = spans.iter().map(|span| place(*span)).collect();
            format!("loops were bounded (--unroll): {}", places.join(", "))
        }
        Limit::Preemptions(n) => {
            format!("executions with more than {n} preemptions were left out (--preemptions)")
        }
        Limit::Sampling(n) => format!("only {n} executions were sampled"),
        Limit::Loop { span, thread, count } => format!(
            "thread {thread} had performed the operation at {} {count} times: a loop that changes something each \
             time round (--unroll bounds it)",
            place(*span)
        ),
        Limit::Nondet(span) => {
            format!("the value at {} was taken from the range of --nondet only", place(*span))
        }
        Limit::Fuel(span) => {
            format!("a thread runs on and on at {} without a visible operation", place(*span))
        }
        Limit::Allowed { kind, span } => format!(
            "threads were stopped at {}, where they do something whose outcome is undefined (--allow {kind})",
            place(*span)
        ),
    }
}
