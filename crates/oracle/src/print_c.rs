//! Programs as C.
//!
//! Registers are local variables. A thread hands them to main packed into its return value, eight bits each,
//! because everything else would be visible to other threads and add operations that the program does not
//! have. Each statement has a line of its own, so that statements can be recognised in reports.
//!
//! Waiting loops are written in several forms, which depends on their place: with the access in a function of its own, or with
//! `sched_yield` in each round.

use crate::interleavings::StatementId;
use crate::program::{Observation, Order, Outcome, Program, Statement, Test, Until, Value};
use crate::table::value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What main does with the outcome, after it has joined all threads.
#[derive(Debug, Clone)]
pub enum Epilogue<'o> {
    /// Prints it.
    Print,
    /// Asserts of each of these outcomes, on a line of its own, that it is another one.
    Refute(Vec<&'o Outcome>),
    /// Asserts that it is one of these.
    Require(Vec<&'o Outcome>),
    /// As `Refute`, and then that none but these is possible: whatever happens, one assertion fails.
    Distinguish(Vec<&'o Outcome>),
    /// Asserts that not all of these are so.
    Never(&'o [Observation]),
}

/// A program in C.
#[derive(Debug, Clone)]
pub struct CProgram {
    /// The text.
    pub text: String,
    /// The line of each statement, from 1.
    pub lines: BTreeMap<StatementId, usize>,
    /// The line of the assertion about each outcome of the epilogue, in its order.
    pub outcomes: Vec<usize>,
    /// The line of the assertion that there is no other outcome, if there is one.
    pub other: Option<usize>,
}

/// Prints a valid program; `header` are lines of comments.
pub fn print_c(program: &Program, epilogue: &Epilogue<'_>, header: &[String]) -> CProgram {
    let mut printer = Printer { program, text: String::new(), lines: BTreeMap::new() };
    for line in header {
        printer.line(&format!("// {line}"));
    }
    printer.preamble();
    for thread in (1..program.threads.len()).rev() {
        printer.line("");
        printer.line(&format!("static void *thread_{thread}(void *argument)"));
        printer.line("{");
        printer.locals(thread);
        printer.body(thread, &program.threads[thread], &mut 0, 1);
        printer.line(&format!("    return {};", packed(program, thread)));
        printer.line("}");
    }
    printer.line("");
    printer.line("int main(void)");
    printer.line("{");
    printer.locals(0);
    for semaphore in 0..program.semaphores {
        printer.line(&format!("    sem_init(&s{semaphore}, 0, 0);"));
    }
    printer.body(0, &program.threads[0], &mut 0, 1);
    let (outcomes, other) = printer.epilogue(epilogue);
    printer.line("    return 0;");
    printer.line("}");
    CProgram { text: printer.text, lines: printer.lines, outcomes, other }
}

/// How a waiting loop is written: loops of all forms are the same to the oracle.
struct Form {
    /// The access is in a function of its own.
    has_helper: bool,
    /// It yields in each round.
    yields: bool,
}

impl Form {
    /// The form of the loop of a statement.
    fn of((thread, number): StatementId) -> Self {
        // Not both: a thread that goes round may stand at either of the two, which are then on different lines.
        let form = (thread + number) % 3;
        Self { has_helper: form == 1, yields: form == 2 }
    }
}

struct Printer<'p> {
    program: &'p Program,
    text: String,
    lines: BTreeMap<StatementId, usize>,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The number of the line that comes next.
    fn next_line(&self) -> usize {
        self.text.lines().count() + 1
    }

    fn preamble(&mut self) {
        let program = self.program;
        self.line("#include <assert.h>");
        self.line("#include <pthread.h>");
        if program.awaits().into_iter().any(|id| Form::of(id).yields) {
            self.line("#include <sched.h>");
        }
        if program.semaphores > 0 {
            self.line("#include <semaphore.h>");
        }
        let is_choice = |statement: &&Statement| matches!(statement, Statement::Choose { .. });
        if (0..program.threads.len()).any(|thread| program.statements(thread).iter().any(is_choice)) {
            self.line("#include <selvedge.h>");
        }
        self.line("#include <stdatomic.h>");
        self.line("#include <stdint.h>");
        self.line("#include <stdio.h>");
        self.line("");
        for group in program.arrays() {
            let ty = if program.is_array_atomic(group.start) { "atomic_int" } else { "int" };
            let name = Program::location(group.start);
            if group.len() == 1 {
                self.line(&format!("static {ty} {name} = {};", program.locations[group.start]));
                continue;
            }
            let initial: Vec<String> =
                program.locations[group.clone()].iter().map(|value| value.to_string()).collect();
            let count = initial.len();
            self.line(&format!("static {ty} array_{name}[{count}] = {{ {} }};", initial.join(", ")));
            for (index, location) in group.enumerate() {
                self.line(&format!("#define {} array_{name}[{index}]", Program::location(location)));
            }
        }
        for mutex in 0..program.mutexes {
            self.line(&format!("static pthread_mutex_t m{mutex} = PTHREAD_MUTEX_INITIALIZER;"));
        }
        for condition in 0..program.conditions {
            self.line(&format!("static pthread_cond_t c{condition} = PTHREAD_COND_INITIALIZER;"));
        }
        for semaphore in 0..program.semaphores {
            self.line(&format!("static sem_t s{semaphore};"));
        }
        self.helpers();
    }

    fn locals(&mut self, thread: usize) {
        let registers: Vec<String> =
            (0..self.program.registers).map(|register| format!("r{register} = 0")).collect();
        if !registers.is_empty() {
            self.line(&format!("    int {};", registers.join(", ")));
        }
        for child in self.program.children(thread) {
            self.line(&format!("    pthread_t handle_{child};"));
            self.line(&format!("    void *result_{child};"));
        }
    }

    fn body(&mut self, thread: usize, body: &[Statement], number: &mut usize, depth: usize) {
        let indent = "    ".repeat(depth);
        for statement in body {
            let (id, line) = ((thread, *number), self.next_line());
            // What a helper function does is on a line of its own.
            self.lines.entry(id).or_insert(line);
            *number += 1;
            let text = self.statement(statement, id);
            self.line(&format!("{indent}{text}"));
            if let Some(body) = statement.body() {
                self.body(thread, body, number, depth + 1);
                let end = match statement {
                    Statement::Loop { register, test, value: with, .. } => {
                        format!("}} while (!(r{register} {} {}));", test.sign(), value(*with))
                    }
                    _ => "}".to_owned(),
                };
                self.line(&format!("{indent}{end}"));
            }
        }
    }

    /// Functions for the accesses of some waiting loops.
    fn helpers(&mut self) {
        for id in self.program.awaits() {
            if Form::of(id).has_helper
                && let Some(Statement::Await { into, at, until, order }) =
                    self.program.statements(id.0).get(id.1)
            {
                // The registers that it needs are parameters.
                let parameters = match until.computed() {
                    Value::Sum(register, _) => format!("int r{register}"),
                    Value::Constant(_) => "void".to_owned(),
                };
                let access = self.statement(&until.last_round(*into, *at, *order), id);
                self.lines.insert(id, self.next_line());
                let (thread, number) = id;
                self.line(&format!(
                    "static int get_{thread}_{number}({parameters}) {{ int r{into}; {access} return r{into}; }}"
                ));
            }
        }
    }

    /// A loop that waits for a value. In all rounds it does the same, and leaves nothing behind but the value that was read last.
    fn waiting(&self, until: &Until, (thread, number): StatementId, statement: &Statement) -> String {
        let Statement::Await { into, at, order, .. } = statement else { return String::new() };
        let form = Form::of((thread, number));
        let access = match form.has_helper {
            true => {
                let argument = match until.computed() {
                    Value::Sum(register, _) => format!("r{register}"),
                    Value::Constant(_) => String::new(),
                };
                format!("r{into} = get_{thread}_{number}({argument});")
            }
            false => self.statement(&until.last_round(*into, *at, *order), (thread, number)),
        };
        let goes_round = match *until {
            Until::Load { test, value: v } => {
                let sign = if test == Test::Equal { Test::NotEqual } else { Test::Equal };
                format!("r{into} {} {}", sign.sign(), value(v))
            }
            Until::Exchange { value: v } => format!("r{into} == {}", value(v)),
            Until::CompareExchange { expected, .. } => format!("r{into} != {expected}"),
        };
        match form.yields {
            true => format!("for (;;) {{ {access} if (!({goes_round})) break; sched_yield(); }}"),
            false => format!("do {{ {access} }} while ({goes_round});"),
        }
    }

    fn statement(&self, statement: &Statement, id: StatementId) -> String {
        use Statement::*;
        let name = |at: &usize| match statement {
            Indexed { register, count, .. } => {
                let array = self.program.array(*at);
                let first = at - array.start;
                let index = format!("r{register} % {count}");
                let index = if first > 0 { format!("{first} + {index}") } else { index };
                format!("array_{}[{index}]", Program::location(array.start))
            }
            _ => Program::location(*at),
        };
        let plain = |at: &usize| match self.program.is_array_atomic(*at) {
            true => format!("*(int *)&{}", name(at)),
            false => name(at),
        };
        match statement.access() {
            Load { into, at, order: Order::Plain } => format!("r{into} = {};", plain(at)),
            Load { into, at, order } => {
                format!("r{into} = atomic_load_explicit(&{}, {});", name(at), c_order(*order))
            }
            Store { at, value: v, order: Order::Plain } => format!("{} = {};", plain(at), value(*v)),
            Store { at, value: v, order } => {
                format!("atomic_store_explicit(&{}, {}, {});", name(at), value(*v), c_order(*order))
            }
            FetchAdd { into, at, add, order } => {
                format!("r{into} = atomic_fetch_add_explicit(&{}, {add}, {});", name(at), c_order(*order))
            }
            Exchange { into, at, value: v, order } => format!(
                "r{into} = atomic_exchange_explicit(&{}, {}, {});",
                name(at),
                value(*v),
                c_order(*order)
            ),
            CompareExchange { into, at, expected, new, order, succeeded } => {
                let exchange = |old: String| {
                    format!(
                        "atomic_compare_exchange_strong_explicit(&{}, &{old}, {}, {}, {});",
                        name(at),
                        value(*new),
                        c_order(*order),
                        c_order(order.of_failure())
                    )
                };
                let result = succeeded.map_or(String::new(), |register| format!("r{register} = "));
                // As it is written in C where the register is no other than the one with the expected value.
                match *expected == Value::Sum(*into, 0) && *succeeded != Some(*into) {
                    true => format!("{result}{}", exchange(format!("r{into}"))),
                    false => {
                        let (expected, exchange) = (value(*expected), exchange("old".to_owned()));
                        let (did, result) = match succeeded {
                            Some(register) => ("int did = ", format!(" r{register} = did;")),
                            None => ("", String::new()),
                        };
                        format!("{{ int old = {expected}; {did}{exchange} r{into} = old;{result} }}")
                    }
                }
            }
            Fence { order } => format!("atomic_thread_fence({});", c_order(*order)),
            Lock { mutex } => format!("pthread_mutex_lock(&m{mutex});"),
            Unlock { mutex } => format!("pthread_mutex_unlock(&m{mutex});"),
            TryLock { into, mutex } => format!("r{into} = pthread_mutex_trylock(&m{mutex}) != 0;"),
            Wait { condition, mutex } => format!("pthread_cond_wait(&c{condition}, &m{mutex});"),
            Signal { condition } => format!("pthread_cond_signal(&c{condition});"),
            Broadcast { condition } => format!("pthread_cond_broadcast(&c{condition});"),
            Post { semaphore } => format!("sem_post(&s{semaphore});"),
            Down { semaphore } => format!("sem_wait(&s{semaphore});"),
            Spawn { thread } => format!("pthread_create(&handle_{thread}, NULL, thread_{thread}, NULL);"),
            Join { thread } => format!("pthread_join(handle_{thread}, &result_{thread});"),
            Assign { into, value: v } => format!("r{into} = {};", value(*v)),
            Choose { into, options } => format!("r{into} = selvedge_choose({options});"),
            Loop { .. } => "do {".to_owned(),
            // Nothing with an index has an index.
            Indexed { .. } => String::new(),
            If { register, test, constant, .. } => {
                format!("if (r{register} {} {constant}) {{", test.sign())
            }
            Await { until, .. } => self.waiting(until, id, statement),
        }
    }

    /// Reads the outcome into locals of main, and deals with it. Returns the lines of the assertions.
    fn epilogue(&mut self, epilogue: &Epilogue<'_>) -> (Vec<usize>, Option<usize>) {
        let program = self.program;
        for location in 0..program.locations.len() {
            let name = Program::location(location);
            self.line(&format!("    int final_{name} = {name};"));
        }
        for child in program.children(0) {
            for (slot, (thread, register)) in program.packed_registers(child).into_iter().enumerate() {
                if program.live_registers(thread).contains(&register) {
                    let shift = 8 * slot;
                    let byte = format!("(uintptr_t)result_{child} >> {shift} & 255");
                    self.line(&format!("    int t{thread}_r{register} = {byte};"));
                }
            }
        }
        match epilogue {
            Epilogue::Print => {
                let print = self.print();
                self.line(&print);
                (Vec::new(), None)
            }
            Epilogue::Refute(outcomes) => (self.refute(outcomes), None),
            Epilogue::Distinguish(outcomes) => {
                let lines = self.refute(outcomes);
                if outcomes.is_empty() {
                    // Main uses its registers, however the program ends.
                    let print = self.print();
                    self.line(&print);
                }
                let other = self.next_line();
                self.line("    assert(!\"another outcome\");");
                (lines, Some(other))
            }
            Epilogue::Never(observations) => {
                let all: Vec<String> =
                    observations.iter().map(|observation| observed(*observation)).collect();
                let line = self.next_line();
                self.line(&format!("    assert(!({}));", all.join(" && ")));
                (vec![line], None)
            }
            Epilogue::Require(outcomes) => {
                let any: Vec<String> = outcomes.iter().map(|outcome| condition(outcome)).collect();
                let other = self.next_line();
                let any = if any.is_empty() { "0".to_owned() } else { any.join(" || ") };
                self.line(&format!("    assert({any});"));
                (Vec::new(), Some(other))
            }
        }
    }

    fn refute(&mut self, outcomes: &[&Outcome]) -> Vec<usize> {
        let mut lines = Vec::new();
        for outcome in outcomes {
            lines.push(self.next_line());
            self.line(&format!("    assert(!({}));", condition(outcome)));
        }
        lines
    }

    fn print(&self) -> String {
        let program = self.program;
        let (mut format, mut arguments) = (String::from("outcome"), String::new());
        for location in 0..program.locations.len() {
            let name = Program::location(location);
            let _ = write!(format, " {name}=%d");
            let _ = write!(arguments, ", final_{name}");
        }
        for thread in 0..program.threads.len() {
            for register in program.live_registers(thread) {
                let _ = write!(format, " t{thread}.r{register}=%d");
                let _ = write!(arguments, ", {}", variable(thread, register));
            }
        }
        format!("    printf(\"{format}\\n\"{arguments});")
    }
}

/// The local variable of main that has a thread's register at the end.
fn variable(thread: usize, register: usize) -> String {
    if thread == 0 { format!("r{register}") } else { format!("t{thread}_r{register}") }
}

/// That this is so at the end.
fn observed(observation: Observation) -> String {
    match observation {
        Observation::Location { at, value } => format!("final_{} == {value}", Program::location(at)),
        Observation::Register { thread, register, value } => {
            format!("{} == {value}", variable(thread, register))
        }
    }
}

/// That the outcome is this one.
fn condition(outcome: &Outcome) -> String {
    let all: Vec<String> = outcome.observations().into_iter().map(observed).collect();
    if all.is_empty() { "1".to_owned() } else { format!("({})", all.join(" && ")) }
}

/// A thread's own registers and those of the threads it has joined, as a pointer.
fn packed(program: &Program, thread: usize) -> String {
    let own = (0..program.registers).map(|register| format!("(uintptr_t)r{register} << {}", 8 * register));
    let mut shift = program.registers;
    let mut parts: Vec<String> = own.collect();
    for child in program.children(thread) {
        parts.push(format!("(uintptr_t)result_{child} << {}", 8 * shift));
        shift += program.packed_registers(child).len();
    }
    if parts.is_empty() { "argument".to_owned() } else { format!("(void *)({})", parts.join(" | ")) }
}

fn c_order(order: Order) -> &'static str {
    match order {
        Order::Plain => "no order",
        Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
    }
}
