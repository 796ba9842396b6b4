//! How many graphs there will be, from random ones.
//!
//! The exploration is a tree: at each step there are some ways, and each leads to other graphs. A walk picks one of the ways
//! at each step; if it comes to a graph that counts, it stands for as many as the product of the numbers of ways, else for
//! none (Knuth: Estimating the efficiency of backtrack programs; 1975). On average that is their number.
//!
//! Where threads wait in loops it can be too high: of a round that the exploration takes back, a walk may have left the
//! loop by another way.

use super::{Frame, Search, Went};
use crate::Estimate;
use crate::Scope;
use crate::Session;
use crate::core::random_numbers::Random;
use selvedge_memory::axiomatic::{Axiomatic, Axioms};

/// A walk with more steps is given up.
const LONGEST: usize = 100_000;

/// Walks at random, for as long as it is told to go on, and once at least.
pub fn estimate<A: Axioms>(
    session: &mut Session<'_, Axiomatic<'_, A>>,
    seed: u64,
    mut goes_on: impl FnMut() -> bool,
) -> Estimate {
    let mark = session.mark();
    let mut search = Search::new(session, None, Scope::Any);
    search.random = Some(Random::new(seed));
    let (mut walks, mut sum, mut squares) = (0_u64, 0.0, 0.0);
    loop {
        let stands_for = search.walk();
        walks += 1;
        sum += stands_for;
        squares += stands_for * stands_for;
        search.frames.clear();
        search.ways.clear();
        search.postponed.clear();
        search.session.rewind(&mark);
        if !goes_on() {
            break;
        }
    }
    let mean = sum / walks as f64;
    let variance = (squares / walks as f64 - mean * mean).max(0.0);
    Estimate { walks, executions: mean, error: (variance / walks as f64).sqrt() }
}

impl<A: Axioms> Search<'_, '_, '_, A> {
    /// One walk: for how many executions it stands.
    fn walk(&mut self) -> f64 {
        let before = self.session.statistics.executions;
        for _ in 0..LONGEST {
            if self.descend() == Went::Back {
                let counts = self.session.statistics.executions > before;
                return if counts { self.frames.iter().map(ways_of).product() } else { 0.0 };
            }
        }
        0.0
    }
}

/// How many ways there were at a step, and at those before it.
fn ways_of<M>(frame: &Frame<M>) -> f64 {
    let before: f64 = frame.earlier().iter().map(ways_of).product();
    f64::from(frame.alternatives) * before
}
