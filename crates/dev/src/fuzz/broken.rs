//! `fuzz broken`: files that are not quite programs.
//!
//! Whatever it is given, the tool must end by itself and with one of its codes: 0 the program ran to
//! its end, 1 a violation, 2 bad input, 3 a limit. A panic, a signal, an internal error (4) or a hang
//! is a fault. The first cases are the same for all seeds; the others follow from seed and number.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use super::corpus::{Form, Program};
use super::mutation;
use crate::Finding;
use crate::error::Error;
use crate::parallel;
use crate::process::{self, End, Finished};
use crate::random::Random;
use crate::table;
use crate::tools::{self, CLANG, Tools};

/// The limit that the tool is given, in seconds.
const OWN_LIMIT: &str = "5";
/// The time after which the tool hangs.
const HANG_LIMIT: Duration = Duration::from_secs(20);

/// Options of `fuzz broken`.
#[derive(Args)]
pub struct Arguments {
    /// How long to go on
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Another seed, other files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many files to try at a time
    #[arg(long, default_value_t = parallel::default_jobs())]
    jobs: usize,
}

/// What is at the path that the tool is given.
enum Content {
    File(Vec<u8>),
    Folder,
    Nothing,
}

/// One input.
struct Case {
    content: Content,
    form: Form,
}

/// How often the tool ended in each way.
#[derive(Default)]
struct Summary {
    cases: u64,
    by_code: [u64; 4],
    faults: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    tools::require(CLANG, "install the Debian package `clang-22`")?;
    let programs: Vec<Program> =
        tools.run_programs()?.into_iter().map(Program::read).collect::<Result<_, _>>()?;
    let keep = tools.in_repository("target/fuzz/broken");

    let start = Instant::now();
    let duration = Duration::from_secs(arguments.seconds);
    let started = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let next = || {
        let go_on = start.elapsed() < duration && !stop.load(Ordering::Relaxed);
        go_on.then(|| started.fetch_add(1, Ordering::Relaxed))
    };
    let mut summary = Summary::default();
    let mut failure = None;
    let work = |&number: &usize| {
        let case = make_case(arguments.seed, number, &programs);
        examine(&case, &format!("seed-{}-case-{number}", arguments.seed), &keep, tools)
    };
    parallel::for_each(arguments.jobs, next, work, |_, verdict| match verdict {
        Ok(verdict) => summary.add(verdict),
        Err(error) => {
            // No use in going on: this is about the machine, not about one file.
            stop.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    });
    print!("{}", summary.table());
    match failure {
        Some(error) => Err(error),
        None if summary.faults > 0 => Ok(Finding::Faults),
        None => Ok(Finding::Nothing),
    }
}

/// The input with a number: first the fixed ones, then random ones.
fn make_case(seed: u64, number: usize, programs: &[Program]) -> Case {
    let mut random = Random::for_case(seed, number as u64);
    let fixed = number / Form::ALL.len();
    let form = Form::ALL.get(number % Form::ALL.len()).copied().unwrap_or(Form::Source);
    let file = |bytes: &[u8]| Case { content: Content::File(bytes.to_vec()), form };
    match fixed {
        0 => file(b""),
        1 => Case { content: Content::Folder, form },
        2 => Case { content: Content::Nothing, form },
        3 => file(b"\0"),
        4 => file(b"\n\n\n"),
        5 => file(b"\xff\xfe\xfa not UTF-8 \x80\n"),
        6 => file(b"\xef\xbb\xbfint main(void) { return 0; }\n"),
        7 => file(b"int main(void) { return 0; }"),
        8 => file(b"define i32 @main() {\n  ret i32 0\n}\n"),
        9 => file(b"BC\xc0\xde"),
        10 => file(&[b"BC\xc0\xde".as_slice(), &random.bytes(4096)].concat()),
        11 => file(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
        12 => file(&random.bytes(65_536)),
        _ => random_case(&mut random, programs),
    }
}

fn random_case(random: &mut Random, programs: &[Program]) -> Case {
    let file = |bytes: Vec<u8>, form| Case { content: Content::File(bytes), form };
    let form = random.choose(&Form::ALL).copied().unwrap_or(Form::Source);
    match random.below(20) {
        0 => {
            let (text, form) = mutation::nested(random);
            file(text, form)
        }
        1 => {
            let length = random.below(10_000);
            file(random.bytes(length), form)
        }
        2 => {
            // A well-formed file under the wrong name.
            let other = random.choose(&Form::ALL).copied().unwrap_or(Form::Source);
            file(
                random.choose(programs).map(|program| program.form(other).to_vec()).unwrap_or_default(),
                form,
            )
        }
        _ => {
            let one = random.choose(programs).map(|program| program.form(form)).unwrap_or_default();
            let other = random.choose(programs).map(|program| program.form(form)).unwrap_or_default();
            file(mutation::mutate(random, one, other), form)
        }
    }
}

/// What became of one case.
enum Verdict {
    /// The tool ended with one of its codes.
    Accepted(usize),
    /// It did not; the input is kept.
    Fault { what: String, input: PathBuf },
}

fn examine(case: &Case, name: &str, keep: &Path, tools: &Tools) -> Result<Verdict, Error> {
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let input = folder.path().join(format!("{name}.{}", case.form.extension()));
    put(&case.content, &input)?;

    let mut command = tools.selvedge();
    command.args(["run", "--report-exit", "--time-limit", OWN_LIMIT]).arg(&input);
    // Compilers that crash leave reports in the folder for temporary files.
    command.current_dir(folder.path()).env("TMPDIR", folder.path());
    let outcome = process::run(&mut command, HANG_LIMIT)?;
    let what = match judge(&outcome) {
        Ok(code) => return Ok(Verdict::Accepted(code)),
        Err(what) => what,
    };

    fs::create_dir_all(keep).map_err(Error::file(keep))?;
    let kept = keep.join(format!("{name}.{}", case.form.extension()));
    put(&case.content, &kept)?;
    let stderr = kept.with_extension("stderr");
    fs::write(&stderr, &outcome.stderr).map_err(Error::file(&stderr))?;
    Ok(Verdict::Fault { what, input: kept })
}

/// Makes the file or folder; one that an earlier run has kept is replaced.
fn put(content: &Content, path: &Path) -> Result<(), Error> {
    match content {
        Content::File(bytes) => fs::write(path, bytes).map_err(Error::file(path)),
        Content::Folder => fs::create_dir_all(path).map_err(Error::file(path)),
        Content::Nothing => Ok(()),
    }
}

/// The code, if the tool ended as it should, or what is wrong.
fn judge(outcome: &Finished) -> Result<usize, String> {
    let panicked = outcome.stderr.windows(8).any(|part| part == b"panicked");
    match outcome.end {
        End::Exit(101) => Err(format!("panic: {}", outcome.complaint())),
        _ if panicked => Err(format!("panic: {}", outcome.complaint())),
        End::Exit(code @ 0..=3) => Ok(code as usize),
        End::Exit(4) => Err(format!("internal error: {}", outcome.complaint())),
        End::TimeLimit => Err(format!("hangs, more than {} s", HANG_LIMIT.as_secs())),
        end => Err(format!("{end}: {}", outcome.complaint())),
    }
}

impl Summary {
    fn add(&mut self, verdict: Verdict) {
        self.cases += 1;
        match verdict {
            Verdict::Accepted(code) => {
                if let Some(count) = self.by_code.get_mut(code) {
                    *count += 1;
                }
            }
            Verdict::Fault { what, input } => {
                self.faults += 1;
                println!("{}\n  {what}", input.display());
            }
        }
    }

    fn table(&self) -> String {
        let heading = ["cases", "ran to the end", "violations", "refused", "limits", "faults"];
        let [ran, violations, refused, limits] = self.by_code;
        let counts = [self.cases, ran, violations, refused, limits, self.faults];
        table::render(&[heading.map(str::to_owned).to_vec(), counts.map(|count| count.to_string()).to_vec()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tool_s_own_codes_are_accepted() {
        let judged = |end, stderr: &str| {
            let stderr = stderr.as_bytes().to_vec();
            judge(&Finished { end, stdout: Vec::new(), stderr, cpu: Duration::ZERO, wall: Duration::ZERO })
        };
        for code in 0..=3 {
            assert_eq!(judged(End::Exit(code), ""), Ok(code as usize));
        }
        assert!(judged(End::Exit(2), "thread 'main' panicked at").is_err());
        for end in [End::Exit(4), End::Exit(5), End::Exit(101), End::Signal(6), End::TimeLimit] {
            assert!(judged(end, "").is_err());
        }
    }

    #[test]
    fn cases_follow_from_seed_and_number() {
        let bytes = |case: Case| match case.content {
            Content::File(bytes) => bytes,
            Content::Folder | Content::Nothing => Vec::new(),
        };
        for number in 0..200 {
            assert_eq!(bytes(make_case(3, number, &[])), bytes(make_case(3, number, &[])));
        }
    }
}
