//! What a clock is set to when nobody says otherwise: the behaviour that FIDE's requirements ask for.

use flagfall_core::{AtZero, Credit, LateControlMove, Rounding, SameTick, SecondPress, Zero};

use super::*;

#[test]
fn the_default_of_every_setting_is_what_an_arbiter_may_rely_on() {
    let setup = Setup::new(control(&[MINUTE]));
    assert_eq!(setup.credit, Credit::BeforeMove, "the increment stands before the first move");
    assert_eq!(setup.at_zero, AtZero::Freeze);
    assert_eq!(setup.zero, Zero::Fallen);
    assert_eq!(setup.same_tick, SameTick::FlagFirst);
    assert_eq!(setup.late_control_move, LateControlMove::Nothing, "no time is added after a flag");
    assert_eq!(setup.second_press, SecondPress::Ignored);
    assert!(setup.carry_over && setup.first_fallen_sign);
    assert_eq!((setup.display.rounding, setup.display.tenths_below_s), (Rounding::Up, 0));
    assert_eq!(setup.display.seconds_below_min, 0, "seconds are shown from the start");
    assert_eq!((setup.debounce_ms, setup.first), (20, WHITE));
    assert_eq!(setup.opening.white, Opening { left_ms: None, moves: 0, period: None });
}
