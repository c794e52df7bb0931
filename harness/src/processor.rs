//! A lone emulator and its bench on one processor.

/// Keeps this thread, and every process that it starts from now on, on one processor.
///
/// Bench and emulator talk all the time, and only one of them has something to do. On two processors each word wakes the
/// other one first, which takes a game of many short wakes half of its time. Where the system knows no affinity, or
/// forbids it, they go where they like.
pub fn keep_on_one() {
    #[cfg(target_os = "linux")]
    {
        use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
        use nix::unistd::Pid;

        let this_thread = Pid::from_raw(0);
        let Ok(allowed) = sched_getaffinity(this_thread) else { return };
        let Some(first) = (0..CpuSet::count()).find(|processor| allowed.is_set(*processor).unwrap_or(false)) else {
            return;
        };
        let mut one = CpuSet::new();
        if one.set(first).is_ok() {
            // It is quicker with it and right without.
            let _ = sched_setaffinity(this_thread, &one);
        }
    }
}
