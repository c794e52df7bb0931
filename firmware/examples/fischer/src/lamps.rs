//! Lamps on port C: PC6 and PC7 are the flags, PC8 and PC9 say whose time runs.

use stm32f4::stm32f405::{GPIOC, Peripherals};

use crate::game::{Game, Player};

const FIRST: u8 = 6;
const COUNT: u8 = 4;

/// Makes outputs of the pins.
pub(crate) fn start(chip: &Peripherals) {
    chip.RCC.ahb1enr().modify(|_, w| w.gpiocen().enabled());
    for lamp in FIRST..FIRST + COUNT {
        chip.GPIOC.moder().modify(|_, w| w.moder(lamp).output());
    }
}

/// Lights what is so.
pub(crate) fn show(port: &GPIOC, game: &Game) {
    let turn = match game.turn() {
        None => 0,
        Some(Player::White) => 1,
        Some(Player::Black) => 2,
    };
    let lit = u16::from(game.flags()) | turn << 2;
    port.odr().modify(|_, w| {
        for lamp in 0..COUNT {
            w.odr(FIRST + lamp).bit(lit >> lamp & 1 != 0);
        }
        w
    });
}
