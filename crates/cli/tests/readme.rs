//! What README.md shows is what the tool prints.
//!
//! A block `console` has commands, `$ ./x …`, each followed by all that it prints on standard output; `…` on a line of its own
//! stands for any number of lines that are left out. A block `sh` has commands only. There are no other blocks, so whatever
//! looks like output is compared.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use common::check::root;
use common::{Finished, Folder, run, selvedge};

/// Stands for lines that are left out.
const LEFT_OUT: &str = "…";

/// Commands of the script itself: building and testing.
const NOT_OF_THE_TOOL: [&str; 5] = ["test", "build", "lint", "bench", "fuzz"];

/// A block between fences.
struct Block {
    /// The line of its first fence.
    line: usize,
    language: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(language), None) => {
                open =
                    Some(Block { line: index + 1, language: language.trim().to_owned(), lines: Vec::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block does not end");
    blocks
}

/// The commands of a block, each with what it prints.
fn commands(block: &Block) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in &block.lines {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command.to_owned(), Vec::new())),
            None => match commands.last_mut() {
                Some((_, output)) => output.push(line.clone()),
                None => panic!("README.md:{}: output without a command: {line}", block.line),
            },
        }
    }
    commands
}

/// The words of a command of the tool; `None` for one of the script.
fn words(command: &str, line: usize) -> Option<Vec<&str>> {
    let command = command.split(" #").next().unwrap_or(command);
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("./x"), "README.md:{line}: `{command}` is not for ./x");
    let words: Vec<&str> = words.collect();
    let first = *words.first().unwrap_or_else(|| panic!("README.md:{line}: no command"));
    (!NOT_OF_THE_TOOL.contains(&first)).then_some(words)
}

/// A line without what may differ from run to run: times, and how far random walks have come in a second.
fn lasting(line: &str) -> String {
    let estimated = line.starts_with("about ") && line.ends_with("random ones");
    let words = line.trim_end().split(' ');
    let words: Vec<&str> = words.collect();
    let mut result = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1).map(|next| next.trim_end_matches(','));
        let is_time = next.is_some_and(|unit| unit == "s" || unit == "ms") && word.parse::<f64>().is_ok();
        result.push(match is_time || (estimated && word.contains(|c: char| c.is_ascii_digit())) {
            true => "N",
            false => word,
        });
    }
    result.join(" ")
}

/// Whether lines are as expected, of which some may be left out.
fn matches(expected: &[String], lines: &[String]) -> bool {
    let mut parts = expected.split(|line| line == LEFT_OUT);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = lines.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let at = rest.windows(part.len().max(1)).position(|window| part.is_empty() || window == part);
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// A folder that looks like the repository, but for what is written there.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["examples", "bench", "tests"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn call(folder: &Folder, words: &[&str]) -> Finished {
    run(selvedge().current_dir(folder.path()).args(words))
}

#[test]
fn what_is_shown_is_what_is_printed() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let folder = folder();
    let mut compared = 0;
    for block in blocks(&text) {
        let place = format!("README.md:{}", block.line);
        match block.language.as_str() {
            "console" => {
                for (command, expected) in commands(&block) {
                    let words = words(&command, block.line);
                    let words = words.unwrap_or_else(|| panic!("{place}: `{command}` is not compared"));
                    assert!(!expected.is_empty(), "{place}: `{command}` shows nothing: use a block `sh`");
                    let outcome = call(&folder, &words);
                    let printed: Vec<String> = outcome.stdout.lines().map(lasting).collect();
                    let expected: Vec<String> = expected.iter().map(|line| lasting(line)).collect();
                    let shown = expected.join("\n");
                    assert!(
                        matches(&expected, &printed),
                        "{place}: `{command}` prints something else\n--- shown\n{shown}\n--- printed\n{}\n{}",
                        outcome.stdout,
                        outcome.stderr
                    );
                    compared += 1;
                }
            }
            // What it prints is not shown, but it must be a command that works; 0 and 1 are verdicts.
            "sh" => {
                for command in &block.lines {
                    let Some(words) = words(command, block.line) else { continue };
                    let outcome = call(&folder, &words);
                    assert!(matches!(outcome.code, Some(0 | 1)), "{place}: `{command}`: {}", outcome.stderr);
                }
            }
            other => panic!("{place}: a block `{other}`, which nobody compares with anything"),
        }
    }
    assert!(compared >= 8, "only {compared} commands were compared");
}

#[test]
fn lines_are_compared_without_times() {
    let line = "verified: 3 executions, 0.06 s (model sc)";
    assert_eq!(lasting(line), lasting("verified: 3 executions, 12.50 s (model sc)   "));
    assert_ne!(lasting(line), lasting("verified: 4 executions, 0.06 s (model sc)"));
    assert_eq!(
        lasting("about 12 (11 to 12) executions, from 43015 random ones"),
        lasting("about 13 (12 to 14) executions, from 7 random ones")
    );
}

#[test]
fn what_is_left_out_is_said() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a b c d e");
    for expected in ["a b c d e", "a … e", "… c …", "… b … d e", "a b …", "…", "… a b c d e …"]
    {
        assert!(matches(&lines(expected), &printed), "{expected}");
    }
    for expected in ["a b c d", "b c d e", "a … d", "… d … c …", "a c …", "… f …", "a b … b c d e"]
    {
        assert!(!matches(&lines(expected), &printed), "{expected}");
    }
}
