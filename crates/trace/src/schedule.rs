//! Schedules as files.
//!
//! A schedule says who takes each step: a thread (and which alternative, where there are several), or a store that
//! a thread has buffered, which reaches memory. The file is versioned JSON, with what is needed to run the program again: the sources and headers (and a hash of each, so that a
//! changed program is noticed), the flags, the model; and with what it leads to, so that a replay can compare.
//!
//! In the file, a turn is the name of its thread, and a store that reaches memory is `THREAD~NUMBER`: which of the thread's buffered
//! stores, from 1.

use crate::{Agent, ThreadId};
use selvedge_program::Site;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::str::FromStr;
use thiserror::Error;

/// The version this tool writes.
pub const VERSION: u32 = 4;
/// The oldest version it reads: that one does not say where the violation is, and whose. The second does not know headers, the
/// third not where steps are.
const OLDEST: u32 = 1;
const FORMAT: &str = "selvedge-schedule";

/// One entry of a schedule: whose turn it is, and which alternative is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Who.
    pub agent: Agent,
    /// The alternative; 0 where there is only one.
    pub choice: u32,
}

/// The name of a file, or a flag: text, or bytes if they are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name {
    /// A string in the file.
    Text(String),
    /// A list of numbers.
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Name {
    fn from(name: &OsStr) -> Self {
        match name.to_str() {
            Some(text) => Name::Text(text.to_owned()),
            None => Name::Bytes(name.as_bytes().to_vec()),
        }
    }
}

impl From<&Name> for OsString {
    fn from(name: &Name) -> Self {
        match name {
            Name::Text(text) => text.into(),
            Name::Bytes(bytes) => OsString::from_vec(bytes.clone()),
        }
    }
}

/// A source file and what was in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Its path, as it was given.
    pub path: Name,
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
    /// Other files that were read, but those of the system; since version 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<SourceFile>,
    /// A hash of the system's headers that were read, and of what is known of the compiler; since version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Flags for the compiler.
    pub compiler_flags: Vec<Name>,
    /// Options of the tool that the execution depends on.
    pub options: Vec<String>,
    /// The memory model.
    pub model: String,
    /// The kind of the violation at the end.
    pub violation: String,
    /// Its place, as `file:line:column`; since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its thread; since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadId>,
    /// With execution graphs: addresses where plain accesses are cut into parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<u64>,
    /// Entries: a thread, and `:` and the alternative where it is not 0; or a thread, `~`, and the number of one of
    /// its stores that reaches memory.
    steps: Vec<String>,
    /// The instruction that each step performs, by its number; `null` if it is not known, or the step is the beginning
    /// of an operation that goes on. Since version 4.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    at: Vec<Option<u32>>,
    /// Where these instructions are; since version 4.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sites: Vec<SitePlace>,
}

/// An instruction, by its number and its place in the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SitePlace {
    /// Its number: the same for the same program.
    pub site: u32,
    /// Its place, as `file:line:column`.
    pub place: String,
}

/// Why a schedule cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ScheduleError {
    /// Not JSON, or not of this form.
    #[error("not a schedule: {0}")]
    Malformed(String),
    /// Another version.
    #[error("written in version {0} of the format; this tool reads versions {OLDEST} to {VERSION}")]
    Version(u64),
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
            headers: Vec::new(),
            system: None,
            compiler_flags: Vec::new(),
            options: Vec::new(),
            model: "sc".to_owned(),
            violation: String::new(),
            place: Some(String::new()),
            thread: Some(ThreadId::MAIN),
            cuts: Vec::new(),
            steps: turns.iter().map(Turn::to_string).collect(),
            at: Vec::new(),
            sites: Vec::new(),
        }
    }

    /// Adds where each step is; `place` tells where an instruction is.
    pub fn locate(&mut self, sites: impl Iterator<Item = Site>, place: impl Fn(Site) -> String) {
        self.at = sites.map(|site| (site != Site::NONE).then_some(site.0)).collect();
        let mut known: Vec<u32> = self.at.iter().copied().flatten().collect();
        known.sort_unstable();
        known.dedup();
        self.sites = known.into_iter().map(|site| SitePlace { site, place: place(Site(site)) }).collect();
    }

    /// Where a step is, as `file:line:column`, if that is known.
    pub fn place_of(&self, step: usize) -> Option<&str> {
        let site = (*self.at.get(step)?)?;
        let known = self.sites.iter().find(|known| known.site == site)?;
        Some(&known.place)
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
        let version = value.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if !(u64::from(OLDEST)..=u64::from(VERSION)).contains(&version) {
            return Err(ScheduleError::Version(version));
        }
        let file: Self = serde_json::from_value(value).map_err(malformed)?;
        for (field, is_there) in [("place", file.place.is_some()), ("thread", file.thread.is_some())] {
            if is_there != (version > 1) {
                let problem = if is_there { "is not of its version" } else { "is missing" };
                return Err(ScheduleError::Malformed(format!("the field `{field}` {problem}")));
            }
        }
        if version < 4 && !(file.at.is_empty() && file.sites.is_empty()) {
            return Err(ScheduleError::Malformed("places of steps are not of its version".to_owned()));
        }
        if version < 3 && (file.system.is_some() || !file.headers.is_empty()) {
            return Err(ScheduleError::Malformed("headers are not of its version".to_owned()));
        }
        Ok(file)
    }

    /// Whether it says which headers were read.
    pub fn has_headers(&self) -> bool {
        self.version >= 3
    }

    /// The schedule.
    pub fn turns(&self) -> Result<Vec<Turn>, ScheduleError> {
        let parse = |(at, entry): (usize, &String)| {
            entry.parse().map_err(|()| ScheduleError::Entry { at, entry: entry.clone() })
        };
        self.steps.iter().enumerate().map(parse).collect()
    }
}

/// A hash as a file has it. `None`: what was read is not known, so nothing is the same.
pub fn hash_text(hash: Option<u64>) -> String {
    hash.map_or_else(|| "unknown".to_owned(), |hash| format!("fnv1a-{hash:016x}"))
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
    fn the_first_version_is_read() {
        let text = r#"{ "format": "selvedge-schedule", "version": 1, "tool": "selvedge 0.1.0",
            "files": [{ "path": "a.c", "hash": "fnv1a-0" }], "compiler_flags": ["-w"], "options": [],
            "model": "sc", "violation": "deadlock", "steps": ["0", "1:2"] }"#;
        let file = ScheduleFile::parse(text).expect("well-formed");
        assert_eq!((file.violation.as_str(), &file.place, file.thread), ("deadlock", &None, None));
        assert_eq!(file.turns().map(|turns| turns.len()), Ok(2));
        assert!(!file.has_headers());
        for newer in ["\"place\": \"a.c:1\", \"violation\"", "\"system\": \"fnv1a-0\", \"violation\""] {
            let newer = text.replace("\"violation\"", newer);
            assert!(matches!(ScheduleFile::parse(&newer), Err(ScheduleError::Malformed(_))));
        }
    }

    #[test]
    fn the_second_version_is_read() {
        let mut file = ScheduleFile::new(&[]);
        file.files.push(SourceFile { path: Name::Text("a.c".to_owned()), hash: hash_text(Some(1)) });
        let text = file.to_json().replace("\"version\": 4", "\"version\": 2");
        let read = ScheduleFile::parse(&text).expect("well-formed");
        assert!(!read.has_headers() && file.has_headers());
        assert_eq!(read.files, file.files);
    }

    #[test]
    fn steps_have_places() {
        let turn = Turn { agent: ThreadId::MAIN.into(), choice: 0 };
        let mut file = ScheduleFile::new(&[turn, turn, turn]);
        file.locate([Site(7), Site::NONE, Site(3)].into_iter(), |site| format!("a.c:{}:1", site.0));
        let read = ScheduleFile::parse(&file.to_json()).expect("well-formed");
        assert_eq!(read, file);
        let places = [0, 1, 2, 3].map(|step| read.place_of(step));
        assert_eq!(places, [Some("a.c:7:1"), None, Some("a.c:3:1"), None]);
        let older = file.to_json().replace("\"version\": 4", "\"version\": 3");
        assert!(matches!(ScheduleFile::parse(&older), Err(ScheduleError::Malformed(_))));
    }

    #[test]
    fn what_is_not_known_is_like_nothing() {
        assert_ne!(hash_text(None), hash_text(Some(0)));
        assert_eq!(hash_text(Some(1)), "fnv1a-0000000000000001");
    }

    #[test]
    fn names_that_are_no_text_survive() {
        for bytes in [&b"plain.c"[..], b"\xff\x00", b"caf\xe9.c", "caf\u{e9}.c".as_bytes(), b""] {
            let name = Name::from(OsStr::from_bytes(bytes));
            let mut file = ScheduleFile::new(&[]);
            file.compiler_flags.push(name.clone());
            file.files.push(SourceFile { path: name, hash: String::new() });
            let read = ScheduleFile::parse(&file.to_json()).expect("well-formed");
            assert_eq!(OsString::from(&read.compiler_flags[0]).as_bytes(), bytes);
            assert_eq!(OsString::from(&read.files[0].path).as_bytes(), bytes);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(matches!(ScheduleFile::parse("{"), Err(ScheduleError::Malformed(_))));
        assert!(matches!(ScheduleFile::parse("{}"), Err(ScheduleError::Malformed(_))));
        let text = ScheduleFile::new(&[]).to_json();
        for version in [0, 7, 1 << 32 | 2] {
            let other = text.replace("\"version\": 4", &format!("\"version\": {version}"));
            assert_eq!(ScheduleFile::parse(&other), Err(ScheduleError::Version(version)));
        }
        let incomplete = text.replace("\"thread\": \"0\",", "");
        assert!(matches!(ScheduleFile::parse(&incomplete), Err(ScheduleError::Malformed(_))));
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
