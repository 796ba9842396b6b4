//! Schedules as files.
//!
//! A schedule says who takes each step: a thread (and which alternative, where there are several), or a store that
//! a thread has buffered, which reaches memory. The file is versioned JSON, with what is needed to run the program again: the sources (and a hash of each, so that a
//! changed program is noticed), the flags, the model.

use crate::{Agent, ThreadId};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use thiserror::Error;

/// The version this tool writes and reads.
pub const VERSION: u32 = 1;
const FORMAT: &str = "selvedge-schedule";

/// One entry of a schedule: whose turn it is, and which alternative is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Who.
    pub agent: Agent,
    /// The alternative; 0 where there is only one.
    pub choice: u32,
}

/// A source file and what was in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Its path, as it was given.
    pub path: String,
    /// A hash of its contents.
    pub hash: String,
}

/// What the schedule is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleFile {
    format: String,
    version: u32,
    /// The tool that wrote it.
    pub tool: String,
    /// The sources.
    pub files: Vec<SourceFile>,
    /// Flags for the compiler.
    pub compiler_flags: Vec<String>,
    /// Options of the tool that the execution depends on.
    pub options: Vec<String>,
    /// The memory model.
    pub model: String,
    /// The kind of the violation at the end.
    pub violation: String,
    /// With execution graphs: addresses where plain accesses are cut into parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<u64>,
    /// Entries: a thread, and `:` and the alternative where it is not 0; or a thread, `~`, and the number of one of
    /// its stores that reaches memory.
    steps: Vec<String>,
}

/// Why a schedule cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ScheduleError {
    /// Not JSON, or not of this form.
    #[error("not a schedule: {0}")]
    Malformed(String),
    /// Another version.
    #[error("written in version {0} of the format; this tool reads version {VERSION}")]
    Version(u32),
    /// An entry that makes no sense.
    #[error("step {at} is `{entry}`, which is neither a thread nor a store of one")]
    Entry {
        /// Its position.
        at: usize,
        /// The entry.
        entry: String,
    },
}

impl FromStr for Turn {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (thread, choice) = match text.split_once(':') {
            Some((thread, choice)) => (thread, choice.parse().map_err(|_| ())?),
            None => (text, 0),
        };
        let (thread, store) = match thread.split_once('~') {
            Some((thread, store)) => (thread, Some(store.parse().map_err(|_| ())?)),
            None => (thread, None),
        };
        let thread: ThreadId = thread.parse().map_err(|_| ())?;
        let agent = match store {
            Some(store) => Agent::store(thread, store).ok_or(())?,
            None => thread.into(),
        };
        Ok(Turn { agent, choice })
    }
}

impl std::fmt::Display for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.choice {
            0 => write!(f, "{}", self.agent),
            choice => write!(f, "{}:{choice}", self.agent),
        }
    }
}

impl ScheduleFile {
    /// A file for a schedule.
    pub fn new(turns: &[Turn]) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            tool: concat!("selvedge ", env!("CARGO_PKG_VERSION")).to_owned(),
            files: Vec::new(),
            compiler_flags: Vec::new(),
            options: Vec::new(),
            model: "sc".to_owned(),
            violation: String::new(),
            cuts: Vec::new(),
            steps: turns.iter().map(Turn::to_string).collect(),
        }
    }

    /// As text.
    pub fn to_json(&self) -> String {
        // A plain structure of strings and numbers always has a form in JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, ScheduleError> {
        let malformed = |error: serde_json::Error| ScheduleError::Malformed(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(malformed)?;
        if value.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
            return Err(ScheduleError::Malformed(format!("the field `format` is not `{FORMAT}`")));
        }
        let version = value.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0) as u32;
        if version != VERSION {
            return Err(ScheduleError::Version(version));
        }
        serde_json::from_value(value).map_err(malformed)
    }

    /// The schedule.
    pub fn turns(&self) -> Result<Vec<Turn>, ScheduleError> {
        let parse = |(at, entry): (usize, &String)| {
            entry.parse().map_err(|()| ScheduleError::Entry { at, entry: entry.clone() })
        };
        self.steps.iter().enumerate().map(parse).collect()
    }
}

/// A hash of a file's contents (FNV-1a, 64 bits): to notice a change, not an attacker.
pub fn hash_contents(contents: &[u8]) -> String {
    let hash = contents.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("fnv1a-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_survives_the_file() {
        let worker = ThreadId::child(ThreadId::MAIN, 1).expect("room");
        let nested = ThreadId::child(worker, 2).expect("room");
        let turns = vec![
            Turn { agent: ThreadId::MAIN.into(), choice: 0 },
            Turn { agent: worker.into(), choice: 3 },
            Turn { agent: nested.into(), choice: 0 },
            Turn { agent: Agent::store(nested, 7).expect("room"), choice: 0 },
        ];
        let file = ScheduleFile::new(&turns);
        let read = ScheduleFile::parse(&file.to_json()).expect("well-formed");
        assert_eq!(read, file);
        assert_eq!(read.turns(), Ok(turns));
        assert!(file.to_json().contains("\"2.3\""));
        assert!(file.to_json().contains("\"2.3~7\""));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(matches!(ScheduleFile::parse("{"), Err(ScheduleError::Malformed(_))));
        assert!(matches!(ScheduleFile::parse("{}"), Err(ScheduleError::Malformed(_))));
        let text = ScheduleFile::new(&[]).to_json();
        let newer = text.replace("\"version\": 1", "\"version\": 7");
        assert_eq!(ScheduleFile::parse(&newer), Err(ScheduleError::Version(7)));
        let extra = text.replace("\"model\"", "\"surprise\": 1, \"model\"");
        assert!(matches!(ScheduleFile::parse(&extra), Err(ScheduleError::Malformed(_))));
        for entry in [
            "",
            "-1",
            "0.1",
            "1.0",
            "x",
            "1:",
            "1:x",
            "128",
            "1.29",
            "99999999999",
            "1~",
            "1~0",
            "~1",
            "1~x",
            "1~9999999",
        ] {
            assert!(entry.parse::<Turn>().is_err(), "{entry}");
        }
    }
}
