//! `bench vm`: how fast the virtual machine runs one thread, and how fast it starts.
//!
//! The measure is LLVM's own interpreter on the same bitcode (`clang -O0`, then `mem2reg`). It is
//! slow, so each side gets as many units of work (`-DSCALE=n`) as take it some seconds, and times
//! are given per unit. Processor time counts, the least of some repetitions, taken in turns.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use crate::Finding;
use crate::error::Error;
use crate::process::{self, Finished};
use crate::table;
use crate::tools::{self, CLANG, Tools};

const PROGRAMS: [&str; 3] = ["integer_loop", "list_walk", "recursion"];
const GOAL: f64 = 15.0;

const LLI: &str = "lli-22";
const OPT: &str = "/usr/lib/llvm-22/bin/opt";

/// The time that one repetition should take, and after which a run is given up.
const LLI_TARGET: Duration = Duration::from_secs(3);
const SELVEDGE_TARGET: Duration = Duration::from_secs(2);
const RUN_LIMIT: Duration = Duration::from_secs(120);
const COMPILATION_LIMIT: Duration = Duration::from_secs(30);

/// The shortest time from which a scale can be reckoned.
const MEASURABLE: Duration = Duration::from_millis(200);
const LARGEST_SCALE: u64 = 1 << 24;

const START_UP_REPETITIONS: usize = 10;
const START_UP_LINES: usize = 100;

/// Options of `bench vm`.
#[derive(Args)]
pub struct Arguments {
    /// How often to measure each program on each side
    #[arg(long, default_value_t = 3)]
    repetitions: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments, tools: &Tools) -> Result<Finding, Error> {
    tools::require(CLANG, "install the Debian package `clang-22`")?;
    tools::require(LLI, "install the Debian package `llvm-22-runtime`")?;
    let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
    let outputs_agree = throughput_section(arguments.repetitions, folder.path(), tools)?;
    start_up_section(tools)?;
    super::rewind::section(&tools.in_repository("."))?;
    Ok(if outputs_agree { Finding::Nothing } else { Finding::Faults })
}

/// The two interpreters that are compared.
#[derive(Clone, Copy)]
enum Side {
    Lli,
    Selvedge,
}

impl Side {
    fn command(self, bitcode: &Path, tools: &Tools) -> Command {
        let mut command = match self {
            Side::Lli => {
                let mut command = Command::new(LLI);
                command.arg("--force-interpreter");
                command
            }
            Side::Selvedge => {
                let mut command = tools.selvedge();
                command.arg("run");
                command
            }
        };
        command.arg(bitcode);
        command
    }

    fn target(self) -> Duration {
        match self {
            Side::Lli => LLI_TARGET,
            Side::Selvedge => SELVEDGE_TARGET,
        }
    }
}

/// Prints the table of programs. The answer is whether both sides printed the same checksums.
fn throughput_section(repetitions: usize, folder: &Path, tools: &Tools) -> Result<bool, Error> {
    let heading = ["program", "lli s/unit", "selvedge s/unit", "ratio", "goal 15x"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut outputs_agree = true;
    for name in PROGRAMS {
        let bench = Bench {
            source: tools.in_repository(format!("bench/programs/vm/{name}.c")),
            folder: folder.to_owned(),
            tools,
        };
        let expected = bench.run(Side::Lli, 1)?.stdout;
        let found = bench.run(Side::Selvedge, 1)?.stdout;
        if expected != found {
            outputs_agree = false;
            println!(
                "{name}: lli prints {:?}, selvedge {:?}",
                String::from_utf8_lossy(&expected),
                String::from_utf8_lossy(&found)
            );
        }
        let (lli, selvedge) = bench.measure(repetitions)?;
        let ratio = lli / selvedge;
        let goal = if ratio >= GOAL { "met" } else { "not met" };
        rows.push(vec![
            name.to_owned(),
            format!("{lli:.6}"),
            format!("{selvedge:.6}"),
            format!("{ratio:.1}"),
            goal.to_owned(),
        ]);
    }
    println!("processor time per unit of work, least of {repetitions}");
    print!("{}", table::render(&rows));
    Ok(outputs_agree)
}

/// One program, at any scale, on either side.
struct Bench<'a> {
    source: PathBuf,
    folder: PathBuf,
    tools: &'a Tools,
}

impl Bench<'_> {
    /// The bitcode for a scale, made when it is first asked for.
    fn bitcode(&self, scale: u64) -> Result<PathBuf, Error> {
        let name = self.source.file_stem().unwrap_or_default().to_string_lossy();
        let bitcode = self.folder.join(format!("{name}-{scale}.bc"));
        if !bitcode.exists() {
            let unoptimised = self.folder.join(format!("{name}-{scale}-unoptimised.bc"));
            let mut compile = Command::new(CLANG);
            compile.args(["-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"]);
            compile.arg(format!("-DSCALE={scale}")).arg(&self.source).arg("-o").arg(&unoptimised);
            process::run_successfully(&mut compile, COMPILATION_LIMIT)?;
            let mut promote = Command::new(if Path::new(OPT).is_file() { OPT } else { "opt-22" });
            promote.arg("-passes=mem2reg").arg(&unoptimised).arg("-o").arg(&bitcode);
            process::run_successfully(&mut promote, COMPILATION_LIMIT)?;
        }
        Ok(bitcode)
    }

    fn run(&self, side: Side, scale: u64) -> Result<Finished, Error> {
        let bitcode = self.bitcode(scale)?;
        process::run_successfully(&mut side.command(&bitcode, self.tools), RUN_LIMIT)
    }

    /// The scale at which a run takes about the time it should.
    fn calibrate(&self, side: Side) -> Result<u64, Error> {
        let mut scale = 1;
        loop {
            let cpu = self.run(side, scale)?.cpu;
            if cpu >= MEASURABLE || scale >= LARGEST_SCALE {
                let factor = side.target().as_secs_f64() / cpu.max(Duration::from_millis(1)).as_secs_f64();
                return Ok(((scale as f64 * factor) as u64).clamp(1, LARGEST_SCALE));
            }
            scale *= 4;
        }
    }

    /// The least seconds per unit on both sides, measured in turns.
    fn measure(&self, repetitions: usize) -> Result<(f64, f64), Error> {
        let sides = [Side::Lli, Side::Selvedge];
        let [lli, selvedge] = sides.map(|side| self.calibrate(side));
        let scales = [lli?, selvedge?];
        let mut least = [f64::INFINITY; 2];
        for _ in 0..repetitions.max(1) {
            for ((side, scale), least) in sides.into_iter().zip(scales).zip(&mut least) {
                let seconds = self.run(side, scale)?.cpu.as_secs_f64() / scale as f64;
                *least = least.min(seconds);
            }
        }
        let [lli, selvedge] = least;
        Ok((lli, selvedge))
    }
}

/// Prints how long the tool takes, from start to end, for programs that do next to nothing.
fn start_up_section(tools: &Tools) -> Result<(), Error> {
    let mut programs = vec![tools.in_repository("examples/hello.c")];
    programs.extend(program_of_length(START_UP_LINES, tools)?);
    let mut rows = vec![["start-up", "lines", "ms"].map(str::to_owned).to_vec()];
    for program in programs {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(lines) = count_lines(&program) else {
            rows.push(vec![name, "-".to_owned(), "missing".to_owned()]);
            continue;
        };
        let mut least = Duration::MAX;
        let mut time = String::new();
        for _ in 0..START_UP_REPETITIONS {
            let outcome = process::run(tools.selvedge().arg("run").arg(&program), RUN_LIMIT)?;
            least = least.min(outcome.wall);
            time = format!("{:.1}", least.as_secs_f64() * 1e3);
            if !outcome.succeeded() {
                // The time of a failure says nothing.
                time = outcome.end.to_string();
                break;
            }
        }
        rows.push(vec![name, lines.to_string(), time]);
    }
    println!("\ntime from start to end, least of {START_UP_REPETITIONS}");
    print!("{}", table::render(&rows));
    Ok(())
}

/// The test program whose length is nearest to `wanted` lines.
fn program_of_length(wanted: usize, tools: &Tools) -> Result<Option<PathBuf>, Error> {
    let mut nearest: Option<(usize, PathBuf)> = None;
    for program in tools.run_programs()? {
        let distance = count_lines(&program)?.abs_diff(wanted);
        if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
            nearest = Some((distance, program));
        }
    }
    Ok(nearest.map(|(_, program)| program))
}

fn count_lines(path: &Path) -> Result<usize, Error> {
    let text = fs::read(path).map_err(Error::file(path))?;
    Ok(text.split_inclusive(|&byte| byte == b'\n').count())
}
