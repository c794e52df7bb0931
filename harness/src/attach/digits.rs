//! Digits five lines high, for faces that are read from a chair.

/// Lines of a digit.
pub(super) const HIGH: usize = 5;

/// The rows of each digit, three wide, from the top; a set bit is lit, the highest of the three to the left.
const DIGITS: [[u8; HIGH]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b001, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// The lines of a face such as `1:02:03`, `9.8` or `1h02`; `lit` is what a lit cell is made of.
pub(super) fn big(face: &str, lit: char) -> [String; HIGH] {
    std::array::from_fn(|row| {
        let mut line = String::new();
        for sign in face.chars() {
            let (cells, width) = match sign {
                ':' => (u8::from(row == 1 || row == 3), 1),
                '.' => (u8::from(row == 4), 1),
                'h' => ([0b100, 0b100, 0b111, 0b101, 0b101][row], 3),
                sign => (sign.to_digit(10).map_or(0, |digit| DIGITS[digit as usize][row]), 3),
            };
            for cell in (0..width).rev() {
                line.push(if cells >> cell & 1 == 1 { lit } else { ' ' });
            }
            line.push(' ');
        }
        line.pop();
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_drawn() {
        let drawn = big("1:05", '#');
        assert!(drawn.iter().all(|line| line.chars().count() == 13), "{drawn:?}");
        assert_eq!(drawn[0], " #    ### ###");
        assert_eq!(drawn[1], "##  # # # #  ");
        assert_eq!(drawn[4], "###   ### ###");
        assert_eq!(big("9.8", '#')[4], "### # ###");
    }
}
