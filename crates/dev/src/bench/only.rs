//! `--only`: a part of the rows.

use clap::Args;

use crate::error::Error;

/// Which rows are measured.
#[derive(Args)]
pub struct Only {
    /// Only what has this in its name
    #[arg(long = "only", value_name = "SUBSTRING")]
    part: Option<String>,
}

impl Only {
    /// Whether a row of this name is meant.
    fn has(&self, name: &str) -> bool {
        self.part.as_deref().is_none_or(|part| name.contains(part))
    }

    /// The rows of some groups that are meant, by name; an error if there are none.
    pub fn of<'r, R, const N: usize>(
        &self,
        groups: [&'r [R]; N],
        name: impl Fn(&R) -> &str,
    ) -> Result<[Vec<&'r R>; N], Error> {
        let groups = groups.map(|rows| rows.iter().filter(|row| self.has(name(row))).collect::<Vec<_>>());
        match groups.iter().all(Vec::is_empty) {
            true => Err(Error::Missing {
                program: format!("a row with `{}` in its name", self.part.as_deref().unwrap_or_default()),
                remedy: "without --only, all are measured".to_owned(),
            }),
            false => Ok(groups),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_chosen_by_name() {
        let rows: [&[&str]; 2] = [&["readers(13)", "fib(4)"], &["fib(5)"]];
        let chosen = |part: Option<&str>| {
            let only = Only { part: part.map(str::to_owned) };
            only.of(rows, |row| row).map(|groups| groups.map(|rows| rows.len())).ok()
        };
        assert_eq!(chosen(None), Some([2, 1]));
        assert_eq!(chosen(Some("fib")), Some([1, 1]));
        assert_eq!(chosen(Some("readers")), Some([1, 0]));
        assert_eq!(chosen(Some("lastzero")), None);
    }
}
