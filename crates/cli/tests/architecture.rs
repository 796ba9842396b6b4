//! ARCHITECTURE.md is a map: it is short, every file that it names is there, every crate is named, and its table has no others.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn map() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// All files below a folder, but for what is built there, as paths from the root.
fn files(folder: &Path, root: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != ".git" {
            files(&path, root, into);
        } else if path.is_file() {
            into.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

/// What a text has between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

fn is_file_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-/.".contains(&byte);
    let endings = [".rs", ".cpp", ".h", ".toml", ".sh", ".md"];
    name.bytes().all(is_plain)
        && endings.iter().any(|ending| name.ends_with(ending) && name.len() > ending.len())
}

#[test]
fn every_file_that_is_named_exists() {
    let root = root();
    let mut all = Vec::new();
    files(&root, &root, &mut all);
    let map = map();
    let named: Vec<&str> = quoted(&map).filter(|name| is_file_name(name)).collect();
    assert!(named.len() > 50, "only {} files are named", named.len());
    // The C library's header that ours stands in for is in `clang/include`.
    let exists = |name: &str| all.iter().any(|file| file == name || file.ends_with(&format!("/{name}")));
    let missing: Vec<&&str> = named.iter().filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that are not there: {missing:?}");
}

/// What is below a heading of the second level.
fn section<'m>(map: &'m str, heading: &str) -> &'m str {
    let (_, below) = map.split_once(&format!("\n## {heading}\n")).expect("the heading is there");
    below.split("\n## ").next().unwrap()
}

/// The first columns of the rows of a table of crates.
fn first_columns(section: &str) -> Vec<&str> {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).collect()
}

/// The folders in `crates`, in alphabetical order.
fn crates() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> =
        folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_table_has_the_crates_that_there_are() {
    let map = map();
    let mut listed = first_columns(section(&map, "Crates"));
    listed.sort_unstable();
    assert_eq!(listed, crates());
}

#[test]
fn the_code_map_has_every_crate() {
    let map = map();
    let listed = first_columns(section(&map, "Code map"));
    for name in crates() {
        assert!(listed.contains(&name.as_str()), "the code map says nothing of the crate {name}");
    }
}

/// What is told at length belongs to the opening comments of the files concerned.
#[test]
fn it_is_a_map_and_no_book() {
    let length = map().len();
    assert!(length <= 16 * 1024, "ARCHITECTURE.md has {length} bytes");
}
