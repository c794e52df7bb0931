//! Running a command as a reader would, in a copy that it may write to.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The repository by links, without results, and with the files that a document tells its reader to write.
pub(crate) struct Copy(TempDir);

impl Copy {
    pub(crate) fn of(root: &Path, files: &[(PathBuf, String)]) -> Self {
        let copy = tempfile::tempdir().expect("a folder");
        // A reader who has followed a document has these already.
        let written: Vec<_> = files.iter().filter_map(|(path, _)| path.iter().next()).collect();
        for entry in fs::read_dir(root).expect("the repository can be listed") {
            let name = entry.expect("the repository can be listed").file_name();
            let is_output = name == "out" || name.to_string_lossy().starts_with("out-");
            if !is_output && name != ".git" && !written.contains(&name.as_os_str()) {
                symlink(root.join(&name), copy.path().join(&name)).expect("a link");
            }
        }
        for (path, text) in files {
            let path = copy.path().join(path);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        Self(copy)
    }

    /// Runs one line; its exit code and what a terminal would show.
    pub(crate) fn run(&self, command: &str) -> (i32, String) {
        let program = shell_word(env!("CARGO_BIN_EXE_flagfall"));
        let command = command.replace("cargo run -- ", &format!("{program} "));
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.0.path())
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// What the emulated board needs and this machine does not have.
pub(crate) fn missing(root: &Path) -> Option<&'static str> {
    let qemu = || Command::new("qemu-system-arm").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !qemu().is_ok_and(|status| status.success()) {
        Some("no qemu-system-arm")
    } else if !root.join("target/firmware/flagfall-f405.elf").is_file() {
        Some("no firmware: run scripts/firmware")
    } else {
        None
    }
}
