//! Execution graphs as lines of JSON.
//!
//! `selvedge check --all-violations` writes one line for each execution in which something is wrong, in the order in which
//! they are found. Each line is a JSON object with all that there is to know of one execution; lines do not refer to each
//! other. An execution that an assumption or a bound has cut is none, unless a thread did something wrong in it; that thread
//! has stopped there, and the others have gone on to their ends.
//!
//! Fields may be added without a new version, so readers ignore what they do not know; none is renamed.
//!
//! # The format, version 1
//!
//! | field | what |
//! | --- | --- |
//! | `format`, `version` | `"selvedge-graph"`, `1` |
//! | `tool` | who wrote it |
//! | `model` | the memory model: `rc11`, `ra`, `sc` or `tso` |
//! | `files` | the sources |
//! | `violations` | what is wrong, at least one: see below |
//! | `threads` | all threads: `name`, and `function`, the one that it was started with |
//! | `locations` | the locations that were accessed, by position: see below |
//! | `nodes` | the nodes, thread by thread, in program order: see below |
//! | `po` | program order |
//! | `rf` | reads-from: a write and a read of it |
//! | `rb` | reads-before: a read and the first write that comes after what it has read |
//! | `hb` | happens-before |
//! | `psc` | what the axiom SC demands of sequentially consistent accesses and fences |
//!
//! A *thread* is named as in schedules and traces: `"0"` is the main thread, `"2"` the second one that it has created,
//! `"2.1"` the first one that that one has created. A *node* is named by its thread and by which of its thread's nodes it
//! is, from 0: `"2.1#0"`. The names are the same in all executions in which the thread did the same up to there.
//! In place of a node, `"init"` is the initial write to a location. A relation is a list of pairs of names.
//!
//! * `po` and `hb` are reduced: what follows by transitivity is left out. `po` is about single threads; that creation of a
//!   thread comes before it and its end before a join is part of `hb`.
//! * `hb` is the happens-before of C11 (as of RC11), whatever the model: it decides about data races.
//! * `rb` has one write for each read, and no update of what the update itself has read; others follow by `mo`.
//! * `psc` is psc_base ∪ psc_F of RC11, all pairs. Under the model `ra` it is psc_F, with po ∪ rf as happens-before; under `sc`
//!   and `tso`, which have no such axiom, it is empty.
//!
//! A **violation** has `kind` (`assertion`, `data-race`, `deadlock`, …), `message`, `location` (`file`, `line`, `column`,
//! `function`), `thread`, and `nodes`: those that it concerns. These are the two of a race, the last one of a thread that
//! failed, and the last ones of threads that wait for ever.
//!
//! A **location** has `name`, `size` in bytes, `sync` (whether it is a synchronisation object), and `mo`: the nodes that
//! write it, in modification order, without the initial write. `initial` and `bits` are what it held at first, unless it is
//! a synchronisation object.
//!
//! A **node** has
//!
//! | field | what |
//! | --- | --- |
//! | `name`, `thread`, `index` | its name, and what that is made of |
//! | `kind` | what it is: see [`Kind`] |
//! | `operation` | what the program does there, for people: `load`, `fetch_add`, `lock`, … |
//! | `order` | `plain`, `relaxed`, `acquire`, `release`, `acq_rel`, `seq_cst`; of an operation on a synchronisation object, what it acts like; none if it has none |
//! | `location` | the position in `locations`; none if it accesses none |
//! | `variable` | how the source writes the location, if known, e.g. `queue->head` |
//! | `value` | what it reads or writes, as in traces: a signed number, or what a pointer points to; none of a synchronisation object |
//! | `bits` | the same as a hexadecimal number |
//! | `place` | where in the program: `file`, `line`, `column`, `function`; line 0: unknown |
//!
//! A read-modify-write is two nodes, one right after the other: `update-read` and `update-write`. So is a lock, an unlock and
//! the like, because a synchronisation object is a location whose every change is an update; waiting for a condition
//! variable is four, those of the condition variable and those of the mutex. What a thread read in vain before it went on
//! is not there; what one that waits for ever has read last is.

use crate::ThreadId;
use rustc_hash::FxHashMap;
use selvedge_program::{FenceOrder, LoadOrder, RmwOrder, StoreOrder};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::BufRead;
use std::str::FromStr;
use thiserror::Error;

/// The version this tool writes and reads.
pub const VERSION: u32 = 1;
const FORMAT: &str = "selvedge-graph";
/// The name of the initial write.
const INITIAL: &str = "init";

/// The name of a node: the same in every execution in which its thread did the same up to there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name {
    /// Its thread.
    pub thread: ThreadId,
    /// Which of its thread's nodes it is.
    pub index: u32,
}

/// A write that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// What was there before the first write.
    Initial,
    /// A node.
    Node(Name),
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// The first half of an update.
    UpdateRead,
    /// The second half of an update.
    UpdateWrite,
    /// It goes on because of a signal or the last arrival at a barrier, which it reads from.
    Wake,
    /// A fence.
    Fence,
    /// It creates a thread.
    Create,
    /// It has waited for the end of a thread.
    Join,
    /// One of several alternatives.
    Choose,
    /// Its thread waits for ever.
    Wait,
    /// Anything else.
    Other,
}

impl Kind {
    /// Whether it reads from a write.
    pub fn reads(self) -> bool {
        matches!(self, Kind::Read | Kind::UpdateRead | Kind::Wake)
    }

    /// Whether it writes.
    pub fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::UpdateWrite)
    }
}

/// A memory order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "those of C11")]
pub enum Order {
    /// Not atomic.
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// As C writes it, without `memory_order_`.
    pub fn name(self) -> &'static str {
        match self {
            Order::Plain => "plain",
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        }
    }
}

impl From<LoadOrder> for Order {
    fn from(order: LoadOrder) -> Self {
        match order {
            LoadOrder::Plain => Order::Plain,
            LoadOrder::Relaxed => Order::Relaxed,
            LoadOrder::Acquire => Order::Acquire,
            LoadOrder::SeqCst => Order::SeqCst,
        }
    }
}

impl From<StoreOrder> for Order {
    fn from(order: StoreOrder) -> Self {
        match order {
            StoreOrder::Plain => Order::Plain,
            StoreOrder::Relaxed => Order::Relaxed,
            StoreOrder::Release => Order::Release,
            StoreOrder::SeqCst => Order::SeqCst,
        }
    }
}

impl From<RmwOrder> for Order {
    fn from(order: RmwOrder) -> Self {
        match order {
            RmwOrder::Relaxed => Order::Relaxed,
            RmwOrder::Acquire => Order::Acquire,
            RmwOrder::Release => Order::Release,
            RmwOrder::AcqRel => Order::AcqRel,
            RmwOrder::SeqCst => Order::SeqCst,
        }
    }
}

impl From<FenceOrder> for Order {
    fn from(order: FenceOrder) -> Self {
        match order {
            FenceOrder::Acquire => Order::Acquire,
            FenceOrder::Release => Order::Release,
            FenceOrder::AcqRel => Order::AcqRel,
            FenceOrder::SeqCst => Order::SeqCst,
        }
    }
}

/// A place in the program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// From 1; 0: unknown.
    pub line: u32,
    /// From 1; 0: unknown.
    pub column: u32,
    /// The function.
    pub function: String,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// What, by the name of its property.
    pub kind: String,
    /// In words.
    pub message: String,
    /// Where.
    pub location: Place,
    /// Which thread.
    pub thread: ThreadId,
    /// The nodes that it concerns.
    pub nodes: Vec<Name>,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Who.
    pub name: ThreadId,
    /// The function it was started with.
    pub function: String,
}

/// A location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Its name, for people.
    pub name: String,
    /// How many bytes.
    pub size: u32,
    /// Whether it is a synchronisation object.
    #[serde(default)]
    pub sync: bool,
    /// What was there before the first write, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// The same as a hexadecimal number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<String>,
    /// The writes, in modification order.
    pub mo: Vec<Name>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "NodeFields", into = "NodeFields")]
pub struct Node {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// What the program does there, for people.
    pub operation: String,
    /// Its memory order.
    pub order: Option<Order>,
    /// The location it accesses, by position.
    pub location: Option<usize>,
    /// How the source writes that.
    pub variable: Option<String>,
    /// What it reads or writes, for people.
    pub value: Option<String>,
    /// The same as a hexadecimal number.
    pub bits: Option<String>,
    /// Where.
    pub place: Place,
}

/// A node as it is written: its name is taken apart.
#[derive(Clone, Serialize, Deserialize)]
struct NodeFields {
    name: Name,
    thread: ThreadId,
    index: u32,
    kind: Kind,
    operation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variable: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bits: Option<String>,
    place: Place,
}

impl From<Node> for NodeFields {
    fn from(node: Node) -> Self {
        let Node { name, kind, operation, order, location, variable, value, bits, place } = node;
        let Name { thread, index } = name;
        Self { name, thread, index, kind, operation, order, location, variable, value, bits, place }
    }
}

impl TryFrom<NodeFields> for Node {
    type Error = String;

    fn try_from(fields: NodeFields) -> Result<Self, String> {
        let NodeFields {
            name,
            thread,
            index,
            kind,
            operation,
            order,
            location,
            variable,
            value,
            bits,
            place,
        } = fields;
        if (name.thread, name.index) != (thread, index) {
            return Err(format!("the node `{name}` says that it is number {index} of thread {thread}"));
        }
        Ok(Self { name, kind, operation, order, location, variable, value, bits, place })
    }
}

/// An execution in which something is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExecutionGraph {
    /// The memory model.
    pub model: String,
    /// The sources.
    pub files: Vec<String>,
    /// What is wrong, at least one.
    pub violations: Vec<Violation>,
    /// The threads.
    pub threads: Vec<Thread>,
    /// The locations.
    pub locations: Vec<Location>,
    /// The nodes, thread by thread.
    pub nodes: Vec<Node>,
    /// Program order, reduced.
    pub po: Vec<(Name, Name)>,
    /// Reads-from: writes, and the reads that read from them.
    pub rf: Vec<(Source, Name)>,
    /// A read, and the first write after what it has read.
    pub rb: Vec<(Name, Name)>,
    /// Happens-before, reduced.
    pub hb: Vec<(Name, Name)>,
    /// What the axiom SC demands.
    pub psc: Vec<(Name, Name)>,
}

/// What is wrong with a line.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// It cannot be read at all.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// Not JSON, or not of this form.
    #[error("not an execution graph: {0}")]
    Malformed(String),
    /// Another version.
    #[error("written in version {0} of the format; this tool reads version {VERSION}")]
    Version(u64),
    /// Two nodes with the same name.
    #[error("there are two nodes `{0}`")]
    Twice(Name),
    /// A name without a node.
    #[error("`{list}` names the node `{name}`, which is not there")]
    Dangling {
        /// Where.
        list: &'static str,
        /// The name.
        name: Name,
    },
    /// Something that refers to what it cannot refer to.
    #[error("{0}")]
    Inconsistent(String),
}

/// Why a file of graphs cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {problem}")]
pub struct GraphError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.thread, self.index)
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('#').and_then(|(thread, index)| {
            // `+1` would be another name for the same node.
            let index = Some(index).filter(|index| index.bytes().all(|byte| byte.is_ascii_digit()))?;
            Some(Name { thread: thread.parse().ok()?, index: index.parse().ok()? })
        });
        parts.ok_or_else(|| format!("`{text}` is not the name of a node"))
    }
}

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.to_string()
    }
}

impl TryFrom<String> for Source {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            INITIAL => Ok(Source::Initial),
            text => text.parse().map(Source::Node),
        }
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        match source {
            Source::Initial => INITIAL.to_owned(),
            Source::Node(name) => name.to_string(),
        }
    }
}

/// A line as it is written.
#[derive(Serialize)]
struct Line<'g> {
    format: &'static str,
    version: u32,
    tool: &'static str,
    #[serde(flatten)]
    graph: &'g ExecutionGraph,
}

impl ExecutionGraph {
    /// As a line, with its end.
    pub fn to_line(&self) -> String {
        let tool = concat!("selvedge ", env!("CARGO_PKG_VERSION"));
        let line = Line { format: FORMAT, version: VERSION, tool, graph: self };
        // A plain structure of strings and numbers always has a form in JSON.
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }

    /// Reads a line.
    pub fn parse(line: &str) -> Result<Self, Problem> {
        let value: serde_json::Value = serde_json::from_str(line).map_err(|error| {
            // It counts lines, too, and this is one.
            let text = error.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            Problem::Malformed(format!("{text} at column {}", error.column()))
        })?;
        if value.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
            return Err(Problem::Malformed(format!("the field `format` is not `{FORMAT}`")));
        }
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => return Err(Problem::Version(version)),
            None => return Err(Problem::Malformed("the field `version` is not a number".to_owned())),
        }
        let graph: Self =
            serde_json::from_value(value).map_err(|error| Problem::Malformed(error.to_string()))?;
        graph.check()?;
        Ok(graph)
    }

    /// A node by its name.
    pub fn node(&self, name: Name) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }

    /// Whether all that is referred to is there, and can be referred to in that way.
    fn check(&self) -> Result<(), Problem> {
        let mut nodes: FxHashMap<Name, &Node> = FxHashMap::default();
        for node in &self.nodes {
            if nodes.insert(node.name, node).is_some() {
                return Err(Problem::Twice(node.name));
            }
            if !self.threads.iter().any(|thread| thread.name == node.name.thread) {
                return Err(Problem::Inconsistent(format!("the node `{}` is of no thread", node.name)));
            }
            if node.location.is_some_and(|at| at >= self.locations.len()) {
                return Err(Problem::Inconsistent(format!(
                    "the node `{}` accesses a location that is not there",
                    node.name
                )));
            }
        }
        let find = |list: &'static str, name: Name| {
            nodes.get(&name).copied().ok_or(Problem::Dangling { list, name })
        };
        for violation in &self.violations {
            for name in &violation.nodes {
                find("violations", *name)?;
            }
        }
        let mut ordered: FxHashMap<Name, usize> = FxHashMap::default();
        for (at, location) in self.locations.iter().enumerate() {
            for name in &location.mo {
                let node = find("mo", *name)?;
                let is_write = node.kind.writes() && node.location == Some(at);
                if !is_write || ordered.insert(*name, at).is_some() {
                    return Err(Problem::Inconsistent(format!(
                        "`mo` of `{}` has the node `{name}`, which does not write it, or has it twice",
                        location.name
                    )));
                }
            }
        }
        if let Some(write) =
            nodes.values().find(|node| node.kind.writes() && !ordered.contains_key(&node.name))
        {
            return Err(Problem::Inconsistent(format!("the write `{}` is in no `mo`", write.name)));
        }
        for (source, read) in &self.rf {
            let read = find("rf", *read)?;
            let from = match source {
                Source::Initial => read.location,
                Source::Node(source) => Some(find("rf", *source)?)
                    .filter(|source| source.kind.writes())
                    .and_then(|source| source.location),
            };
            if !read.kind.reads() || read.location.is_none() || from != read.location {
                return Err(Problem::Inconsistent(format!("`{}` cannot read what `rf` says", read.name)));
            }
        }
        for (list, pairs) in [("po", &self.po), ("rb", &self.rb), ("hb", &self.hb), ("psc", &self.psc)] {
            for (one, other) in pairs {
                find(list, *one)?;
                find(list, *other)?;
            }
        }
        Ok(())
    }
}

/// Reads a file, line by line. Empty lines are skipped.
pub fn read(reader: impl BufRead) -> impl Iterator<Item = Result<ExecutionGraph, GraphError>> {
    reader.split(b'\n').enumerate().filter_map(|(at, line)| {
        let parsed = match line {
            Err(error) => Err(Problem::Unreadable(error.to_string())),
            Ok(bytes) => match std::str::from_utf8(&bytes) {
                Err(_) => Err(Problem::Malformed("not UTF-8".to_owned())),
                Ok(line) if line.trim().is_empty() => return None,
                Ok(line) => ExecutionGraph::parse(line),
            },
        };
        Some(parsed.map_err(|problem| GraphError { line: at + 1, problem }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        text.parse().expect("a name")
    }

    fn node(text: &str, kind: Kind, location: Option<usize>) -> Node {
        Node {
            name: name(text),
            kind,
            operation: "store".to_owned(),
            order: Some(Order::AcqRel),
            location,
            variable: Some("queue->head".to_owned()),
            value: Some("-1".to_owned()),
            bits: Some("0xffffffff".to_owned()),
            place: Place { file: "a \"b\".c".to_owned(), line: 3, column: 4, function: "f".to_owned() },
        }
    }

    fn thread(number: &str) -> Thread {
        Thread { name: number.parse().expect("a thread"), function: "f".to_owned() }
    }

    fn graph() -> ExecutionGraph {
        let mut fence = node("2.3#1", Kind::Fence, None);
        (fence.order, fence.variable, fence.value, fence.bits) = (None, None, None, None);
        ExecutionGraph {
            model: "rc11".to_owned(),
            files: vec!["a \"b\".c".to_owned()],
            violations: vec![Violation {
                kind: "assertion".to_owned(),
                message: "assertion `x\n` failed".to_owned(),
                location: Place::default(),
                thread: "1".parse().expect("a thread"),
                nodes: vec![name("1#1")],
            }],
            threads: vec![thread("0"), thread("1"), thread("2.3")],
            locations: vec![Location {
                name: "x".to_owned(),
                size: 4,
                sync: false,
                initial: Some("0".to_owned()),
                bits: Some("0x0".to_owned()),
                mo: vec![name("2.3#0"), name("1#0")],
            }],
            nodes: vec![
                node("1#0", Kind::Write, Some(0)),
                node("1#1", Kind::Read, Some(0)),
                node("1#2", Kind::UpdateRead, Some(0)),
                node("2.3#0", Kind::UpdateWrite, Some(0)),
                fence,
            ],
            po: vec![(name("1#0"), name("1#1"))],
            rf: vec![(Source::Node(name("2.3#0")), name("1#1")), (Source::Initial, name("1#2"))],
            rb: vec![(name("1#1"), name("1#0"))],
            hb: vec![(name("1#0"), name("1#1"))],
            psc: vec![(name("1#0"), name("2.3#1"))],
        }
    }

    #[test]
    fn graphs_survive_the_file() {
        let (one, other) = (graph(), ExecutionGraph::default());
        let text = one.to_line() + "\n" + &other.to_line();
        assert_eq!(text.lines().count(), 3);
        assert!(text.starts_with("{\"format\":\"selvedge-graph\",\"version\":1,"), "{text}");
        assert!(text.contains("\"name\":\"2.3#0\",\"thread\":\"2.3\",\"index\":0,\"kind\":\"update-write\""));
        assert!(text.contains("\"rf\":[[\"2.3#0\",\"1#1\"],[\"init\",\"1#2\"]]"), "{text}");
        let graphs: Result<Vec<ExecutionGraph>, GraphError> = read(text.as_bytes()).collect();
        assert_eq!(graphs, Ok(vec![one, other]));
    }

    #[test]
    fn what_is_not_known_is_ignored() {
        let line = graph().to_line().replacen("\"nodes\"", "\"surprise\":[1],\"nodes\"", 1);
        assert_eq!(ExecutionGraph::parse(&line), Ok(graph()));
    }

    /// The error that a file gives whose second line is the graph with something replaced.
    fn error(from: &str, to: &str) -> String {
        let line = graph().to_line();
        assert!(line.contains(from), "{from} is not in {line}");
        let text = graph().to_line() + &line.replacen(from, to, 1);
        let last = read(text.as_bytes()).last().expect("a line");
        last.expect_err("something is wrong").to_string()
    }

    #[test]
    fn nonsense_is_refused_with_its_line() {
        let cases = [
            ("selvedge-graph", "selvedge-schedule", "the field `format` is not `selvedge-graph`"),
            (
                "\"version\":1",
                "\"version\":2",
                "written in version 2 of the format; this tool reads version 1",
            ),
            ("\"version\":1", "\"version\":\"1\"", "the field `version` is not a number"),
            ("\"kind\":\"write\"", "\"kind\":\"wriet\"", "unknown variant `wriet`"),
            ("\"order\":\"acq_rel\"", "\"order\":\"weak\"", "unknown variant `weak`"),
            ("\"index\":1", "\"index\":7", "the node `1#1` says that it is number 7 of thread 1"),
            ("[\"1#0\",\"1#1\"]", "[\"1#0\",\"1#9\"]", "`po` names the node `1#9`, which is not there"),
            ("[\"init\",\"1#2\"]", "[\"1#8\",\"1#2\"]", "`rf` names the node `1#8`"),
            ("[\"init\",\"1#2\"]", "[\"1#1\",\"1#2\"]", "`1#2` cannot read what `rf` says"),
            ("[\"init\",\"1#2\"]", "[\"init\",\"2.3#1\"]", "`2.3#1` cannot read what `rf` says"),
            ("[\"init\",\"1#2\"]", "[\"start\",\"1#2\"]", "`start` is not the name of a node"),
            ("\"mo\":[\"2.3#0\",\"1#0\"]", "\"mo\":[\"2.3#0\"]", "the write `1#0` is in no `mo`"),
            ("\"mo\":[\"2.3#0\",\"1#0\"]", "\"mo\":[\"2.3#0\",\"1#1\"]", "which does not write it"),
            ("\"mo\":[\"2.3#0\",\"1#0\"]", "\"mo\":[\"1#0\",\"1#0\"]", "has it twice"),
            ("\"nodes\":[\"1#1\"]", "\"nodes\":[\"1#7\"]", "`violations` names the node `1#7`"),
            ("\"location\":0", "\"location\":1", "accesses a location that is not there"),
            ("\"name\":\"2.3\"", "\"name\":\"3\"", "the node `2.3#0` is of no thread"),
            (
                "\"name\":\"1#1\",\"thread\":\"1\",\"index\":1",
                "\"name\":\"1#0\",\"thread\":\"1\",\"index\":0",
                "two nodes `1#0`",
            ),
            ("\"thread\":\"1\"", "\"thread\":\"x\"", "`x` is not the name of a thread"),
            ("\"po\":", "\"pos\":", "missing field `po`"),
            (",\"hb\":", ",,\"hb\":", " at column "),
        ];
        for (from, to, expected) in cases {
            let error = error(from, to);
            assert!(error.starts_with("line 2: ") && error.contains(expected), "{error}\n{expected}");
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_refused() {
        let line = graph().to_line();
        for length in 1..line.len() - 1 {
            let text = graph().to_line() + &line[..length];
            let error = read(text.as_bytes()).last().expect("a line").expect_err("it is cut off");
            assert_eq!(error.line, 2);
            assert!(matches!(error.problem, Problem::Malformed(_)), "{error}");
        }
        let error = read(&b"\n\n\xff\xfe\n"[..]).last().expect("a line").expect_err("not text");
        assert_eq!(error.to_string(), "line 3: not an execution graph: not UTF-8");
    }

    #[test]
    fn names_are_what_they_should_be() {
        for text in ["0#0", "1#12", "2.3#4"] {
            assert_eq!(name(text).to_string(), text);
        }
        for text in
            ["", "#", "0", "0#", "#0", "0#x", "0#-1", "0#+1", "-1#0", "1.99#0", "1#99999999999", "init"]
        {
            assert!(text.parse::<Name>().is_err(), "{text}");
        }
    }
}
