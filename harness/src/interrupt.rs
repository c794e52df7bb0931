//! Ctrl-C: the first asks for an end, the second ends at once.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a shell expects of a program that a signal ended: 128 and the number of SIGINT.
pub const ENDED_AT_ONCE: i32 = 130;

/// How often it is tried to remove a folder in which other threads are still at work.
const REMOVALS_MAX: usize = 100;

/// Signals cannot be listened to: something else in this process does so already.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen to Ctrl-C: {0}")]
pub struct InterruptError(#[from] ctrlc::Error);

/// Whether somebody has asked for an end; clones share the answer.
///
/// SIGINT, SIGTERM and SIGHUP ask. Whoever works looks at [`Interrupt::is_asked`] where he can stop and keep what he has.
/// A second signal ends the process at once, after a second process has been ended and the folders that were to be
/// removed at the end have been.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    litter: Arc<Mutex<Vec<PathBuf>>>,
    second: Arc<Mutex<Option<Child>>>,
}

impl Interrupt {
    /// Listens to signals from now on.
    ///
    /// # Errors
    /// [`InterruptError`] when this process listens already.
    pub fn listen() -> Result<Self, InterruptError> {
        Self::listen_saying("flagfall: interrupted; what is done is kept, once more ends at once")
    }

    /// The same, with other words for whoever interrupts.
    ///
    /// # Errors
    /// [`InterruptError`] when this process listens already.
    pub fn listen_saying(words: &'static str) -> Result<Self, InterruptError> {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        ctrlc::set_handler(move || {
            if heard.asked.swap(true, Ordering::SeqCst) {
                heard.end_second();
                heard.remove_litter();
                std::process::exit(ENDED_AT_ONCE);
            }
            crate::command::warn(words);
        })?;
        Ok(interrupt)
    }

    /// Asks for an end.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
    }

    /// Whether the end has been asked for.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Names a folder that is removed if the process is ended at once.
    pub fn litter(&self, folder: &Path) {
        self.litter.lock().unwrap_or_else(PoisonError::into_inner).push(folder.to_owned());
    }

    /// Takes a folder back: it is gone, or about to become results.
    pub fn no_litter(&self, folder: &Path) {
        self.litter.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other != folder);
    }

    /// Keeps a second process, which is ended before this one is.
    pub fn keep_second(&self, child: Child) {
        *self.lock_second() = Some(child);
    }

    /// How the second process ended, once it has; then it is kept no longer.
    ///
    /// # Errors
    /// What the system says when it cannot be asked.
    pub fn end_of_second(&self) -> io::Result<Option<ExitStatus>> {
        let mut second = self.lock_second();
        let ended = match second.as_mut() {
            Some(child) => child.try_wait()?,
            None => None,
        };
        if ended.is_some() {
            *second = None;
        }
        Ok(ended)
    }

    /// Ends the second process, if there is one, and waits for its end.
    pub fn end_second(&self) {
        if let Some(mut child) = self.lock_second().take() {
            // One that has just ended by itself is what is wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn lock_second(&self) -> MutexGuard<'_, Option<Child>> {
        self.second.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove_litter(&self) {
        for folder in self.litter.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // Somebody else may be filling or removing it. What cannot be removed now is removed by the next run.
            for _ in 0..REMOVALS_MAX {
                if std::fs::remove_dir_all(&folder).is_ok() || !folder.exists() {
                    break;
                }
            }
        }
    }
}
