//! What the host knows of its own clock: chrony and the kernel are asked before and after.

use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use flagfall_reports::measurement::{KernelClock, KernelError, Reference};

/// Programs that print what the kernel knows, in the order in which they are tried: adjtimex(8), BusyBox, and ntptime of
/// NTPsec and ntpd, which are not always on the path of who is not root.
const KERNEL: [&[&str]; 5] = [
    &["adjtimex", "--print"],
    &["/sbin/adjtimex", "--print"],
    &["busybox", "adjtimex"],
    &["ntptime"],
    &["/usr/sbin/ntptime"],
];

/// The host's clock, as it was before a measurement.
#[derive(Debug)]
pub struct HostClock {
    before: Answers,
    /// What somebody vouches for, in parts per billion.
    vouched_ppb: Option<u64>,
}

/// What programs say of the host's clock at an instant.
#[derive(Clone, Debug)]
struct Answers {
    chrony: Result<String, String>,
    kernel: Result<Kernel, String>,
    /// The wall clock and the monotonic one: the first is stepped, the second is not.
    at: (SystemTime, Instant),
}

#[derive(Clone, Debug)]
struct Kernel {
    clock: KernelClock,
    program: &'static str,
}

impl HostClock {
    /// Asks chrony and the kernel, if nobody vouches for the clock.
    #[must_use]
    pub fn ask(vouched_ppb: Option<u64>) -> Self {
        let before = if vouched_ppb.is_some() { Answers::unasked() } else { Answers::ask() };
        Self { before, vouched_ppb }
    }

    /// What was known of it before, for a run of so many nanoseconds: enough for a look on the way.
    #[must_use]
    pub fn so_far(&self, span_ns: i64) -> Reference {
        self.known(span_ns, || self.before.clone())
    }

    /// What is known of it before and after a run of so many nanoseconds; asks again.
    #[must_use]
    pub fn reference(&self, span_ns: i64) -> Reference {
        self.known(span_ns, Answers::ask)
    }

    fn known(&self, span_ns: i64, after: impl FnOnce() -> Answers) -> Reference {
        if let Some(off_ppb) = self.vouched_ppb {
            return Reference::Host { said_by: "--host-off".to_owned(), off_ppb, moved_ns: 0 };
        }
        let after = after();
        let by_chrony = self.before.by_chrony(&after);
        let known = by_chrony
            .or_else(|chrony| self.before.by_kernel(&after, span_ns).map_err(|kernel| format!("{chrony}; {kernel}")));
        known.unwrap_or_else(|why| Reference::unknown_host(&why))
    }
}

impl Answers {
    fn ask() -> Self {
        Self { chrony: tracking(), kernel: kernel(), at: (SystemTime::now(), Instant::now()) }
    }

    fn unasked() -> Self {
        let why = "not asked".to_owned();
        Self { chrony: Err(why.clone()), kernel: Err(why), at: (SystemTime::now(), Instant::now()) }
    }

    fn by_chrony(&self, after: &Self) -> Result<Reference, String> {
        let (before, after) = (self.chrony.as_ref()?, after.chrony.as_ref()?);
        Reference::kept_by_chrony(before, after).map_err(|error| error.to_string())
    }

    fn by_kernel(&self, after: &Self, span_ns: i64) -> Result<Reference, String> {
        let (before, last) = (self.kernel.as_ref()?, after.kernel.as_ref()?);
        let program = before.program;
        Reference::kept_by_kernel([before.clock, last.clock], self.stepped_ns(after), span_ns, program)
            .map_err(|error| refused(program, &error))
    }

    /// By how much the wall clock was stepped between the two.
    fn stepped_ns(&self, after: &Self) -> u64 {
        let passed = after.at.1.saturating_duration_since(self.at.1);
        let expected = self.at.0 + passed;
        let stepped = after.at.0.duration_since(expected).unwrap_or_else(|back| back.duration());
        u64::try_from(stepped.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// The line of `chronyc -c tracking`; why there is none.
fn tracking() -> Result<String, String> {
    let output = Command::new("chronyc").args(["-c", "tracking"]).stdin(Stdio::null()).output();
    let output = output.map_err(|_| "there is no chronyc to ask".to_owned())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let line = said.lines().chain(["nothing"]).next().unwrap_or_default().to_owned();
    Err(format!("chronyc says {line}"))
}

/// What the first program says that is there; why nobody does.
fn kernel() -> Result<Kernel, String> {
    let mut printed = KERNEL.into_iter().filter_map(|line| {
        let [command, arguments @ ..] = line else { return None };
        let output = Command::new(command).args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output().ok()?;
        let program = command.rsplit('/').next().unwrap_or(command);
        Some((program, String::from_utf8_lossy(&output.stdout).into_owned()))
    });
    let (program, text) = printed.next().ok_or("nor adjtimex, busybox or ntptime")?;
    // These programs end with the state of the clock, or with whether they like it: what counts is what they print.
    let clock = KernelClock::read(&text).map_err(|error| refused(program, &error))?;
    Ok(Kernel { clock, program })
}

fn refused(program: &str, error: &KernelError) -> String {
    format!("{program}: {error}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const KEPT: &str = "maxerror: 12800\nesterror: 412\nstatus: 8193\nreturn value = 0\n";

    fn answers(chrony: Result<&str, &str>, kernel: Result<&str, &str>) -> Answers {
        let kernel = kernel.map_err(str::to_owned).and_then(|text| {
            let clock = KernelClock::read(text).map_err(|error| refused("adjtimex", &error))?;
            Ok(Kernel { clock, program: "adjtimex" })
        });
        let chrony = chrony.map(str::to_owned).map_err(str::to_owned);
        Answers { chrony, kernel, at: (SystemTime::UNIX_EPOCH, Instant::now()) }
    }

    fn host(before: Answers) -> HostClock {
        HostClock { before, vouched_ppb: None }
    }

    #[test]
    fn somebody_who_vouches_is_believed_and_named() {
        let vouched = HostClock::ask(Some(100)).reference(1);
        assert_eq!(vouched.to_string(), "±0.1 ppm host (--host-off)");
    }

    #[test]
    fn a_host_that_says_nothing_is_fifty_ppm() {
        let silent = host(answers(Err("nobody there"), Err("nor there"))).so_far(3_600_000_000_000);
        assert_eq!(silent, Reference::unknown_host("nobody there; nor there"));
        let unkept = KEPT.replace("8193", "64");
        let unkept = host(answers(Err("there is no chronyc to ask"), Ok(&unkept))).so_far(3_600_000_000_000);
        assert_eq!(
            unkept.to_string(),
            "±50 ppm host (nobody knows better: there is no chronyc to ask; adjtimex: the kernel's clock is not synchronised)"
        );
    }

    #[test]
    fn the_kernel_is_believed_where_chrony_is_not_there_or_has_nothing_to_go_by() {
        let lost = "7F7F0101,,0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1.0,1.0,0.0,Not synchronised";
        for chrony in [Err("there is no chronyc to ask"), Ok(lost)] {
            let known = host(answers(chrony, Ok(KEPT))).so_far(3_600_000_000_000);
            let Reference::Host { off_ppb: 0, moved_ns: 25_600_000, said_by } = &known else { panic!("{known:?}") };
            assert!(said_by.starts_with("the kernel, by adjtimex: maxerror 12.8 ms before"), "{said_by}");
        }
    }

    #[test]
    fn a_wall_clock_that_was_stepped_is_noticed_either_way() {
        let before = answers(Err(""), Ok(KEPT));
        let (wall, monotonic) = before.at;
        let passed = Duration::from_secs(10);
        for (wall, stepped_ns) in [
            (wall + passed, 0),
            (wall + passed + Duration::from_millis(5), 5_000_000),
            (wall + passed - Duration::from_millis(5), 5_000_000),
        ] {
            let after = Answers { at: (wall, monotonic + passed), ..before.clone() };
            assert_eq!(before.stepped_ns(&after), stepped_ns);
        }
    }
}
