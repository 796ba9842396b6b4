//! What is said of operations on synchronisation objects, compared with what they do: for all operations in all states that
//! three threads can bring an object into, with every set of misuse tolerated.

use selvedge_trace::ThreadId;
use selvedge_trace::sync::{
    self, Action, Arrival, Ask, Caller, Change, Changes, Hold, Kinds, MOST_POSTS, MOST_WORDS, Misuse,
    MisuseKind, Mode, ObjectKind, Patience, Performed, SERIAL, SyncOp, Waiting, Words, is_destroyed,
};
use std::collections::HashSet;

/// An object, and what the library keeps beside it: how often each thread has it for reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Object {
    words: Words,
    readers: [u8; 3],
}

/// A call by one of the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Call {
    op: SyncOp,
    thread: ThreadId,
    argument: u64,
}

type Answer = Result<Performed, Misuse>;

fn threads() -> [ThreadId; 3] {
    [1, 2, 3].map(|handle| ThreadId::from_handle(handle).unwrap_or(ThreadId::MAIN))
}

fn caller(call: Call, tolerated: Kinds) -> Caller {
    Caller {
        thread: call.thread,
        argument: call.argument,
        tolerated,
        signalled: true,
        wakes_by_itself: false,
        is_same_object: true,
        first_waiter: None,
    }
}

impl Object {
    fn arguments(&self, op: SyncOp, thread: ThreadId) -> Vec<u64> {
        let most = u64::from(MOST_POSTS);
        match (op.object(), op.action()) {
            (ObjectKind::Mutex, Action::Init) => vec![0, 1, 2],
            (ObjectKind::Semaphore, Action::Init) => vec![0, 1, most - 2, most - 1, most],
            (ObjectKind::Barrier, Action::Init) => vec![0, 1, 2, 3],
            // The library says whether the thread has it for reading.
            (ObjectKind::RwLock, Action::Give) => vec![u64::from(self.readers[thread.number()] > 0)],
            _ => vec![0],
        }
    }

    fn calls(&self, kind: ObjectKind) -> Vec<Call> {
        let ops = SyncOp::ALL.into_iter().filter(|op| op.object() == kind);
        let calls = ops.flat_map(|op| threads().into_iter().map(move |thread| (op, thread)));
        calls
            .flat_map(|(op, thread)| {
                self.arguments(op, thread).into_iter().map(move |argument| Call { op, thread, argument })
            })
            .collect()
    }

    fn is_enabled(&self, call: Call, tolerated: Kinds) -> bool {
        sync::is_enabled(call.op, &self.words, &caller(call, tolerated))
    }

    /// What comes of a call that can go through.
    fn after(&self, call: Call, tolerated: Kinds) -> (Object, Answer) {
        let mut next = *self;
        let outcome = sync::perform(call.op, &mut next.words, &caller(call, tolerated));
        let readers = &mut next.readers[call.thread.number()];
        match (call.op.action(), &outcome) {
            (Action::Share(_), Ok(Performed { result: 0, .. })) => *readers += 1,
            (Action::Give, Ok(_)) if call.argument != 0 => *readers -= 1,
            _ => {}
        }
        (next, outcome)
    }

    fn decisive(&self) -> u64 {
        self.words.decisive()
    }

    fn is_gone(&self, kind: ObjectKind) -> bool {
        kind.keeps_life().is_some_and(|life| is_destroyed(self.words.0[life.word()]))
    }

    fn touch(&self, call: Call, outcome: &Answer) -> Mode {
        match outcome {
            Ok(performed) => sync::touch(call.op, Some(performed.result), self.decisive(), call.thread).mode,
            // It went wrong, and left the object as it was.
            Err(_) => Mode::Read,
        }
    }
}

fn is_small(kind: ObjectKind, object: &Object) -> bool {
    let value = object.words.0[0];
    if kind == ObjectKind::Semaphore && value > 3 && value < MOST_POSTS - 2 {
        return false;
    }
    let counts = [object.words.0[1], object.readers.iter().map(|count| u32::from(*count)).sum()];
    // A count, or the word that says whether a semaphore is alive.
    counts.iter().all(|count| *count <= 3 || *count > 1000) && object.words.0[2] <= 3
}

/// All states of an object.
fn states(kind: ObjectKind, tolerated: Kinds) -> Vec<Object> {
    let mut known: HashSet<Object> = HashSet::from([Object::default()]);
    let mut list = vec![Object::default()];
    let mut at = 0;
    while at < list.len() {
        let state = list[at];
        at += 1;
        for call in state.calls(kind).into_iter().filter(|call| state.is_enabled(*call, tolerated)) {
            let (next, _) = state.after(call, tolerated);
            if is_small(kind, &next) && known.insert(next) {
                list.push(next);
            }
        }
    }
    list
}

fn all_tolerated() -> Vec<Kinds> {
    let kinds = [MisuseKind::Relock, MisuseKind::BadUnlock, MisuseKind::BadDestroy, MisuseKind::BadInit];
    (0..16)
        .map(|set| {
            kinds
                .into_iter()
                .enumerate()
                .fold(Kinds::NONE, |all, (at, kind)| all.with(kind, set >> at & 1 != 0))
        })
        .collect()
}

/// Calls `check` with every kind of object, in every state, and every call that can go through there. Gives how many there were.
fn for_all(mut check: impl FnMut(ObjectKind, Object, Kinds, Call)) -> usize {
    let mut count = 0;
    for tolerated in all_tolerated() {
        for kind in ObjectKind::ALL {
            for state in states(kind, tolerated) {
                for call in state.calls(kind).into_iter().filter(|call| state.is_enabled(*call, tolerated)) {
                    check(kind, state, tolerated, call);
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn all_operations_are_listed_once() {
    let listed: HashSet<SyncOp> = SyncOp::ALL.into_iter().collect();
    assert_eq!(listed.len(), SyncOp::ALL.len());
    for (number, op) in SyncOp::ALL.into_iter().enumerate() {
        assert_eq!(op as usize, number, "the list is in the order of the declaration");
    }
}

#[test]
fn there_are_many_states_and_calls() {
    let count = for_all(|_, _, _, _| {});
    assert!(count > 20_000, "{count}");
    let states: usize = ObjectKind::ALL.into_iter().map(|kind| states(kind, Kinds::NONE).len()).sum();
    assert!(states > 100, "{states}");
}

#[test]
fn only_blocking_operations_wait() {
    for tolerated in all_tolerated() {
        for kind in ObjectKind::ALL {
            for state in states(kind, tolerated) {
                for call in state.calls(kind) {
                    assert!(state.is_enabled(call, tolerated) || call.op.is_blocking(), "{call:?} {state:?}");
                }
            }
        }
    }
}

/// Whether the thread has the object already.
fn has_it(state: &Object, kind: ObjectKind, thread: ThreadId) -> bool {
    state.words.owner(kind) == Some(thread)
}

#[test]
fn an_operation_goes_through_when_its_condition_holds() {
    for tolerated in all_tolerated() {
        for kind in ObjectKind::ALL {
            for state in states(kind, tolerated) {
                for call in state.calls(kind) {
                    let Some(condition) = call.op.condition() else { continue };
                    let is_unusable = kind.needs_init() && !sync::is_set_up(state.words.0[1]);
                    if has_it(&state, kind, call.thread) || is_unusable {
                        continue;
                    }
                    if call.op.is_blocking() {
                        let passes = sync::lets_pass(condition, state.decisive());
                        assert_eq!(state.is_enabled(call, tolerated), passes, "{call:?} {state:?}");
                        continue;
                    }
                    let (_, outcome) = state.after(call, tolerated);
                    let (Ok(performed), false) = (outcome, state.is_gone(kind)) else { continue };
                    let holds = condition.holds(state.decisive());
                    assert_eq!(performed.result == 0, holds, "{call:?} {state:?}");
                }
            }
        }
    }
}

#[test]
fn what_only_reads_changes_nothing() {
    for_all(|kind, state, tolerated, call| {
        let (after, outcome) = state.after(call, tolerated);
        let is_reading = state.touch(call, &outcome) == Mode::Read
            || matches!(outcome, Ok(Performed { result, .. }) if sync::hold(call.op, result) == Hold::Reads);
        // For condition variables, what was there before is not a word but how many threads wait.
        if kind != ObjectKind::Condition && is_reading {
            assert_eq!(after, state, "{call:?}");
        }
        if outcome.is_err() {
            assert_eq!(after, state, "{call:?} {outcome:?}");
        }
    });
}

/// Two operations of different threads, one after the other, can change places if their modes say so: with the same results,
/// and the same state in the end.
#[test]
fn what_does_not_conflict_commutes() {
    let mut swapped = 0;
    for_all(|kind, state, tolerated, first| {
        if kind == ObjectKind::Condition || first.op.is_about_own_waiting() {
            return;
        }
        let (middle, first_outcome) = state.after(first, tolerated);
        let first_mode = state.touch(first, &first_outcome);
        for second in middle.calls(kind) {
            let skipped = second.thread == first.thread || second.op.is_about_own_waiting();
            if skipped || !middle.is_enabled(second, tolerated) {
                continue;
            }
            let (end, second_outcome) = middle.after(second, tolerated);
            if first_mode.conflicts(middle.touch(second, &second_outcome)) {
                continue;
            }
            let what = format!("{first:?} {second:?} {state:?} {tolerated:?}");
            assert!(state.is_enabled(second, tolerated), "{what}");
            let (other, second_now) = state.after(second, tolerated);
            assert!(other.is_enabled(first, tolerated), "{what}");
            let (other_end, first_now) = other.after(first, tolerated);
            assert_eq!((second_now, first_now), (second_outcome, first_outcome), "{what}");
            assert_eq!(other_end, end, "{what}");
            swapped += 1;
        }
    });
    assert!(swapped > 10_000, "{swapped}");
}

#[test]
fn words_change_as_said() {
    for_all(|_, state, tolerated, call| {
        let (after, Ok(performed)) = state.after(call, tolerated) else { return };
        let mut words = state.words;
        let changes = match sync::changes(call.op, performed.result, state.decisive()) {
            Changes::Only(changes) => changes,
            Changes::Overwritten(changes) => {
                words.0[..2].copy_from_slice(&after.words.0[..2]);
                changes
            }
        };
        for change in changes {
            match *change {
                Change::Add { word, delta } => {
                    words.0[word] = words.0[word].wrapping_add_signed(i32::from(delta))
                }
                Change::Clear { word } => words.0[word] = 0,
            }
        }
        // What else there is, the owner of a mutex and what it says of its life, follows from these.
        let told = if call.op.object() == ObjectKind::Barrier { 3 } else { 2 };
        let told = told.min(MOST_WORDS);
        assert_eq!(words.0[..told], after.words.0[..told], "{call:?} {state:?}");
    });
}

#[test]
fn waiting_is_as_said() {
    for_all(|_, state, tolerated, call| {
        if let (_, Ok(performed)) = state.after(call, tolerated) {
            assert_eq!(sync::waiting(call.op, performed.result), performed.waiting, "{call:?}");
        }
    });
    let block = Call { op: SyncOp::ConditionBlock, thread: ThreadId::MAIN, argument: 1 };
    let late = Caller { signalled: false, ..caller(block, Kinds::NONE) };
    let performed = sync::perform(block.op, &mut Words::default(), &late);
    let expected = Performed { result: sync::errno::ETIMEDOUT, waiting: Waiting::Ends };
    assert_eq!(performed, Ok(expected));
}

/// What a thread learns tells it the result.
#[test]
fn results_follow_from_what_is_asked() {
    for_all(|kind, state, tolerated, call| {
        let (_, Ok(Performed { result, .. })) = state.after(call, tolerated) else { return };
        let [first, second, third, ..] = state.words.0;
        match call.op.asks() {
            Ask::Nothing | Ask::Signal | Ask::Woken => {}
            Ask::Once(condition) => {
                assert!(condition.holds(state.decisive()), "it went through");
                assert_eq!(result, u64::from(first == 0));
            }
            Ask::Arrive => {
                let arrival = Arrival::of_words([first, second, third]);
                let expected = if arrival.is_last() { SERIAL } else { u64::from(arrival.generation) };
                assert_eq!(result, expected, "{call:?} {state:?}");
            }
            Ask::Room(condition) => {
                assert_eq!(result == 0, condition.holds(state.decisive()));
                assert!(result == 0 || sync::is_nearly_full(first));
            }
            // The conditions are compared above; a thread that has the object is told by its own past.
            Ask::Take(_) | Ask::TryToTake(_) => {}
            Ask::State if call.op.action() == Action::Look => assert_eq!(result, u64::from(first)),
            Ask::State => {
                let is_busy = result == sync::errno::EBUSY;
                assert!(result == 0 || is_busy || call.argument == 0 && kind == ObjectKind::Barrier);
            }
        }
    });
}

/// If an operation makes another one possible, or lets it succeed, the other one comes after it: what it acquires was released.
#[test]
fn whoever_makes_an_operation_possible_happens_before_it() {
    let mut edges = 0;
    for_all(|kind, state, tolerated, first| {
        let (after, Ok(performed)) = state.after(first, tolerated) else { return };
        if matches!(first.op.action(), Action::Init | Action::Destroy) || state.is_gone(kind) {
            return;
        }
        let succeeds = |object: &Object, call: Call| {
            object.is_enabled(call, tolerated)
                && matches!(object.after(call, tolerated).1, Ok(Performed { result: 0, .. }))
        };
        for second in after.calls(kind).into_iter().filter(|second| second.thread != first.thread) {
            let takes = matches!(second.op.action(), Action::Take(_) | Action::Share(_));
            if !takes || succeeds(&state, second) || !succeeds(&after, second) {
                continue;
            }
            let released = sync::edges(first.op, performed.result, state.decisive()).releases;
            let acquired = sync::edges(second.op, 0, after.decisive()).acquires;
            let meets = acquired.iter().any(|clock| released.contains(clock));
            assert!(meets, "{first:?} {second:?} {state:?}");
            edges += 1;
        }
    });
    assert!(edges > 500, "{edges}");
}

#[test]
fn a_lock_that_is_given_back_is_as_before() {
    for_all(|kind, state, tolerated, call| {
        let (taken, Ok(performed)) = state.after(call, tolerated) else { return };
        if sync::hold(call.op, performed.result) != Hold::Takes {
            return;
        }
        let give = SyncOp::ALL.into_iter().find(|op| op.object() == kind && op.action() == Action::Give);
        let Some(op) = give else { panic!("what is taken can be given back") };
        let argument = u64::from(matches!(call.op.action(), Action::Share(_)));
        let (given, outcome) = taken.after(Call { op, argument, ..call }, tolerated);
        assert_eq!(outcome.map(|performed| sync::hold(op, performed.result)), Ok(Hold::GivesBack));
        assert_eq!(given, state, "{call:?}");
    });
}

#[test]
fn the_mode_in_another_state_is_foreseen() {
    for_all(|kind, state, tolerated, call| {
        let (_, outcome) = state.after(call, tolerated);
        let Ok(performed) = outcome else { return };
        let is_tried = matches!(
            call.op.action(),
            Action::Take(Patience::Tries | Patience::TimesOut) | Action::Share(Patience::Tries)
        );
        // A thread that has the mutex already, and tries to take it, is told so whatever others do.
        if kind == ObjectKind::Condition || is_tried && has_it(&state, kind, call.thread) {
            return;
        }
        let first = state.words.0[0];
        if call.op.action() == Action::Arrive {
            return;
        }
        if let Some(mode) = sync::mode_if(call.op, Some(performed.result), first, call.thread) {
            assert_eq!(mode, state.touch(call, &outcome), "{call:?} {state:?}");
        }
    });
}

#[test]
fn misuse_is_told_in_words() {
    let mut told = HashSet::new();
    for_all(|kind, state, tolerated, call| {
        if let (_, Err(misuse)) = state.after(call, tolerated) {
            assert!(
                misuse.kind() == MisuseKind::BadDestroy
                    || !tolerated.contains(misuse.kind())
                    || kind != ObjectKind::Once
            );
            told.insert(sync::words::misuse(kind, misuse));
        }
    });
    assert!(told.contains("a mutex is unlocked that thread 1 holds"));
    assert!(
        told.contains("a spin lock is locked again by the thread that holds it, which can never succeed")
    );
    assert!(told.len() > 15, "{told:?}");
}
