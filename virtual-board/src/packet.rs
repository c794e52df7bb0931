//! Frames of the gdb remote protocol: `$body#checksum`, acknowledged with `+`.
//!
//! Only what QEMU's stub sends is understood: no run-length encoding, no notifications. `}` escapes are undone, because
//! a target description may hold them.

use thiserror::Error;

/// A frame that does not hold what the protocol says; the link cannot be trusted any longer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The two digits after `#` do not match the body. Bytes were lost or reordered: start the board anew.
    #[error("checksum of frame {body:?} is {sent:?}, computed {computed:02x}")]
    Checksum {
        /// The body as received.
        body: String,
        /// The two characters after `#`.
        sent: String,
        /// The sum of the body's bytes modulo 256.
        computed: u8,
    },
    /// The peer asks to send the last frame again, which on a local stream means that it did not understand it.
    #[error("the peer did not accept the checksum of the last command")]
    Refused,
    /// The body is no text.
    #[error("a frame holds bytes that are no text")]
    NotText,
}

/// `$body#checksum`. The body must not hold `$`, `#` or `}`: no command of this crate does.
pub(crate) fn encode(body: &str) -> Vec<u8> {
    format!("${body}#{:02x}", checksum(body.as_bytes())).into_bytes()
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// Collects received bytes until they hold a frame.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    pending: Vec<u8>,
}

impl Decoder {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The next whole frame, or `None` until more bytes come.
    pub(crate) fn next(&mut self) -> Result<Option<String>, FrameError> {
        let Some(start) = self.pending.iter().position(|byte| *byte == b'$' || *byte == b'-') else {
            self.pending.clear();
            return Ok(None);
        };
        if self.pending[start] == b'-' {
            return Err(FrameError::Refused);
        }
        self.pending.drain(..start);
        let Some(hash) = self.pending.iter().position(|byte| *byte == b'#') else { return Ok(None) };
        if self.pending.len() < hash + 3 {
            return Ok(None);
        }
        let frame: Vec<u8> = self.pending.drain(..hash + 3).collect();
        check(&frame[1..hash], &frame[hash + 1..]).map(Some)
    }
}

fn check(body: &[u8], sent: &[u8]) -> Result<String, FrameError> {
    let computed = checksum(body);
    if sent != format!("{computed:02x}").as_bytes() {
        let [body, sent] = [body, sent].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        return Err(FrameError::Checksum { body, sent, computed });
    }
    let mut text = Vec::with_capacity(body.len());
    let mut bytes = body.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'}' => text.extend(bytes.next().map(|escaped| escaped ^ 0x20)),
            _ => text.push(*byte),
        }
    }
    String::from_utf8(text).map_err(|_| FrameError::NotText)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_sum_of_the_body() {
        assert_eq!(encode("OK"), b"$OK#9a");
        assert_eq!(encode(""), b"$#00");
    }

    #[test]
    fn a_frame_may_come_in_any_pieces() {
        for cut in 0..=b"+$T05thread:01;#07+$OK#9a".len() {
            let bytes = b"+$T05thread:01;#07+$OK#9a";
            let mut decoder = Decoder::default();
            let mut frames = Vec::new();
            for piece in [&bytes[..cut], &bytes[cut..]] {
                decoder.push(piece);
                while let Some(frame) = decoder.next().expect("well-formed") {
                    frames.push(frame);
                }
            }
            assert_eq!(frames, ["T05thread:01;", "OK"], "cut at {cut}");
        }
    }

    #[test]
    fn a_wrong_checksum_is_an_error() {
        let mut decoder = Decoder::default();
        decoder.push(b"$OK#9b");
        assert_eq!(decoder.next(), Err(FrameError::Checksum { body: "OK".into(), sent: "9b".into(), computed: 0x9a }));
    }

    #[test]
    fn a_negative_acknowledgement_is_an_error() {
        let mut decoder = Decoder::default();
        decoder.push(b"-");
        assert_eq!(decoder.next(), Err(FrameError::Refused));
    }

    #[test]
    fn escapes_are_undone() {
        let mut decoder = Decoder::default();
        decoder.push(b"$a}\x03b#");
        decoder.push(format!("{:02x}", checksum(b"a}\x03b")).as_bytes());
        assert_eq!(decoder.next(), Ok(Some("a#b".into())));
    }
}
