//! Compiles the library models (`runtime/*.c`) to bitcode that is embedded in the tool, one file each, with a table of
//! what each of them defines: only those that a program needs are read when it is verified.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where distributions put the tools of LLVM 22 that are not on the PATH under a versioned name.
const LLVM_BIN: &str = "/usr/lib/llvm-22/bin";

fn tool(name: &str) -> PathBuf {
    let beside = Path::new(LLVM_BIN).join(name);
    if beside.exists() { beside } else { PathBuf::from(format!("{name}-22")) }
}

/// Runs a command; gives what it prints.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {}: {reason}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles a model; gives the file with its bitcode.
fn compile_model(source: &Path, out: &Path) -> Result<PathBuf, String> {
    let compiled = out.join("compiled.bc");
    let object = out.join(source.with_extension("bc").file_name().unwrap_or_default());
    run(Command::new(tool("clang"))
        .args(["-O0", "-Xclang", "-disable-O0-optnone", "-ffreestanding", "-fno-builtin", "-std=gnu17"])
        .args(["-gline-tables-only", "-fdebug-compilation-dir=.", "-fno-stack-protector"])
        .args(["-Wall", "-Wextra", "-Werror", "-emit-llvm", "-c", "-o"])
        .arg(&compiled)
        .arg(source))?;
    // The models are only ever loaded, so what is done to the user's modules after loading
    // (`passes.rs`) is done to them here, once.
    run(Command::new(tool("opt")).args(["-passes=mem2reg", "-o"]).arg(&object).arg(&compiled))?;
    Ok(object)
}

fn compile_models() -> Result<(), String> {
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let entries = fs::read_dir("runtime").map_err(|error| format!("runtime: {error}"))?;
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    let mut models = String::new();
    let mut symbols = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        let object = compile_model(source, &out)?;
        let names = run(Command::new(tool("llvm-nm"))
            .args(["--defined-only", "--extern-only", "--format=just-symbols"])
            .arg(&object))?;
        for name in names.lines().filter(|name| !name.is_empty()) {
            if symbols.insert(name.to_owned(), number).is_some() {
                return Err(format!("`{name}` is defined twice, the second time in {}", source.display()));
            }
        }
        // Writing to a string cannot fail.
        let _ = writeln!(models, "    include_bytes!({object:?}),");
    }
    // In the order of the names, so that they can be searched.
    let symbols: Vec<(String, usize)> = symbols.into_iter().collect();
    let text = format!(
        "static MODELS: &[&[u8]] = &[\n{models}];\nstatic SYMBOLS: &[(&str, usize)] = &{symbols:?};\n"
    );
    fs::write(out.join("models.rs"), text).map_err(|error| error.to_string())
}

/// Compiles `promote.cpp`, with the compiler that is there anyway.
fn compile_promotion() -> Result<(), String> {
    let headers = run(Command::new(tool("llvm-config")).arg("--includedir"))?;
    println!("cargo::rerun-if-changed=src/promote.cpp");
    cc::Build::new()
        .cpp(true)
        .compiler(tool("clang++"))
        .std("c++17")
        .flags(["-fno-rtti", "-fno-exceptions", "-isystem", headers.trim()])
        .define("_GNU_SOURCE", None)
        .file("src/promote.cpp")
        .try_compile("selvedge_promote")
        .map_err(|error| error.to_string())
}

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-changed=../clang/include");
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(reason) = compile_promotion() {
        println!(
            "cargo::error=cannot compile src/promote.cpp (are clang-22 and llvm-22-dev installed?): {reason}"
        );
    }
    if let Err(reason) = compile_models() {
        println!("cargo::error=cannot compile the library models (is clang-22 installed?): {reason}");
    }
}
