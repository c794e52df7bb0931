//! The game on nexosim: one model that is the table with its clock, in the form that costs nexosim least.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use flagfall_core::{Clock, Effects, Input, Record, TrueTime};
use flagfall_sim::oscillator::Oscillator;
use flagfall_trace::plan::{Act, Plan};
use flagfall_trace::{Achieved, Stamped, Trace};
use nexosim::model::{BuildContext, Context, Model, ProtoModel, schedulable};
use nexosim::simulation::{EventKey, Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

/// The beginning of the run in nexosim's time, which can only schedule what lies after its own beginning.
const BEGIN: MonotonicTime = match MonotonicTime::new(1, 0) {
    Some(begin) => begin,
    None => MonotonicTime::EPOCH,
};

/// Plays the plan; what is measured is the run alone, without building the simulation.
pub(crate) fn run(plan: &Plan) -> (Trace, Duration) {
    let (done, traces): (_, Receiver<Trace>) = channel();
    let table = Table { alarm: None };
    let mut simulation = SimInit::with_num_threads(1)
        .add_model(Builder { table, hall: Hall::new(plan, done) }, Mailbox::new(), "table")
        .init(MonotonicTime::EPOCH)
        .expect("one model and nothing to connect");
    let begin = Instant::now();
    simulation.run().expect("the model neither panics nor waits");
    let elapsed = begin.elapsed();
    (traces.try_recv().expect("the last step sends the trace"), elapsed)
}

/// The part of the model that nexosim could save.
#[derive(Serialize, Deserialize)]
struct Table {
    alarm: Option<EventKey>,
}

/// The part that it does not look into.
struct Hall {
    plan: Plan,
    next: usize,
    clock: Clock,
    effects: Effects,
    oscillator: Oscillator,
    achieved: Vec<Achieved>,
    records: Vec<Stamped>,
    done: Sender<Trace>,
}

impl Hall {
    fn new(plan: &Plan, done: Sender<Trace>) -> Self {
        Self {
            next: 0,
            clock: Clock::new(&plan.setup, plan.tick_rate),
            effects: Effects::default(),
            oscillator: Oscillator::new(plan.tick_rate, plan.oscillator.offset_ppt, plan.oscillator.quantum_ticks),
            achieved: Vec::new(),
            records: Vec::new(),
            done,
            plan: plan.clone(),
        }
    }

    fn step_clock(&mut self, now: TrueTime, input: Input) {
        self.clock.step_into(self.oscillator.tick_at(now), input, &mut self.effects);
        for happening in self.effects.iter() {
            let record = Record::new(self.records.len() as u16, happening, self.clock.setup(), self.plan.tick_rate);
            self.records.push(Stamped { true_time: now, uncertainty_ns: 0, record });
        }
    }

    fn send_trace(&mut self) {
        let (achieved, records) = (std::mem::take(&mut self.achieved), std::mem::take(&mut self.records));
        let trace = Trace::new(self.plan.clone(), 0, achieved, records);
        self.done.send(trace).expect("the bench waits for the trace");
    }
}

#[Model(type Env=Hall)]
impl Table {
    #[nexosim(init)]
    async fn init(&mut self, context: &Context<Self>, hall: &mut Hall) {
        schedule_next(hall, context);
    }

    /// The next step of the plan.
    #[nexosim(schedulable)]
    fn step(&mut self, (): (), context: &Context<Self>, hall: &mut Hall) {
        let now = true_time(context.time());
        let input = match hall.plan.steps[hall.next].act {
            Act::Start => Input::ArbiterButton,
            Act::Press { side, .. } => Input::Press(side),
            Act::Read => Input::Read,
            ref other => panic!("the game has no {other:?}"),
        };
        hall.step_clock(now, input);
        hall.achieved.push(Achieved { step: hall.next as u32, earliest: now, latest: now });
        hall.next += 1;
        if hall.next == hall.plan.steps.len() {
            return hall.send_trace();
        }
        schedule_next(hall, context);
        self.set_alarm(now, context, hall);
    }

    /// The alarm for the running side's flag rings.
    #[nexosim(schedulable)]
    fn ring(&mut self, (): (), context: &Context<Self>, hall: &mut Hall) {
        self.alarm = None;
        let now = true_time(context.time());
        hall.step_clock(now, Input::Wake);
        self.set_alarm(now, context, hall);
    }

    fn set_alarm(&mut self, now: TrueTime, context: &Context<Self>, hall: &Hall) {
        if let Some(overtaken) = self.alarm.take() {
            overtaken.cancel();
        }
        if let Some(deadline) = hall.clock.next_deadline()
            && let Some(at) = hall.oscillator.first_at(deadline, now)
        {
            let key = context.schedule_keyed_event(monotonic(at), schedulable!(Self::ring), ());
            self.alarm = Some(key.expect("a flag falls later than now"));
        }
    }
}

fn schedule_next(hall: &Hall, context: &Context<Table>) {
    let at = monotonic(hall.plan.steps[hall.next].at);
    context.schedule_event(at, schedulable!(Table::step), ()).expect("the steps of the game are in order");
}

fn monotonic(at: TrueTime) -> MonotonicTime {
    BEGIN + Duration::from_nanos(at.ns().unsigned_abs())
}

fn true_time(at: MonotonicTime) -> TrueTime {
    let since = at.duration_since(BEGIN);
    TrueTime::from_ns(since.as_secs().cast_signed() * 1_000_000_000 + i64::from(since.subsec_nanos()))
}

struct Builder {
    table: Table,
    hall: Hall,
}

impl ProtoModel for Builder {
    type Model = Table;

    fn build(self, _: &mut BuildContext<Self>) -> (Table, Hall) {
        (self.table, self.hall)
    }
}
