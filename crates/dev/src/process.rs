//! Running a program to its end, or to a time limit, and measuring it.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;

/// What is kept of each output stream; the rest is read and dropped.
const OUTPUT_LIMIT: u64 = 16 << 20;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this code.
    Exit(i32),
    /// A signal killed it.
    Signal(i32),
    /// It was still running at the time limit, and was killed.
    TimeLimit,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Exit(code) => write!(f, "exit code {code}"),
            End::Signal(signal) => write!(f, "killed by signal {signal}"),
            End::TimeLimit => write!(f, "still running at the time limit"),
        }
    }
}

/// What a program did.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// What it wrote to standard output, up to a limit.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, up to a limit.
    pub stderr: Vec<u8>,
    /// User and system time, its own and that of the children it waited for.
    pub cpu: Duration,
    /// Time from start to end.
    pub wall: Duration,
}

impl Finished {
    /// Whether the program exited with code 0.
    pub fn succeeded(&self) -> bool {
        self.end == End::Exit(0)
    }

    /// The first lines of standard error, for messages.
    pub fn complaint(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let lines: Vec<&str> = text.lines().take(3).collect();
        if lines.is_empty() { "it said nothing".to_owned() } else { lines.join(" | ") }
    }
}

/// Runs a program with empty input, and kills it and its children at the time limit.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    run_child(command, limit).map_err(|source| Error::Run { program, source })
}

/// A program is run again until its runs have taken this much processor time in all.
const ENOUGH: Duration = Duration::from_secs(1);

/// One that takes less than that is run at least so often.
const FEWEST_RUNS: usize = 3;

/// A run counts for at least this much.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// As [`run`]; but a short run is repeated, and the one that took the least processor time counts. It is mostly about starting
/// up, and how long that takes varies a lot.
pub fn run_for_time(command: &mut Command, limit: Duration) -> Result<Finished, Error> {
    let mut best = run(command, limit)?;
    let mut total = best.cpu;
    let mut runs = 1;
    while best.end != End::TimeLimit && best.cpu < ENOUGH && (total < ENOUGH || runs < FEWEST_RUNS) {
        let other = run(command, limit)?;
        // A program that is killed at once takes no time, and is not run for ever.
        total += other.cpu.max(LEAST_TIME);
        runs += 1;
        if other.cpu < best.cpu {
            best = other;
        }
    }
    Ok(best)
}

/// As [`run`], for a program without whose success there is no going on.
pub fn run_successfully(command: &mut Command, limit: Duration) -> Result<Finished, Error> {
    let outcome = run(command, limit)?;
    if outcome.succeeded() {
        return Ok(outcome);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(Error::Failed { program, message: format!("{}: {}", outcome.end, outcome.complaint()) })
}

fn run_child(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that the compiler a child may have started dies with it.
    command.process_group(0);
    // SAFETY: `forbid_core_dumps` makes only system calls, which is allowed between fork and exec.
    unsafe { command.pre_exec(forbid_core_dumps) };
    let start = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id() as libc::pid_t;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();

    thread::scope(|scope| {
        let stdout = scope.spawn(|| stdout.map_or(Ok(Vec::new()), read_up_to_limit));
        let stderr = scope.spawn(|| stderr.map_or(Ok(Vec::new()), read_up_to_limit));
        let (ended, end_seen) = mpsc::channel::<()>();
        let watchdog = scope.spawn(move || {
            let too_late = end_seen.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            if too_late {
                kill_group(pid);
            }
            too_late
        });

        let waited = wait_without_reaping(pid);
        let wall = start.elapsed();
        drop(ended);
        let timed_out = watchdog.join().unwrap_or(false);
        // The child is a zombie until it is reaped below, so its group's number is still its own.
        kill_group(pid);
        let reaped = reap(pid);
        let stdout = stdout.join().unwrap_or_else(|_| Ok(Vec::new()));
        let stderr = stderr.join().unwrap_or_else(|_| Ok(Vec::new()));
        waited?;
        let (status, cpu) = reaped?;
        let end = if timed_out {
            End::TimeLimit
        } else if libc::WIFSIGNALED(status) {
            End::Signal(libc::WTERMSIG(status))
        } else {
            End::Exit(libc::WEXITSTATUS(status))
        };
        Ok(Finished { end, stdout: stdout?, stderr: stderr?, cpu, wall })
    })
}

fn read_up_to_limit(mut stream: impl Read) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    stream.by_ref().take(OUTPUT_LIMIT).read_to_end(&mut kept)?;
    io::copy(&mut stream, &mut io::sink())?;
    Ok(kept)
}

fn forbid_core_dumps() -> io::Result<()> {
    // No limit on address space: the machine reserves far more than it uses.
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a local that lives through the call.
    match unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn kill_group(leader: libc::pid_t) {
    // SAFETY: no memory is involved. That the group is gone already is no error here.
    unsafe { libc::kill(-leader, libc::SIGKILL) };
}

/// Waits for the end of a child and leaves it to be reaped.
fn wait_without_reaping(pid: libc::pid_t) -> io::Result<()> {
    loop {
        // SAFETY: all zeros is a valid `siginfo_t`.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        // SAFETY: the pointer is to a local that lives through the call.
        let result =
            unsafe { libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, libc::WEXITED | libc::WNOWAIT) };
        if result == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The status of a child that has ended, and the processor time it took.
fn reap(pid: libc::pid_t) -> io::Result<(libc::c_int, Duration)> {
    let mut status = 0;
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to locals that live through the call.
    if unsafe { libc::wait4(pid, &mut status, 0, &mut usage) } != pid {
        return Err(io::Error::last_os_error());
    }
    Ok((status, duration(usage.ru_utime) + duration(usage.ru_stime)))
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        run(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn output_and_code_come_back() {
        let outcome = shell("echo out; echo err >&2; exit 7", LONG);
        assert_eq!(outcome.end, End::Exit(7));
        assert_eq!(outcome.stdout, b"out\n");
        assert_eq!(outcome.complaint(), "err");
    }

    #[test]
    fn signals_are_no_exit_codes() {
        assert_eq!(shell("kill -SEGV $$", LONG).end, End::Signal(libc::SIGSEGV));
    }

    #[test]
    fn the_limit_ends_the_whole_group() {
        let outcome = shell("sleep 50 & sleep 50; exit 0", Duration::from_millis(100));
        assert_eq!(outcome.end, End::TimeLimit);
        assert!(outcome.wall < Duration::from_secs(40));
    }

    #[test]
    fn children_left_behind_do_not_hold_the_output_open() {
        let outcome = shell("sleep 50 & echo done", LONG);
        assert_eq!(outcome.end, End::Exit(0));
        assert_eq!(outcome.stdout, b"done\n");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        assert!(run(&mut Command::new("/nonexistent/program"), LONG).is_err());
    }
}
