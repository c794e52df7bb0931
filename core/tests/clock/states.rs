//! A state that was kept, the battery sign, time that goes back, faces.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, BySide, Clock, DeviceTime, Effect, Input, Phase, Record, SameTick, State};

use super::*;

#[test]
fn a_clock_restored_from_its_state_goes_on_as_if_nothing_had_been() {
    let mut first = started(&[all(60, Bonus::Delay { ms: 5_000 }), all(30, Bonus::Bronstein { ms: 2_000 })], |setup| {
        setup.at_zero = AtZero::RunOn;
    });
    step(&mut first, S, Input::Battery { low: true });
    press(&mut first, 7 * S, WHITE);
    wake(&mut first, 9 * S);
    let mut second = Clock::restore(first.setup(), first.rate(), DeviceTime::from_ticks(9 * S), first.state());
    assert_eq!(second.state(), first.state());
    for (ticks, input) in [(80, Input::Press(BLACK)), (90, Input::Press(WHITE)), (500, Input::Read)] {
        assert_eq!(happenings(&mut first, ticks * S, input), happenings(&mut second, ticks * S, input));
    }
}

#[test]
fn a_restored_clock_has_no_correction_to_take_back() {
    let mut clock = clock(&[MINUTE], |_| ());
    step(&mut clock, 1, Input::SetTime { side: WHITE, left_ms: 1 });
    let mut restored = Clock::restore(clock.setup(), clock.rate(), DeviceTime::from_ticks(1), clock.state());
    assert_eq!(step(&mut restored, 1, Input::Undo).len(), 2);
}

#[test]
fn what_a_clock_cannot_have_counted_is_held_at_its_limit_when_it_is_restored() {
    let restored = |bonus| {
        let clock = started(&[MINUTE, all(60, bonus)], |_| ());
        let corrupt = State { period: BySide::both(u8::MAX), overtime: BySide::both(u16::MAX), ..*clock.state() };
        let restored = Clock::restore(clock.setup(), clock.rate(), DeviceTime::ZERO, &corrupt);
        (restored.state().period, restored.state().overtime)
    };
    assert_eq!(restored(Bonus::None), (BySide::both(1), BySide::both(0)));
    assert_eq!(restored(Bonus::ByoYomi { periods: 3, ms: 1 }), (BySide::both(1), BySide::both(3)));
    assert_eq!(restored(Bonus::Canadian { moves: 20, ms: 1 }), (BySide::both(1), BySide::both(20)));
}

#[test]
fn the_battery_sign_is_lit_and_goes_out_and_changes_nothing_else() {
    let mut clock = started(&[MINUTE], |_| ());
    let before = *clock.state();
    assert_eq!(step(&mut clock, 0, Input::Battery { low: true }), [Effect::Battery(true)]);
    assert_eq!(*clock.state(), State { battery_low: true, ..before });
    assert_eq!(step(&mut clock, 0, Input::Battery { low: false }), [Effect::Battery(false)]);
    assert_eq!(*clock.state(), before);
    step(&mut clock, S, Input::Battery { low: true });
    assert_eq!(deadline(&clock), Some(60 * S), "the time goes on");
}

#[test]
fn the_sign_stays_lit_over_a_swap_and_a_flag() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, 0, Input::Battery { low: true });
    step(&mut clock, S, Input::Swap);
    wake(&mut clock, 100 * S);
    assert!(clock.state().battery_low);
}

#[test]
fn time_that_goes_back_is_held_and_told() {
    let mut clock = started(&[MINUTE], |_| ());
    wake(&mut clock, 10 * S);
    let back = happenings(&mut clock, 4 * S, Input::Press(WHITE));
    assert_eq!(back[0].effect, Effect::WentBack(6 * S));
    assert!(back.iter().all(|happening| happening.at.ticks() == 10 * S));
    assert_eq!(left(&clock).white, 50 * S);
    assert_eq!(deadline(&clock), Some(70 * S));
}

#[test]
fn a_zero_that_is_due_comes_after_the_notice_that_time_went_back() {
    let mut clock = started(&[MINUTE], |setup| setup.same_tick = SameTick::PressFirst);
    press(&mut clock, 60 * S, WHITE);
    press(&mut clock, 60 * S, BLACK);
    let effects = step(&mut clock, 60 * S - 1, Input::Read);
    assert_eq!(effects, [Effect::WentBack(1), Effect::FlagFell(WHITE, 0), Effect::Read]);
}

#[test]
fn a_clock_that_nobody_starts_stands_still() {
    let mut clock = clock(&[MINUTE], |_| ());
    assert_eq!(deadline(&clock), None);
    assert_eq!(step(&mut clock, 1_000 * S, Input::Read), [Effect::Read]);
    assert_eq!((left(&clock), clock.state().phase), (BySide::both(60 * S), Phase::Ready));
    arbiter(&mut clock, 2_000 * S);
    assert_eq!(deadline(&clock), Some(2_060 * S));
}

#[test]
fn the_delay_that_is_shown_is_that_of_the_side_on_move() {
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |_| ());
    let shown = |clock: &mut Clock, ticks| {
        let read = happenings(clock, ticks, Input::Read)[0];
        let record = Record::new(7, &read, clock.setup(), clock.rate());
        assert_eq!((record.kind, record.seq, record.running()), (Kind::READ, 7, clock.state().phase.side()));
        (record.delay_ticks, record.shown_delay_seconds, record.shown.map(|face| face.to_string()))
    };
    assert_eq!(shown(&mut clock, S + 1), (4 * S - 1, 4, BySide::new("1:00".into(), "1:00".into())));
    assert_eq!(shown(&mut clock, 6 * S), (0, 0, BySide::new("0:59".into(), "1:00".into())));
    press(&mut clock, 6 * S, WHITE);
    assert_eq!(shown(&mut clock, 6 * S).1, 5);
}
