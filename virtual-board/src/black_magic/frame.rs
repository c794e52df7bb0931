//! Frames of the remote protocol: `!body#`. What stands outside of frames is noise, as for the probe.

use super::TRANSFER_MAX;

/// The longest body: a write command with as many bytes as the probe takes, two digits for each.
const BODY_MAX: usize = 40 + 2 * TRANSFER_MAX;

/// What a client has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    /// What stands between `!` and `#`.
    Body(Vec<u8>),
    /// A body longer than any command; nothing of it is kept.
    TooLong,
}

/// Collects received bytes until they hold a frame; never more than one body of them.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    state: State,
    body: Vec<u8>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    Inside,
    TooLong,
}

impl Decoder {
    /// Takes the next byte; gives the frame that it ends.
    pub(crate) fn push(&mut self, byte: u8) -> Option<Frame> {
        match (byte, &self.state) {
            // A start within a frame: the client has given the earlier one up.
            (b'!', _) => {
                self.body.clear();
                self.state = State::Inside;
                None
            }
            (_, State::Outside) => None,
            (b'#', State::Inside) => {
                self.state = State::Outside;
                Some(Frame::Body(std::mem::take(&mut self.body)))
            }
            (b'#', State::TooLong) => {
                self.state = State::Outside;
                Some(Frame::TooLong)
            }
            (_, State::Inside) if self.body.len() < BODY_MAX => {
                self.body.push(byte);
                None
            }
            (_, _) => {
                self.body.clear();
                self.state = State::TooLong;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(decoder: &mut Decoder, bytes: &[u8]) -> Vec<Frame> {
        bytes.iter().filter_map(|byte| decoder.push(*byte)).collect()
    }

    fn body(text: &str) -> Frame {
        Frame::Body(text.as_bytes().to_vec())
    }

    #[test]
    fn a_greeting_holds_one_frame() {
        assert_eq!(frames(&mut Decoder::default(), b"+#!GA#"), [body("GA")]);
    }

    #[test]
    fn frames_come_in_any_pieces() {
        let mut decoder = Decoder::default();
        assert_eq!(frames(&mut decoder, b"!G"), []);
        assert_eq!(frames(&mut decoder, b"A# !H"), [body("GA")]);
        assert_eq!(frames(&mut decoder, b"C#!##"), [body("HC"), body("")]);
    }

    #[test]
    fn a_start_within_a_frame_begins_anew() {
        assert_eq!(frames(&mut Decoder::default(), b"!Am00!HC#"), [body("HC")]);
    }

    #[test]
    fn a_frame_without_an_end_takes_no_memory() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b'!'), None);
        for _ in 0..1_000_000 {
            assert_eq!(decoder.push(b'0'), None);
            assert!(decoder.body.len() <= BODY_MAX);
        }
        assert_eq!(frames(&mut decoder, b"#!HC#"), [Frame::TooLong, body("HC")]);
    }

    #[test]
    fn the_longest_command_fits() {
        let text = format!("!AM0000{:08x}02{:08x}{:08x}{}#", 0, 0, TRANSFER_MAX, "00".repeat(TRANSFER_MAX));
        assert!(matches!(frames(&mut Decoder::default(), text.as_bytes())[..], [Frame::Body(_)]));
    }
}
