//! What comes out of the board's serial port.
//!
//! QEMU keeps it in a ring in its own memory, which is asked for at its monitor: a socket that nobody reads would fill up
//! and hold the emulated core, and with it virtual time, until somebody does; a file costs the host some microseconds for
//! every byte; and a monitor of the other kind, QMP, has a thread that is woken whenever virtual time moves on. A byte is
//! in the ring before the core executes the instruction after the one that sent it.

use crate::link::{Link, REPLY_TIMEOUT, SocketPath};
use std::io;
use std::time::Instant;

/// The monitor's socket in the emulator's folder.
pub(crate) const SERIAL_SOCKET: &str = "monitor";

/// The ring's name among QEMU's character devices.
pub(crate) const RING: &str = "serial";

/// Bytes that the ring holds; what is older is lost. A power of two.
pub(crate) const RING_SIZE: usize = 1 << 20;

/// What the monitor says when it waits for a command.
const PROMPT: &str = "(qemu) ";

/// The output of a serial port, read as far as it has come.
#[derive(Debug)]
pub struct SerialOutput {
    link: Link,
}

impl SerialOutput {
    /// From the end of what is there already. QEMU serves one client at a time.
    pub(crate) fn open(socket: &SocketPath) -> io::Result<SerialOutput> {
        SerialOutput::over(Link::connect(socket, REPLY_TIMEOUT).map_err(io::Error::other)?)
    }

    /// The same over a link that is already there.
    fn over(link: Link) -> io::Result<SerialOutput> {
        let mut output = SerialOutput { link };
        output.until_prompt("waiting for the monitor's greeting")?;
        output.read_new()?;
        Ok(output)
    }

    /// The bytes that have come out since the last call; none is no end. What is no ASCII is not told as it was.
    ///
    /// # Errors
    /// The system's, or QEMU's: it has ended, or did not answer.
    pub fn read_new(&mut self) -> io::Result<Vec<u8>> {
        let command = format!("ringbuf_read {RING} {RING_SIZE}");
        self.link.send(format!("{command}\n").as_bytes(), &command).map_err(io::Error::other)?;
        let answer = self.until_prompt(&command)?;
        // The command comes back first, as it would be typed, and what was read ends with a line feed more than it has.
        let text = answer.split_once("\r\n").map(|(_, text)| text.replace("\r\n", "\n"));
        let text = text.as_deref().and_then(|text| text.strip_suffix('\n')).filter(|text| !text.starts_with("Error:"));
        let text = text.and_then(unescaped);
        text.map(String::into_bytes).ok_or_else(|| io::Error::other(format!("QEMU's monitor answered {answer:?}")))
    }

    /// What the monitor says up to its next prompt, without that.
    fn until_prompt(&mut self, exchange: &str) -> io::Result<String> {
        let deadline = Instant::now() + self.link.reply_timeout();
        let (mut said, mut buffer) = (Vec::new(), [0; 4096]);
        loop {
            if let Some(answer) = said.strip_suffix(PROMPT.as_bytes()) {
                return Ok(String::from_utf8_lossy(answer).into_owned());
            }
            let count = self.link.receive(&mut buffer, exchange).map_err(io::Error::other)?;
            if count == 0 && Instant::now() >= deadline {
                return Err(io::Error::other(self.link.overdue(exchange)));
            }
            said.extend_from_slice(&buffer[..count]);
        }
    }
}

/// A text without the monitor's escapes; `None` if they are none.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        if next != '\\' {
            plain.push(next);
            continue;
        }
        plain.push(match rest.next()? {
            'u' => {
                let digits: String = rest.by_ref().take(4).collect();
                char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
            }
            '\\' => '\\',
            _ => return None,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    #[test]
    fn each_byte_is_read_once_and_an_end_is_none() {
        let (ours, theirs) = UnixStream::pair().expect("a socket pair");
        let peer = std::thread::spawn(move || {
            let mut writer = theirs.try_clone().expect("a second handle");
            writer.write_all(b"QEMU 10.0.2 monitor\r\n(qemu) ").expect("written");
            let mut asked = BufReader::new(theirs).lines().map_while(Result::ok);
            for reply in ["before\r\n\r\n", "#1\r\n#2\\u0007\\\\\r\n", "\r\n", "Error: no such device\r\n", "\\x\r\n"] {
                assert_eq!(asked.next().as_deref(), Some("ringbuf_read serial 1048576"));
                writer.write_all(format!("r\u{1b}[Krin\u{1b}[K\r\n{reply}(qemu) ").as_bytes()).expect("written");
            }
        });
        let socket = "/nowhere/monitor".parse().expect("a socket path");
        let link = Link::over(ours, socket, Duration::from_millis(500)).expect("a link");
        let mut output = SerialOutput::over(link).expect("a greeting");
        assert_eq!(output.read_new().expect("read"), b"#1\n#2\x07\\");
        assert_eq!(output.read_new().expect("read"), b"");
        assert!(output.read_new().is_err(), "refused");
        assert!(output.read_new().is_err(), "no escape");
        peer.join().expect("it was asked as it should be");
        assert!(output.read_new().is_err(), "gone");
    }
}
