//! Rewinding restores everything, and what happens depends on nothing but the choices made.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::{Choice, Random, choices, machine, program, run_to_end, step};
use selvedge_program::Program;
use selvedge_vm::thread::Frame;
use selvedge_vm::{Config, Image, Initialisation, Machine, Mark, Stream, address};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Atomics, allocations in threads, output.
const COUNTERS: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static atomic_int sum;
static int plain[4];
static char *texts[3];
static void *count(void *argument) {
  int me = (int)(long)argument;
  char *text = malloc(16 + me);
  snprintf(text, 16, "thread %d", me);
  for (int i = 0; i < 3; i++) {
    char *scratch = calloc(8, sizeof *scratch);
    scratch[i] = (char)i;
    atomic_fetch_add(&sum, scratch[i] + me);
    free(scratch);
  }
  plain[me] = (int)strlen(text);
  texts[me] = text;
  printf("%s done\n", text);
  return text;
}
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, count, (void *)i);
  int all = 0;
  for (int i = 0; i < 3; i++) {
    void *text;
    pthread_join(threads[i], &text);
    all += plain[i];
    free(text);
  }
  printf("%d %d\n", all, sum);
  return 0;
}
"#;

/// Deep and varied stacks: recursion with arrays, variable-length arrays, struct results, variadic calls.
const STACKS: &str = r#"
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
struct triple { long a, b, c; };
static atomic_long total;
static long shared[8];
static struct triple make(long x) {
  struct triple t = {x, x * x, total};
  return t;
}
static long add(int n, ...) {
  va_list list;
  va_start(list, n);
  long sum = 0;
  while (n-- > 0) sum += va_arg(list, long);
  va_end(list);
  return sum;
}
static long down(int n, long *above) {
  long here[5] = {n, n + 1, n + 2, above ? above[0] : 0, shared[n & 7]};
  if (n == 0) return here[2];
  long vla[n + 1];
  for (int i = 0; i <= n; i++) vla[i] = here[i % 5];
  struct triple t = make(vla[n]);
  shared[n & 7] = t.a;
  atomic_fetch_add(&total, add(3, t.a, t.b, vla[0]));
  long result = down(n - 1, here) + down(n / 2, vla);
  return result + here[0] + vla[n];
}
static void *work(void *argument) { return (void *)down((int)(long)argument, 0); }
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, work, (void *)4);
  pthread_create(&two, 0, work, (void *)3);
  long own = down(2, shared);
  void *a, *b;
  pthread_join(one, &a);
  pthread_join(two, &b);
  printf("%d\n", (long)a + (long)b + own + total > 0);
  return 0;
}
"#;

/// A lock-free stack of structs that threads publish, take from each other and free.
const NODES: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int value; int extra[6]; struct node *next; struct node *twin; };
static _Atomic(struct node *) top;
static atomic_int taken;
static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->twin = malloc(sizeof *node);
  *node->twin = (struct node){.value = -value};
  struct node *old = atomic_load(&top);
  do node->next = old; while (!atomic_compare_exchange_weak(&top, &old, node));
}
static void take_all(void) {
  struct node *node = atomic_exchange(&top, 0);
  while (node) {
    struct node copy = *node;
    atomic_fetch_add(&taken, copy.value - copy.twin->value);
    free(copy.twin);
    free(node);
    node = copy.next;
  }
}
static void *work(void *argument) {
  int base = *(int *)argument;
  push(base);
  push(base + 1);
  take_all();
  return 0;
}
int main(void) {
  int bases[2] = {10, 20};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &bases[i]);
  push(1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  take_all();
  printf("%d\n", taken);
  return taken != 2 * (10 + 11 + 20 + 21 + 1);
}
"#;

/// Threads that start threads; thread-local variables.
const FAMILY: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local int depth = 7;
static _Thread_local char *note;
static int seen[8];
static void *leaf(void *argument) {
  depth += 1;
  note = malloc(4);
  note[0] = (char)depth;
  *(int *)argument += note[0];
  free(note);
  return 0;
}
static void *branch(void *argument) {
  int *slots = argument;
  pthread_t threads[2];
  depth = 100;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, leaf, &slots[i]);
  slots[2] = depth;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  slots[3] = slots[0] + slots[1];
  return 0;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, branch, &seen[4 * i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  printf("%d %d %d\n", seen[3], seen[7], depth);
  return seen[3] != 16 || seen[7] != 16 || depth != 7;
}
"#;

/// Blocking: a mutex, a condition variable that may wake without reason, a barrier.
const WAITING: &str = r#"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int queue[4], head, tail;
static void *produce(void *argument) {
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    queue[tail++] = (int)(long)argument + i;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
static void *consume(void *argument) {
  int sum = 0;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&mutex);
    while (head == tail) pthread_cond_wait(&filled, &mutex);
    sum += queue[head++];
    pthread_mutex_unlock(&mutex);
  }
  *(int *)argument = sum;
  return 0;
}
int main(void) {
  int sum = 0;
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&threads[0], 0, produce, (void *)1);
  pthread_create(&threads[1], 0, produce, (void *)10);
  pthread_create(&threads[2], 0, consume, &sum);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  printf("%d\n", sum);
  return sum != 1 + 2 + 10 + 11;
}
"#;

const PROGRAMS: [(&str, &str); 5] =
    [("counters", COUNTERS), ("stacks", STACKS), ("nodes", NODES), ("family", FAMILY), ("waiting", WAITING)];

/// Steps of each random walk.
const STEPS: usize = 4000;

/// How machines are set up: one that stops only at visible operations, one that also stops in between, one
/// that keeps track of what is initialised.
fn configurations() -> [Config; 3] {
    let plain = Config { spurious_wakeups: 1, ..Config::default() };
    let interrupted = Config { fuel: 3, ..plain.clone() };
    let tracking = Config { initialisation: Initialisation::Tracked, fuel: 7, ..plain.clone() };
    [plain, interrupted, tracking]
}

/// Where memory may be in use: (start, end).
fn memory_in_use(machine: &Machine<'_>) -> Vec<(u64, u64)> {
    let program = machine.image.program;
    let addresses = &machine.image.code.global_addresses;
    let ends = program.globals.iter().zip(addresses).filter(|(global, _)| !global.thread_local);
    let end = ends.map(|(global, address)| address + global.size).max().unwrap_or(address::GLOBALS);
    let mut ranges = vec![(address::GLOBALS, end.next_multiple_of(64))];
    for thread in machine.threads().filter_map(|id| machine.thread(id)) {
        let position = &thread.position;
        ranges.push((address::stack(thread.id).start, position.stack_next.next_multiple_of(64)));
        ranges.push((address::heap(thread.id).start, position.heap_next.next_multiple_of(64)));
    }
    ranges
}

/// A digest of all that can matter for what comes next. Other than in [`Machine::digest`], registers are not
/// in it, because a frame begins with whatever earlier calls left in its registers; what is in them shows in
/// the operations that threads are before.
fn state(machine: &Machine<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (start, end) in memory_in_use(machine) {
        machine.memory.hash_range(start, end, &mut hasher);
    }
    for thread in machine.threads().filter_map(|id| machine.thread(id)) {
        (thread.id, thread.position).hash(&mut hasher);
        for frame in &thread.frames {
            Frame { stamp: 0, ..*frame }.hash(&mut hasher);
        }
        format!("{:?}", machine.pending(thread.id)).hash(&mut hasher);
    }
    (machine.output(Stream::Out), machine.exit_status()).hash(&mut hasher);
    hasher.finish()
}

/// What is different between two machines.
fn difference(one: &Machine<'_>, other: &Machine<'_>) -> String {
    let ids: Vec<_> = one.threads().collect();
    if ids != other.threads().collect::<Vec<_>>() {
        return format!("the threads: {ids:?}, {:?}", other.threads().collect::<Vec<_>>());
    }
    for id in ids {
        let (a, b) = (one.thread(id).unwrap(), other.thread(id).unwrap());
        if a.position != b.position {
            return format!("the position of thread {id}:\n{:?}\n{:?}", a.position, b.position);
        }
        for (depth, (f, g)) in a.frames.iter().zip(&b.frames).enumerate() {
            let g = Frame { stamp: f.stamp, ..*g };
            if *f != g {
                return format!("frame {depth} of thread {id}:\n{f:?}\n{g:?}");
            }
        }
        let (a, b) = (one.pending(id), other.pending(id));
        if a != b {
            return format!("what thread {id} does next: {a:?}, {b:?}");
        }
    }
    for (start, end) in memory_in_use(one) {
        for address in start..end {
            let (x, y) = (one.memory.read_scalar(address, 1), other.memory.read_scalar(address, 1));
            let (s, t) = (one.memory.shadow(address), other.memory.shadow(address));
            let (d, e) = (one.memory.is_defined(address), other.memory.is_defined(address));
            if (x, s, d) != (y, t, e) {
                let object = one.object_at(address).map(|object| object.place(one, address, 1));
                return format!(
                    "memory at {address:#x} ({object:?}): {x:#x} (shadow {s:#x}, {d}), {y:#x} (shadow {t:#x}, {e})"
                );
            }
        }
    }
    "something else".to_owned()
}

/// A random walk through the states of a program, back and forth.
struct Walk<'m, 'i> {
    machine: &'m mut Machine<'i>,
    random: Random,
    /// The steps that led here, and the state after each.
    history: Vec<(Choice, u64)>,
    /// Points to go back to: the length of the history there, and the digest.
    marks: Vec<(Mark, usize, u64)>,
    config: Config,
    name: String,
}

impl Walk<'_, '_> {
    fn forward(&mut self, choice: Choice) {
        step(self.machine, choice);
        self.history.push((choice, state(self.machine)));
    }

    fn mark(&mut self) {
        let mark = self.machine.mark();
        self.marks.push((mark, self.history.len(), self.machine.digest()));
    }

    /// Goes back to some mark; sometimes what was undone is done again.
    fn back(&mut self) {
        let at = self.random.below(self.marks.len());
        let (mark, length, digest) = self.marks[at];
        self.marks.truncate(at + 1);
        self.machine.rewind(&mark);
        let steps = self.history.len() - length;
        assert_eq!(self.machine.digest(), digest, "{}: after going back {steps} steps", self.name);
        let undone = self.history.split_off(length);
        if self.random.percent(50) {
            let count = self.random.below(undone.len() + 1);
            for (nth, (choice, expected)) in undone[..count].iter().enumerate() {
                if self.random.percent(5) {
                    self.mark();
                }
                assert!(choices(self.machine).contains(choice), "{}: {choice:?} is gone", self.name);
                self.forward(*choice);
                if state(self.machine) != *expected {
                    let mut fresh = machine(self.machine.image, &self.config);
                    self.history.iter().for_each(|(choice, _)| drop(step(&mut fresh, *choice)));
                    let what = difference(self.machine, &fresh);
                    panic!("{}: step {nth} done again gives another state: {what}", self.name);
                }
            }
        }
    }

    fn walk(&mut self, steps: usize) {
        self.mark();
        for _ in 0..steps {
            let choices = choices(self.machine);
            match self.random.below(100) {
                0..12 => self.mark(),
                12..18 => self.back(),
                // A mark may also be forgotten.
                18..20 if self.marks.len() > 1 => drop(self.marks.pop()),
                _ if choices.is_empty() => self.back(),
                _ => {
                    let choice = self.random.pick(&choices);
                    self.forward(choice);
                }
            }
        }
    }
}

/// Makes the steps of a history on a fresh machine and compares the states.
#[track_caller]
fn check_on_fresh_machine(image: &Image<'_>, config: &Config, history: &[(Choice, u64)], name: &str) {
    let mut fresh = machine(image, config);
    for (nth, (choice, expected)) in history.iter().enumerate() {
        step(&mut fresh, *choice);
        let count = history.len();
        assert_eq!(state(&fresh), *expected, "{name}: a fresh machine differs after step {nth} of {count}");
    }
}

fn walk_through(name: &str, source: &str) {
    let program = program(source);
    let image = Image::new(&program).unwrap();
    for (number, config) in configurations().iter().enumerate() {
        for seed in 0..4 {
            let name = format!("{name}, configuration {number}, seed {seed}");
            let mut machine = machine(&image, config);
            let random = Random::new(seed * 1000 + number as u64);
            let mut walk = Walk {
                machine: &mut machine,
                random,
                history: Vec::new(),
                marks: Vec::new(),
                config: config.clone(),
                name: name.clone(),
            };
            walk.walk(STEPS);
            // To the end, so that nothing is left out.
            while let choices @ [_, ..] = choices(walk.machine).as_slice() {
                let choice = walk.random.pick(choices);
                walk.forward(choice);
            }
            let history = std::mem::take(&mut walk.history);
            assert_eq!(machine.exit_status(), Some(0), "{name}: {:?}", machine.output(Stream::Out));
            check_on_fresh_machine(&image, config, &history, &name);
        }
    }
}

#[test]
fn going_back_and_forth_counters() {
    walk_through("counters", COUNTERS);
}

#[test]
fn going_back_and_forth_stacks() {
    walk_through("stacks", STACKS);
}

#[test]
fn going_back_and_forth_nodes() {
    walk_through("nodes", NODES);
}

#[test]
fn going_back_and_forth_family() {
    walk_through("family", FAMILY);
}

#[test]
fn going_back_and_forth_waiting() {
    walk_through("waiting", WAITING);
}

/// What is left in registers that are not live makes no difference: waiting loops compare states without it.
#[test]
fn nothing_depends_on_dead_registers() {
    for (name, source) in PROGRAMS {
        let program = program(source);
        let image = Image::new(&program).unwrap();
        for seed in 0..20 {
            let config = &configurations()[seed as usize % 3];
            let (mut one, mut other) = (machine(&image, config), machine(&image, config));
            let mut random = Random::new(seed);
            while let choices @ [_, ..] = choices(&one).as_slice() {
                let choice = random.pick(choices);
                let threads: Vec<_> = other.threads().collect();
                threads.iter().for_each(|id| other.overwrite_dead_registers(*id, 0xdead_beef_dead_beef));
                step(&mut one, choice);
                step(&mut other, choice);
                assert_eq!(state(&one), state(&other), "{name}, seed {seed}: {}", difference(&one, &other));
            }
        }
    }
}

/// The first mark of all brings the machine back to its beginning, any number of times.
#[test]
fn a_mark_can_be_gone_back_to_many_times() {
    for (name, source) in PROGRAMS {
        let program = program(source);
        let image = Image::new(&program).unwrap();
        let config = &configurations()[0];
        let mut machine = machine(&image, config);
        let (mark, digest) = (machine.mark(), machine.digest());
        let mut ends = Vec::new();
        for round in 0..30 {
            run_to_end(&mut machine, round % 10);
            ends.push((machine.digest(), machine.output(Stream::Out)));
            machine.rewind(&mark);
            assert_eq!(machine.digest(), digest, "{name}, round {round}");
            assert_eq!(machine.threads().count(), 1, "{name}");
            assert_eq!(machine.output(Stream::Out), b"", "{name}");
        }
        // The same schedule, the same end.
        assert_eq!(ends[..10], ends[10..20], "{name}");
        assert_eq!(ends[..10], ends[20..], "{name}");
    }
}

// ---- Names and addresses do not depend on the interleaving ----

/// The bytes of a global.
fn global_bytes(machine: &Machine<'_>, program: &Program, name: &str) -> Vec<u8> {
    let id = program.globals.iter().position(|global| global.name == name).unwrap();
    let mut bytes = vec![0; program.globals[id].size as usize];
    let symbol = selvedge_program::Symbol::Global(selvedge_program::GlobalId::new(id));
    machine.memory.read_bytes(machine.image.address_of(symbol), &mut bytes);
    bytes
}

#[test]
fn threads_and_addresses_are_the_same_whatever_the_interleaving() {
    // Every thread notes its own name and the addresses of its objects.
    let source = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Thread_local int local_to_thread;
static struct { pthread_t self; void *heap[4]; void *stack, *deeper, *thread_local_, *vla; } seen[7];
static atomic_int noise;
static void below(int me, int n) {
  char vla[n];
  int here = n;
  seen[me].vla = vla;
  seen[me].deeper = &here;
  noise += vla[0] = (char)here;
}
static void note(int me) {
  int here = 0;
  seen[me].self = pthread_self();
  for (int i = 0; i < 4; i++) {
    void *object = malloc(10 * (i + me + 1));
    if (i % 2) free(seen[me].heap[i - 1]);
    seen[me].heap[i] = object;
    noise++;
  }
  seen[me].stack = &here;
  seen[me].thread_local_ = &local_to_thread;
  below(me, 5 + me);
}
static void *leaf(void *argument) { note((int)(long)argument); return 0; }
static void *branch(void *argument) {
  long me = (long)argument;
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, leaf, (void *)(2 * me + i + 1));
  note((int)me);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, branch, (void *)(i + 1));
  note(0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
"#;
    let program = program(source);
    let image = Image::new(&program).unwrap();
    let mut first: Option<(Vec<u8>, Vec<String>)> = None;
    let mut orders = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let mut machine = machine(&image, &Config::default());
        run_to_end(&mut machine, seed);
        let order: Vec<String> = machine.threads().map(|thread| thread.to_string()).collect();
        let mut threads = order.clone();
        threads.sort();
        orders.insert(order);
        let end = (global_bytes(&machine, &program, "seen"), threads);
        let first = first.get_or_insert_with(|| end.clone());
        assert_eq!(*first, end, "seed {seed}");
    }
    let (bytes, threads) = first.unwrap();
    assert_eq!(threads, ["0", "1", "1.1", "1.2", "2", "2.1", "2.2"]);
    assert!(orders.len() > 5, "the schedules were too much alike");
    // All 63 addresses and names are there, and no two are the same.
    let words: Vec<u64> =
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    let distinct: std::collections::BTreeSet<u64> = words.iter().copied().collect();
    assert_eq!((words.len(), distinct.len()), (63, 63));
    assert!(!distinct.contains(&0));
}

// ---- What others can see ----

/// The lines of the source at which a thread stops before a visible operation, over some schedules, against
/// those that say so in a comment.
#[track_caller]
fn check_visible(source: &str) {
    let program = program(source);
    let image = Image::new(&program).unwrap();
    let mut stops = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let mut machine = machine(&image, &Config::default());
        let mut random = Random::new(seed);
        loop {
            let choices = choices(&machine);
            if choices.is_empty() {
                assert_eq!(machine.exit_status(), Some(0));
                break;
            }
            for thread in machine.threads().filter(|thread| machine.pending(*thread).is_some()) {
                stops.insert(program.source.span(machine.place(thread)).line);
            }
            step(&mut machine, random.pick(&choices));
        }
    }
    stops.remove(&0); // After `main`.
    let lines = source.lines().enumerate();
    let expected: std::collections::BTreeSet<u32> =
        lines.filter(|(_, line)| line.contains("// visible")).map(|(number, _)| number as u32 + 1).collect();
    let show = |these: &std::collections::BTreeSet<u32>, others: &std::collections::BTreeSet<u32>| {
        let line = |number: &u32| format!("{number}: {}", source.lines().nth(*number as usize - 1).unwrap());
        these.difference(others).map(line).collect::<Vec<String>>()
    };
    assert_eq!(show(&stops, &expected), [""; 0], "visible, but should not be");
    assert_eq!(show(&expected, &stops), [""; 0], "not visible, but should be");
}

#[test]
fn nothing_is_visible_before_the_second_thread() {
    check_visible(
        r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int global, *pointer;
static atomic_int atomic;
static void *work(void *argument) { return argument; }
int main(void) {
  global = 1;
  atomic++;
  pointer = malloc(4);
  *pointer = global;
  pthread_t thread;
  pthread_create(&thread, 0, work, 0); // visible
  global = 2; // visible
  atomic++; // visible
  atomic_thread_fence(memory_order_seq_cst); // visible
  pthread_join(thread, 0); // visible
  return 0;
}
"#,
    );
}

#[test]
fn what_only_one_thread_can_reach_is_private() {
    check_visible(
        r#"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct big { int a[40]; struct big *next; };
static _Thread_local int own;
static const int table[4] = {1, 2, 3, 4};
static int fill(int *into, int n) {
  for (int i = 0; i < n; i++) into[i] = table[i % 4] + own;
  return into[n - 1];
}
static void *work(void *argument) {
  volatile int counter = 0;
  int array[10];
  struct big *first = malloc(sizeof *first), second;
  memset(first, 0, sizeof *first);
  second = *first;
  first->next = &second;
  second.next = malloc(sizeof second);
  *second.next = second;
  for (int i = 0; i < 10; i++) counter += fill(array, 1 + i % 3);
  own = fill(first->next->next->a, 40);
  char text[20];
  strcpy(text, "private");
  free(second.next);
  free(first);
  return (void *)(long)(counter + own + (long)strlen(text));
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0); // visible
  work(0);
  pthread_join(thread, 0); // visible
  return 0;
}
"#,
    );
}

#[test]
fn what_a_thread_is_handed_is_visible() {
    check_visible(
        r#"
#include <pthread.h>
#include <stdlib.h>
struct inner { int value; };
struct outer { struct inner *inner; int value; };
static void *work(void *argument) {
  struct outer *outer = argument;
  outer->value = 1; // visible
  struct inner *inner = outer->inner; // visible
  inner->value = 2; // visible
  int own = 3;
  int *to_own = &own;
  *to_own = 4;
  return 0;
}
int main(void) {
  pthread_t thread;
  struct inner inner, other;
  struct outer *outer = malloc(sizeof *outer);
  int *apart = malloc(4), before[2];
  outer->inner = &inner;
  inner.value = 0;
  other.value = 1;
  pthread_create(&thread, 0, work, outer); // visible
  other.value = 2;
  *apart = 3;
  before[1] = other.value;
  int *to_before = before;
  to_before[0] = *apart;
  inner.value = 5; // visible
  outer->value = 6; // visible
  pthread_join(thread, 0); // visible
  // Nobody else is left, but somebody might come.
  inner.value = 7; // visible
  free(apart);
  free(outer); // visible
  return 0;
}
"#,
    );
}

#[test]
fn what_is_stored_where_others_can_see_becomes_visible() {
    check_visible(
        r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
static struct node *head;
static _Atomic(struct node *) top;
static struct { char before[8]; struct node *node; } box;
static void *work(void *argument) { return 0; }
static struct node *make(void) {
  struct node *last = malloc(sizeof *last);
  struct node *node = malloc(sizeof *node);
  last->value = 1;
  node->next = last;
  return node;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0); // visible
  // By a plain store.
  struct node *node = make();
  node->value = 1;
  head = node; // visible
  node->value = 2; // visible
  struct node *next = node->next; // visible
  next->value = 3; // visible
  // By an exchange, and a compare-exchange.
  node = make();
  node->value = 1;
  atomic_exchange(&top, node); // visible
  node->value = 2; // visible
  node = make();
  struct node *expected = 0;
  node->value = 1;
  struct node *old = atomic_load(&top); // visible
  atomic_compare_exchange_strong(&top, &old, node); // visible
  node->value = 2; // visible
  // By a copy of bytes.
  struct { char before[8]; struct node *node; } local = {"", make()};
  local.node->value = 1;
  memcpy(&box, &local, sizeof box); // visible
  local.node->value = 2; // visible
  // Into an object that is visible itself.
  node = make();
  node->value = 1;
  head->next = node; // visible
  node->value = 2; // visible
  // An address inside the object.
  int *numbers = malloc(10 * sizeof *numbers);
  numbers[3] = 1;
  head->next = (struct node *)&numbers[4]; // visible
  numbers[3] = 2; // visible
  // A local variable.
  struct node here;
  here.value = 1;
  head = &here; // visible
  here.value = 2; // visible
  // Into a private object only.
  struct node *keeper = make();
  node = make();
  keeper->next = node;
  node->value = 1;
  // ... until that is stored, too.
  head = keeper; // visible
  node->value = 2; // visible
  pthread_join(thread, 0); // visible
  return 0;
}
"#,
    );
}

#[test]
fn what_globals_point_to_is_visible_once_there_is_a_second_thread() {
    check_visible(
        r#"
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static void *work(void *argument) {
  head->next->value++; // visible
  return 0;
}
int main(void) {
  pthread_t thread;
  struct node *apart = malloc(sizeof *apart);
  head = malloc(sizeof *head);
  head->next = malloc(sizeof *head);
  head->next->value = 1;
  struct node *last = head->next;
  last->next = 0;
  pthread_create(&thread, 0, work, 0); // visible
  last->value = 2; // visible
  apart->value = 3;
  pthread_join(thread, 0); // visible
  return 0;
}
"#,
    );
}

#[test]
fn a_result_of_a_thread_can_be_used_by_the_one_that_joins() {
    check_visible(
        r#"
#include <pthread.h>
#include <stdlib.h>
static void *work(void *argument) {
  int *result = malloc(4);
  *result = 1;
  return result;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0); // visible
  void *result;
  pthread_join(thread, &result); // visible
  *(int *)result = 2; // visible
  return 0;
}
"#,
    );
}
