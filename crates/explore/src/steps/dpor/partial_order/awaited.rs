//! What a thread awaits ([`System::awaited`]): which of the values that the location has had would let it go on.

use super::PartialOrder;
use selvedge_memory::{ReadValue, System};
use selvedge_trace::Agent;

/// The location of which a thread awaits a value.
#[derive(Debug, Clone, Copy)]
pub struct Awaited {
    granule: u64,
    /// Which of its bytes.
    mask: u8,
    /// The value there now, in place.
    now: u64,
}

/// The same with values that were tried.
#[derive(Debug, Clone, Copy)]
pub struct Awaits<'a> {
    /// The granule.
    pub granule: u64,
    /// Which of its bytes.
    pub mask: u8,
    /// The value there now, in place.
    pub now: u64,
    /// Values, in place, and whether they are fruitless.
    pub answers: &'a [(u64, bool)],
}

/// What an agent would read at a location: the granule, which of its bytes, and what is there now, in place.
fn location(read: &ReadValue) -> Option<(u64, u8, u64)> {
    let (granule, offset) = (read.address & !7, (read.address & 7) as u32);
    let mask = || (((1_u32 << read.size) - 1) << offset) as u8;
    (offset + read.size <= 8).then(|| (granule, mask(), (read.value as u64) << (8 * offset)))
}

/// For each unit that has written where an agent awaits a value, the latest first, and that it has not seen: whether the value before it is
/// fruitless.
pub fn fruitless_before(
    system: &mut impl System,
    order: &mut PartialOrder,
    agent: Agent,
) -> Vec<(u32, bool)> {
    let thread = agent.thread();
    let read = system.awaited(thread).filter(|_| agent.is_thread());
    let Some(location) = read.as_ref().and_then(location) else { return Vec::new() };
    let mut writes = Vec::new();
    order.values_without(agent, location, |unit, value| {
        let shift = location.1.trailing_zeros() * 8;
        writes.push((unit, system.is_fruitless(thread, u128::from(value >> shift))));
        false
    });
    writes
}

impl Awaited {
    /// What an agent awaits before its next step, and which of the values that were there are fruitless, as far as races may depend on
    /// it; `None`: none of them is, so the agent might as well not wait.
    pub fn find(
        system: &mut impl System,
        order: &mut PartialOrder,
        agent: Agent,
        answers: &mut Vec<(u64, bool)>,
    ) -> Option<Self> {
        let thread = agent.thread();
        answers.clear();
        let read = system.awaited(thread).filter(|_| agent.is_thread())?;
        let Some((granule, mask, now)) = location(&read) else {
            // Of a value in two granules, nothing is computed: without answers, it is tried.
            return Some(Self { granule: read.address & !7, mask: 0xff, now: 0 });
        };
        let shift = mask.trailing_zeros() * 8;
        answers.push((now, system.is_fruitless(thread, read.value)));
        let is_enough = |_, value: u64| {
            if let Some((_, is_fruitless)) = answers.iter().find(|(known, _)| *known == value) {
                return !is_fruitless;
            }
            let is_fruitless = system.is_fruitless(thread, u128::from(value >> shift));
            answers.push((value, is_fruitless));
            !is_fruitless
        };
        let all_known = order.values_without(agent, (granule, mask, now), is_enough);
        let waits = !all_known || answers.iter().any(|(_, is_fruitless)| *is_fruitless);
        waits.then_some(Self { granule, mask, now })
    }

    /// With the values that were tried.
    pub fn with(self, answers: &[(u64, bool)]) -> Awaits<'_> {
        let Self { granule, mask, now } = self;
        Awaits { granule, mask, now, answers }
    }
}
