//! What the tests of the front end share.

#![allow(dead_code, reason = "each test uses its part")]

use selvedge_frontend::{Promotion, Sources, compile};
use selvedge_program::{Function, Inst, Program};
use std::path::Path;
use std::process::Command;

/// Compiles a C file of that text.
#[track_caller]
pub fn program(source: &str, promotion: Promotion) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.c");
    std::fs::write(&file, source).expect("a writable file");
    program_of(&file, promotion)
}

/// Compiles a file.
#[track_caller]
pub fn program_of(file: &Path, promotion: Promotion) -> Program {
    let sources = Sources { files: vec![file.to_owned()], flags: vec!["-w".into()] };
    compile(&sources, promotion, None).unwrap_or_else(|error| panic!("{error}")).program
}

/// Compiles a C file to bitcode with the flags, then that.
#[track_caller]
pub fn program_from_bitcode(source: &str, flags: &[&str]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, module) = (folder.path().join("test.c"), folder.path().join("test.bc"));
    std::fs::write(&file, source).expect("a writable file");
    let mut clang = Command::new("clang-22");
    let status =
        clang.args(["-emit-llvm", "-c", "-w"]).args(flags).arg(&file).arg("-o").arg(&module).status();
    assert!(status.expect("clang-22").success(), "clang failed");
    program_of(&module, Promotion::On)
}

/// The function of that name.
#[track_caller]
pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let found = program.functions.iter().find(|function| function.name == name && !function.library);
    found.unwrap_or_else(|| panic!("no function `{name}`"))
}

/// All instructions of a function, in the order of its blocks.
pub fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.blocks.iter().flat_map(|block| &block.insts)
}
