//! Standard output that may go away: `selvedge … | head` is no error.

use std::io::Write;

/// Prints text; what cannot be written is dropped.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
