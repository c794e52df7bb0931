//! A shell that starts a program, keeps its exit status, and, as soon as the process that holds the leash is gone,
//! however that process ended, ends the program and removes the files they shared.
//!
//! A parent-death signal would need unsafe code and would fire when a mere thread ends. The leash is a pipe instead: it
//! closes when its last holder is gone, and only the launcher holds it (Rust opens pipes close-on-exec).

use crate::obituary::{EXIT_FILE, STDERR_FILE};
use crate::serial::SERIAL_SOCKET;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// `$1` is the folder, the rest the command. No core file is written when QEMU aborts.
const SCRIPT: &str = r#"
folder=$1
shift
ulimit -c 0
exec 3<&0 </dev/null
"$@" 3<&- 2>"$folder/stderr" &
program=$!
{ read -r _ <&3; kill -9 "$program"; } 2>/dev/null &
watcher=$!
wait "$program"
status=$?
kill "$watcher" 2>/dev/null
echo "$status" >"$folder/exit.part"
mv "$folder/exit.part" "$folder/exit"
read -r _ <&3
rm -f "$folder/gdb" "$folder/qtest" "$folder/monitor" "$folder/stderr" "$folder/exit"
rmdir "$folder"
"#;

/// How long the program may take to die of SIGKILL.
const DEATH_TIMEOUT: Duration = Duration::from_secs(5);

/// A supervised program. Dropping it ends the program, and waits for the end of both it and the shell.
#[derive(Debug)]
pub(crate) struct Supervisor {
    shell: Child,
    leash: Option<ChildStdin>,
}

impl Supervisor {
    /// Starts `program` with `arguments`; its error output and exit status go to files in `folder`.
    pub(crate) fn start(folder: &Path, program: &OsStr, arguments: &[String]) -> io::Result<Supervisor> {
        debug_assert!([EXIT_FILE, STDERR_FILE, SERIAL_SOCKET].iter().all(|file| SCRIPT.contains(file)));
        let mut shell = Command::new("/bin/sh")
            .args([OsStr::new("-c"), OsStr::new(SCRIPT), OsStr::new("supervisor"), folder.as_os_str(), program])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C on the terminal is for the launcher, which then lets go of the leash.
            .process_group(0)
            .spawn()?;
        let leash = shell.stdin.take();
        Ok(Supervisor { shell, leash })
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.leash = None;
        let deadline = Instant::now() + DEATH_TIMEOUT;
        while matches!(self.shell.try_wait(), Ok(None)) && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obituary::{Exit, read_exit, read_stderr};
    use std::fs;
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("flagfall-supervisor-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn within<T>(patience: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        let deadline = Instant::now() + patience;
        loop {
            match look() {
                None if Instant::now() < deadline => sleep(Duration::from_millis(2)),
                seen => return seen,
            }
        }
    }

    #[test]
    fn the_status_and_the_error_output_are_kept_while_the_leash_is_held() {
        let folder = folder("status");
        let arguments = ["-c".to_owned(), "echo out; echo 'two words' >&2; exit 3".to_owned()];
        let supervisor = Supervisor::start(&folder, OsStr::new("/bin/sh"), &arguments).expect("a shell");
        let exit = within(Duration::from_secs(10), || read_exit(&folder));
        assert_eq!(exit, Some(Exit::Status(3)));
        assert_eq!(read_stderr(&folder), "two words\n");
        drop(supervisor);
        assert!(!folder.exists(), "the shell has cleaned up");
    }

    #[test]
    fn without_its_leash_the_program_ends_and_its_files_go() {
        let folder = folder("leash");
        let pid_file = folder.join("gdb");
        let script = format!("echo $$ >{0}.part; mv {0}.part {0}; exec sleep 600", pid_file.display());
        let mut supervisor =
            Supervisor::start(&folder, OsStr::new("/bin/sh"), &["-c".to_owned(), script]).expect("a sleep");
        let pid = within(Duration::from_secs(10), || fs::read_to_string(&pid_file).ok()).expect("it has started");
        let process = PathBuf::from(format!("/proc/{}", pid.trim()));
        assert!(process.exists(), "it runs while it is held");
        // What the death of the launcher does.
        supervisor.leash = None;
        let gone = within(Duration::from_secs(10), || (!process.exists() && !folder.exists()).then_some(()));
        assert_eq!(gone, Some(()), "program and folder are gone");
    }
}
