//! Signals to stop: a command that takes long still says what it has done.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_signal: libc::c_int) {
    // The second one means it.
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        // SAFETY: ends the process; allowed in a signal handler.
        unsafe { libc::_exit(130) };
    }
}

/// From now on Ctrl-C and SIGTERM set the flag that is returned.
pub fn watch() -> &'static AtomicBool {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler only touches an atomic variable.
        unsafe { libc::signal(signal, note as *const () as libc::sighandler_t) };
    }
    &INTERRUPTED
}
