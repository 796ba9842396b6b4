//! Which programs have been compared before, in this run or in an earlier one: nothing is compared twice.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use selvedge_oracle::{Distinct, Fingerprint, Program};

use crate::error::Error;

/// How many bytes a program takes in a file: its fingerprint, and for what it was compared.
const RECORD: usize = 17;

/// The programs that have been compared, each for one of some purposes.
#[derive(Default)]
pub struct Seen {
    known: Mutex<Known>,
    /// Where they are kept.
    file: Option<PathBuf>,
}

#[derive(Default)]
struct Known {
    compared: HashSet<(Fingerprint, u8)>,
    /// Those that are not in the file yet.
    news: Vec<(Fingerprint, u8)>,
}

impl Seen {
    /// Those that a file has, if there is one.
    pub fn open(file: Option<PathBuf>) -> Result<Self, Error> {
        let bytes = match file.as_ref().map(fs::read) {
            Some(Ok(bytes)) => bytes,
            Some(Err(error)) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::file(file.unwrap_or_default())(error));
            }
            _ => Vec::new(),
        };
        let mut known = Known::default();
        for record in bytes.chunks_exact(RECORD) {
            if let Some((program, [purpose])) = record.split_first_chunk() {
                known.compared.insert((Fingerprint::from_bytes(*program), *purpose));
            }
        }
        Ok(Self { known: Mutex::new(known), file })
    }

    /// Whether a program has not been compared for this purpose; from now on it has.
    pub fn is_new(&self, program: &Program, purpose: u8) -> bool {
        let entry = (Fingerprint::of(program), purpose);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = known.compared.insert(entry);
        if is_new {
            known.news.push(entry);
        }
        is_new
    }

    /// How many different programs there are: those of this run, and all.
    pub fn count(&self) -> (usize, usize) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let news: Distinct = known.news.iter().map(|(program, _)| *program).collect();
        let all: Distinct = known.compared.iter().map(|(program, _)| *program).collect();
        (news.len(), all.len())
    }

    /// Adds those of this run to the file, when it ends.
    pub fn save(&self) -> Result<(), Error> {
        let Some(path) = &self.file else { return Ok(()) };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = Vec::with_capacity(known.news.len() * RECORD);
        for (program, purpose) in &known.news {
            bytes.extend(program.to_bytes());
            bytes.push(*purpose);
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(&bytes)).map_err(Error::file(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_oracle::{Knobs, Random, generate};

    #[test]
    fn nothing_is_new_twice() {
        let make = |number| {
            let random = &mut Random::for_case(1, number);
            generate(&Knobs::random(random), random)
        };
        let folder = tempfile::tempdir().unwrap();
        let file = Some(folder.path().join("seen"));
        let first = Seen::open(file.clone()).unwrap();
        assert!(first.is_new(&make(0), 0) && first.is_new(&make(1), 0) && first.is_new(&make(0), 1));
        assert!(!first.is_new(&make(0), 0));
        assert_eq!(first.count(), (2, 2));
        first.save().unwrap();
        let second = Seen::open(file.clone()).unwrap();
        assert!(!second.is_new(&make(1), 0) && second.is_new(&make(1), 1) && second.is_new(&make(2), 0));
        assert_eq!(second.count(), (2, 3));
        second.save().unwrap();
        assert_eq!(Seen::open(file).unwrap().count(), (0, 3));
    }
}
