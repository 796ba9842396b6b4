//! The front end neither removes, duplicates nor reorders accesses to memory.
//!
//! Each case is some C and, for each of its functions, the accesses that the source makes, in order.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{function, insts, program};
use selvedge_frontend::Promotion;
use selvedge_program::{FenceScope, Function, InstKind, LoadOrder, Operand, Program, StoreOrder, Symbol};

/// What an address is: `global+offset`, `local+offset` for a local object in memory, `*` for what some
/// pointer points to.
fn place(program: &Program, function: &Function, address: Operand) -> String {
    place_behind(program, function, address, 0)
}

fn place_behind(program: &Program, function: &Function, address: Operand, offset: i64) -> String {
    let with_offset = |name: &str, offset: i64| match offset {
        0 => name.to_owned(),
        _ => format!("{name}+{offset}"),
    };
    let value = match address {
        Operand::Address(Symbol::Global(id), more) => {
            return with_offset(&program.global(id).name, offset + more);
        }
        Operand::Value(value) => value,
        _ => return "?".to_owned(),
    };
    match insts(function).find(|inst| inst.results.contains(&value)).map(|inst| &inst.kind) {
        Some(InstKind::SlotAddress(_)) => with_offset("local", offset),
        Some(InstKind::ThreadLocalAddress(id)) => with_offset(&program.global(*id).name, offset),
        Some(InstKind::Offset { base, offset: more, terms }) => {
            let base = place_behind(program, function, *base, offset + more);
            if terms.is_empty() { base } else { format!("{base}[]") }
        }
        _ => with_offset("*", offset),
    }
}

/// The accesses of a function, in order.
fn accesses(program: &Program, name: &str) -> Vec<String> {
    let function = function(program, name);
    let place = |address: &Operand| place(program, function, *address);
    let load_order = |order: &LoadOrder| match order {
        LoadOrder::Plain => String::new(),
        order => format!(" {order:?}"),
    };
    let store_order = |order: &StoreOrder| match order {
        StoreOrder::Plain => String::new(),
        order => format!(" {order:?}"),
    };
    let bytes = |size: &Operand| size.as_const().map_or("?".to_owned(), |size| size.to_string());
    let describe = |kind: &InstKind| {
        Some(match kind {
            InstKind::Load { ty, address, order } => {
                format!("load {ty} {}{}", place(address), load_order(order))
            }
            InstKind::Store { ty, address, order, .. } => {
                format!("store {ty} {}{}", place(address), store_order(order))
            }
            InstKind::Rmw { op, ty, address, order, .. } => {
                format!("{op:?} {ty} {} {order:?}", place(address))
            }
            InstKind::CompareExchange { ty, address, success, failure, weak, .. } => {
                let name = if *weak { "weak" } else { "strong" };
                format!("{name} {ty} {} {success:?}/{failure:?}", place(address))
            }
            InstKind::Fence { order, scope: FenceScope::System } => format!("fence {order:?}"),
            InstKind::Fence { order, scope: FenceScope::SingleThread } => format!("signal fence {order:?}"),
            InstKind::CopyMemory { to, from, size } => {
                format!("copy {} {} <- {}", bytes(size), place(to), place(from))
            }
            InstKind::SetMemory { to, size, .. } => format!("set {} {}", bytes(size), place(to)),
            InstKind::Call(_) => "call".to_owned(),
            _ => return None,
        })
    };
    insts(function).filter_map(|inst| describe(&inst.kind)).collect()
}

/// Compiles the source and compares the accesses of the function `f` with those expected, one on a line.
#[track_caller]
fn check(source: &str, expected: &str) {
    let source = format!(
        "#include <stdatomic.h>\n#include <stdbool.h>\n#include <string.h>\n{source}\n\
         void *keep = (void *)f;\nint main(void) {{ return keep == 0; }}\n"
    );
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let promoted = accesses(&program(&source, Promotion::On), "f");
    assert_eq!(promoted, expected, "\n{source}");
    // Promotion takes away accesses to local objects, and nothing else.
    let shared = |all: &[String]| -> Vec<String> {
        all.iter().filter(|access| !access.contains(" local")).cloned().collect()
    };
    let all = accesses(&program(&source, Promotion::Off), "f");
    assert_eq!(shared(&all), shared(&promoted), "without promotion\n{source}");
}

#[test]
fn globals() {
    check(
        "int a, b; void f(void) { a = 1; b = a; a = b + a; }",
        "store i32 a
         load i32 a
         store i32 b
         load i32 b
         load i32 a
         store i32 a",
    );
    // Overwritten at once, written with what is there already, written with what was just read.
    check(
        "int a; void f(void) { a = 1; a = 2; a = 2; a = a; }",
        "store i32 a
         store i32 a
         store i32 a
         load i32 a
         store i32 a",
    );
    // The same global several times in one expression.
    check(
        "int a; int f(void) { return a + a * a - a; }",
        "load i32 a
         load i32 a
         load i32 a
         load i32 a",
    );
    check(
        "int a; int f(void) { return a == a; }",
        "load i32 a
         load i32 a",
    );
    // Results that nobody uses.
    check(
        "int a; int *p; void f(void) { a; (void)a; *p; a + 1; if (a) {} a && a; }",
        "load i32 a
         load i32 a
         load ptr p
         load i32 *
         load i32 a
         load i32 a
         load i32 a
         load i32 a",
    );
    // A static local, a thread-local, a constant (which the compiler knows without reading it).
    check(
        "const int c = 3; _Thread_local int t; int f(void) { static int s; s++; t++; return c + s + t; }",
        "load i32 f.s
         store i32 f.s
         load i32 t
         store i32 t
         load i32 f.s
         load i32 t",
    );
}

#[test]
fn types() {
    check(
        "char c; short s; long l; float x; double d; void *p; bool b; __int128 w; unsigned _BitInt(24) n;
         void f(void) { c = 1; s = 1; l = 1; x = 1; d = 1; p = 0; b = 1; w = 1; n = 1; }",
        "store i8 c
         store i16 s
         store i64 l
         store f32 x
         store f64 d
         store ptr p
         store i8 b
         store i128 w
         store i32 n",
    );
    check(
        "char c; short s; long l; float x; double d; void *p; bool b; __int128 w;
         double f(void) { return c + s + l + x + d + (p != 0) + b + w; }",
        "load i8 c
         load i16 s
         load i64 l
         load f32 x
         load f64 d
         load ptr p
         load i8 b
         load i128 w",
    );
}

#[test]
fn pointers() {
    check(
        "void f(int *p, int *q) { *p = *q; *p = *p + *p; p[3] = q[1]; *p++ = 1; }",
        "load i32 *
         store i32 *
         load i32 *
         load i32 *
         store i32 *
         load i32 *+4
         store i32 *+12
         store i32 *",
    );
    check(
        "struct n { int v; struct n *next; } *head;
         int f(void) { return head->next->next->v + head->v; }",
        "load ptr head
         load ptr *+8
         load ptr *+8
         load i32 *
         load ptr head
         load i32 *",
    );
    check(
        "int a[10], b[4][4]; void f(long i) { a[i] = a[i + 1]; a[2]++; b[1][i] = a[a[i]]; }",
        "load i32 a[]
         store i32 a[]
         load i32 a+8
         store i32 a+8
         load i32 a[]
         load i32 a[]
         store i32 b+16[]",
    );
}

#[test]
fn control_flow() {
    check(
        "int a, b, c; void f(void) { if (a && b) c = 1; else c = 2; }",
        "load i32 a
         load i32 b
         store i32 c
         store i32 c",
    );
    check(
        "int a, b; void f(void) { while (a) b++; do a--; while (b); }",
        "load i32 a
         load i32 b
         store i32 b
         load i32 a
         store i32 a
         load i32 b",
    );
    check(
        "int a, b, c; int g(int, int, int); int f(void) { c = g(a, b, a); return c ? a : b; }",
        "load i32 a
         load i32 b
         load i32 a
         call
         store i32 c
         load i32 c
         load i32 a
         load i32 b",
    );
    check(
        "int a; void g(void); void f(void) { int x = a; g(); int y = a; g(); a = x + y; }",
        "load i32 a
         call
         load i32 a
         call
         store i32 a",
    );
}

#[test]
fn volatiles() {
    check(
        "volatile int v; int f(void) { v; v; v = v; v = 1; v = 1; return v + v; }",
        "load i32 v
         load i32 v
         load i32 v
         store i32 v
         store i32 v
         store i32 v
         load i32 v
         load i32 v",
    );
    check(
        "int f(volatile int *p) { volatile int local = *p; local; return local; }",
        "load i32 *
         store i32 local
         load i32 local
         load i32 local",
    );
}

#[test]
fn atomic_loads_and_stores() {
    check(
        "atomic_int a; atomic_long l; _Atomic(char *) p;
         long f(void) {
           long sum = atomic_load_explicit(&a, memory_order_relaxed);
           sum += atomic_load_explicit(&a, memory_order_consume);
           sum += atomic_load_explicit(&a, memory_order_acquire);
           sum += atomic_load_explicit(&a, memory_order_seq_cst);
           sum += atomic_load(&l) + (long)atomic_load(&p);
           sum += a + l;
           return sum;
         }",
        "load i32 a Relaxed
         load i32 a Acquire
         load i32 a Acquire
         load i32 a SeqCst
         load i64 l SeqCst
         load i64 p SeqCst
         store i64 local
         load ptr local
         load i32 a SeqCst
         load i64 l SeqCst",
    );
    check(
        "atomic_int a; atomic_bool b; _Atomic double d;
         void f(void) {
           atomic_store_explicit(&a, 1, memory_order_relaxed);
           atomic_store_explicit(&a, 2, memory_order_release);
           atomic_store_explicit(&a, 3, memory_order_seq_cst);
           atomic_store(&b, true);
           a = 4;
           d = 1.5;
           atomic_init(&a, 5);
           a = a;
         }",
        "store i32 a Relaxed
         store i32 a Release
         store i32 a SeqCst
         store i8 b SeqCst
         store i32 a SeqCst
         store f64 d SeqCst
         store i32 a
         load i32 a SeqCst
         store i32 a SeqCst",
    );
    // Results that nobody uses.
    check(
        "atomic_int a; void f(void) { a; atomic_load_explicit(&a, memory_order_relaxed); atomic_load(&a); }",
        "load i32 a SeqCst
         load i32 a Relaxed
         load i32 a SeqCst",
    );
}

#[test]
fn atomic_updates() {
    check(
        "atomic_int a;
         void f(void) {
           atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);
           atomic_fetch_sub_explicit(&a, 1, memory_order_consume);
           atomic_fetch_or_explicit(&a, 1, memory_order_acquire);
           atomic_fetch_and_explicit(&a, 1, memory_order_release);
           atomic_fetch_xor_explicit(&a, 1, memory_order_acq_rel);
           atomic_exchange_explicit(&a, 1, memory_order_seq_cst);
           atomic_fetch_add(&a, 0);
         }",
        "Add i32 a Relaxed
         Sub i32 a Acquire
         Or i32 a Acquire
         And i32 a Release
         Xor i32 a AcqRel
         Exchange i32 a SeqCst
         Add i32 a SeqCst",
    );
    check(
        "atomic_int a; unsigned char c; long l; unsigned u;
         long f(void) {
           a++; --a; a += 2; a |= 4;
           __atomic_fetch_nand(&c, 1, __ATOMIC_RELAXED);
           __atomic_fetch_max(&l, 5, __ATOMIC_ACQUIRE);
           __atomic_fetch_min(&u, 5, __ATOMIC_RELEASE);
           __sync_fetch_and_add(&l, 1);
           return __atomic_add_fetch(&l, 1, __ATOMIC_SEQ_CST);
         }",
        "Add i32 a SeqCst
         Sub i32 a SeqCst
         Add i32 a SeqCst
         Or i32 a SeqCst
         Nand i8 c Relaxed
         Max i64 l Acquire
         UMin i32 u Release
         Add i64 l SeqCst
         Add i64 l SeqCst",
    );
    check(
        "atomic_flag flag; void f(void) {
           atomic_flag_test_and_set(&flag); atomic_flag_test_and_set_explicit(&flag, memory_order_acquire);
           atomic_flag_clear_explicit(&flag, memory_order_release); atomic_flag_clear(&flag); }",
        "Exchange i8 flag SeqCst
         Exchange i8 flag Acquire
         store i8 flag Release
         store i8 flag SeqCst",
    );
}

#[test]
fn compare_exchanges() {
    let cases = [
        ("relaxed", "relaxed", "Relaxed/Relaxed"),
        ("acquire", "relaxed", "Acquire/Relaxed"),
        ("acquire", "acquire", "Acquire/Acquire"),
        ("release", "relaxed", "Release/Relaxed"),
        ("acq_rel", "acquire", "AcqRel/Acquire"),
        ("seq_cst", "relaxed", "SeqCst/Relaxed"),
        ("seq_cst", "acquire", "SeqCst/Acquire"),
        ("seq_cst", "seq_cst", "SeqCst/SeqCst"),
        ("relaxed", "seq_cst", "Relaxed/SeqCst"),
    ];
    for (success, failure, expected) in cases {
        for kind in ["strong", "weak"] {
            // The expected value is written back if the exchange failed.
            check(
                &format!(
                    "atomic_int a; int e; bool f(void) {{ return atomic_compare_exchange_{kind}_explicit(\
                     &a, &e, 2, memory_order_{success}, memory_order_{failure}); }}"
                ),
                &format!("load i32 e\n{kind} i32 a {expected}\nstore i32 e"),
            );
        }
    }
    check(
        "long l; int f(void) { return __sync_bool_compare_and_swap(&l, 1, 2)
                                      + __sync_val_compare_and_swap(&l, 1, 2); }",
        "strong i64 l SeqCst/SeqCst
         strong i64 l SeqCst/SeqCst",
    );
}

#[test]
fn fences() {
    check(
        "int a; void f(void) {
           atomic_thread_fence(memory_order_relaxed);
           a = 1;
           atomic_thread_fence(memory_order_acquire);
           a = 2;
           atomic_thread_fence(memory_order_release);
           atomic_thread_fence(memory_order_acq_rel);
           a = 3;
           atomic_thread_fence(memory_order_seq_cst);
           atomic_thread_fence(memory_order_seq_cst);
           a = 4;
           __sync_synchronize();
           atomic_signal_fence(memory_order_seq_cst);
         }",
        "store i32 a
         fence Acquire
         store i32 a
         fence Release
         fence AcqRel
         store i32 a
         fence SeqCst
         fence SeqCst
         store i32 a
         fence SeqCst
         signal fence SeqCst",
    );
}

#[test]
fn structs() {
    let declarations = "struct s { int used; char small; long unused[3]; } x, y, *p;\n";
    let check = |code: &str, expected: &str| check(&format!("{declarations}{code}"), expected);
    check("void f(void) { x = y; x = x; }", "copy 32 x <- y\ncopy 32 x <- x");
    check(
        "void f(void) { *p = x; x = *p; }",
        "load ptr p
         copy 32 * <- x
         load ptr p
         copy 32 x <- *",
    );
    // The copy is of the whole struct, though only one field of it is used.
    check("int f(void) { struct s local = x; return local.used; }", "copy 32 local <- x\nload i32 local");
    // … and is made even if nothing of it is used.
    check("void f(void) { struct s local = x; }", "copy 32 local <- x");
    check("void f(void) { x.small = 1; x.unused[2] = y.used; }", "store i8 x+4\nload i32 y\nstore i64 x+24");
    check("void f(void) { x = (struct s){0}; }", "set 32 local\ncopy 32 x <- local");
    check(
        "void f(void) { memset(&x, 0, sizeof x); memcpy(&x, &y, 8); memmove(&y, &x, 9); }",
        "set 32 x\ncopy 8 x <- y\ncopy 9 y <- x",
    );
}

#[test]
fn bit_fields() {
    // A bit-field is written by reading what is around it.
    check(
        "struct { unsigned a : 3, b : 5; int c : 20; } x; int f(void) { x.a = 1; x.c = 2; return x.b; }",
        "load i32 x
         store i32 x
         load i32 x
         store i32 x
         load i32 x",
    );
}
