//! Executions that nothing has run: for tests.

use super::{
    Condition, Effect, Entry, Execution, Location, LocationPart, NOTHING, Question, Script, value_result,
};
use selvedge_trace::ThreadId;
use std::sync::Arc;

/// The bits of a word.
const WORD: u64 = 0xffff_ffff;

fn word(location: Location) -> LocationPart {
    LocationPart { location, bits: WORD }
}

fn entry(question: Question) -> Entry {
    Entry {
        reads: Box::new([]),
        values: Box::new([]),
        question,
        state: None,
        result: NOTHING,
        effects: Box::new([]),
        delayed: Box::new([]),
        round: None,
        choice: 0,
        exclusive: false,
        drained: false,
        is_value: false,
        gives_back: false,
        is_store: false,
    }
}

fn setting(entry: Entry, location: Location, value: u64) -> Entry {
    Entry { effects: Box::new([Effect::Set { part: word(location), value }]), ..entry }
}

fn reading(location: Location, value: u64) -> Entry {
    let result = value_result(word(location), value);
    let reads = Box::new([word(location)]);
    Entry { reads, values: Box::new([value]), result, is_value: true, ..entry(Question::Values) }
}

/// A load.
pub fn read(location: Location, value: u64) -> Arc<Entry> {
    Arc::new(reading(location, value))
}

/// A store.
pub fn write(location: Location, value: u64) -> Arc<Entry> {
    Arc::new(Entry { is_store: true, ..setting(entry(Question::Nothing), location, value) })
}

/// An update that has read one value and written another.
pub fn update(location: Location, read: u64, written: u64) -> Arc<Entry> {
    Arc::new(setting(reading(location, read), location, written))
}

/// Takes a spin lock.
pub fn lock(location: Location, handle: u64) -> Arc<Entry> {
    let takes = Entry { state: Some(0), ..entry(Question::Take(Condition::FirstZero)) };
    Arc::new(setting(Entry { reads: Box::new([word(location)]), ..takes }, location, handle))
}

/// Gives a spin lock back.
pub fn unlock(location: Location) -> Arc<Entry> {
    Arc::new(Entry { gives_back: true, ..setting(entry(Question::Nothing), location, 0) })
}

/// Creates a thread, whose creation is at a location.
pub fn create(created: Location) -> Arc<Entry> {
    let part = LocationPart { location: created, bits: u64::MAX };
    let effects = Box::new([Effect::Set { part, value: 1 }]);
    Arc::new(Entry { effects, ..entry(Question::Nothing) })
}

/// Joins a thread.
pub fn join(thread: usize) -> Arc<Entry> {
    Arc::new(entry(Question::Join(ThreadId::from_number(thread))))
}

/// Where the creation of a thread is, after so many locations of memory.
pub fn created(locations: Location, thread: usize) -> Location {
    locations + 2 * thread as Location
}

/// An execution that is over, in which all threads have ended. All memory was 0 at first.
pub fn execution(threads: Vec<Vec<Arc<Entry>>>, locations: Location) -> Execution {
    let count = threads.len();
    let numbers = 0..count;
    let used = threads.iter().flatten().flat_map(|entry| entry.needs()).filter(|used| *used < locations);
    let mut initial: Vec<(Location, u64, bool)> = used.map(|location| (location, 0, false)).collect();
    initial.sort_unstable();
    initial.dedup();
    initial.extend(numbers.clone().map(|thread| (created(locations, thread), 0, false)));
    let scripts = threads.into_iter().enumerate().map(|(number, entries)| {
        let thread = ThreadId::from_number(number).unwrap_or(ThreadId::MAIN);
        let names = (0..=entries.len()).map(|at| (number * 100 + at) as u128).collect();
        Arc::new(Script::new(thread, entries, names))
    });
    Execution {
        scripts: scripts.collect(),
        initial,
        locations: locations as usize + 2 * count,
        waiting: numbers.clone().map(|thread| created(locations, thread) + 1).collect(),
        created: numbers.map(|thread| created(locations, thread)).collect(),
        in_order: true,
        is_held_up: false,
        name: 0,
    }
}

impl Script {
    /// The script of a thread that has ended. (Its histories are not known.)
    fn new(thread: ThreadId, entries: Vec<Arc<Entry>>, names: Vec<u128>) -> Self {
        let mut script = Script {
            thread,
            performed: entries.len(),
            entries,
            histories: Vec::new(),
            names,
            name: thread.number() as u128,
            ended: true,
            view: 0,
            footprints: Vec::new(),
            uses: Vec::new(),
            asks: Vec::new(),
            joins: Vec::new(),
            waits: false,
            sections: super::Sections::default(),
            decisive: Vec::new(),
            delays: false,
        };
        script.outline();
        script
    }
}
