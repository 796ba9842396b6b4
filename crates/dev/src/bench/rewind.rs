//! `bench vm`, the section on rewinding: exploring a tree of choices costs the same, however long the
//! execution before it.

use std::path::Path;
use std::time::Instant;

use selvedge_frontend::{Promotion, Sources};
use selvedge_vm::{Config, Image, Machine, ThreadId};

use crate::error::Error;
use crate::table;

const PROGRAM: &str = "bench/programs/vm/rewind.c";
const PREFIXES: [usize; 3] = [10, 1_000, 100_000];
const REPETITIONS: usize = 40;

/// Prints the section.
pub fn section(root: &Path) -> Result<(), Error> {
    let mut rows = vec![
        ["steps before", "executions", "steps", "microseconds per execution"].map(str::to_owned).to_vec(),
    ];
    for prefix in PREFIXES {
        let tree = measure(root, prefix)?;
        rows.push(vec![
            prefix.to_string(),
            tree.executions.to_string(),
            tree.steps.to_string(),
            format!("{:.3}", tree.microseconds / tree.executions as f64),
        ]);
    }
    println!(
        "\nexploring one tree by rewinding, below prefixes of different length\n{}",
        table::render(&rows)
    );
    Ok(())
}

/// What was explored.
#[derive(Default)]
struct Tree {
    executions: u64,
    steps: u64,
    microseconds: f64,
}

fn measure(root: &Path, prefix: usize) -> Result<Tree, Error> {
    let failed = |message: String| Error::Failed { program: PROGRAM.to_owned(), message };
    let sources =
        Sources { files: vec![root.join(PROGRAM)], flags: vec![format!("-DPREFIX={prefix}").into()] };
    let program = selvedge_frontend::compile(&sources, Promotion::On, None);
    let program = program.map_err(|error| failed(error.to_string()))?.program;
    let image = Image::new(&program).map_err(|error| failed(error.to_string()))?;
    let mut machine = Machine::new(&image, Config::default()).map_err(|error| failed(error.to_string()))?;
    machine.run(ThreadId::MAIN);
    // The creation of the thread, then the prefix; an explorer marks before every step.
    for _ in 0..=prefix {
        machine.mark();
        machine.perform(ThreadId::MAIN, 0);
    }
    let mut tree = Tree::default();
    let start = Instant::now();
    for _ in 0..REPETITIONS {
        explore(&mut machine, &mut tree);
    }
    tree.microseconds = start.elapsed().as_secs_f64() * 1e6;
    Ok(tree)
}

/// All interleavings from here to the end.
fn explore(machine: &mut Machine<'_>, tree: &mut Tree) {
    let threads: Vec<ThreadId> = machine.threads().collect();
    let mut leaf = true;
    for thread in threads {
        if !machine.is_enabled(thread) && !machine.can_run(thread) {
            continue;
        }
        leaf = false;
        let mark = machine.mark();
        match machine.can_run(thread) {
            true => machine.run(thread),
            false => machine.perform(thread, 0),
        };
        tree.steps += 1;
        explore(machine, tree);
        machine.rewind(&mark);
    }
    tree.executions += u64::from(leaf);
}
