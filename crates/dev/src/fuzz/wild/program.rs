//! Programs of statements that are lines of C: a small tree, from which any part can be taken out.
//!
//! Every statement has a line of its own, so that statements can be recognised in reports. What a program mentions is declared and set
//! up, so it stays a program whatever is removed.

use std::fmt::Write;

use super::class::Class;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A line.
    Line(String),
    /// A head such as `if (r == 1)` or `while (!x)`, and what depends on it.
    Block { head: String, body: Vec<Statement> },
    /// A line, several times.
    Repeat { rounds: usize, line: String },
    /// An atomic section.
    Section { form: Form, body: Vec<Statement> },
    /// A scope for local variables.
    Scope { form: ScopeForm, body: Vec<Statement> },
}

/// How an atomic section is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Between `__VERIFIER_atomic_begin()` and `__VERIFIER_atomic_end()`.
    Brackets,
    /// A function whose name begins with `__VERIFIER_atomic_`.
    Function,
}

/// How a scope is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeForm {
    /// Between braces.
    Braces,
    /// A function.
    Function,
}

/// A program, and the options that it is checked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its class.
    pub class: Class,
    /// The options, each with its value.
    pub options: Vec<(String, String)>,
    /// The threads; the first is main, between creating and joining the others.
    pub threads: Vec<Vec<Statement>>,
    /// What main does after all threads were joined.
    pub end: Vec<Statement>,
}

/// What a program needs if it mentions a name.
const DECLARED: &[(&str, &str)] = &[
    ("assert(", "#include <assert.h>"),
    (" E", "#include <errno.h>"),
    ("", "#include <pthread.h>"),
    ("sched_", "#include <sched.h>"),
    ("sem_", "#include <semaphore.h>"),
    ("", "#include <stdatomic.h>"),
    ("", "#include <stdlib.h>"),
    ("selvedge_choose", "int selvedge_choose(int n);"),
    ("nondet_bool", "_Bool __VERIFIER_nondet_bool(void);"),
    ("nondet_int", "int __VERIFIER_nondet_int(void);"),
    ("assume", "void __VERIFIER_assume(int condition);"),
    ("atomic_begin", "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);"),
    ("", "struct box { atomic_int value; int plain; };"),
    ("", "static atomic_int x, y, z;\nstatic int p, q;"),
    ("current", "static _Atomic(struct box *) current;"),
    ("&m)", "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"),
    ("&n)", "static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;"),
    ("&checking", "static pthread_mutex_t checking;"),
    ("&recursive", "static pthread_mutex_t recursive;"),
    ("&rw", "static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;"),
    ("&condition", "static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;"),
    ("&spin", "static pthread_spinlock_t spin;"),
    ("&barrier", "static pthread_barrier_t barrier;"),
    ("&semaphore", "static sem_t semaphore;"),
];

/// What main does first if the program mentions a name.
const SET_UP: &[(&str, &str)] = &[
    (
        "&checking",
        "pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); \
      pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&checking, &kind);",
    ),
    (
        "&recursive",
        "pthread_mutexattr_t other; pthread_mutexattr_init(&other); \
      pthread_mutexattr_settype(&other, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&recursive, &other);",
    ),
    ("current", "current = calloc(1, sizeof(struct box));"),
    ("&spin", "pthread_spin_init(&spin, 0);"),
    ("&barrier", "pthread_barrier_init(&barrier, NULL, 2);"),
    ("&semaphore", "sem_init(&semaphore, 0, 0);"),
];

impl Program {
    /// As C, with lines of comments at the end, so that they change no line numbers.
    pub fn print(&self, comments: &[String]) -> String {
        let mut printer = Printer { functions: String::new(), count: 0 };
        let mut bodies = Vec::new();
        for statements in self.threads.iter().chain([&self.end]) {
            let mut text = String::new();
            printer.statements(statements, 1, &mut text);
            bodies.push(text);
        }
        let end = bodies.pop().unwrap_or_default();
        let all = [&printer.functions, &end].into_iter().chain(&bodies).cloned().collect::<String>();
        let mut text = String::new();
        for (_, declaration) in DECLARED.iter().filter(|(name, _)| all.contains(name)) {
            let _ = writeln!(text, "{declaration}");
        }
        text.push_str(&printer.functions);
        for (thread, body) in bodies.iter().enumerate().skip(1) {
            let _ = writeln!(
                text,
                "\nstatic void *thread_{thread}(void *argument)\n{{\n{LOCALS}{body}    return NULL;\n}}"
            );
        }
        let _ = write!(text, "\nint main(void)\n{{\n    pthread_t t[{}];\n{LOCALS}", bodies.len().max(1));
        for (_, statement) in SET_UP.iter().filter(|(name, _)| all.contains(name)) {
            let _ = writeln!(text, "    {statement}");
        }
        for thread in 1..bodies.len() {
            let _ = writeln!(text, "    pthread_create(&t[{thread}], NULL, thread_{thread}, NULL);");
        }
        text.push_str(bodies.first().map_or("", String::as_str));
        for thread in 1..bodies.len() {
            let _ = writeln!(text, "    pthread_join(t[{thread}], NULL);");
        }
        text.push_str(&end);
        text.push_str("    return 0;\n}\n");
        for line in comments {
            let _ = writeln!(text, "// {line}");
        }
        text
    }

    /// The options as words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.options.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()])
    }

    /// Whether there is an atomic section.
    pub fn has_section(&self) -> bool {
        self.any(|statement| matches!(statement, Statement::Section { .. }))
    }

    /// Whether there is a loop with a number of rounds.
    pub fn has_loop(&self) -> bool {
        self.any(|statement| matches!(statement, Statement::Repeat { .. }))
    }

    fn any(&self, is_it: impl Fn(&Statement) -> bool + Copy) -> bool {
        fn any(statements: &[Statement], is_it: impl Fn(&Statement) -> bool + Copy) -> bool {
            statements.iter().any(|statement| {
                is_it(statement)
                    || match statement {
                        Statement::Line(_) | Statement::Repeat { .. } => false,
                        Statement::Block { body, .. }
                        | Statement::Section { body, .. }
                        | Statement::Scope { body, .. } => any(body, is_it),
                    }
            })
        }
        self.threads.iter().chain([&self.end]).any(|statements| any(statements, is_it))
    }

    /// The same without loops that have a number of rounds. Lines stay where they are.
    pub fn written_out(&self) -> Self {
        fn rewrite(statements: &[Statement]) -> Vec<Statement> {
            let one = |statement: &Statement| match statement {
                Statement::Line(_) => statement.clone(),
                Statement::Repeat { rounds, line } => Statement::Line(vec![line.as_str(); *rounds].join(" ")),
                Statement::Block { head, body } => {
                    Statement::Block { head: head.clone(), body: rewrite(body) }
                }
                Statement::Section { form, body } => Statement::Section { form: *form, body: rewrite(body) },
                Statement::Scope { form, body } => Statement::Scope { form: *form, body: rewrite(body) },
            };
            statements.iter().map(one).collect()
        }
        let threads = self.threads.iter().map(|statements| rewrite(statements)).collect();
        Self { threads, end: rewrite(&self.end), ..self.clone() }
    }
}

/// The variables of a thread.
const LOCALS: &str = "    int r = 0, expected = 0;\n    struct box *b = NULL;\n";

struct Printer {
    /// The functions so far, and how many there are.
    functions: String,
    count: usize,
}

impl Printer {
    fn statements(&mut self, statements: &[Statement], depth: usize, into: &mut String) {
        let margin = "    ".repeat(depth);
        for statement in statements {
            match statement {
                Statement::Line(line) => {
                    let _ = writeln!(into, "{margin}{line}");
                }
                Statement::Repeat { rounds, line } => {
                    let _ = writeln!(into, "{margin}for (int i = 0; i < {rounds}; i++) {{ {line} }}");
                }
                Statement::Block { head, body } => {
                    let _ = writeln!(into, "{margin}{head} {{");
                    self.statements(body, depth + 1, into);
                    let _ = writeln!(into, "{margin}}}");
                }
                Statement::Section { form: Form::Brackets, body } => {
                    let _ = writeln!(into, "{margin}__VERIFIER_atomic_begin();");
                    self.statements(body, depth, into);
                    let _ = writeln!(into, "{margin}__VERIFIER_atomic_end();");
                }
                Statement::Section { form: Form::Function, body } => {
                    let name = self.function("__VERIFIER_atomic_", body);
                    let _ = writeln!(into, "{margin}r = {name}(r);");
                }
                Statement::Scope { form: ScopeForm::Braces, body } => {
                    let _ = writeln!(into, "{margin}{{");
                    self.statements(body, depth + 1, into);
                    let _ = writeln!(into, "{margin}}}");
                }
                Statement::Scope { form: ScopeForm::Function, body } => {
                    let name = self.function("scope_", body);
                    let _ = writeln!(into, "{margin}r = {name}(r);");
                }
            }
        }
    }

    /// Adds a function. Returns its name.
    fn function(&mut self, prefix: &str, body: &[Statement]) -> String {
        self.count += 1;
        let name = format!("{prefix}{}", self.count);
        let mut text = String::new();
        self.statements(body, 1, &mut text);
        let _ = writeln!(
            self.functions,
            "\nstatic int {name}(int r)\n{{\n    int expected = 0;\n    struct box *b = NULL;\n{text}    return r;\n}}"
        );
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mentioned_is_set_up_and_sections_are_functions() {
        let line = |text: &str| Statement::Line(text.to_owned());
        let section = Statement::Section { form: Form::Function, body: vec![line("sem_wait(&semaphore);")] };
        let block = Statement::Block { head: "if (x)".to_owned(), body: vec![section] };
        let threads = vec![vec![line("x = 1;")], vec![block]];
        let program = Program { class: Class::Sections, options: Vec::new(), threads, end: Vec::new() };
        let text = program.print(&["last".to_owned()]);
        assert!(text.ends_with("// last\n"));
        assert!(text.contains("static int __VERIFIER_atomic_1(int r)"));
        assert!(text.contains("    if (x) {\n        r = __VERIFIER_atomic_1(r);\n    }\n"));
        assert!(text.contains("sem_init") && !text.contains("calloc") && !text.contains("barrier_init"));
        assert!(program.has_section() && !program.has_loop());
    }

    #[test]
    fn loops_can_be_written_out() {
        let repeat = Statement::Repeat { rounds: 2, line: "x++;".to_owned() };
        let block = Statement::Block { head: "if (x)".to_owned(), body: vec![repeat] };
        let (options, end) = (Vec::new(), Vec::new());
        let program = Program { class: Class::Updates, options, threads: vec![vec![block]], end };
        assert!(program.has_loop() && !program.written_out().has_loop());
        assert!(program.print(&[]).contains("for (int i = 0; i < 2; i++) { x++; }\n"));
        assert!(program.written_out().print(&[]).contains("        x++; x++;\n"));
    }
}
