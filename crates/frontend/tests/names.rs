//! Accesses have the names, and instructions the places, that the programmer knows.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{function, insts, program, program_from_bitcode};
use selvedge_frontend::Promotion;
use selvedge_program::naming::describe_address;
use selvedge_program::{InstKind, Program, SpanId};

/// `load name` or `store name` for each access of a function, in order; what has no name is `?`.
fn names(program: &Program, name: &str) -> Vec<String> {
    let function = function(program, name);
    let describe = |kind: &InstKind| {
        let (verb, address, size) = match kind {
            InstKind::Load { address, ty, .. } => ("load", address, u64::from(ty.bytes())),
            InstKind::Store { address, ty, .. } => ("store", address, u64::from(ty.bytes())),
            InstKind::Rmw { address, ty, .. } => ("update", address, u64::from(ty.bytes())),
            InstKind::CompareExchange { address, ty, .. } => ("exchange", address, u64::from(ty.bytes())),
            InstKind::CopyMemory { to, from, size } => {
                let size = size.as_const()? as u64;
                let name = |address| describe_address(program, function, address, size);
                let (to, from) = (name(*to)?, name(*from)?);
                return Some(format!("copy {to} <- {from}"));
            }
            _ => return None,
        };
        let name = describe_address(program, function, *address, size);
        Some(format!("{verb} {}", name.as_deref().unwrap_or("?")))
    };
    insts(function).filter_map(|inst| describe(&inst.kind)).collect()
}

/// Compares the names of the accesses of `f`.
#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let source = format!(
        "#include <stdatomic.h>\n#include <stddef.h>\n{source}\nvoid *keep = (void *)f;\n\
         int main(void) {{ return keep == 0; }}\n"
    );
    assert_eq!(names(&program(&source, Promotion::On), "f"), expected, "\n{source}");
}

const QUEUE: &str = "
    struct node { int value; struct node *next; };
    struct queue { int head; struct { int id; struct node *next; } slots[4]; atomic_int count; };
    struct queue global, *shared, many[3];
    struct node *list;
    int array[10], matrix[3][4];
    int *pointer;
";

#[track_caller]
fn check_queue(code: &str, expected: &[&str]) {
    check(&format!("{QUEUE}{code}"), expected);
}

#[test]
fn fields_and_elements_of_globals() {
    check_queue(
        "void f(void) { global.head = 1; global.slots[2].id = 3; global.slots[3].next = 0; global.count++; }",
        &[
            "store global.head",
            "store global.slots[2].id",
            "store global.slots[3].next",
            "update global.count",
        ],
    );
    check_queue(
        "void f(void) { array[3] = array[0]; matrix[1][2] = 0; many[2].slots[1].id = many[0].head; }",
        &[
            "load array[0]",
            "store array[3]",
            "store matrix[1][2]",
            "load many[0].head",
            "store many[2].slots[1].id",
        ],
    );
    check_queue("void f(void) { global = many[1]; }", &["copy global <- many[1]"]);
    check(
        "_Thread_local int t; void f(void) { static struct { int x, y; } s; t = 1; s.y = 2; }",
        &["store t", "store s.y"],
    );
    check("int f(void) { return \"text\"[1]; }", &["load \"text\"[1]"]);
}

#[test]
fn what_a_pointer_points_to() {
    check_queue(
        "void f(struct queue *queue) { queue->head = 1; queue->slots[2].next = list; queue->count++; }",
        &["store queue->head", "load list", "store queue->slots[2].next", "update queue->count"],
    );
    check_queue(
        "int f(struct node *head) { return head->next->value + list->next->next->value; }",
        &[
            "load head->next",
            "load head->next->value",
            "load list",
            "load list->next",
            "load list->next->next",
            "load list->next->next->value",
        ],
    );
    check_queue(
        "void f(int *p, int **pp) { *p = 1; p[3] = 2; **pp = 3; pp[1][2] = 4; *pointer = 5; p[-1] = 7; }",
        &[
            "store *p",
            "store p[3]",
            "load *pp",
            "store **pp",
            "load pp[1]",
            "store pp[1][2]",
            "load pointer",
            "store *pointer",
            "store p[-1]",
        ],
    );
    check_queue(
        "void f(struct node **link) { (*link)->value = 1; *link = (*link)->next; }",
        &["load *link", "store (*link)->value", "load *link", "load (*link)->next", "store *link"],
    );
    check_queue(
        "void f(void) { *shared = global; *list = *list->next; }",
        &[
            "load shared",
            "copy *shared <- global",
            "load list",
            "load list",
            "load list->next",
            "copy *list <- *list->next",
        ],
    );
    // The pointer has a name of its own.
    check_queue("void f(struct queue *q) { struct node **n = &q->slots[1].next; *n = 0; }", &["store *n"]);
    check_queue(
        "struct node *get(void); void f(void) { struct node *n = get(); n->value = 2; get()->value = 1; }",
        &["store n->value", "store *get()"],
    );
}

#[test]
fn indices() {
    check_queue(
        "void f(int i, long j) { array[i] = array[j]; array[i + 1] = array[2 * i]; array[i - 1] = 0; }",
        &["load array[j]", "store array[i]", "load array[2 * i]", "store array[i + 1]", "store array[i - 1]"],
    );
    check_queue(
        "void f(int i, int j) { matrix[i][j] = matrix[2][i]; matrix[i][3] = 1; }",
        &["load matrix[2][i]", "store matrix[i][j]", "store matrix[i][3]"],
    );
    check_queue(
        "void f(int i) { global.slots[i].id = shared->slots[i].id; many[i].slots[i + 1].next = 0; }",
        &[
            "load shared",
            "load shared->slots[i].id",
            "store global.slots[i].id",
            "store many[i].slots[i + 1].next",
        ],
    );
    check_queue(
        "void f(int *p, int i) { p[i] = 1; pointer[i] = 2; p[array[i]] = 3; *(p + i) = 5; p[global.head] = 6; }",
        &[
            "store p[i]",
            "load pointer",
            "store pointer[i]",
            "load array[i]",
            "store p[array[i]]",
            "store p[i]",
            "load global.head",
            "store p[global.head]",
        ],
    );
    check(
        "struct n { int v; struct n *next; } *table[8]; void f(int i, unsigned h) {
           table[i]->v = 1; table[h % 8]->next->v = 2; }",
        &[
            "load table[i]",
            "store table[i]->v",
            "load table[h % 8]",
            "load table[h % 8]->next",
            "store table[h % 8]->next->v",
        ],
    );
    check(
        "struct p { int a[2]; } ps[5]; void f(int i, int j, struct p *p, int m[3][4], int (*row)[4]) {
           ps[i].a[j] = 1; p[i].a[j] = 2; p[2].a[j] = 4; p->a[j] = 5; m[i][j] = 6; (*row)[1] = 7; }",
        &[
            "store ps[i].a[j]",
            "store p[i].a[j]",
            "store p[2].a[j]",
            "store p->a[j]",
            "store m[i][j]",
            "store (*row)[1]",
        ],
    );
}

#[test]
fn loops() {
    check_queue(
        "void f(void) { for (struct node *n = list; n; n = n->next) n->value++; }",
        &["load list", "load n->value", "store n->value", "load n->next"],
    );
    check_queue(
        "void f(void) { int *p = array; while (*p) p++; for (int i = 0; i < 10; i++) array[i] = i; }",
        &["load *p", "store array[i]"],
    );
}

#[test]
fn odd_types() {
    check(
        "union u { int i; double d; struct { char a, b; } c; } u; void f(union u *p) {
           u.i = 1; u.d = 2; u.c.b = 3; p->d = 4; }",
        &["store u.i", "store u.d", "store u.c.b", "store p->d"],
    );
    check(
        "struct o { struct { int x; struct { int y; }; }; int z[2]; } o; void f(struct o *p) {
           o.x = 1; o.y = 2; p->y = 3; p->z[1] = 4; }",
        &["store o.x", "store o.y", "store p->y", "store p->z[1]"],
    );
    check(
        "struct v { int n; int data[]; } *g; void f(struct v *p, int i) {
           p->n = 0; p->data[i] = 1; g->data[2] = 2; }",
        &["store p->n", "store p->data[i]", "load g", "store g->data[2]"],
    );
    // Bit-fields are written together with their neighbours.
    check(
        "struct b { unsigned a : 3, b : 7; int c; } b; void f(struct b *p) { b.a = 1; p->c = 3; }",
        &["load b.{a, b}", "store b.{a, b}", "store p->c"],
    );
    // Also those that have bytes of their own.
    check(
        "struct b { unsigned a : 8, b : 8, c : 16; int d; } b; int f(struct b *p) { p->d = 3; return b.b; }",
        &["store p->d", "load b.{a, b, c}"],
    );
    check(
        "typedef struct s { int a; } T; typedef const T *Ref; int f(Ref r, const volatile T *const q, void *v) {
           return r->a + q->a + *(int *)v; }",
        &["load r->a", "load q->a", "load *v"],
    );
    check(
        "atomic_int flags[3]; _Atomic(int *) top; void f(int i) { atomic_store(&flags[i], 1); flags[1]++; *top = 1; }",
        &["store flags[i]", "update flags[1]", "load top", "store *top"],
    );
}

#[test]
fn locals() {
    check_queue(
        "void g(void *); void f(int i) { struct queue local; int a[3]; g(&local); g(a);
           local.slots[i].id = a[i]; local.head = a[2]; }",
        &["load a[i]", "store local.slots[i].id", "load a[2]", "store local.head"],
    );
    let program = program(
        "int g(int *p, int i) { return p[i]; }\nint main(void) { int x = 3; return g(&x, 0); }\n",
        Promotion::Off,
    );
    assert_eq!(names(&program, "g"), ["store p", "store i", "load p", "load i", "load p[i]"]);
}

/// `line:column function` of each load and store of a function.
fn places(program: &Program, name: &str) -> Vec<String> {
    let is_access = |kind: &InstKind| matches!(kind, InstKind::Load { .. } | InstKind::Store { .. });
    let describe = |id: SpanId| {
        let span = program.source.span(id);
        let function = &program.source.scopes[span.scope.index()].function;
        assert!(program.source.file(id).ends_with("test.c"), "{}", program.source.file(id));
        assert_eq!(
            program.source.describe(id).to_string(),
            format!("{}:{}:{}", program.source.file(id), span.line, span.column)
        );
        format!("{}:{} {function}", span.line, span.column)
    };
    insts(function(program, name))
        .filter(|inst| is_access(&inst.kind))
        .map(|inst| describe(inst.span))
        .collect()
}

#[test]
fn spans_say_line_column_and_function() {
    let source = "int a, b;
static void g(int *p) {
  *p = a;
  {
    int x = b;
    a = x
      + b;
  }
}
int main(void) {
  g(&a);
  return b;
}
";
    let program = program(source, Promotion::On);
    assert_eq!(places(&program, "g"), ["3:8 g", "3:6 g", "5:13 g", "7:9 g", "6:7 g"]);
    assert_eq!(places(&program, "main"), ["12:10 main"]);
    let place = program.source.describe(function(&program, "g").span).to_string();
    assert!(place.ends_with("test.c:2"), "{place}");
}

#[test]
fn inlined_code_knows_where_it_comes_from() {
    let source = "volatile int a;
static inline int innermost(void) {
  return a;
}
static inline int middle(void) {
  return innermost() + 1;
}
int main(void) {
  int x = middle();
  a = x;
  return 0;
}
";
    let program = program_from_bitcode(source, &["-O2", "-g"]);
    let mut chains = Vec::new();
    for inst in insts(function(&program, "main")) {
        if !matches!(inst.kind, InstKind::Load { .. } | InstKind::Store { .. }) {
            continue;
        }
        let mut chain = Vec::new();
        let mut at = Some(inst.span);
        while let Some(id) = at {
            let span = program.source.span(id);
            let scope = &program.source.scopes[span.scope.index()];
            chain.push(format!("{} {}:{}", scope.function, span.line, span.column));
            at = scope.inlined_at;
        }
        chains.push(chain.join(" < "));
    }
    assert_eq!(chains, ["innermost 3:10 < middle 6:10 < main 9:11", "main 10:5"]);
}
