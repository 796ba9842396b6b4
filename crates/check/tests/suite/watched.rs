//! The race detector along all executions of a program.

use crate::executions::{Watcher, in_order, line_of_site, walk, with_buffers};
use selvedge_check::race::{Race, RaceDetector, RaceMark};
use selvedge_memory::{Discipline, ReleaseSequences, Step, System};
use selvedge_program::Program;
use selvedge_trace::{Event, ThreadId};
use std::collections::BTreeSet;

/// What the detector was told of one event.
#[derive(Clone)]
pub struct Told {
    pub event: Event,
    pub published: Vec<(u64, u64)>,
    pub woken: Vec<ThreadId>,
}

/// The detector beside a system.
pub struct Watched<F> {
    detector: RaceDetector,
    told: Vec<Told>,
    races: Vec<Race>,
    at_end: F,
}

impl<F: FnMut(&[Told], &[Race])> Watched<F> {
    pub fn new(sequences: ReleaseSequences, at_end: F) -> Self {
        let detector = RaceDetector::new(sequences);
        Self { detector, told: Vec::new(), races: Vec::new(), at_end }
    }
}

impl<S: System, F: FnMut(&[Told], &[Race])> Watcher<S> for Watched<F> {
    type Mark = (RaceMark, usize, usize);

    fn mark(&self) -> Self::Mark {
        (self.detector.mark(), self.told.len(), self.races.len())
    }

    fn rewind(&mut self, (mark, told, races): &Self::Mark) {
        self.detector.rewind(mark);
        self.told.truncate(*told);
        self.races.truncate(*races);
    }

    fn stepped(&mut self, system: &mut S, _: &Step) {
        let (published, woken) = (system.take_published(), system.take_woken());
        let at = self.told.len();
        let event = *system.events().last().expect("each step is an event");
        self.races.extend(self.detector.event(at, &event, &published, &woken));
        self.told.push(Told { event, published, woken });
    }

    fn ended(&mut self, _: &mut S) {
        (self.at_end)(&self.told, &self.races);
    }
}

/// Shows a function all executions of a program under sequential consistency, with their races.
pub fn each_execution(program: &Program, sequences: ReleaseSequences, at_end: impl FnMut(&[Told], &[Race])) {
    in_order(program, |system| walk(system, &mut Watched::new(sequences, at_end)));
}

/// The same with store buffers.
pub fn each_buffered(program: &Program, discipline: Discipline, at_end: impl FnMut(&[Told], &[Race])) {
    let sequences = ReleaseSequences::default();
    with_buffers(program, discipline, |system| walk(system, &mut Watched::new(sequences, at_end)));
}

/// The races of all executions: the lines of both accesses.
pub type Lines = BTreeSet<(u32, u32)>;

/// Adds the races of one execution.
pub fn add_lines(program: &Program, told: &[Told], races: &[Race], into: &mut Lines) {
    let line = |at: usize| line_of_site(program, told[at].event.site);
    into.extend(races.iter().map(|race| (line(race.first), line(race.second))));
}

/// The races of all executions under sequential consistency.
pub fn races(program: &Program, sequences: ReleaseSequences) -> Lines {
    let mut lines = Lines::new();
    each_execution(program, sequences, |told, races| add_lines(program, told, races, &mut lines));
    lines
}

/// The races of all executions with store buffers.
pub fn buffered_races(program: &Program, discipline: Discipline) -> Lines {
    let mut lines = Lines::new();
    each_buffered(program, discipline, |told, races| add_lines(program, told, races, &mut lines));
    lines
}
