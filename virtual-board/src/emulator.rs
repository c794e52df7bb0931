//! A QEMU process of one's own: started with its core held at reset, ended with its owner.

use crate::board::{Board, STM32F405};
use crate::link::{Link, LinkError, REPLY_TIMEOUT, SocketPath, SocketPathError};
use crate::obituary::{Exit, Obituary, UNKNOWN_PATIENCE, read_exit, read_stderr};
use crate::qtest::{Qtest, QtestError, Width};
use crate::selector::Selector;
use crate::serial::{RING, RING_SIZE, SERIAL_SOCKET, SerialOutput};
use crate::supervisor::Supervisor;
use crate::wires::{Cable, CableError};
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use thiserror::Error;

/// What to start.
#[derive(Debug, Clone)]
pub struct EmulatorOptions {
    /// The board.
    pub board: &'static Board,
    /// The program in flash: an ELF file. Without one, flash is blank.
    pub kernel: Option<PathBuf>,
    /// The QEMU binary: a path, or a name to be looked up in PATH.
    pub qemu: PathBuf,
    /// Virtual time per instruction, 2^n ns: 6 is a core of about 16 MHz (0 to 10).
    pub icount_shift: u8,
    /// Whether virtual time is the host's instead of counted in instructions: a core then executes as fast as the host can
    /// and sleeps for as long as one on a chip would, two runs differ, and `icount_shift` means nothing.
    pub paced: bool,
    /// What becomes of what the board's serial port sends.
    pub serial: SerialUse,
    /// Further arguments for QEMU.
    pub extra: Vec<String>,
}

/// What becomes of what a board's serial port sends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SerialUse {
    /// It is lost.
    #[default]
    Lost,
    /// It is kept, to be read with [`Emulator::serial`].
    Kept,
    /// It comes out of a terminal of this machine, which is at this path as long as the emulator is. Whoever opens it sees
    /// a serial port, and must read it: the emulated core waits for whoever does not. What nobody has open is lost. QEMU
    /// 9.2 or newer makes the path, a link.
    Terminal(PathBuf),
}

impl Default for EmulatorOptions {
    fn default() -> EmulatorOptions {
        EmulatorOptions {
            board: &STM32F405,
            kernel: None,
            qemu: PathBuf::from("qemu-system-arm"),
            icount_shift: 6,
            paced: false,
            serial: SerialUse::Lost,
            extra: Vec::new(),
        }
    }
}

impl EmulatorOptions {
    /// The QEMU binary that would be started; [`LaunchError::QemuMissing`] if there is none.
    pub fn program(&self) -> Result<PathBuf, LaunchError> {
        find_program(&self.qemu)
    }
}

/// Why an emulator could not be started.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// Install QEMU as told, or name the binary.
    #[error(
        "{qemu} is not installed (looked in {looked_in}): install QEMU 8 or newer, \
         e.g. `apt-get install qemu-system-arm` (on Debian 12 with `-t bookworm-backports`)"
    )]
    QemuMissing {
        /// The binary asked for.
        qemu: String,
        /// Where it was looked for.
        looked_in: String,
    },
    /// This QEMU is too old. Install a newer one.
    #[error("{qemu} does not know machine {machine:?}: QEMU {since} or newer is needed ({obituary})")]
    MachineUnknown {
        /// The binary.
        qemu: String,
        /// The machine asked for.
        machine: &'static str,
        /// The oldest version that knows it.
        since: &'static str,
        /// What it said.
        obituary: Obituary,
    },
    /// The kernel file cannot be read. Build the firmware, or correct the path.
    #[error("kernel {kernel:?}: {cause}")]
    Kernel {
        /// The file.
        kernel: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// No private folder for the sockets. Look at the permissions and the free space of the temporary folder.
    #[error("cannot make a folder for the sockets in {parent:?}: {cause}")]
    Folder {
        /// The temporary folder.
        parent: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The temporary folder's name makes no socket address. Set TMPDIR to a short absolute path.
    #[error("the temporary folder cannot hold sockets: {0}")]
    Socket(#[from] SocketPathError),
    /// The shell that watches over QEMU could not be started.
    #[error("cannot start QEMU's supervisor: {0}")]
    Spawn(io::Error),
    /// QEMU ended or did not answer. Its last words say why.
    #[error("QEMU did not start: {0}")]
    NotReady(Box<QtestError>),
}

/// A running emulator. Dropping it ends QEMU and removes its folder; if the owner dies otherwise, QEMU ends too.
#[derive(Debug)]
pub struct Emulator {
    /// Dropped before the folder it works in.
    _supervisor: Supervisor,
    folder: Folder,
    _terminal: Option<Terminal>,
    selector: Selector,
    command_line: String,
}

impl Emulator {
    /// Starts QEMU with its core held at the reset vector and virtual time at 0, and waits until it answers.
    pub fn launch(options: &EmulatorOptions) -> Result<Emulator, LaunchError> {
        let program = options.program()?;
        if let Some(kernel) = &options.kernel {
            fs::File::open(kernel).map_err(|cause| LaunchError::Kernel { kernel: kernel.clone(), cause })?;
        }
        let folder = Folder::create()?;
        let selector = Selector::new(options.board, folder.socket("gdb")?, folder.socket("qtest")?);
        let terminal = match &options.serial {
            SerialUse::Terminal(link) => Terminal::at(link),
            _ => None,
        };
        let arguments = arguments(options, &selector, &folder.socket(SERIAL_SOCKET)?);
        let command_line = format!("{} {}", options.qemu.display(), arguments.join(" "));
        let supervisor =
            Supervisor::start(folder.path(), program.as_os_str(), &arguments).map_err(LaunchError::Spawn)?;
        let emulator = Emulator { _supervisor: supervisor, folder, _terminal: terminal, selector, command_line };
        match emulator.wait_until_it_answers(options.board) {
            Ok(()) => Ok(emulator),
            Err(error) => Err(emulator.explain(options, error)),
        }
    }

    /// The text by which a probe driver finds this emulator.
    pub fn selector(&self) -> &Selector {
        &self.selector
    }

    /// The command that was run, for reports and for trying by hand.
    pub fn command_line(&self) -> &str {
        &self.command_line
    }

    /// What QEMU has printed on its error output so far.
    pub fn stderr(&self) -> String {
        read_stderr(self.folder.path())
    }

    /// What comes out of the board's serial port from now on.
    ///
    /// # Errors
    /// The system's: [`SerialUse::Kept`] was not asked for, or QEMU has ended and its folder is gone.
    pub fn serial(&self) -> io::Result<SerialOutput> {
        if !self.folder.path().join(SERIAL_SOCKET).exists() {
            return Err(io::Error::other("what the serial port sends was not asked for, or QEMU has ended"));
        }
        SerialOutput::open(&self.folder.socket(SERIAL_SOCKET).map_err(io::Error::other)?)
    }

    /// Lays a cable to this board that is there for as long as the emulator is; both ends go into selectors.
    pub fn lay_cable(&self) -> Result<PathBuf, CableError> {
        let file = self.folder.path().join("wires");
        Cable::lay(&file)?;
        Ok(file)
    }

    /// How QEMU ended; `None` while it runs.
    pub fn exit_status(&self) -> Option<Exit> {
        read_exit(self.folder.path())
    }

    /// How QEMU ended and its last words. If it has not ended, this waits 0.3 s for an end that may be under way.
    pub fn obituary(&self) -> Obituary {
        Obituary::read_beside(self.selector.qtest.as_path(), UNKNOWN_PATIENCE)
    }

    /// The machine is complete when memory can be read.
    fn wait_until_it_answers(&self, board: &Board) -> Result<(), QtestError> {
        let mut qtest = Qtest::open(Link::connect(&self.selector.qtest, REPLY_TIMEOUT)?);
        qtest.read(board.flash.start, Width::Word).map(|_| ())
    }

    fn explain(&self, options: &EmulatorOptions, error: QtestError) -> LaunchError {
        let obituary = match &error {
            QtestError::Link(LinkError::NotThere { obituary, .. } | LinkError::Gone { obituary, .. }) => {
                obituary.clone()
            }
            _ => Obituary::default(),
        };
        if obituary.last_words.contains("unsupported machine type") {
            let qemu = options.qemu.display().to_string();
            let Board { machine, since, .. } = *options.board;
            return LaunchError::MachineUnknown { qemu, machine, since, obituary };
        }
        LaunchError::NotReady(Box::new(error))
    }
}

fn arguments(options: &EmulatorOptions, selector: &Selector, serial: &SocketPath) -> Vec<String> {
    let mut arguments: Vec<String> =
        ["-M", options.board.machine, "-display", "none", "-monitor", "none", "-S"].map(String::from).into();
    let mut add = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
    add("-accel", "tcg".to_owned());
    if !options.paced {
        // Virtual time is counted in instructions, and does not wait for the host while the core is idle.
        add("-icount", format!("shift={},sleep=off", options.icount_shift));
    }
    add("-chardev", format!("socket,id=gdb,path={},server=on,wait=off", selector.gdb));
    add("-gdb", "chardev:gdb".to_owned());
    add("-qtest", format!("unix:{},server=on,wait=off", selector.qtest));
    add("-qtest-log", "none".to_owned());
    let output = match &options.serial {
        SerialUse::Lost => None,
        SerialUse::Kept => Some(format!("ringbuf,id={RING},size={RING_SIZE}")),
        // In an option of QEMU a comma is written twice.
        SerialUse::Terminal(link) => {
            Some(format!("pty,id={RING},path={}", link.display().to_string().replace(',', ",,")))
        }
    };
    match output {
        None => add("-serial", "none".to_owned()),
        Some(output) => {
            for _ in 0..options.board.serial {
                add("-serial", "null".to_owned());
            }
            add("-chardev", output);
            add("-serial", format!("chardev:{RING}"));
        }
    }
    if options.serial == SerialUse::Kept {
        add("-chardev", format!("socket,id=monitor,path={serial},server=on,wait=off"));
        add("-mon", "chardev=monitor,mode=readline".to_owned());
    }
    if let Some(kernel) = &options.kernel {
        add("-kernel", kernel.display().to_string());
    }
    arguments.extend(options.extra.iter().cloned());
    arguments
}

/// The link that QEMU makes to a terminal of its own, which is gone with the emulator.
#[derive(Debug)]
struct Terminal(PathBuf);

impl Terminal {
    /// One that an emulator left which was killed leads nowhere, and QEMU does not make another over it. What is there and
    /// leads somewhere is somebody else's: QEMU refuses it, and it is not ours to remove.
    fn at(link: &Path) -> Option<Terminal> {
        if link.exists() {
            return None;
        }
        remove_link(link);
        Some(Terminal(link.to_owned()))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        remove_link(&self.0);
    }
}

/// Takes a link away, and nothing that is none. Where it cannot be removed QEMU says so the next time.
fn remove_link(link: &Path) {
    if link.is_symlink() {
        let _ = fs::remove_file(link);
    }
}

/// The file to execute for `program`.
fn find_program(program: &Path) -> Result<PathBuf, LaunchError> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let (candidates, looked_in) = if program.components().count() > 1 {
        (vec![program.to_path_buf()], "the given place".to_owned())
    } else {
        (std::env::split_paths(&folders).map(|folder| folder.join(program)).collect(), "PATH".to_owned())
    };
    let found = candidates.into_iter().find(|candidate| is_executable(candidate));
    found.ok_or_else(|| LaunchError::QemuMissing { qemu: program.display().to_string(), looked_in })
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// A folder that only its owner can enter, removed when dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn create() -> Result<Folder, LaunchError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::temp_dir();
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("flagfall-vboard-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Folder(path)),
                // Left behind by an earlier process with the same number.
                Err(taken) if taken.kind() == ErrorKind::AlreadyExists => {}
                Err(cause) => return Err(LaunchError::Folder { parent, cause }),
            }
        }
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn socket(&self, name: &str) -> Result<SocketPath, SocketPathError> {
        self.0.join(name).display().to_string().parse()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it, and a drop cannot report.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_of_somebody_else_is_left_and_one_that_leads_nowhere_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, terminal) = (folder.path().join("panel"), folder.path().join("terminal"));
        std::os::unix::fs::symlink(&terminal, &link).expect("a link");
        drop(Terminal::at(&link));
        assert!(!link.is_symlink(), "its emulator was killed");
        fs::write(&terminal, "").expect("written");
        std::os::unix::fs::symlink(&terminal, &link).expect("a link");
        drop(Terminal::at(&link));
        assert!(link.is_symlink(), "another server has it");
    }

    #[test]
    fn a_missing_binary_is_told_with_the_way_to_install_it() {
        for qemu in ["qemu-system-nowhere", "/nowhere/qemu-system-arm"] {
            let options = EmulatorOptions { qemu: PathBuf::from(qemu), ..EmulatorOptions::default() };
            let error = Emulator::launch(&options).expect_err("no such binary");
            assert!(matches!(error, LaunchError::QemuMissing { .. }), "{error}");
            assert!(error.to_string().contains("apt-get install"), "{error}");
        }
    }

    #[test]
    fn a_program_that_is_no_qemu_is_told_at_once_with_its_status() {
        let options = EmulatorOptions { qemu: PathBuf::from("false"), ..EmulatorOptions::default() };
        let error = Emulator::launch(&options).expect_err("`false` ends at once");
        assert!(error.to_string().contains("exit status 1"), "{error}");
    }

    #[test]
    fn an_old_qemu_is_told_by_the_machine_it_lacks() {
        let folder = Folder::create().expect("a folder");
        let old = folder.path().join("old-qemu");
        fs::write(&old, "#!/bin/sh\necho 'qemu-system-arm: unsupported machine type' >&2\nexit 1\n").expect("a script");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o700)).expect("made executable");
        let options = EmulatorOptions { qemu: old, ..EmulatorOptions::default() };
        let error = Emulator::launch(&options).expect_err("an old version");
        assert!(matches!(error, LaunchError::MachineUnknown { .. }), "{error}");
    }

    #[test]
    fn a_missing_kernel_is_told_before_anything_is_started() {
        let qemu = PathBuf::from("true");
        let options = EmulatorOptions { qemu, kernel: Some("/nowhere/a.elf".into()), ..EmulatorOptions::default() };
        let error = Emulator::launch(&options).expect_err("no such file");
        assert!(matches!(error, LaunchError::Kernel { .. }), "{error}");
    }

    #[test]
    fn the_folder_is_private_and_goes_with_its_owner() {
        let folder = Folder::create().expect("a folder");
        let path = folder.path().to_path_buf();
        let mode = fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        drop(folder);
        assert!(!path.exists());
    }
}
