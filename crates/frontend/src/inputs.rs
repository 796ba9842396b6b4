//! What the compiler has read: which files, and what was in them then.
//!
//! `selvedge-clang` hashes what it has in memory, so what is known is what was compiled. The installed clang says which files it
//! has read; they are hashed afterwards, and if one was changed since the compilation began, what was compiled is not known.
//!
//! Files of the system are many and seldom change: of these one hash is kept, together with that of the compiler's version.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Folders whose files are the system's.
const SYSTEM: [&str; 4] = ["/usr/include", "/usr/lib", "/usr/local/include", selvedge_clang::HEADER_FOLDER];

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name, as the compiler calls it.
    pub path: PathBuf,
    /// A hash of what was read (FNV-1a of 64 bits); `None` if that is not known.
    pub hash: Option<u64>,
}

/// All that the compilation of a program has read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The files that were to be compiled, in their order and by the names that they were given.
    pub sources: Vec<Input>,
    /// Others, but the system's; by name.
    pub headers: Vec<Input>,
    /// A hash of the system's files, and of what is known of the compiler.
    pub system: u64,
}

/// What the compilation of one file has read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Read {
    /// What is known of the compiler.
    pub compiler: Vec<u8>,
    /// The files, the compiled one first.
    pub files: Vec<Input>,
}

/// A hash of contents (FNV-1a, 64 bits): to notice a change, not an attacker.
pub fn hash(contents: &[u8]) -> u64 {
    add(0xcbf2_9ce4_8422_2325, contents)
}

fn add(hash: u64, contents: &[u8]) -> u64 {
    contents.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Inputs {
    /// Puts together what was read for each source file.
    pub(crate) fn new(sources: &[PathBuf], read: Vec<Read>) -> Self {
        let mut inputs = Self::default();
        let mut system: Vec<(Vec<u8>, Option<u64>)> = Vec::new();
        for (source, Read { compiler, files }) in sources.iter().zip(read) {
            system.push((compiler, None));
            let mut files = files.into_iter();
            let hash = files.next().and_then(|own| own.hash);
            inputs.sources.push(Input { path: source.clone(), hash });
            for file in files {
                match system_name(&file.path) {
                    Some(name) => system.push((name.as_bytes().to_vec(), file.hash)),
                    None => inputs.headers.push(file),
                }
            }
        }
        inputs.headers.sort_by(|one, other| one.path.cmp(&other.path));
        inputs.headers.dedup();
        system.sort();
        system.dedup();
        let both = |hash, (name, own): &(Vec<u8>, Option<u64>)| {
            add(add(hash, name), &own.unwrap_or_default().to_le_bytes())
        };
        inputs.system = system.iter().fold(hash(&[]), both);
        inputs
    }
}

/// What a file of the system is called; `None` if it is none. Our own headers may lie in a temporary folder.
fn system_name(path: &Path) -> Option<&OsStr> {
    // There are dozens, and going through the components of each path takes longer than all else that is done with them: so the
    // names are compared, as far as that tells the same.
    let name = path.as_os_str().as_bytes();
    let folder = &name[..name.iter().rposition(|byte| *byte == b'/').unwrap_or(0)];
    let is_own =
        folder.ends_with(OWN_FOLDER.as_bytes()) && Path::new(OsStr::from_bytes(folder)).ends_with(OWN_FOLDER);
    match is_own {
        true => path.file_name(),
        false => {
            let begins = |folder: &&str| {
                name.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'/'))
            };
            let is_below = |folder: &&str| path.starts_with(folder);
            (SYSTEM.iter().any(begins) || SYSTEM.iter().any(is_below)).then_some(path.as_os_str())
        }
    }
}

/// The end of the name of a temporary folder with our own headers.
pub(crate) const OWN_FOLDER: &str = "selvedge-headers/include";

impl Read {
    /// What `selvedge-clang` has written: see [`selvedge_clang::INPUTS_VARIABLE`].
    pub(crate) fn of_record(record: &[u8]) -> Self {
        let mut entries = record.split(|byte| *byte == 0);
        let compiler = entries.next().unwrap_or_default().to_vec();
        let files = entries.filter_map(|entry| {
            let at = entry.iter().position(|byte| *byte == b' ')?;
            let hash = std::str::from_utf8(&entry[..at]).ok()?;
            let hash = u64::from_str_radix(hash, 16).ok();
            Some(Input { path: PathBuf::from(OsStr::from_bytes(&entry[at + 1..])), hash })
        });
        Self { compiler, files: files.collect() }
    }

    /// What the installed compiler says it has read, in the form of a rule of `make`, since a time.
    pub(crate) fn of_rule(rule: &[u8], compiler: &Path, since: SystemTime) -> Self {
        let files = names(rule).into_iter().map(|path| now(path, since)).collect();
        Self { compiler: compiler_version(compiler), files }
    }

    /// A file that was read alone.
    pub(crate) fn of_file(path: &Path, compiler: &Path, since: SystemTime) -> Self {
        Self { compiler: compiler_version(compiler), files: vec![now(path.to_owned(), since)] }
    }
}

/// A file as it is now, if that is what it was at a time.
fn now(path: PathBuf, since: SystemTime) -> Input {
    let is_old = |path: &Path| {
        let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified < since)
    };
    // In this order: what is changed in between is noticed.
    let contents = crate::clang::read_input(&path).ok();
    let hash = contents.filter(|_| is_old(&path)).map(|contents| hash(&contents));
    Input { path, hash }
}

/// What distinguishes one compiler from another without running it: its size and time.
fn compiler_version(compiler: &Path) -> Vec<u8> {
    let candidates = std::env::var_os("PATH").unwrap_or_default();
    let in_path =
        || std::env::split_paths(&candidates).map(|folder| folder.join(compiler)).find(|path| path.is_file());
    let path = if compiler.is_absolute() { Some(compiler.to_owned()) } else { in_path() };
    let metadata = path.and_then(|path| std::fs::metadata(path).ok());
    let described = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
    format!("{described:?}").into_bytes()
}

/// The names in a rule of `make`, but for its target.
fn names(rule: &[u8]) -> Vec<PathBuf> {
    let begin = rule.windows(2).position(|pair| pair[0] == b':' && pair[1].is_ascii_whitespace());
    let mut rest = begin.map_or(&[][..], |at| &rule[at + 1..]).iter().copied().peekable();
    let (mut names, mut name) = (Vec::new(), Vec::new());
    while let Some(byte) = rest.next() {
        match (byte, rest.peek().copied()) {
            (b'\\', Some(b'\n')) => {
                rest.next();
            }
            (b'\\', Some(escaped @ (b' ' | b'#'))) | (b'$', Some(escaped @ b'$')) => {
                rest.next();
                name.push(escaped);
                continue;
            }
            (b' ' | b'\n' | b'\t', _) => {}
            (byte, _) => {
                name.push(byte);
                continue;
            }
        }
        if !name.is_empty() {
            names.push(PathBuf::from(OsStr::from_bytes(&std::mem::take(&mut name))));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let rule = b"x: a.c \\\n  my\\ header.h a$$b.h \\\n  /usr/include/stdio.h back\\slash.h\n";
        let expected = ["a.c", "my header.h", "a$b.h", "/usr/include/stdio.h", "back\\slash.h"];
        assert_eq!(names(rule), expected.map(PathBuf::from));
        assert!(names(b"").is_empty() && names(b"x:\n").is_empty());
    }

    #[test]
    fn records_are_read() {
        let read = Read::of_record(b"clang 22\x00000000000000000f a.c\x0000000000000000ff my header.h\x00");
        assert_eq!(read.compiler, b"clang 22");
        let files: Vec<_> = read.files.iter().map(|file| (file.path.to_str(), file.hash)).collect();
        assert_eq!(files, [(Some("a.c"), Some(15)), (Some("my header.h"), Some(255))]);
    }

    #[test]
    fn headers_of_the_system_are_one_hash() {
        let file = |path: &str, hash| Input { path: path.into(), hash: Some(hash) };
        let read = |system, own| Read {
            compiler: b"clang".to_vec(),
            files: vec![file("a.c", 1), file("/usr/include/stdio.h", system), file("a.h", own)],
        };
        let inputs = |system, own| Inputs::new(&["a.c".into()], vec![read(system, own)]);
        assert_eq!(inputs(2, 3).headers, [file("a.h", 3)]);
        assert_eq!(inputs(2, 3).sources, [file("a.c", 1)]);
        assert_eq!(inputs(2, 3).system, inputs(2, 4).system);
        assert_ne!(inputs(2, 3).system, inputs(5, 3).system);
    }

    #[test]
    fn what_was_changed_since_is_not_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.h");
        std::fs::write(&path, "a").expect("a file");
        let modified = std::fs::metadata(&path).and_then(|file| file.modified()).expect("a time");
        let later = modified + std::time::Duration::from_secs(1);
        assert_eq!(now(path.clone(), later).hash, Some(hash(b"a")));
        assert_eq!(now(path, modified).hash, None);
    }

    #[test]
    fn contents_have_the_hash_that_is_published() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
