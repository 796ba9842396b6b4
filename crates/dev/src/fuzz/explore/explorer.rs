//! The explorers that are compared, and what each promises.

use selvedge_explore::Promise as Declared;
use selvedge_oracle::Summary;

use super::direct::How;

/// How often the sampling explorers of the tool run a program.
const SAMPLES: &str = "300";
/// A bound on preemptions that bounds nothing here.
const UNBOUNDED: u32 = 1000;
/// The same as text.
const UNBOUNDED_TEXT: &str = "1000";

/// What an explorer promises, of the executions within its bound if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Every interleaving.
    Interleavings,
    /// One execution per Mazurkiewicz class.
    Classes,
    /// One execution per consistent graph.
    Graphs,
    /// One execution per view, of a program that reads everything in the end. Races are not looked for.
    Views,
    /// At least one execution per view of such a program, and all views are counted.
    Covered,
    /// Everything there is to find, in at least one execution per class.
    Complete,
    /// Everything there is to find.
    Findings,
    /// Nothing that does not exist.
    Sample,
}

impl Promise {
    /// What an explorer declares.
    fn declared(explorer: selvedge_explore::Explorer) -> Self {
        let about = explorer.about();
        match about.promise {
            Declared::Orders => Self::Classes,
            Declared::Graphs => Self::Graphs,
            Declared::Views => Self::Views,
            Declared::Interleavings => Self::Interleavings,
            Declared::Complete if about.counts_views() => Self::Covered,
            Declared::Complete => Self::Complete,
            Declared::Sample => Self::Sample,
        }
    }
}

/// An explorer of the tool, with some of its options.
#[derive(Clone, Debug)]
pub struct Explorer {
    /// What it is called here.
    pub name: String,
    options: Vec<String>,
    /// The same without the tool.
    pub how: How,
    /// What it promises.
    pub promise: Promise,
    /// The most preemptions.
    pub preemptions: Option<u32>,
    /// Whether the tool chooses how to explore.
    pub chosen: bool,
}

impl Explorer {
    /// What is known of an explorer; one that is not known here is expected to find everything. `bounded-2` is
    /// partial-order reduction with at most two preemptions, `context-2` the same without reduction, and
    /// `workers-3` is `optimal` with three workers; `default` is what the tool chooses, and `default-2` that with two
    /// workers; `predict` is `se-mcr` with prediction, and `patience-3` is `se-mcr` that visits three states before it asks
    /// the solver.
    pub fn named(name: &str) -> Self {
        let (family, number) = match name.rsplit_once('-').map(|(family, text)| (family, text.parse())) {
            Some((family, Ok(number))) => (family, Some(number)),
            _ => (name, None),
        };
        let number_text = number.map_or(String::new(), |number: u32| number.to_string());
        let workers = number.unwrap_or(1);
        let (options, promise, how) = match (family, number) {
            ("bounded", Some(most)) => {
                (vec!["--preemptions", &number_text], Promise::Findings, How::Bounded(most))
            }
            ("context", Some(most)) => (
                vec!["--explorer", family, "--preemptions", &number_text],
                Promise::Interleavings,
                How::Context(most),
            ),
            ("workers", Some(_)) => (
                vec!["--explorer", "optimal", "--workers", &number_text],
                Promise::Classes,
                How::Optimal { workers },
            ),
            ("graph", _) => {
                let options = match number {
                    Some(_) => vec!["--explorer", family, "--workers", &number_text],
                    None => vec!["--explorer", family],
                };
                (options, Promise::Graphs, How::Graph { workers })
            }
            ("vieq" | "se-mcr", _) => {
                let how = match family {
                    "vieq" => How::Vieq { workers },
                    _ => How::SeMcr { workers, patience: None },
                };
                let number = if number.is_some() { number_text.as_str() } else { "1" };
                (vec!["--explorer", family, "--workers", number], Promise::Views, how)
            }
            ("predict", None) => (
                vec!["--explorer", "se-mcr", "--predict", "--workers", "1"],
                Promise::Findings,
                How::Indirect,
            ),
            ("patience", Some(states)) => {
                let options = ["--explorer", "se-mcr", "--patience", &number_text, "--workers", "1"];
                let how = How::SeMcr { workers: 1, patience: Some(u64::from(states)) };
                (options.to_vec(), Promise::Views, how)
            }
            ("mcr", _) => {
                let number = if number.is_some() { number_text.as_str() } else { "1" };
                (vec!["--explorer", family, "--workers", number], Promise::Covered, How::Mcr { workers })
            }
            ("optimal", None) => {
                (vec!["--explorer", name, "--workers", "1"], Promise::Classes, How::Optimal { workers })
            }
            ("default", _) => {
                let number = if number.is_some() { number_text.as_str() } else { "1" };
                (vec!["--workers", number], Promise::Classes, How::Default { workers })
            }
            ("exhaustive", None) => (vec!["--explorer", name], Promise::Interleavings, How::Exhaustive),
            ("context", None) => {
                let options = vec!["--explorer", name, "--preemptions", UNBOUNDED_TEXT];
                (options, Promise::Interleavings, How::Context(UNBOUNDED))
            }
            ("random" | "pct", None) => {
                let how = if family == "random" { How::Random } else { How::Pct };
                (vec!["--explorer", name, "--max-executions", SAMPLES], Promise::Sample, how)
            }
            ("source", None) => (vec!["--explorer", name], Promise::Complete, How::Source),
            ("classic", None) => (vec!["--explorer", name], Promise::Complete, How::Classic),
            _ => (vec!["--explorer", name], Promise::Complete, How::Indirect),
        };
        // What is known by its own name has said itself what it promises.
        let promise = match selvedge_explore::Explorer::from_name(name) {
            Some(explorer) => Promise::declared(explorer),
            None => promise,
        };
        let options = options.into_iter().map(str::to_owned).collect();
        let preemptions = number.filter(|_| matches!(family, "bounded" | "context"));
        Self { name: name.to_owned(), options, how, promise, preemptions, chosen: family == "default" }
    }

    /// The options that select it.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(String::as_str)
    }

    /// Whether it explores executions with few preemptions only.
    pub fn is_bounded(&self) -> bool {
        self.preemptions.is_some()
    }

    /// Whether it explores views, and does not look for races.
    pub fn explores_views(&self) -> bool {
        matches!(self.promise, Promise::Views | Promise::Covered)
    }

    /// Whether it finds all there is.
    pub fn finds_all(&self) -> bool {
        self.promise != Promise::Sample
    }

    /// The fewest and the most executions that keep its promise, if these are the executions that it explores.
    pub fn executions(&self, results: &Summary) -> (u64, u64) {
        let (executions, classes) = (results.executions, results.classes.len() as u64);
        // Where an execution stops at a fault, what is left of its class is not defined.
        let defined = results.faults.is_empty();
        match self.promise {
            Promise::Interleavings => (executions, executions),
            Promise::Graphs if defined => (executions, executions),
            Promise::Classes if defined => (classes, classes),
            Promise::Views if defined => (results.ends.len() as u64, results.ends.len() as u64),
            Promise::Complete if defined => (classes, executions),
            Promise::Covered if defined => (results.ends.len() as u64, u64::MAX),
            Promise::Findings if defined => (1, executions),
            Promise::Classes | Promise::Graphs | Promise::Views => (1, u64::MAX),
            Promise::Covered | Promise::Complete | Promise::Findings => (1, u64::MAX),
            Promise::Sample => (0, u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explorers_have_names() {
        let options = |name: &str| Explorer::named(name).options().collect::<Vec<_>>().join(" ");
        assert_eq!(options("bounded-2"), "--preemptions 2");
        assert_eq!(options("context-2"), "--explorer context --preemptions 2");
        assert_eq!(options("workers-3"), "--explorer optimal --workers 3");
        assert_eq!(options("default-2"), "--workers 2");
        assert_eq!(options("graph"), "--explorer graph");
        assert_eq!(options("graph-2"), "--explorer graph --workers 2");
        assert_eq!(options("source"), "--explorer source");
        assert_eq!(options("odd-name"), "--explorer odd-name");
    }
}
