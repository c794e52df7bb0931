//! A document as far as it can be checked: fenced blocks, their commands, links, headings.

use std::fs;
use std::path::{Path, PathBuf};

/// A document of the repository.
pub(crate) struct Document {
    /// Its path below the root.
    pub(crate) name: String,
    lines: Vec<String>,
}

/// A fenced block.
pub(crate) struct Block {
    /// The number of its first line.
    pub(crate) line: usize,
    /// What stands behind the fence: `yaml`.
    pub(crate) info: String,
    /// What stands in it.
    pub(crate) body: Vec<String>,
}

/// A command and what a reader is told about it.
#[derive(Clone)]
pub(crate) struct Shown {
    /// The number of its line.
    pub(crate) line: usize,
    /// Without the prompt and without a comment.
    pub(crate) command: String,
    /// The exit code: 0, or what a comment says: `# exit 2`.
    pub(crate) exit: i32,
    /// The lines below it; none means that any output will do.
    pub(crate) output: Vec<String>,
}

impl Document {
    pub(crate) fn read(root: &Path, name: &str) -> Self {
        let text = fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// The fenced blocks, in order.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (index, line) in self.lines.iter().enumerate() {
            open = match (open, line.strip_prefix("```")) {
                (None, None) => None,
                (None, Some(info)) => Some(Block { line: index + 2, info: info.to_owned(), body: Vec::new() }),
                (Some(block), Some(_)) => {
                    blocks.push(block);
                    None
                }
                (Some(mut block), None) => {
                    block.body.push(line.clone());
                    Some(block)
                }
            };
        }
        assert!(open.is_none(), "{}: a block without an end", self.name);
        blocks
    }

    /// The files that a reader is told to write: YAML blocks that begin with `# path`.
    pub(crate) fn files(&self) -> Vec<(PathBuf, String)> {
        let blocks = self.blocks();
        let named = blocks.iter().filter(|block| block.info == "yaml").filter_map(|block| {
            let path = block.body.first()?.strip_prefix("# ").filter(|path| path.ends_with(".yaml"))?;
            Some((PathBuf::from(path), block.body.join("\n") + "\n"))
        });
        named.collect()
    }

    /// Everything outside fenced blocks, with the numbers of its lines.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut fenced = false;
        self.lines.iter().enumerate().filter_map(move |(index, line)| {
            let fence = line.starts_with("```");
            fenced ^= fence;
            (!fenced && !fence).then_some((index + 1, line.as_str()))
        })
    }

    /// The targets of links, with the numbers of their lines.
    pub(crate) fn links(&self) -> Vec<(usize, &str)> {
        let in_line = |(number, line)| {
            let targets = str::split(line, "](").skip(1).filter_map(|rest| rest.split_once(')'));
            targets.map(move |(target, _)| (number, target))
        };
        self.prose().flat_map(in_line).collect()
    }

    /// The names by which links reach the headings.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let headings = self.prose().filter(|(_, line)| line.starts_with('#'));
        let anchor = |heading: &str| {
            let kept = heading.chars().filter(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
            kept.collect::<String>().to_lowercase().replace(' ', "-")
        };
        headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim())).collect()
    }
}

impl Block {
    /// The commands of a block for a shell, in order.
    pub(crate) fn commands(&self) -> Vec<Shown> {
        let mut shown: Vec<Shown> = Vec::new();
        for (index, line) in self.body.iter().enumerate() {
            if let Some(command) = line.strip_prefix("$ ") {
                let (command, comment) = command.split_once(" #").unwrap_or((command, ""));
                let code = comment.trim().strip_prefix("exit ").map_or(Ok(0), str::parse);
                let exit = code.unwrap_or_else(|error| panic!("line {}: {error}", self.line + index));
                let command = command.trim().to_owned();
                shown.push(Shown { line: self.line + index, command, exit, output: Vec::new() });
            } else {
                let last = shown.last_mut().unwrap_or_else(|| panic!("line {}: no `$ ` before it", self.line + index));
                last.output.push(line.clone());
            }
        }
        shown
    }
}
