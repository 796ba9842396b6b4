//! The statements that random programs are made of.

use super::program::{Form, ScopeForm, Statement};
use crate::random::Random;

/// The memory orders of atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// Sequentially consistent.
    Strong,
    /// Any.
    Any,
}

/// Makes statements.
pub struct Pieces<'r> {
    /// Decides.
    pub random: &'r mut Random,
    /// Which memory orders there are.
    pub orders: Orders,
}

const LOADS: [&str; 3] = ["relaxed", "acquire", "seq_cst"];
const STORES: [&str; 3] = ["relaxed", "release", "seq_cst"];
const UPDATES: [&str; 4] = ["relaxed", "release", "acq_rel", "seq_cst"];

/// A line.
pub fn line(text: impl Into<String>) -> Statement {
    Statement::Line(text.into())
}

/// A block with a head.
pub fn block(head: impl Into<String>, body: Vec<Statement>) -> Statement {
    Statement::Block { head: head.into(), body }
}

impl Pieces<'_> {
    /// Whether something with this probability happens.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    /// A number from one to the most.
    pub fn up_to(&mut self, most: usize) -> usize {
        1 + self.random.below(most)
    }

    /// One of these.
    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len())]
    }

    /// An atomic variable.
    pub fn variable(&mut self) -> &'static str {
        self.pick(&["x", "x", "y", "z"])
    }

    /// At most `most` statements.
    pub fn list(&mut self, most: usize, make: impl Fn(&mut Self) -> Statement) -> Vec<Statement> {
        let count = self.up_to(most);
        (0..count).map(|_| make(self)).collect()
    }

    /// The value of an atomic object.
    pub fn load(&mut self, of: &str) -> String {
        match self.orders {
            Orders::Strong => of.to_owned(),
            Orders::Any => format!("atomic_load_explicit(&{of}, memory_order_{})", self.pick(&LOADS)),
        }
    }

    /// A store to an atomic object.
    pub fn store(&mut self, to: &str, value: &str) -> Statement {
        line(match self.orders {
            Orders::Strong => format!("{to} = {value};"),
            Orders::Any => {
                format!("atomic_store_explicit(&{to}, {value}, memory_order_{});", self.pick(&STORES))
            }
        })
    }

    /// An update of an atomic object, as an expression.
    pub fn update(&mut self, function: &str, of: &str, value: usize) -> String {
        match self.orders {
            Orders::Strong => format!("atomic_{function}(&{of}, {value})"),
            Orders::Any => {
                let order = self.pick(&UPDATES);
                format!("atomic_{function}_explicit(&{of}, {value}, memory_order_{order})")
            }
        }
    }

    /// An access to an atomic variable.
    pub fn access(&mut self) -> Statement {
        let (at, value) = (self.variable(), self.random.below(3));
        match self.random.below(8) {
            0..3 => self.store(at, &value.to_string()),
            3..5 => line(format!("r = {};", self.load(at))),
            5 => line(format!("r = {};", self.update("fetch_add", at, value))),
            6 => line(format!("r = {};", self.update("exchange", at, value))),
            _ => line(format!(
                "expected = {value}; r = atomic_compare_exchange_strong(&{at}, &expected, {});",
                self.random.below(3)
            )),
        }
    }

    /// An access to a plain variable.
    pub fn plain(&mut self) -> Statement {
        let at = self.pick(&["p", "p", "q"]);
        let value = self.random.below(3);
        line(match self.random.below(2) {
            0 => format!("{at} = {value};"),
            _ => format!("r = {at};"),
        })
    }

    /// A condition.
    pub fn test(&mut self) -> String {
        let (at, value) = (self.variable(), self.random.below(3));
        let equal = self.pick(&["==", "==", "!="]);
        match self.random.below(3) {
            0 => format!("r {equal} {value}"),
            _ => format!("{} {equal} {value}", self.load(at)),
        }
    }

    /// An assertion.
    pub fn assertion(&mut self) -> Statement {
        let (one, value) = (self.load("x"), self.random.below(3));
        match self.random.below(4) {
            0 => line(format!("assert(r != {value});")),
            1 => line(format!(
                "assert(!({one} == {value} && {} == {}));",
                self.load("y"),
                self.random.below(3)
            )),
            _ => {
                let at = self.variable();
                line(format!("assert({} != {value});", self.load(at)))
            }
        }
    }

    /// Something that depends on a condition.
    pub fn branch(&mut self, make: impl Fn(&mut Self) -> Statement) -> Statement {
        let head = format!("if ({})", self.test());
        block(head, self.list(2, make))
    }

    /// A choice.
    pub fn choice(&mut self, make: impl Fn(&mut Self) -> Statement) -> Statement {
        match self.random.below(4) {
            0 | 1 => block("if (__VERIFIER_nondet_bool())", self.list(2, make)),
            2 => line("r = __VERIFIER_nondet_int();"),
            _ => line(format!("r = selvedge_choose({});", 2 + self.random.below(2))),
        }
    }

    /// An assumption.
    pub fn assumption(&mut self) -> Statement {
        line(format!("__VERIFIER_assume({});", self.test()))
    }

    /// An atomic section.
    pub fn section(&mut self, body: Vec<Statement>) -> Statement {
        let form = if self.percent(50) { Form::Brackets } else { Form::Function };
        Statement::Section { form, body }
    }

    /// A scope.
    pub fn scope(&mut self, body: Vec<Statement>) -> Statement {
        let form = if self.percent(50) { ScopeForm::Braces } else { ScopeForm::Function };
        Statement::Scope { form, body }
    }
}
