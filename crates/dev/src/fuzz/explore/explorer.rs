//! The explorers that are compared, and what each promises.

use selvedge_explore::Promise as Declared;
use selvedge_oracle::{Model, Summary};
use selvedge_verify::{Explorer as Tried, Request};

use super::truth::Under;

/// How often the sampling explorers of the tool run a program.
const SAMPLES: &str = "300";
/// The same in this process.
const FEW_SAMPLES: u64 = 20;
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
    /// The same as a request, if it is known here.
    pub request: Option<Request>,
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
        let one = if number.is_some() { number_text.as_str() } else { "1" };
        let (options, promise) = match (family, number) {
            ("bounded", Some(_)) => (vec!["--preemptions", &number_text], Promise::Findings),
            ("context", Some(_)) => {
                (vec!["--explorer", family, "--preemptions", &number_text], Promise::Interleavings)
            }
            ("context", None) => {
                (vec!["--explorer", name, "--preemptions", UNBOUNDED_TEXT], Promise::Interleavings)
            }
            ("workers", Some(_)) => {
                (vec!["--explorer", "optimal", "--workers", &number_text], Promise::Classes)
            }
            ("graph", Some(_)) => (vec!["--explorer", family, "--workers", &number_text], Promise::Graphs),
            ("vieq" | "se-mcr", _) => (vec!["--explorer", family, "--workers", one], Promise::Views),
            ("predict", None) => {
                (vec!["--explorer", "se-mcr", "--predict", "--workers", "1"], Promise::Findings)
            }
            ("patience", Some(_)) => {
                let options = vec!["--explorer", "se-mcr", "--patience", &number_text, "--workers", "1"];
                (options, Promise::Views)
            }
            ("mcr", _) => (vec!["--explorer", family, "--workers", one], Promise::Covered),
            ("optimal", None) => (vec!["--explorer", name, "--workers", "1"], Promise::Classes),
            ("default", _) => (vec!["--workers", one], Promise::Classes),
            ("random" | "pct", None) => {
                (vec!["--explorer", name, "--max-executions", SAMPLES], Promise::Sample)
            }
            _ => (vec!["--explorer", name], Promise::Complete),
        };
        // What is known by its own name has said itself what it promises.
        let promise = match selvedge_explore::Explorer::from_name(name) {
            Some(explorer) => Promise::declared(explorer),
            None => promise,
        };
        let options = options.into_iter().map(str::to_owned).collect();
        let preemptions = number.filter(|_| matches!(family, "bounded" | "context"));
        let request = request(name, family, number);
        Self { name: name.to_owned(), options, request, promise, preemptions, chosen: family == "default" }
    }

    /// What it is called under a model: with store buffers, some are others by another name.
    pub fn name_under(&self, under: Under) -> String {
        if under == Under::Steps(Model::Sc) {
            return self.name.clone();
        }
        match self.name.as_str() {
            "default" => "optimal".to_owned(),
            name => name.replace("default-", "workers-").replace("vieq", "se-mcr"),
        }
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
        let executions = results.executions;
        let orders = results.orders.len() as u64;
        // Where an execution stops at a fault, what is left of its class is not defined.
        let defined = results.faults.is_empty();
        match self.promise {
            Promise::Interleavings => (executions, executions),
            Promise::Graphs if defined => (executions, executions),
            Promise::Classes if defined => (orders, orders),
            Promise::Views if defined => (results.ends.len() as u64, results.ends.len() as u64),
            Promise::Complete if defined => (orders, executions),
            Promise::Covered if defined => (results.ends.len() as u64, u64::MAX),
            Promise::Findings if defined => (1, executions),
            Promise::Classes | Promise::Graphs | Promise::Views => (1, u64::MAX),
            Promise::Covered | Promise::Complete | Promise::Findings => (1, u64::MAX),
            Promise::Sample => (0, u64::MAX),
        }
    }
}

/// What is asked of the tool as a library: the explorer with a name, and what it is told.
fn request(name: &str, family: &str, number: Option<u32>) -> Option<Request> {
    let mut request = Request::default().workers(number.unwrap_or(1) as usize);
    request.explorer = match family {
        "default" => return Some(request),
        "bounded" => Some(Tried::Optimal),
        "workers" => Some(Tried::Optimal),
        "predict" | "patience" => Some(Tried::SeMcr),
        // With or without a number.
        "context" | "graph" | "vieq" | "se-mcr" | "mcr" => Tried::from_name(family),
        _ => Some(Tried::from_name(name)?),
    };
    let options = &mut request.options;
    match family {
        "bounded" | "context" => {
            options.preemptions = Some(number.unwrap_or(UNBOUNDED));
            request.workers = Some(1);
        }
        "patience" => {
            options.patience = number.map(u64::from);
            request.workers = Some(1);
        }
        "predict" => options.predict = true,
        "random" | "pct" => request.limits.executions = Some(FEW_SAMPLES),
        _ => {}
    }
    Some(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_can_be_asked_in_this_process() {
        let known = |name: &str| {
            let request = Explorer::named(name).request?;
            let options = request.options;
            Some((request.explorer.map(Tried::name), request.workers, options.preemptions, options.patience))
        };
        assert_eq!(known("default-2"), Some((None, Some(2), None, None)));
        assert_eq!(known("optimal"), Some((Some("optimal"), Some(1), None, None)));
        assert_eq!(known("workers-3"), Some((Some("optimal"), Some(3), None, None)));
        assert_eq!(known("bounded-2"), Some((Some("optimal"), Some(1), Some(2), None)));
        assert_eq!(known("context"), Some((Some("context"), Some(1), Some(UNBOUNDED), None)));
        assert_eq!(known("patience-3"), Some((Some("se-mcr"), Some(1), None, Some(3))));
        assert_eq!(known("vieq-2"), Some((Some("vieq"), Some(2), None, None)));
        assert_eq!(known("graph"), Some((Some("graph"), Some(1), None, None)));
        assert_eq!(known("odd-name"), None);
        assert!(Explorer::named("predict").request.is_some_and(|request| request.options.predict));
        let samples = Explorer::named("pct").request.and_then(|request| request.limits.executions);
        assert_eq!(samples, Some(FEW_SAMPLES));
        for explorer in Tried::ALL {
            assert!(known(explorer.name()).is_some(), "{explorer:?}");
        }
    }

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
