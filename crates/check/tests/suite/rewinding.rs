//! A detector that has been taken back knows what it knew then, and nothing else.

use crate::races::{cases, small_cases};
use crate::watched::{Told, each_buffered, each_execution};
use selvedge_check::race::{Race, RaceDetector};
use selvedge_memory::{Discipline, ReleaseSequences};

/// The races of an execution, by a detector that has seen nothing else.
fn afresh(told: &[Told], sequences: ReleaseSequences) -> Vec<Race> {
    let mut detector = RaceDetector::new(sequences);
    let events = told.iter().enumerate();
    events
        .filter_map(|(at, Told { event, published, woken })| detector.event(at, event, published, woken))
        .collect()
}

#[test]
fn a_detector_that_was_rewound_is_as_good_as_new() {
    for (_, name, program) in cases() {
        for sequences in [ReleaseSequences::C11, ReleaseSequences::C20] {
            each_execution(&program, sequences, |told, races| {
                assert_eq!(races, afresh(told, sequences), "{name} {sequences:?}");
            });
        }
    }
}

#[test]
fn with_store_buffers_too() {
    for (_, name, program) in small_cases() {
        for discipline in [Discipline::Tso, Discipline::Pso] {
            each_buffered(&program, discipline, |told, races| {
                assert_eq!(races, afresh(told, ReleaseSequences::default()), "{name} {discipline:?}");
            });
        }
    }
}
