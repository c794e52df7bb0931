//! What is kept of a run.

use serde::{Deserialize, Serialize};

/// Something of which each run has one value or many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The rate of device time against true time, one for each run; above zero the device is fast.
    Drift,
    /// How far stamps are from that rate's line, root mean square, one for each run.
    Jitter,
    /// What a turn was charged beyond the time that the device counted meanwhile, one for each turn: what is lost, or given,
    /// by rounding.
    Charge,
    /// From a press, as early as it can have been, to the stamp that the device gives it.
    Press,
    /// From the edge of the contact to the record that the other side runs, by the device.
    Switch,
    /// From the edge of the contact until the line that shows the press has gone out to the panel, by the device.
    Display,
    /// From the fall of a flag to the device's notice, by the device.
    Flag,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Drift, Self::Jitter, Self::Charge, Self::Press, Self::Switch, Self::Display, Self::Flag];

    /// As in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drift => "drift",
            Self::Jitter => "jitter",
            Self::Charge => "charge",
            Self::Press => "press",
            Self::Switch => "switch",
            Self::Display => "display",
            Self::Flag => "flag",
        }
    }

    /// What it is, on an axis.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Drift => "drift of a run",
            Self::Jitter => "jitter of a run, rms",
            Self::Charge => "charged beyond the time of a turn",
            Self::Press => "press to stamp",
            Self::Switch => "edge to switch",
            Self::Display => "edge to display",
            Self::Flag => "fall of a flag to notice",
        }
    }

    /// Of its values.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Drift => "ppb",
            _ => "ns",
        }
    }

    /// A change of its mean by less than this matters to nobody: 1 ppm, which is 7 ms in two hours; a tick of a megahertz
    /// for what is charged and how stamps scatter; two ticks for what a device takes to notice.
    pub(super) const fn smallest(self) -> u64 {
        match self {
            Self::Drift | Self::Jitter | Self::Charge => 1_000,
            Self::Press | Self::Switch | Self::Display | Self::Flag => 2_000,
        }
    }
}
