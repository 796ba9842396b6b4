//! Builds the compiler, `src/compiler.cpp`, with clang's own libraries. Without them there is none, and the installed clang
//! has to do.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where distributions put the tools of LLVM 22 that are not on the PATH under a versioned name.
const LLVM_BIN: &str = "/usr/lib/llvm-22/bin";

/// The folder of the headers that are part of the compiler; there, and nowhere else.
const HEADERS: &str = "/selvedge/include";

/// The parts of clang that are needed, those that need others first.
const CLANG_LIBRARIES: [&str; 16] = [
    "clangCodeGen",
    "clangFrontend",
    "clangDriver",
    "clangParse",
    "clangSerialization",
    "clangSema",
    "clangAPINotes",
    "clangEdit",
    "clangAnalysis",
    "clangAnalysisLifetimeSafety",
    "clangASTMatchers",
    "clangAST",
    "clangSupport",
    "clangLex",
    "clangOptions",
    "clangBasic",
];

fn tool(name: &str) -> PathBuf {
    let beside = Path::new(LLVM_BIN).join(name);
    if beside.exists() { beside } else { PathBuf::from(format!("{name}-22")) }
}

/// Runs a command; gives what it prints, without the end of the line.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        let first = reason.lines().find(|line| line.contains("error")).unwrap_or("it does not say why");
        return Err(format!("{:?}: {}: {first}", command.get_program(), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Builds the compiler; gives its path.
fn build() -> Result<PathBuf, String> {
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let config = |option: &str| run(Command::new(tool("llvm-config")).args(["--link-static", option]));
    let libraries = config("--libdir")?;
    // Nothing has to be built again until they change; if they are not there, this is done each time.
    let first = Path::new(&libraries).join("libclangCodeGen.a");
    println!("cargo::rerun-if-changed={}", first.display());
    if !first.exists() {
        return Err(format!("{} is missing", first.display()));
    }
    let object = out.join("compiler.o");
    run(Command::new(tool("clang++"))
        .args([
            "-std=c++17",
            "-O1",
            "-Wall",
            "-Wno-c23-extensions",
            "-fno-exceptions",
            "-fno-rtti",
            "-fno-pie",
        ])
        .arg(format!("-DINSTALLED_CLANG=\"{}/clang\"", config("--bindir")?))
        .arg(format!("-DHEADER_FOLDER=\"{HEADERS}\""))
        .args(["-isystem", &config("--includedir")?, "-c", "-o"])
        .arg(&object)
        .arg("src/compiler.cpp"))?;
    let executable = out.join("selvedge-clang");
    // A file that is being executed cannot be written.
    drop(fs::remove_file(&executable));
    run(Command::new(tool("clang++"))
        .args(["-static", "-no-pie", "-s", "-Wl,--gc-sections", "-o"])
        .arg(&executable)
        .arg(&object)
        .arg(format!("-L{libraries}"))
        .arg("-Wl,--start-group")
        .args(CLANG_LIBRARIES.map(|library| format!("-l{library}")))
        .args(config("--libs")?.split_whitespace())
        .arg("-Wl,--end-group")
        .args(["-lz", "-lzstd"]))?;
    Ok(executable)
}

fn main() {
    println!("cargo::rerun-if-changed=src/compiler.cpp");
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=build.rs");
    let executable = build().unwrap_or_else(|reason| {
        println!("cargo::warning=compiling C will be slower, with the installed clang (is libclang-22-dev there?): {reason}");
        PathBuf::new()
    });
    println!("cargo::rustc-env=SELVEDGE_CLANG_EXECUTABLE={}", executable.display());
    println!("cargo::rustc-env=SELVEDGE_CLANG_HEADERS={HEADERS}");
}
