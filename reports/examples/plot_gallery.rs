//! All plots of numbers alone, on one page: `cargo run -p flagfall-reports --example plot_gallery -- FILE.html`.
//!
//! For those who work on the plots; the numbers are made up.

use std::error::Error;

use flagfall_reports::plot::{
    BudgetPlot, DeviationPoint, Drawn, FairnessPlot, JitterPlot, Line, MoveError, MtiePlot, Plot, RoundTrip,
    RoundTripPlot, StabilityPlot, StripPlot, StripPoint, Term,
};
use flagfall_reports::statistics::{Mask, PhaseSeries, Stability, mtie_octaves};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("name a file to write to")?;
    let mut page = concat!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><title>plots</title><style>",
        include_str!("../src/page/style.css"),
        "</style>"
    )
    .to_owned();
    let (deviations, excursions) = of_a_series()?;
    for (name, drawn) in [
        ("Budget", budget()?),
        ("Fairness", fairness()?),
        ("Strips", strips()?),
        ("MTIE", excursions),
        ("Deviations", deviations),
        ("Round trips", round_trips()?),
        (
            "Jitter",
            JitterPlot { periods_ns: noise(4_000).map(|n| 1_000_000 + n / 3).collect(), resolution_ns: 20 }.svg()?,
        ),
    ] {
        page += &format!(
            "<h2>{name}</h2><figure>{}<figcaption>{} left out</figcaption></figure>",
            drawn.svg, drawn.left_out
        );
    }
    std::fs::write(file, page)?;
    Ok(())
}

/// Noise without a generator of its own: SplitMix64, some thousands either side of zero.
fn noise(n: u64) -> impl Iterator<Item = i64> {
    (1..=n).map(|index| {
        let mut z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % 8_001) as i64 - 4_000
    })
}

fn budget() -> Result<Drawn, Box<dyn Error>> {
    let term = |name: &str, ms: f64, half_width_ms: f64| Term {
        name: name.to_owned(),
        ns: ms * 1e6,
        half_width_ns: half_width_ms * 1e6,
    };
    let terms = vec![
        term("offset", 504.0, 20.0),
        term("temperature", -85.0, 40.0),
        term("rounding", 310.0, 0.5),
        term("latency", 12.0, 31.0),
        term("unexplained", 4.0, 55.0),
    ];
    Ok(BudgetPlot { terms }.svg()?)
}

fn fairness() -> Result<Drawn, Box<dyn Error>> {
    let mut unfair = 0;
    let moves = noise(160).zip(0..).map(|(noise, half_move)| {
        unfair += noise;
        MoveError { half_move, time_base_ns: f64::from(half_move) * 3.1e6, unfairness_ns: unfair as f64 * 1e3 }
    });
    Ok(FairnessPlot { moves: moves.collect() }.svg()?)
}

fn strips() -> Result<Drawn, Box<dyn Error>> {
    let points = noise(120).zip(0..).map(|(noise, index)| {
        let share = (noise as f64 / 4_000.0).abs().powi(2) * 1.15;
        let strip = if index % 3 == 0 { "066BFF343537" } else { "virtual-board" };
        StripPoint { strip: strip.to_owned(), share, passed: share <= 1.0 }
    });
    Ok(StripPlot { points: points.collect(), of: "share of the bound that was used (%)".to_owned() }.svg()?)
}

fn of_a_series() -> Result<(Drawn, Drawn), Box<dyn Error>> {
    let mut phase = 0;
    let readings = noise(4_096).map(|noise| {
        phase += noise / 8;
        phase + noise
    });
    let series = PhaseSeries::new(readings.collect(), 1_000_000_000)?;
    let stability = Stability::of(&series);
    let (mut oadev, mut mdev) = (Vec::new(), Vec::new());
    for multiple in series.octaves() {
        let tau_s = series.tau(multiple) * 1e-9;
        let point =
            |deviation: f64| DeviationPoint { tau_s, deviation, interval: Some((deviation * 0.85, deviation * 1.25)) };
        oadev.extend(stability.oadev(multiple).ok().map(point));
        mdev.extend(stability.mdev(multiple).ok().map(point));
    }
    let points =
        mtie_octaves(&series).into_iter().map(|(multiple, ns)| (series.tau(multiple) * 1e-9, ns as f64)).collect();
    let mask = Mask::shipped("strict").ok_or("it is shipped")?;
    Ok((StabilityPlot { oadev, mdev, quantum_ns: 1_000.0 }.svg()?, MtiePlot { points, mask }.svg()?))
}

fn round_trips() -> Result<Drawn, Box<dyn Error>> {
    let readings = noise(600).zip(0..).map(|(noise, index)| {
        let at_s = f64::from(index) * 0.1;
        let wait_ns = (noise as f64).abs() * 30.0 + if noise > 3_700 { 4e6 } else { 0.0 };
        RoundTrip { at_s, round_trip_ns: 120e3 + wait_ns, offset_ns: 20e3 * at_s + wait_ns * 0.3 }
    });
    let feasible = Some((Line { offset_ns: 55e3, rate_ppm: 18.4 }, Line { offset_ns: -48e3, rate_ppm: 21.9 }));
    Ok(RoundTripPlot { readings: readings.collect(), feasible }.svg()?)
}
