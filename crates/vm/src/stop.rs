//! Stopping a thread for good, and saying where in the program it was.

use crate::code::End;
use crate::fault::{Continuation, Fault, FaultKind, Note, StackEntry, Stop, UnsupportedReached};
use crate::machine::Machine;
use crate::thread::Status;
use selvedge_program::{FuncId, Site};
use selvedge_trace::ThreadId;
use selvedge_trace::execution::Call;

impl Machine<'_> {
    /// The calls of a thread that are under way, innermost first.
    pub fn stack(&self, id: ThreadId) -> Vec<StackEntry> {
        self.stack_of(self.index(id))
    }

    pub(crate) fn stack_of(&self, index: usize) -> Vec<StackEntry> {
        let entry = |call: Call| {
            let function = &self.image.program.functions[call.function.index()];
            StackEntry { function: function.name.clone(), span: call.span, library: function.library }
        };
        self.calls_of(index).map(entry).collect()
    }

    /// The same as plain data.
    pub fn calls(&self, id: ThreadId) -> Vec<Call> {
        self.calls_of(self.index(id)).collect()
    }

    fn calls_of(&self, index: usize) -> impl Iterator<Item = Call> {
        const LONGEST: usize = 1 << 20;
        let thread = &self.threads[index];
        let mut pc = thread.position.pc;
        thread.frames.iter().rev().take(LONGEST).map(move |frame| {
            let site = self.image.code.origins.get(pc as usize).copied().unwrap_or(Site::NONE);
            pc = frame.call;
            Call { function: FuncId(frame.function), site, span: self.image.sites.span(site) }
        })
    }

    /// The function of the innermost call outside the library models.
    pub fn user_function(&self, id: ThreadId) -> Option<&str> {
        let functions = &self.image.program.functions;
        let frames = self.thread(id)?.frames.iter().rev();
        let mut frames = frames.map(|frame| &functions[frame.function as usize]);
        frames.find(|function| !function.library).map(|function| function.name.as_str())
    }

    /// Stops a thread because the program is wrong. What is allowed and goes on natively in a definite way does not come
    /// here, unless that way is the end of the process: then it stops like any other fault, which is not reported.
    pub(crate) fn fault(&mut self, index: usize, kind: FaultKind, message: String, notes: Vec<Note>) -> Stop {
        let span = self.user_span(index);
        self.save(index);
        self.threads[index].position.status = Status::Stopped;
        if self.allows(kind) && kind.continuation() == Continuation::Undefined {
            return Stop::Allowed { kind, span };
        }
        let stack = self.stack_of(index);
        Stop::Fault(Box::new(Fault { kind, message, thread: self.threads[index].id, span, notes, stack }))
    }

    /// Stops a thread because the tool cannot go on.
    pub(crate) fn unsupported(&mut self, index: usize, what: String, help: Option<String>) -> Stop {
        let span = self.user_span(index);
        let stack = self.stack_of(index);
        self.save(index);
        self.threads[index].position.status = Status::Stopped;
        Stop::Unsupported(Box::new(UnsupportedReached { what, help, span, stack, cuts: Vec::new() }))
    }

    /// What happens at the end of a path.
    pub(crate) fn end(&mut self, index: usize, end: u32) -> Stop {
        match self.image.code.ends[end as usize].clone() {
            End::Unsupported(what) => self.unsupported(index, what.into(), None),
            End::Unreachable => {
                let message = "control reached a place that the program says cannot be reached".to_owned();
                self.fault(index, FaultKind::Unreachable, message, Vec::new())
            }
            End::Trap(reason) => {
                let message = crate::report::trap(reason);
                self.fault(index, FaultKind::Trap, message, Vec::new())
            }
        }
    }
}
