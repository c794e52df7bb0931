//! Hands the chip's memory map to the linker and the build id to the firmware.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the image is made from, relative to this folder.
const SOURCES: [&str; 5] = ["Cargo.toml", "build.rs", "memory", "src", "../core/src"];

/// The chips, as features and files of `memory` are called.
const CHIPS: [&str; 2] = ["f405", "l475"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let is_chosen = |chip: &&str| env::var_os(format!("CARGO_FEATURE_{}", chip.to_uppercase())).is_some();
    let chip = CHIPS.into_iter().find(is_chosen).ok_or("no chip: choose one of the features f405 and l475")?;
    fs::copy(format!("memory/{chip}.x"), out.join("memory.x"))?;
    fs::copy("memory/stops.x", out.join("stops.x"))?;
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    // Without it the linker aligns the sections to pages and the headers land in flash.
    println!("cargo::rustc-link-arg-bins=--nmagic");
    println!("cargo::rustc-env=FLAGFALL_BUILD_ID={:016x}", build_id(chip)?);
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    Ok(())
}

/// A hash of the chip, of the sources and of the compiler's version: equal inputs give an equal id on every machine.
fn build_id(chip: &str) -> Result<u64, Box<dyn Error>> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(Path::new(source), &mut files)?;
    }
    files.sort();
    let mut hash = Fnv::new();
    hash.eat(chip.as_bytes());
    hash.eat(&Command::new(env::var("RUSTC")?).arg("--version").output()?.stdout);
    for file in files {
        hash.eat(file.to_string_lossy().as_bytes());
        hash.eat(&fs::read(&file)?);
    }
    Ok(hash.0)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

/// FNV-1a, 64 bits: enough to tell two builds apart, and no dependency.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in a field and its length, so that moving a byte between fields is seen.
    fn eat(&mut self, field: &[u8]) {
        for byte in (field.len() as u64).to_le_bytes().iter().chain(field) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
