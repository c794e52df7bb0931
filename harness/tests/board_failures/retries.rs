//! What is tried again, how often, and what is not.

use std::time::{Duration, Instant};

use flagfall::rig::Outcome;
use flagfall::rig::board::{Attempts, Board, Description};
use libtest_mimic::Failed;

use crate::wire::Mischief;
use crate::{Run, Wired, case};

pub(crate) const ALL: &[(&str, Run)] = &[
    ("what_the_bench_breaks_is_tried_again", what_the_bench_breaks_is_tried_again),
    ("without_retries_nothing_is", without_retries_nothing_is),
    ("what_the_clock_breaks_is_not_tried_again", what_the_clock_breaks_is_not_tried_again),
    ("a_board_that_is_gone_is_not_waited_for", a_board_that_is_gone_is_not_waited_for),
];

fn what_the_bench_breaks_is_tried_again(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let middle = wired.middle_of_a_run()?;
    wired.wire.set(middle, Mischief::Hiccup);
    let attempted = Attempts::new(Board::new(wired.description.clone()), 1).run(&case().plan);
    assert!(matches!(attempted.outcome, Outcome::Ran { .. }), "{:?}", attempted.outcome);
    let retried = attempted.retried.ok_or("it went through at once")?;
    assert_eq!(retried.times, 1);
    assert!(retried.first_cause.contains("No such device"), "{}", retried.first_cause);
    Ok(())
}

fn without_retries_nothing_is(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let middle = wired.middle_of_a_run()?;
    wired.wire.set(middle, Mischief::Hiccup);
    let attempted = Attempts::new(Board::new(wired.description.clone()), 0).run(&case().plan);
    assert!(matches!(attempted.outcome, Outcome::Infra(_)), "{:?}", attempted.outcome);
    assert_eq!(attempted.retried, None);
    Ok(())
}

fn what_the_clock_breaks_is_not_tried_again(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let (accesses, middle) = (wired.accesses_of_a_run()?, wired.middle_of_a_run()?);
    // Once only: a second try would pass.
    wired.wire.set(middle, Mischief::Write(vec![(0xE000_ED04, 1 << 31)]));
    let attempted = Attempts::new(Board::new(wired.description.clone()), 3).run(&case().plan);
    assert!(matches!(attempted.outcome, Outcome::Broke(_)), "{:?}", attempted.outcome);
    assert_eq!(attempted.retried, None);
    assert!(wired.wire.accesses() <= accesses, "one try");
    Ok(())
}

fn a_board_that_is_gone_is_not_waited_for(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let middle = wired.middle_of_a_run()?;
    wired.wire.set(middle, Mischief::Unplugged);
    let mut attempts = Attempts::new(Board::new(wired.description.clone()), 1);
    let plan = case().plan;
    let first = attempts.run(&plan);
    assert!(matches!(&first.outcome, Outcome::Infra(cause) if cause.contains("no probe answers")), "{first:?}");
    let retried = first.retried.ok_or("it was not tried again")?;
    assert!(retried.times == 1 && retried.first_cause.contains("No such device"), "{retried:?}");
    attempts.run(&plan);
    let begun = Instant::now();
    for _ in 0..1000 {
        let attempted = attempts.run(&plan);
        let Outcome::Infra(cause) = &attempted.outcome else { return Err(format!("{attempted:?}").into()) };
        assert!(cause.starts_with("the board could not be opened 2 times in a row: no probe answers"), "{cause}");
        assert_eq!(attempted.retried, None);
    }
    assert!(begun.elapsed() < Duration::from_secs(1), "each at once");
    Ok(())
}
