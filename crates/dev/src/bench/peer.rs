//! Other tools that explore all executions of a C program.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::measured::{Measured, RUN_LIMIT};
use crate::error::Error;
use crate::process::{self, End, Finished};
use crate::tools;

const HELP_LIMIT: Duration = Duration::from_secs(10);

/// A tool, and how it is run.
pub struct Peer {
    /// Its name.
    pub name: &'static str,
    /// Whether it is on the PATH.
    pub installed: bool,
    program: &'static str,
    /// Options before the compiler's flags.
    before: Vec<&'static str>,
    /// Options besides, if all loops of a program end by themselves.
    for_ends: Vec<&'static str>,
    /// Options besides, for single programs.
    for_programs: Vec<(&'static str, &'static str)>,
    /// Options after the compiler's flags, before the file.
    after: Vec<&'static str>,
    /// What it prints before the number of executions.
    label: &'static str,
    /// What stands before or after the numbers of executions that it began in vain.
    blocked: &'static [(Side, &'static str)],
}

/// Where a number stands.
#[derive(Clone, Copy)]
enum Side {
    /// After the words.
    After,
    /// Before them.
    Before,
}

/// What the loops of a program are like. It matters to tools that turn waiting into an assumption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// Some may wait for other threads.
    Wait,
    /// All end by themselves: a round is repeated only after another thread has got on.
    End,
}

impl Peer {
    /// GenMC: graphs of reads-from and coherence order; the option names the memory model.
    pub fn genmc(model: &'static str) -> Result<Peer, Error> {
        let program = "genmc";
        let installed = tools::is_installed(program);
        let mut before = vec![model];
        let mut for_ends = Vec::new();
        let mut for_programs = Vec::new();
        if installed {
            let help = process::run(Command::new(program).arg("--help"), HELP_LIMIT)?;
            let help = String::from_utf8_lossy(&help.stdout);
            let known = |option: &&'static str| help.contains(option.trim_start_matches('-'));
            // It would first estimate how many executions there will be, and count those that differ only in which
            // of several threads with the same code does what as one.
            before.extend(["--disable-estimation", "--disable-sr"].iter().filter(|option| known(option)));
            // It would leave out rounds of a loop that had no effect.
            for_ends.extend(["--disable-spin-assume"].iter().filter(|option| known(option)));
            // It would give up on the first, because of writes that are not ordered, and explore one execution of the
            // second out of eight. Others need no such help, and some have more blocked executions with it.
            let exceptions = [("lamport_fast", "--disable-ipr"), ("seqlock", "--disable-load-annotation")];
            for_programs.extend(exceptions.iter().filter(|(_, option)| known(option)));
        }
        Ok(Peer {
            name: "GenMC",
            installed,
            program,
            before,
            for_ends,
            for_programs,
            after: Vec::new(),
            label: "Number of complete executions explored: ",
            blocked: &[(Side::After, "Number of blocked executions seen: ")],
        })
    }

    /// Nidhugg: dynamic partial-order reduction; the options name the memory model and the algorithm.
    pub fn nidhugg(options: &[&'static str]) -> Peer {
        let program = "nidhuggc";
        Peer {
            name: "Nidhugg",
            installed: tools::is_installed(program),
            program,
            before: Vec::new(),
            for_ends: Vec::new(),
            for_programs: Vec::new(),
            after: [&["--"], options].concat(),
            label: "Trace count: ",
            // Older ones write the first, newer ones the second.
            blocked: &[
                (Side::Before, " sleepset blocked"),
                (Side::After, "Sleepset-blocked trace count: "),
                (Side::After, "Assume-blocked trace count: "),
                (Side::After, "Await-blocked trace count: "),
            ],
        }
    }

    /// The headings of its columns.
    pub fn heading(&self) -> Vec<String> {
        let name = self.name;
        match self.installed {
            true => vec![
                format!("{name} executions"),
                "blocked".to_owned(),
                "CPU s".to_owned(),
                format!("{name} / ours"),
            ],
            false => vec![format!("{name} CPU s")],
        }
    }

    /// Runs it on a program that has been measured. The answer is its columns: the number of executions, of those begun in
    /// vain, the processor time, and how that compares with ours if both explored as many executions.
    pub fn measure(
        &self,
        source: &Path,
        flags: &[&str],
        loops: Loops,
        ours: &Measured,
    ) -> Result<Vec<String>, Error> {
        let mut command = Command::new(self.program);
        command.args(&self.before);
        if loops == Loops::End {
            command.args(&self.for_ends);
        }
        let is_this = |program: &str| source.file_stem().is_some_and(|stem| stem == program);
        command
            .args(self.for_programs.iter().filter(|(program, _)| is_this(program)).map(|(_, option)| option));
        if self.after.is_empty() {
            command.arg("--");
        }
        command.args(flags).args(&self.after).arg(source);
        let outcome = process::run_for_time(&mut command, RUN_LIMIT)?;
        let text = String::from_utf8_lossy(&outcome.stdout);
        let columns = match (outcome.end, number(Side::After, self.label, &text)) {
            (End::Exit(0), Some(executions)) => {
                let blocked = self.blocked.iter().filter_map(|(side, words)| number(*side, words, &text));
                let seconds = outcome.cpu.as_secs_f64();
                [
                    executions.to_string(),
                    blocked.sum::<u64>().to_string(),
                    format!("{seconds:.2}"),
                    ratio(seconds, executions, ours),
                ]
            }
            (End::TimeLimit, _) => ["too long", "-", "-", "-"].map(str::to_owned),
            _ => ["failed", "-", "-", "-"].map(str::to_owned),
        };
        Ok(columns.to_vec())
    }

    /// The column of one that is not installed: the time that it takes for so many executions, if it is known how many it
    /// explores in a second of processor time.
    pub fn reference(rate: Option<f64>, executions: Option<u64>) -> Vec<String> {
        let seconds = executions.zip(rate).map(|(executions, rate)| executions as f64 / rate);
        vec![seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.2}"))]
    }
}

/// How many times our processor time another tool has taken. Where it has explored another number of executions, it has
/// done something else, and there is nothing to compare.
fn ratio(seconds: f64, executions: u64, ours: &Measured) -> String {
    match executions == ours.executions {
        true => format!("{:.2}", seconds / ours.seconds().max(1e-3)),
        false => "-".to_owned(),
    }
}

/// Says what is measured, and which peers are measured, too.
pub fn introduce<'p>(peers: impl IntoIterator<Item = &'p Peer>) {
    println!(
        "CPU s: processor time of the whole task, compilation included; of short runs, the shortest of several"
    );
    for Peer { name, installed, .. } in peers {
        match installed {
            true => println!(
                "{name}: measured on the same sources; times are compared where it explores as many executions"
            ),
            false => println!("{name}: not on the PATH"),
        }
    }
}

/// Says what stands in the column of a peer that is not installed.
pub fn introduce_references<'p>(peers: impl IntoIterator<Item = &'p Peer>) {
    if peers.into_iter().any(|peer| !peer.installed) {
        println!("times of tools that are not on the PATH: reference figures, from a machine of this kind");
    }
}

/// Executions per second of processor time.
pub fn per_second(executions: u64, outcome: &Finished) -> f64 {
    executions as f64 / outcome.cpu.as_secs_f64().max(1e-6)
}

/// The number that stands right after some words, or right before them.
fn number(side: Side, words: &str, text: &str) -> Option<u64> {
    let (before, after) = text.split_once(words)?;
    let digits = match side {
        Side::After => after.split(|c: char| !c.is_ascii_digit()).next(),
        Side::Before => before.rsplit(|c: char| !c.is_ascii_digit()).next(),
    };
    digits?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_compared_where_the_executions_are_the_same() {
        let ours = Measured::example(8, Duration::from_secs(2));
        assert_eq!(ratio(3.0, 8, &ours), "1.50");
        assert_eq!(ratio(3.0, 9, &ours), "-");
        assert_eq!(Peer::reference(Some(100.0), Some(250)), ["2.50"]);
        assert_eq!(Peer::reference(Some(100.0), None), ["-"]);
    }

    #[test]
    fn numbers_are_found_in_what_a_tool_prints() {
        let text = "Trace count: 42 (also 3 sleepset blocked)\nNo errors were detected.\n";
        assert_eq!(number(Side::After, "Trace count: ", text), Some(42));
        assert_eq!(number(Side::Before, " sleepset blocked", text), Some(3));
        let text = "Trace count: 42\nAssume-blocked trace count: 5\nAwait-blocked trace count: 6\n";
        assert_eq!(number(Side::After, "Await-blocked trace count: ", text), Some(6));
        assert_eq!(number(Side::After, "Sleepset-blocked trace count: ", text), None);
        assert_eq!(number(Side::After, "Number of complete executions explored: ", text), None);
    }
}
