//! Other tools that explore all executions of a C program.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::error::Error;
use crate::process::{self, End, Outcome};
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
    /// Options after them, before the file.
    after: Vec<&'static str>,
    /// What it prints before the number of executions.
    label: &'static str,
}

impl Peer {
    /// GenMC under sequential consistency: graphs of reads-from and coherence order.
    pub fn genmc() -> Result<Peer, Error> {
        let program = "genmc";
        let installed = tools::is_installed(program);
        let mut before = vec!["--sc"];
        if installed {
            // Newer versions first estimate how many executions there will be.
            let help = process::run(Command::new(program).arg("--help"), HELP_LIMIT)?;
            if String::from_utf8_lossy(&help.stdout).contains("disable-estimation") {
                before.push("--disable-estimation");
            }
        }
        before.push("--");
        let label = "Number of complete executions explored: ";
        Ok(Peer { name: "GenMC", installed, program, before, after: Vec::new(), label })
    }

    /// Nidhugg: dynamic partial-order reduction; the options name the memory model and the algorithm.
    pub fn nidhugg(options: &[&'static str]) -> Peer {
        let program = "nidhuggc";
        Peer {
            name: "Nidhugg",
            installed: tools::is_installed(program),
            program,
            before: Vec::new(),
            after: [&["--"], options].concat(),
            label: "Trace count: ",
        }
    }

    /// The headings of its columns.
    pub fn heading(&self) -> Vec<String> {
        let ratio = format!("vs {}", self.name);
        match self.installed {
            true => vec![format!("{} executions", self.name), "per CPU s".to_owned(), ratio],
            false => vec![ratio],
        }
    }

    /// Runs it on a program which we explored `rate` executions per second of. The answer is its columns:
    /// the number of executions, those per second, and the ratio.
    pub fn measure(
        &self,
        source: &Path,
        flags: &[&str],
        rate: f64,
        limit: Duration,
    ) -> Result<Vec<String>, Error> {
        let mut command = Command::new(self.program);
        command.args(&self.before).args(flags).args(&self.after).arg(source);
        let outcome = process::run(&mut command, limit)?;
        let executions = number_after(self.label, &String::from_utf8_lossy(&outcome.stdout));
        let columns = match (outcome.end, executions) {
            (End::Exit(0), Some(executions)) => {
                let theirs = per_second(executions, &outcome);
                [executions.to_string(), format!("{theirs:.0}"), format!("{:.2}", rate / theirs)]
            }
            (End::TimeLimit, _) => ["too long", "-", "-"].map(str::to_owned),
            _ => ["failed", "-", "-"].map(str::to_owned),
        };
        Ok(columns.to_vec())
    }
}

/// Says which peers are measured, and what the others' ratios mean.
pub fn introduce(peers: &[Peer]) {
    for peer in peers {
        match peer.installed {
            true => println!("{}: measured on the same sources", peer.name),
            false => println!("{}: not on the PATH; the ratio is to reference figures", peer.name),
        }
    }
    if peers.iter().any(|peer| !peer.installed) {
        println!(
            "the figures are from a machine of this kind; ~ marks those from programs that may differ a little"
        );
    }
}

/// There is no program to measure.
pub fn no_program(part: &str) -> Error {
    let program = format!("a program with `{part}` in its name");
    Error::Missing { program, remedy: "without --only, all are measured".to_owned() }
}

/// Executions per second of processor time.
pub fn per_second(executions: u64, outcome: &Outcome) -> f64 {
    executions as f64 / outcome.cpu.as_secs_f64().max(1e-6)
}

fn number_after(label: &str, text: &str) -> Option<u64> {
    let (_, rest) = text.split_once(label)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_what_a_tool_prints() {
        let text = "Trace count: 42 (also 3 sleepset blocked)\nNo errors were detected.\n";
        assert_eq!(number_after("Trace count: ", text), Some(42));
        assert_eq!(number_after("Number of complete executions explored: ", text), None);
    }
}
