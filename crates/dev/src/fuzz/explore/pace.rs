//! How much was compared, and how fast: in processor time, so that it does not depend on what else the machine does.

use std::collections::BTreeMap;
use std::time::Duration;

use super::truth::Under;
use crate::cpu;
use crate::table;

/// What it took to compare one program, and what it gave.
#[derive(Default)]
pub struct Effort {
    /// To make the program, and to build it for the machine.
    pub building: Duration,
    /// Under each model.
    pub shares: BTreeMap<Under, Share>,
    /// How many executions the program has under the model that it was made for, if the oracle knows.
    pub executions: Option<u64>,
}

/// The same under one model.
#[derive(Default, Clone, Copy)]
pub struct Share {
    /// How many explorers were compared.
    pub comparisons: u64,
    /// How many executions there are, if the oracle knows.
    pub executions: Option<u64>,
    /// How long the oracle took.
    pub oracle: Duration,
    /// How long the explorers took.
    pub explorers: Duration,
}

/// How often each number occurs.
#[derive(Default)]
struct Histogram(BTreeMap<u64, u64>);

impl Histogram {
    fn add(&mut self, number: u64) {
        *self.0.entry(number).or_default() += 1;
    }

    /// The number in the middle.
    fn median(&self) -> u64 {
        let half = self.0.values().sum::<u64>() / 2;
        let mut before = 0;
        let is_half = |(_, count): &(&u64, &u64)| {
            before += **count;
            before > half
        };
        self.0.iter().find(is_half).map_or(0, |(number, _)| *number)
    }
}

/// Sums under one model.
#[derive(Default)]
struct Sum {
    programs: u64,
    share: Share,
    executions: Histogram,
}

/// Sums of all programs.
pub struct Pace {
    /// The processor time that had been used before.
    start: Duration,
    programs: u64,
    repeated: u64,
    building: Duration,
    executions: Histogram,
    models: BTreeMap<Under, Sum>,
}

impl Pace {
    /// Nothing so far.
    pub fn new() -> Self {
        Self {
            start: cpu::of_process(),
            programs: 0,
            repeated: 0,
            building: Duration::ZERO,
            executions: Histogram::default(),
            models: BTreeMap::new(),
        }
    }

    /// Notes a program.
    pub fn add(&mut self, effort: &Effort) {
        self.programs += 1;
        self.building += effort.building;
        effort.executions.into_iter().for_each(|count| self.executions.add(count));
        for (under, share) in &effort.shares {
            let sum = self.models.entry(*under).or_default();
            sum.programs += u64::from(share.comparisons > 0);
            sum.share.comparisons += share.comparisons;
            sum.share.oracle += share.oracle;
            sum.share.explorers += share.explorers;
            share.executions.into_iter().for_each(|count| sum.executions.add(count));
        }
    }

    /// Notes a program that was made before.
    pub fn add_repeated(&mut self) {
        self.repeated += 1;
    }

    /// In words; `distinct` and `all`: how many different programs there were in this run, and with earlier ones.
    pub fn describe(&self, (distinct, all): (usize, usize)) -> String {
        let heading = [
            "model",
            "comparisons",
            "programs",
            "median executions",
            "oracle s",
            "explorers s",
            "a second and core",
        ];
        let mut rows = vec![heading.map(str::to_owned).to_vec()];
        let mut total = Share::default();
        for (under, sum) in &self.models {
            let Share { comparisons, oracle, explorers, .. } = sum.share;
            total.comparisons += comparisons;
            total.oracle += oracle;
            total.explorers += explorers;
            let way = match under {
                Under::Steps(_) => "steps",
                Under::Graphs(_) => "graphs",
            };
            rows.push(vec![
                format!("{} by {way}", under.name()),
                comparisons.to_string(),
                sum.programs.to_string(),
                sum.executions.median().to_string(),
                seconds(oracle),
                seconds(explorers),
                rate(comparisons, oracle + explorers),
            ]);
        }
        let used = cpu::of_process().saturating_sub(self.start);
        let known = total.oracle + total.explorers + self.building;
        let earlier = if all > distinct { format!(" ({all} with earlier runs)") } else { String::new() };
        format!(
            "{}{} comparisons on {distinct} distinct programs{earlier}, with {} executions in the median; {} a second and \
             core\n{} s of processor time: oracle {}, explorers {}, making programs {}, all else {}; {} programs had been made \
             before and were left out",
            table::render(&rows),
            total.comparisons,
            self.executions.median(),
            rate(total.comparisons, used),
            seconds(used),
            seconds(total.oracle),
            seconds(total.explorers),
            seconds(self.building),
            seconds(used.saturating_sub(known)),
            self.repeated,
        )
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64())
}

fn rate(comparisons: u64, time: Duration) -> String {
    format!("{:.0}", comparisons as f64 / time.as_secs_f64().max(0.001))
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::Model;

    #[test]
    fn the_median_is_in_the_middle() {
        let median = |numbers: &[u64]| {
            let mut histogram = Histogram::default();
            numbers.iter().for_each(|number| histogram.add(*number));
            histogram.median()
        };
        assert_eq!(median(&[]), 0);
        assert_eq!(median(&[7]), 7);
        assert_eq!(median(&[9, 1, 5]), 5);
        assert_eq!(median(&[1, 1, 1, 8, 9]), 1);
        assert_eq!(median(&[1, 2, 3, 4]), 3);
    }

    #[test]
    fn sums_are_described() {
        let mut pace = Pace::new();
        for executions in [3, 8, 8] {
            let (oracle, explorers) = (Duration::from_millis(500), Duration::from_millis(1500));
            let share = Share { comparisons: 4, executions: Some(executions), oracle, explorers };
            let shares = BTreeMap::from([(Under::Steps(Model::Tso), share)]);
            pace.add(&Effort { building: Duration::ZERO, shares, executions: Some(executions) });
        }
        pace.add_repeated();
        let text = pace.describe((2, 5));
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(row, ["tso", "by", "steps", "12", "3", "8", "1.5", "4.5", "2"]);
        let start =
            "12 comparisons on 2 distinct programs (5 with earlier runs), with 8 executions in the median; ";
        assert!(text.contains(start), "{text}");
        assert!(text.contains("oracle 1.5, explorers 4.5"), "{text}");
        assert!(text.ends_with("1 programs had been made before and were left out"), "{text}");
    }
}
