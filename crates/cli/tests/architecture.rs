//! ARCHITECTURE.md is a map: every file that it names is there, and every crate is named.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
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
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let named: Vec<&str> = quoted(&map).filter(|name| is_file_name(name)).collect();
    assert!(named.len() > 50, "only {} files are named", named.len());
    // The C library's header that ours stands in for is in `clang/include`.
    let exists = |name: &str| all.iter().any(|file| file == name || file.ends_with(&format!("/{name}")));
    let missing: Vec<&&str> = named.iter().filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that are not there: {missing:?}");
}

#[test]
fn every_crate_is_named() {
    let root = root();
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let names: Vec<&str> = quoted(&map).collect();
    for entry in std::fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name.as_str()), "ARCHITECTURE.md does not name the crate {name}");
    }
}
