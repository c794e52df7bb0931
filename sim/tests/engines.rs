//! The comparison of the throughput bench is one of equals: on both engines the clock says the same.

#[path = "../benches/throughput/game.rs"]
mod game;
#[path = "../benches/throughput/nexosim_arm.rs"]
mod nexosim_arm;

use flagfall_core::record::Kind;
use flagfall_sim::Budget;

#[test]
fn a_game_leaves_the_same_trace_on_our_queue_and_on_nexosim() {
    let plan = game::plan(200);
    let ours = flagfall_sim::run(&plan, &Budget::default()).expect("within budget");
    let (theirs, _) = nexosim_arm::run(&plan);
    assert_eq!(ours.hash(), theirs.hash());
    assert_eq!(ours, theirs);
    let fallen = ours.records.iter().filter(|stamped| stamped.record.kind == Kind::FLAG_FELL).count();
    assert_eq!((fallen, game::steps(&ours)), (1, 203), "start, 200 presses, one alarm, one look");
}
