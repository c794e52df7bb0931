//! The firmware's memory: its state read while it stands still, its game set before it starts.

use flagfall_core::{AtZero, BySide, Credit, Setup, Side};
use flagfall_trace::plan::Plan;

use super::super::description::{Game, Symbols, Zero};
use super::super::target::{Target, TargetError};
use super::map::{Map, Place};

/// What the mapped words say.
pub(super) struct Seen {
    /// In units; never below zero.
    pub(super) left: BySide<u64>,
    pub(super) running: Option<Side>,
    pub(super) paused: bool,
    pub(super) fallen: BySide<bool>,
    pub(super) moves: BySide<u16>,
}

/// Reads every word that is mapped.
pub(super) fn read(target: &mut Target, symbols: &Symbols, map: &Map) -> Result<Seen, TargetError> {
    let runs = value(target, map.running)? as u64;
    let paused = sign(target, map.paused)?;
    let fallen = match map.flags {
        Some(flags) => BySide::new(sign(target, Some(flags.white))?, sign(target, Some(flags.black))?),
        None => BySide::both(false),
    };
    let moves = match map.moves {
        Some(moves) => BySide::new(value(target, moves.white)?, value(target, moves.black)?),
        None => BySide::both(0),
    };
    let left = BySide::new(value(target, map.left.white)?, value(target, map.left.black)?);
    Ok(Seen {
        left: left.map(|units| u64::try_from(units).unwrap_or(0)),
        running: Side::ALL.into_iter().find(|side| !paused && symbols.runs[*side] == runs),
        paused,
        fallen,
        moves: moves.map(|moves| u16::try_from(moves).unwrap_or(u16::MAX)),
    })
}

fn sign(target: &mut Target, sign: Option<(Place, u64)>) -> Result<bool, TargetError> {
    match sign {
        Some((place, mask)) => Ok(value(target, place)? as u64 & mask != 0),
        None => Ok(false),
    }
}

fn value(target: &mut Target, place: Place) -> Result<i128, TargetError> {
    let mut bytes = [0; 8];
    target.read(place.address, &mut bytes[..usize::from(place.bytes)])?;
    let value = u64::from_le_bytes(bytes);
    if !place.signed {
        return Ok(value.into());
    }
    // The sign is the highest bit of so many bytes.
    let unused = 64 - 8 * u32::from(place.bytes);
    Ok((value.cast_signed() << unused >> unused).into())
}

/// Sets the game up, if the firmware has words for that; it is stopped before its start.
pub(super) fn set_up(target: &mut Target, symbols: &Symbols, map: &Map, plan: &Plan) -> Result<(), TargetError> {
    let Game::Words { at_zero, .. } = &symbols.game else { return Ok(()) };
    let setup = plan.device_setup.as_ref().unwrap_or(&plan.setup);
    let units = |ms: u64| ms.saturating_mul(1_000) / symbols.unit_us;
    for side in Side::ALL {
        set(target, map.left[side], units(left_ms(setup, side)))?;
        if let Some(moves) = map.moves {
            set(target, moves[side], setup.opening[side].moves.into())?;
        }
    }
    if let Some(bonus) = map.bonus {
        set(target, bonus, units(u64::from(setup.control.white.period(0).bonus.ms())))?;
    }
    match (map.at_zero, at_zero) {
        (Some(place), Zero::Set { freeze, run_on, .. }) => {
            set(target, place, if setup.at_zero == AtZero::Freeze { *freeze } else { *run_on })
        }
        _ => Ok(()),
    }
}

/// What a side has before the game, the bonus for its first move included where the setting says so.
pub(super) fn left_ms(setup: &Setup, side: Side) -> u64 {
    let first = setup.control[side].period(0);
    let bonus = if setup.credit == Credit::BeforeMove { first.bonus.ms() } else { 0 };
    setup.opening[side].left_ms.unwrap_or(first.base_ms + u64::from(bonus))
}

fn set(target: &mut Target, place: Place, value: u64) -> Result<(), TargetError> {
    target.write(place.address, &value.to_le_bytes()[..usize::from(place.bytes)])
}
