//! What a plan asks for that a board or its bench does not have, derived from the plan and never from a scenario's name.

use flagfall_core::TrueTime;
use flagfall_judge::oracle;
use flagfall_scenarios::Scenario;
use flagfall_trace::plan::{Act, Fault, Plan, Retained};

use super::description::{Acting, Description, Possible, RateFault};
use super::trains::Trains;
use super::{contacts, unstopped, watch};

/// What this board lacks for a plan.
#[must_use]
pub fn not_applicable(description: &Description, plan: &Plan) -> Option<String> {
    if !plan.clock_kind.is_digital() {
        return Some("an analogue clock: this board has an electronic one".into());
    }
    let (has, wants) = (description.tick_rate.hz(), plan.tick_rate.hz());
    if has != wants {
        return Some(format!("tick rate {wants} Hz: this board has {has} Hz"));
    }
    if description.acting == Acting::Live
        && let Some(obstacle) = plan.steps.iter().find_map(|step| unstopped::obstacle(&step.act))
    {
        return Some(obstacle);
    }
    if !plan.oscillator.is_exact() {
        return Some("an oscillator of the scenario's own: this board has its own".into());
    }
    if let Some(symbols) = &description.symbols {
        return watch::obstacle(description, symbols, plan);
    }
    for step in &plan.steps {
        let lacks = match step.act {
            Act::Fault(fault) => cannot_cause(description, fault),
            Act::Battery { .. } => Some("another supply voltage: this bench cannot cause it".into()),
            _ => None,
        };
        if lacks.is_some() {
            return lacks;
        }
    }
    if let Some(obstacle) = beside_a_reset(plan).or_else(|| without_time(plan)) {
        return Some(obstacle.into());
    }
    let needs_ns = description.smallest_gap_us.saturating_mul(1_000);
    if let Some(obstacle) = while_time_is_held(plan, needs_ns) {
        return Some(obstacle.into());
    }
    if let Some(obstacle) = contacts::obstacle(plan, needs_ns, &Trains::of(description, plan)) {
        return Some(obstacle);
    }
    let gap_ns = oracle::smallest_gap_to_a_flag_ns(&as_the_clock_is_set(plan))?;
    (gap_ns < needs_ns).then(|| format!("an act {gap_ns} ns from a flag: this bench needs {needs_ns} ns"))
}

/// What this board lacks for a scenario with this plan: for the plan, or to see what the scenario expects.
#[must_use]
pub fn not_applicable_to(description: &Description, plan: &Plan, scenario: &Scenario) -> Option<String> {
    not_applicable(description, plan).or_else(|| {
        let symbols = description.symbols.as_ref()?;
        watch::unseen(symbols, &scenario.expectations, &scenario.clock)
    })
}

/// The plan on a clock that is set right: where the clock is set wrong, its own flags are what an act may come close to.
pub(super) fn as_the_clock_is_set(plan: &Plan) -> Plan {
    Plan { setup: plan.device_setup.unwrap_or(plan.setup), ..plan.clone() }
}

/// Why a fault cannot be caused here.
fn cannot_cause(description: &Description, fault: Fault) -> Option<String> {
    let faults = &description.faults;
    if description.true_time.is_none() && matches!(fault, Fault::Rate { .. } | Fault::Jump { .. }) {
        return Some("a time base that goes wrong: without true time this board does not show it".into());
    }
    match fault {
        Fault::LostPress { .. } => lacks("a press that is lost", &faults.lost_press),
        Fault::Rate { ppb, .. } => {
            lacks("a time base at another rate", &faults.rate).or_else(|| below_step(*faults.rate.by().ok()?, ppb))
        }
        Fault::Jump { by_ns } => {
            lacks("a time base that jumps", &faults.jump).or_else(|| too_small_a_jump(description, by_ns))
        }
        Fault::Stuck { for_ns } => {
            lacks("a time base that stands still", &faults.stuck).or_else(|| cannot_wait(description, for_ns))
        }
        Fault::Reset { retained: Retained::Settings, .. } => {
            Some("a reset that keeps the settings alone: this clock keeps everything".into())
        }
        Fault::Reset { .. } => lacks("a reset", &faults.brown_out),
        Fault::DisplayFrozen { .. } => lacks("a frozen display", &faults.display_frozen).or_else(|| {
            description.panel.is_none().then(|| "a frozen display: the panel is not watched on this board".into())
        }),
        Fault::Ticks { .. } => Some("single ticks lost or counted twice: this bench cannot cause it".into()),
        _ => Some("a fault inside the clock: this bench cannot cause it".into()),
    }
}

/// Why a time base that stands still for so long cannot be waited out.
fn cannot_wait(description: &Description, for_ns: i64) -> Option<String> {
    if description.true_time.is_some() {
        return Some("a time base that stands still: this bench stops by device time, which would not come".into());
    }
    let longest_ms = description.faults.stuck.by().ok()?.longest_ms?;
    let too_long = for_ns > i64::from(longest_ms) * 1_000_000;
    too_long.then(|| format!("a time base that stands still for {} ms: at most {longest_ms} ms", for_ns / 1_000_000))
}

/// What a bench does not do while the clock's time base stands still, by which alone it could know when.
fn without_time(plan: &Plan) -> Option<&'static str> {
    let mut until = None;
    plan.steps.iter().filter(|step| step.act.is_for_the_clock()).find_map(|step| {
        if until.is_some_and(|until| step.at < until) {
            return Some("an act while the time base stands still: nothing tells this bench when");
        }
        if let Act::Fault(Fault::Stuck { for_ns }) = step.act {
            until = step.at.checked_add_ns(for_ns);
        }
        None
    })
}

/// What a bench does not do after a jump back until the clock's time base has come again where it was: the clock dates it
/// all by what it holds, and by that no bench sees when it was.
fn while_time_is_held(plan: &Plan, gap_ns: u64) -> Option<&'static str> {
    let mut held_until = TrueTime::from_ns(i64::MIN);
    for step in plan.steps.iter().filter(|step| step.act.is_for_the_clock()) {
        if step.at < held_until {
            return Some("an act after a jump back, before time has come again where it was: a clock dates it by that");
        }
        if let Act::Fault(Fault::Jump { by_ns: by_ns @ ..0 }) = step.act {
            if step.at.ns().saturating_add(by_ns) < 0 {
                return Some("a jump back to before the beginning of the run");
            }
            held_until = TrueTime::from_ns(step.at.ns().saturating_sub(by_ns).saturating_add_unsigned(gap_ns));
        }
    }
    None
}

/// What a bench does not cause around a reset, which sets every register back.
fn beside_a_reset(plan: &Plan) -> Option<&'static str> {
    let mut off_until = None;
    let mut lasts = false;
    for step in &plan.steps {
        let off = off_until.is_some_and(|until| step.at < until);
        match step.act {
            Act::Fault(Fault::Rate { .. } | Fault::DisplayFrozen { .. }) => lasts = true,
            Act::Fault(Fault::Reset { off_ns, .. }) if !off => off_until = step.at.checked_add_ns(off_ns),
            Act::Contact { .. } if off => return Some("the edge of a contact while the supply is down"),
            Act::Fault(_) if off => return Some("a second fault while the supply is down"),
            _ => {}
        }
    }
    (lasts && off_until.is_some()).then_some("a reset and another rate or a frozen display: a reset sets them right")
}

fn lacks<T>(what: &str, possible: &Possible<T>) -> Option<String> {
    possible.by().err().map(|reason| format!("{what}: not possible on this board: {reason}"))
}

/// Why a rate cannot be had: it lies between two counts of the prescaler.
fn below_step(rate: RateFault, ppb: i64) -> Option<String> {
    if rate.count_for(ppb).is_some() {
        return None;
    }
    let asked = in_ppm(ppb);
    let step = rate.step_ppm();
    let near: Vec<String> = rate.neighbours_ppb(ppb).into_iter().map(in_ppm).collect();
    Some(format!("a rate of {asked}: step {step} ppm, and the nearest here are {}", near.join(" and ")))
}

fn in_ppm(ppb: i64) -> String {
    let sign = if ppb < 0 { '-' } else { '+' };
    let ppb = ppb.unsigned_abs();
    match ppb % 1_000 {
        0 => format!("{sign}{} ppm", ppb / 1_000),
        rest => format!("{sign}{}.{rest:03} ppm", ppb / 1_000),
    }
}

/// Why a jump cannot be caused or not be seen.
fn too_small_a_jump(description: &Description, by_ns: i64) -> Option<String> {
    let parts = i128::from(by_ns) * i128::from(description.tick_rate.hz());
    let ticks = parts / 1_000_000_000;
    if parts % 1_000_000_000 != 0 {
        return Some(format!("a jump by {by_ns} ns: step 1 tick"));
    }
    if ticks.unsigned_abs() > u128::from(u32::MAX / 2) {
        return Some(format!("a jump by {ticks} ticks: a counter of 32 bits does not tell it from one the other way"));
    }
    let seen = u128::from(description.stamp_ticks());
    (ticks.unsigned_abs() <= seen)
        .then(|| format!("a jump by {ticks} ticks: this bench sees none below {} ticks", seen + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: RateFault = RateFault { prescaler: 0, event: 0, counter: 0, divides_by: 1_000 };

    #[test]
    fn a_rate_on_a_count_of_the_prescaler_is_possible_and_no_other() {
        for (ppb, count) in [(1_001_001, 999), (-999_001, 1_001), (250_000_000, 800), (-200_000_000, 1_250)] {
            assert_eq!(RATE.count_for(ppb), Some(count), "{ppb} ppb");
            assert_eq!(below_step(RATE, ppb), None);
        }
        let said = below_step(RATE, 500_000).expect("it is none");
        assert_eq!(said, "a rate of +500 ppm: step 1000 ppm, and the nearest here are +0 ppm and +1001.001 ppm");
        let said = below_step(RATE, -1_000_000).expect("it is none");
        assert_eq!(said, "a rate of -1000 ppm: step 1000 ppm, and the nearest here are -1996.008 ppm and -999.001 ppm");
        assert_eq!(RATE.count_for(-1_000_000_000), None, "it stands still");
        assert_eq!(RATE.count_for(0), None, "it is right");
        let on_the_chip = RateFault { divides_by: 16, ..RATE };
        assert_eq!(on_the_chip.step_ppm(), 62_500);
        assert_eq!((on_the_chip.count_for(1_001_001), on_the_chip.count_for(66_666_667)), (None, Some(15)));
        assert_eq!(on_the_chip.count_for(-200_000_000), Some(20), "the same count on both");
    }
}
