//! Compiles the library models (`runtime/*.c`) to one bitcode file that is embedded in the tool.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where distributions put the tools of LLVM 22 that are not on the PATH under a versioned name.
const LLVM_BIN: &str = "/usr/lib/llvm-22/bin";

fn tool(name: &str) -> PathBuf {
    let beside = Path::new(LLVM_BIN).join(name);
    if beside.exists() { beside } else { PathBuf::from(format!("{name}-22")) }
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed: {status}")) }
}

fn compile_models() -> Result<(), String> {
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let entries = fs::read_dir("runtime").map_err(|error| format!("runtime: {error}"))?;
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    let mut objects = Vec::new();
    for source in &sources {
        let object = out.join(source.with_extension("bc").file_name().unwrap_or_default());
        run(Command::new(tool("clang"))
            .args(["-O0", "-Xclang", "-disable-O0-optnone", "-ffreestanding", "-fno-builtin", "-std=gnu17"])
            .args(["-gline-tables-only", "-fdebug-compilation-dir=.", "-fno-stack-protector"])
            .args(["-Wall", "-Wextra", "-Werror", "-emit-llvm", "-c", "-o"])
            .arg(&object)
            .arg(source))?;
        objects.push(object);
    }
    let linked = out.join("linked.bc");
    run(Command::new(tool("llvm-link")).arg("-o").arg(&linked).args(&objects))?;
    // The models are only ever loaded, so what is done to the user's modules after loading
    // (`passes.rs`) is done to them here, once.
    run(Command::new(tool("opt")).args(["-passes=mem2reg", "-o"]).arg(out.join("runtime.bc")).arg(&linked))
}

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(reason) = compile_models() {
        println!("cargo::error=cannot compile the library models (is clang-22 installed?): {reason}");
    }
}
