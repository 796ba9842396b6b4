//! What a worker leaves behind if it panics.
//!
//! A panic is a mistake in this program, and is reported as one. But workers wait for each other: without a word from
//! the one that panicked, the others would wait for ever, and nothing would be reported.

/// Does something if the thread panics while this is there.
pub struct OnPanic<F: Fn()>(pub F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn it_is_done_after_a_panic_only() {
        let done = Cell::new(0);
        drop(OnPanic(|| done.set(done.get() + 1)));
        assert_eq!(done.get(), 0);
        let panics = std::panic::AssertUnwindSafe(|| {
            let _guard = OnPanic(|| done.set(done.get() + 1));
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(done.get(), 1);
    }
}
