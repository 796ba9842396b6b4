//! Explorers of views: one execution for each combination of values that are read.
//!
//! Two executions have the same *view* if the same reads return the same values. Threads cannot tell them apart, so an
//! assertion that fails in one fails in the other. On programs that write few different values there are far fewer views than
//! orders of dependent operations.
//!
//! # How the pieces fit
//!
//! ```text
//!  explorer ──runs──▶ machine                            search ◀─── vieq: the search alone
//!     │ writes down                                        ▲
//!     ▼                                                    ├──────── mcr: the search first, then a solver
//!  script: what each thread did ──▶ bounds, stuck ─────────┘                │
//!     │                                                                     │
//!     ▼                         is this combination new? then explore it    │
//!  history: what has been explored ◀────────────────────────────────────────┘
//! ```
//!
//! * [`driver`] begins with orders of dependent operations, and goes on with views; [`crew`] has several workers search at
//!   once.
//! * [`explorer`] runs executions on the machine, and keeps those that have yet to be searched. It does not know how they are
//!   searched: that is a [`method`].
//! * [`script`] is an execution as data: for each thread, what it read and did.
//! * [`history`] is the set of what has been explored.
//! * [`bounds`] and [`stuck`] are what can be said of an execution without a search: how far threads can come, and where they
//!   may be blocked.
//! * [`search`] finds other executions by going through the orders in which the threads can do what they did.
//! * [`vieq`] and [`mcr`] are the methods: explorers that put these together. Nothing else knows them.
//!
//! # Why nothing is missed
//!
//! A thread is a function of its results ([`script`]): values read, results of operations, that a blocking operation went
//! through. Let `E` be an execution, as a sequence of events. Of all explored executions take the one, `X`, in which the
//! longest prefix `D` of `E` happened, in whatever order: each thread has had the same results there as in `D`. If `D` is not
//! all of `E`, let `q` be the next event of `E`. The thread of `q` comes to it in `X`, too. No thread was enabled in the end,
//! so in `X` the event had another result, or was blocked. But there is an order of events of `X`, namely `D`, after which it
//! has the result that it has in `E`. The search goes through all orders of events of `X` in which these have the same results,
//! and sees to it that an execution is explored in which all of `D`, or more of `X`, has happened and `q` has that result. This
//! contains a longer prefix of `E`; a contradiction. So each `E` is explored, but for the order of its events; and if `E` ends
//! with threads that are blocked for ever, the search comes to this state as one of the orders of `X`, and explores that as
//! well.
//!
//! The search is one for each `q`, and what it finds does not depend on what the thread of `q` has done in `X` from there on;
//! so it is done for one of the executions that agree on the rest. It leaves most orders out, and says why that loses nothing.
//! One thing that would: to perform a write at once because it changes nothing. In `x = 0 || x = 1 || read x; read x` (and `x`
//! is 0 at first) the reads return 1 and then 0 only if the first write waits for the second.
//!
//! # Why nothing is explored twice
//!
//! An execution is explored only if no explored one contains its prefix up to the new result. Which thread a signal wakes is no
//! value that is read, but makes a difference to the search; so in programs with condition variables executions that differ in
//! that may have the same view, which is counted as redundant. With locks, semaphores, barriers, atomic sections, creating and
//! joining threads nothing is redundant.
//!
//! # Atomic sections in which a thread stops
//!
//! No thread may see half of an atomic section. If a thread stops in one for good (an assumption does not hold, a bound is
//! reached, something is wrong), the execution is `E` with that at its end. But then no other thread would have gone on, and
//! `X` has to go on as far as it can. So the section is taken back, and the others go on as if its thread had stopped before
//! it; what the thread did there stays in its script, as something after which no other thread can do anything. If others have
//! run while the thread was blocked in the section, and now it could go on, nothing can be taken back: `X` is over, and what
//! the others would have done next is searched for like something that was blocked.

pub(crate) mod bounds;
mod crew;
pub(crate) mod driver;
pub(crate) mod explorer;
pub(crate) mod history;
pub mod mcr;
pub(crate) mod method;
mod name;
pub(crate) mod script;
pub(crate) mod search;
pub(crate) mod stuck;
pub mod vieq;
