//! Compiler flags that a schedule may bring along.
//!
//! A schedule comes from somebody: with a report of a bug, from a build server. What it can make the compiler do must be no
//! more than what its source could do anyway, which is to be compiled and to include other files. Flags that write files, load
//! plugins, read flags from files, hand arguments to other tools or look for those in other places are therefore refused; and
//! since nobody knows all of clang's flags, so is everything that is not listed here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Flags without an argument.
const ALONE: &[&str] = &[
    "-w",
    "-c",
    "-ansi",
    "-pedantic",
    "-pedantic-errors",
    "-pipe",
    "-pthread",
    "-trigraphs",
    "-undef",
    "-nostdinc",
    "-nobuiltininc",
    "-nostdlibinc",
    "-no-pie",
    "-static",
    "-Qunused-arguments",
    "-O",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-Og",
    "-Os",
    "-Oz",
    "-Ofast",
    "-g",
    "-g0",
    "-g1",
    "-g2",
    "-g3",
    "-ggdb",
    "-ggdb3",
    "-gdwarf-4",
    "-gdwarf-5",
    "-gline-tables-only",
    "-gcolumn-info",
    "-xc",
    "-m32",
    "-m64",
];

/// Flags with an argument, in the same word or in the next.
const WITH_ARGUMENT: &[&str] =
    &["-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// Flags with a value in the same word.
const WITH_VALUE: &[&str] = &[
    "-std=",
    "-march=",
    "-mtune=",
    "-mcmodel=",
    "-mfpmath=",
    "-fbracket-depth=",
    "-fcf-protection=",
    "-fdebug-prefix-map=",
    "-fdiagnostics-color=",
    "-ferror-limit=",
    "-ffile-prefix-map=",
    "-ffp-contract=",
    "-fmacro-prefix-map=",
    "-fno-builtin-",
    "-fno-sanitize-recover=",
    "-fno-sanitize-trap=",
    "-fno-sanitize=",
    "-fsanitize-recover=",
    "-fsanitize-trap=",
    "-fsanitize=",
    "-ftls-model=",
    "-fvisibility=",
];

/// What is switched on by `-fNAME` and off by `-fno-NAME`.
const FEATURES: &[&str] = &[
    "PIC",
    "PIE",
    "asm",
    "associative-math",
    "asynchronous-unwind-tables",
    "blocks",
    "builtin",
    "caret-diagnostics",
    "cf-protection",
    "color-diagnostics",
    "common",
    "data-sections",
    "delete-null-pointer-checks",
    "diagnostics-color",
    "diagnostics-fixit-info",
    "diagnostics-show-option",
    "dollars-in-identifiers",
    "exceptions",
    "fast-math",
    "finite-math-only",
    "freestanding",
    "function-sections",
    "gnu89-inline",
    "hosted",
    "ident",
    "inline",
    "inline-functions",
    "jump-tables",
    "lax-vector-conversions",
    "math-errno",
    "ms-extensions",
    "omit-frame-pointer",
    "optimize-sibling-calls",
    "pic",
    "pie",
    "plt",
    "reciprocal-math",
    "rounding-math",
    "sanitize-recover",
    "sanitize-trap",
    "semantic-interposition",
    "short-enums",
    "short-wchar",
    "show-column",
    "signed-char",
    "signed-zeros",
    "slp-vectorize",
    "spell-checking",
    "stack-clash-protection",
    "stack-protector",
    "stack-protector-all",
    "stack-protector-strong",
    "strict-aliasing",
    "strict-overflow",
    "strict-return",
    "trapping-math",
    "trapv",
    "tree-vectorize",
    "unroll-loops",
    "unsafe-math-optimizations",
    "unsigned-char",
    "unwind-tables",
    "vectorize",
    "wrapv",
    "zero-initialized-in-bss",
];

/// What of a processor is switched on by `-mNAME` and off by `-mno-NAME`.
const PROCESSOR: &[&str] = &[
    "adx", "aes", "avx", "avx2", "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "bmi", "bmi2",
    "cx16", "f16c", "fma", "lzcnt", "mmx", "movbe", "pclmul", "popcnt", "rdrnd", "rdseed", "red-zone", "sha",
    "sse", "sse2", "sse3", "sse4", "sse4.1", "sse4.2", "ssse3",
];

/// The first flag that is not known to be harmless, if there is one.
pub fn first_doubtful(flags: &[OsString]) -> Option<&OsStr> {
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let bytes = flag.as_bytes();
        if bytes.contains(&0) {
            return Some(flag);
        }
        if is_harmless_alone(bytes) {
            continue;
        }
        let name = WITH_ARGUMENT.iter().find(|name| bytes.starts_with(name.as_bytes()));
        let argument = match name {
            Some(name) if bytes.len() > name.len() => OsStr::from_bytes(&bytes[name.len()..]),
            Some(_) => match rest.next() {
                Some(argument) => argument,
                None => return Some(flag),
            },
            None if bytes == b"-x" && rest.as_slice().first().is_some_and(|word| word == "c") => {
                rest.next()?
            }
            None => return Some(flag),
        };
        if !is_harmless_argument(flag, argument) {
            return Some(flag);
        }
    }
    None
}

/// Whether a word is a flag that is harmless and needs no other word.
fn is_harmless_alone(flag: &[u8]) -> bool {
    let listed = |list: &[&str], name: &[u8]| list.iter().any(|entry| entry.as_bytes() == name);
    let is_plain = |name: &[u8]| {
        name.iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_' | b'#' | b'='))
    };
    let switched = |list: &[&str], name: &[u8]| {
        listed(list, name) || name.strip_prefix(b"no-").is_some_and(|name| listed(list, name))
    };
    listed(ALONE, flag)
        || WITH_VALUE.iter().any(|name| flag.starts_with(name.as_bytes()))
        || flag.strip_prefix(b"-f").is_some_and(|name| switched(FEATURES, name))
        || flag.strip_prefix(b"-m").is_some_and(|name| switched(PROCESSOR, name))
        // Warnings. With a comma it would be for the assembler, the linker or the preprocessor.
        || flag.strip_prefix(b"-W").is_some_and(is_plain)
        // Libraries: nothing is linked. (`-lazy_library` has an argument.)
        || flag.strip_prefix(b"-l").is_some_and(|name| {
            !name.is_empty() && !name.starts_with(b"azy") && is_plain(name)
        })
}

/// Whether an argument is what it looks like. One that begins with a dash may be part of the name of another flag
/// (`-include-pch`); clang replaces a word that begins with `@` by what is in that file, wherever it stands.
fn is_harmless_argument(flag: &OsStr, argument: &OsStr) -> bool {
    let is_include = flag.as_bytes().starts_with(b"-include");
    let precompiled = |extension: &str| {
        let mut name = argument.to_owned();
        name.push(extension);
        PathBuf::from(name).exists()
    };
    let is_special = matches!(argument.as_bytes().first(), None | Some(b'-' | b'@'));
    let has_zero = argument.as_bytes().contains(&0);
    // Where there is a precompiled header, clang takes that.
    !is_special && !has_zero && !(is_include && (precompiled(".pch") || precompiled(".gch")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubtful(words: &str) -> Option<String> {
        let words: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        first_doubtful(&words).map(|flag| flag.to_string_lossy().into_owned())
    }

    #[test]
    fn usual_flags_are_harmless() {
        for words in [
            "",
            "-w -O2 -g -std=gnu11 -Wall -Wextra -Werror -Wno-unused -Wformat=2 -pthread",
            "-DN=3 -D N=3 -UN -Iinclude -I include -isystem /usr/include -iquote . -include config.h",
            "-fsanitize=undefined -fsanitize-trap=all -fno-strict-aliasing -fwrapv -fPIC -funsigned-char",
            "-march=native -mno-red-zone -msse4.2 -m64 -lm -lpthread -x c -xc",
        ] {
            assert_eq!(doubtful(words), None, "{words}");
        }
        let no_text = OsString::from(OsStr::from_bytes(b"-Icaf\xe9"));
        assert_eq!(first_doubtful(&[no_text]), None);
    }

    #[test]
    fn everything_else_is_doubtful() {
        for flag in [
            "-o",
            "-MD",
            "-MMD",
            "-MF",
            "-MFout",
            "-M",
            "-E",
            "-S",
            "-save-temps",
            "-save-temps=obj",
            "-ftime-trace",
            "--serialize-diagnostics",
            "-fplugin=x.so",
            "-fpass-plugin=x.so",
            "-Xclang",
            "-Xlinker",
            "-Xassembler",
            "-Xpreprocessor",
            "-Wl,-x",
            "-Wa,-x",
            "-Wp,-MD,out",
            "-B.",
            "-specs=x",
            "--config=x",
            "--config",
            "-mllvm",
            "-ivfsoverlay",
            "-include-pch",
            "-isystem-after",
            "-isysroot",
            "--sysroot=/",
            "-fcrash-diagnostics-dir=x",
            "-gen-reproducer=always",
            "-gsplit-dwarf",
            "-fprofile-generate",
            "-fprofile-use=x",
            "-fmodules",
            "-fmodule-file=x",
            "-fmodules-cache-path=x",
            "-fsanitize-ignorelist=x",
            "-fno-integrated-as",
            "-ObjC",
            "-resource-dir=x",
            "-working-directory=x",
            "-fuse-ld=x",
            "-ccc-install-dir",
            "-###",
            "-v",
            "@flags",
            "other.c",
            "-",
            "--",
            "-x",
            "-xc++",
            "-fembed-bitcode",
            "-fdepfile-entry=x",
            "-dependency-dot",
            "-H",
            "-fbuild-session-file=x",
            "-foptimization-record-file=x",
            "-fsave-optimization-record",
            "-ofile",
            "-T",
            "--analyze",
            "-emit-ast",
            "-fsyntax-only",
            "-L",
            "-lazy_library",
            "-dD",
            "--write-dependencies",
            "-fcoverage-mapping",
            "-fdebug-compilation-dir=x",
            "-frandomize-layout-seed-file=x",
            "--warning-suppression-mappings=x",
        ] {
            assert_eq!(doubtful(&format!("-w {flag} -w")), Some(flag.to_owned()));
        }
        for (words, flag) in
            [("-I @flags", "-I"), ("-D -isystem", "-D"), ("-x c++", "-x"), ("-isystem -after", "-isystem")]
        {
            assert_eq!(doubtful(words), Some(flag.to_owned()), "{words}");
        }
        assert!(first_doubtful(&["-DA\0B".into()]).is_some());
    }

    #[test]
    fn an_argument_must_be_there() {
        assert_eq!(doubtful("-w -D"), Some("-D".to_owned()));
        let folder = tempfile::tempdir().expect("a folder");
        let header = folder.path().join("all.h");
        let flags = ["-include".into(), header.clone().into_os_string()];
        assert_eq!(first_doubtful(&flags), None);
        std::fs::write(header.with_extension("h.gch"), "").expect("a file");
        assert!(first_doubtful(&flags).is_some());
    }
}
