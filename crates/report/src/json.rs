//! The result for programs. The form is stable: fields may be added, none is renamed.
//!
//! An entry of a trace has `"arrives": true` if it is a store that reaches memory. A violation has `not_in_memory` if there are stores
//! that have not: `thread`, `store` and `location` of each.

use crate::miscompiled;
use crate::steps::{named, words};
use crate::text::moments;
use selvedge_check::Violation;
use selvedge_program::{Miscompiled, Program, Site};
use selvedge_trace::execution::{BufferedStore, Call, Execution, ModificationOrder, Thread, Wait};
use serde_json::{Value, json};

/// What a solver has done.
#[derive(Debug, Clone)]
pub struct Solver {
    /// Executions that were to be run because of its answers.
    pub seeds: u64,
    /// Questions to it.
    pub calls: u64,
    /// Questions that were answered without it.
    pub spared: u64,
    /// Executions that were made into constraints.
    pub problems: u64,
    /// Literals of all constraints.
    pub literals: u64,
    /// The most literals that the constraints of one execution had.
    pub largest: u64,
    /// Time for making constraints and solving them.
    pub time_ms: f64,
    /// Violations that were predicted, and confirmed, if that was asked for.
    pub predicted: Option<(u64, u64)>,
}

/// What there is to tell of an exploration.
pub struct Summary<'a> {
    /// The sources.
    pub files: Vec<String>,
    /// The memory model.
    pub model: &'a str,
    /// Why this one, if the tool has chosen it.
    pub model_because: Option<&'a str>,
    /// What continues a release sequence: `c11` or `c20`.
    pub release_sequences: &'a str,
    /// The algorithm.
    pub explorer: &'a str,
    /// `verified`, `violation`, `bounded` or `incomplete`.
    pub verdict: &'a str,
    /// Whether there was no execution to look at.
    pub vacuous: bool,
    /// Complete executions.
    pub executions: u64,
    /// Explorations that were cut.
    pub blocked: u64,
    /// How many executions differ in the order of dependent operations, if that was counted.
    pub classes: Option<u64>,
    /// How many threads there are of which it does not matter which is which, if executions that differ in that only are explored once.
    pub symmetric_threads: Option<u64>,
    /// How many different views there are, and how many executions had one that was known, if that was counted.
    pub views: Option<(u64, u64)>,
    /// Whether data races were looked for where views are counted.
    pub races_checked: bool,
    /// What a solver has done, if there was one.
    pub solver: Option<Solver>,
    /// Steps.
    pub steps: u64,
    /// Wall-clock time.
    pub time_ms: f64,
    /// Largest resident size.
    pub peak_rss_kb: u64,
    /// How many workers explored.
    pub workers: usize,
    /// Limits that were reached, in words.
    pub limits: Vec<String>,
    /// The violations: what, how, and where the schedule is.
    pub violations: Vec<(&'a Violation, &'a Execution, Option<String>)>,
}

/// The result as JSON.
pub fn result(program: &Program, summary: &Summary<'_>) -> Value {
    let violations: Vec<Value> = summary
        .violations
        .iter()
        .map(|(violation, execution, schedule)| one(program, violation, execution, schedule.as_deref()))
        .collect();
    let mut result = json!({
        "tool": "selvedge",
        "version": env!("CARGO_PKG_VERSION"),
        "files": summary.files,
        "model": summary.model,
        "release_sequences": summary.release_sequences,
        "explorer": summary.explorer,
        "verdict": summary.verdict,
        "vacuous": summary.vacuous,
        "executions": summary.executions,
        "blocked": summary.blocked,
        "steps": summary.steps,
        "time_ms": summary.time_ms,
        "peak_rss_kb": summary.peak_rss_kb,
        "workers": summary.workers,
        "limits": summary.limits,
        "violations": violations,
    });
    if !program.miscompiled.is_empty() {
        let warnings = program.miscompiled.iter().map(|miscompiled| warning(program, miscompiled));
        result["warnings"] = warnings.collect();
    }
    if let Some(because) = summary.model_because {
        result["model_because"] = json!(because);
    }
    if let Some(classes) = summary.classes {
        result["classes"] = json!(classes);
    }
    if let Some(threads) = summary.symmetric_threads {
        result["symmetric_threads"] = json!(threads);
    }
    if let Some((views, redundant)) = summary.views {
        result["views"] = json!(views);
        result["redundant"] = json!(redundant);
        if !summary.races_checked {
            // What is read does not tell whether accesses are ordered.
            result["not_checked"] = json!(["data-race"]);
        }
    }
    if let Some(solver) = &summary.solver {
        result["seeds"] = json!(solver.seeds);
        result["solver"] = json!({
            "calls": solver.calls,
            "spared": solver.spared,
            "problems": solver.problems,
            "literals": solver.literals,
            "largest": solver.largest,
            "time_ms": solver.time_ms,
        });
        if let Some((predicted, confirmed)) = solver.predicted {
            result["predicted"] = json!(predicted);
            result["confirmed"] = json!(confirmed);
        }
    }
    result
}

fn warning(program: &Program, miscompiled: &Miscompiled) -> Value {
    let words = miscompiled::words(miscompiled);
    json!({
        "kind": "miscompiled",
        "message": words.summary,
        "location": location(program, miscompiled.span),
        "standard": words.standard,
        "compiler": words.compiler,
        "instead": words.instead,
    })
}

fn location(program: &Program, span: selvedge_program::SpanId) -> Value {
    let place = program.source.span(span);
    json!({
        "file": program.source.file(span),
        "line": place.line,
        "column": place.column,
        "function": program.source.scopes[place.scope.index()].function,
    })
}

fn one(program: &Program, violation: &Violation, execution: &Execution, schedule: Option<&str>) -> Value {
    let trace: Vec<Value> = (0..execution.steps.len()).map(|at| step(program, execution, at)).collect();
    let note = |message: &str, span| json!({ "message": message, "location": location(program, span) });
    let mut notes: Vec<Value> = violation.notes.iter().map(|n| note(&n.message, n.span)).collect();
    let compiled = miscompiled::in_execution(program, execution);
    notes.extend(compiled.iter().map(|(miscompiled, message)| note(message, miscompiled.span)));
    let stacks: Vec<Value> = moments(violation, execution)
        .into_iter()
        .map(|at| {
            let thread = execution.steps[at].event.thread.to_string();
            json!({ "step": at + 1, "thread": thread, "calls": calls(program, execution.stack_at(at)) })
        })
        .collect();
    let waiting: Vec<Value> = execution
        .buffered
        .iter()
        .map(|BufferedStore { thread, object, value, span }| {
            let store = format!("{object} = {}", value.text);
            json!({ "thread": thread.to_string(), "store": store, "location": location(program, *span) })
        })
        .collect();
    let pair = |(first, second): &(usize, usize)| json!([first + 1, second + 1]);
    let mut result = json!({
        "kind": violation.kind.name(),
        "message": violation.message,
        "location": location(program, violation.span),
        "thread": violation.thread.number(),
        "notes": notes,
        "stacks": stacks,
        "schedule": schedule,
        "trace": trace,
        "threads": execution.threads.iter().map(|one| thread(program, one)).collect::<Vec<_>>(),
        "modification_order": execution.orders.iter().map(order).collect::<Vec<_>>(),
        "synchronised": execution.synchronised.iter().map(pair).collect::<Vec<_>>(),
        "output": String::from_utf8_lossy(&execution.output),
    });
    if !waiting.is_empty() {
        result["not_in_memory"] = json!(waiting);
    }
    result
}

/// A step. Others are named by their numbers, from 1.
fn step(program: &Program, execution: &Execution, at: usize) -> Value {
    let step = &execution.steps[at];
    let event = &step.event;
    let mut entry = json!({
        "thread": event.thread.to_string(),
        "operation": words(execution, at),
        "location": location(program, step.span),
        "index": event.index,
        "kind": event.operation.name(),
    });
    if event.site != Site::NONE {
        entry["site"] = json!(event.site.0);
    }
    if let Some(object) = &step.object {
        entry["object"] = json!(object);
    }
    if let Some(read) = &step.read {
        entry["read"] = json!(read.text);
    }
    if let Some(written) = &step.written {
        entry["written"] = json!(written.text);
    }
    if let Some(order) = event.operation.order(event.written.is_some()) {
        entry["order"] = json!(order.name());
    }
    if step.arrives() {
        entry["arrives"] = json!(true);
    }
    if let Some(first) = step.sources.first() {
        entry["reads_from"] = json!({ "step": first.map(|source| source + 1) });
        if step.sources.len() > 1 {
            let all = step.sources.iter().map(|source| source.map(|source| source + 1));
            entry["reads_from"]["steps"] = all.collect();
        }
    }
    if let Some(next) = step.detour.overwritten_by {
        entry["overwritten_by"] = json!({ "step": next + 1 });
    }
    entry
}

/// The user's part of a stack.
fn calls(program: &Program, stack: &[Call]) -> Value {
    let stack = named(program, stack);
    let call = |entry: &selvedge_vm::StackEntry| json!({ "function": entry.function, "location": location(program, entry.span) });
    crate::excerpt::user_part(&stack).iter().map(call).collect()
}

/// A thread, and where it is if it has not ended.
fn thread(program: &Program, thread: &Thread) -> Value {
    let mut entry = json!({ "thread": thread.name.to_string(), "function": thread.function });
    if let Some(step) = thread.created_by {
        entry["created_by"] = json!({ "step": step + 1 });
    }
    if let Some(stay) = &thread.end {
        entry["calls"] = calls(program, &stay.stack);
        entry["waits_for"] = match &stay.waits {
            None => Value::Null,
            Some(Wait::Thread(other)) => json!({ "thread": other.to_string() }),
            Some(Wait::Object { op, object, owner, .. }) => {
                let taken = owner.and_then(|(_, taken)| taken).map(|taken| taken + 1);
                let owner = owner.map(|(owner, _)| owner.to_string());
                json!({ "operation": op.verb(), "object": object, "held_by": owner, "since_step": taken })
            }
            Some(Wait::Change(names)) => json!({ "change_of": names }),
        };
    }
    entry
}

/// The writes to a location.
fn order(order: &ModificationOrder) -> Value {
    let writes: Vec<usize> = order.writes.iter().map(|write| write + 1).collect();
    json!({ "object": order.object, "size": order.size, "steps": writes })
}
