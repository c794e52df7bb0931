//! A headless Chromium, spoken to over a pair of pipes in the DevTools protocol: real clicks and keys, no other program.
//!
//! Messages are JSON with a zero byte at the end. The pipes are the file descriptors 3 and 4 of the browser, which a shell
//! gives it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The names under which it is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The program, if it is installed.
pub(crate) fn program() -> Option<&'static str> {
    let is_there = |name: &&&str| {
        let said = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        said.is_ok_and(|status| status.success())
    };
    NAMES.iter().find(is_there).copied()
}

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    session: String,
    number: u64,
    // Removed with everything that the browser put there.
    _folder: TempDir,
}

impl Browser {
    /// Opens a page from a file in a window of this size.
    pub(crate) fn open(page: &Path, width: u32, height: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (to, from) = (folder.path().join("to"), folder.path().join("from"));
        let made = Command::new("mkfifo").args([&to, &from]).status().expect("mkfifo starts");
        assert!(made.success(), "two pipes");
        let child = Command::new("sh")
            .args(["-c", "exec \"$0\" --headless=new --no-sandbox --disable-gpu --no-first-run --remote-debugging-pipe --user-data-dir=\"$3\" --window-size=\"$4\" 3<\"$1\" 4>\"$2\""])
            .arg(program().expect("the caller has asked"))
            .args([&to, &from, &folder.path().join("profile")])
            .arg(format!("{width},{height}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let to = OpenOptions::new().write(true).open(&to).expect("a pipe");
        let from = BufReader::new(File::open(&from).expect("a pipe"));
        let mut browser = Self { child, to, from, session: String::new(), number: 0, _folder: folder };
        let url = format!("file://{}", page.canonicalize().expect("a page").display());
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.ask("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        attached["sessionId"].as_str().expect("a session").clone_into(&mut browser.session);
        let there = browser.ask("Page.navigate", json!({"url": url}));
        assert!(there.get("errorText").is_none(), "{there}");
        let loaded =
            "document.readyState === 'complete' || new Promise((done) => addEventListener('load', () => done(true)))";
        assert_eq!(browser.value(loaded), json!(true), "the page is loaded");
        browser
    }

    /// Sends a command and waits for its answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).expect("the browser answers");
            assert_eq!(bytes.pop(), Some(0), "the browser is gone");
            let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
            if answer["id"] == json!(self.number) {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// What an expression gives on the page; a promise is waited for.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let answer = self
            .ask("Runtime.evaluate", json!({"expression": expression, "returnByValue": true, "awaitPromise": true}));
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// The same, as text.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        match self.value(expression) {
            Value::String(text) => text,
            other => panic!("{expression} is no text: {other}"),
        }
    }

    /// Clicks in the middle of what a selector finds first.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const node = document.querySelector({selector:?}); node.scrollIntoView({{ block: 'center', inline: 'center' }}); \
             const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key: `Enter`, `ArrowDown`, `Escape`.
    pub(crate) fn key(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            " " => 32,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => panic!("no key {other}"),
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Shows the page as in this colour scheme, `light` or `dark`, or as it is printed.
    pub(crate) fn shown_as(&mut self, media: &str, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.ask("Emulation.setEmulatedMedia", json!({"media": media, "features": features}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A test that has failed is told by its own message; the browser must not outlive it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
