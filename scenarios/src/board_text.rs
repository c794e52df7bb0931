//! The text of a board file, whose values another reader understands.

use std::sync::Arc;

use crate::diagnostics::{Complaint, Diagnostics, Problem, SourceText};
use crate::spans::{Holds, Node, tree};

/// A board file that keeps to the YAML that is read here, with the place of each value.
///
/// Deep nesting and aliases make small files expensive; here they are not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardText {
    source: Arc<SourceText>,
    root: Node,
}

impl BoardText {
    /// Of a file that is called `name` in messages.
    ///
    /// # Errors
    /// [`Diagnostics`] with the places of what goes beyond: size, depth, aliases, tags, duplicate or complex keys.
    pub fn read(name: &str, text: &str) -> Result<Self, Diagnostics> {
        let source = Arc::new(SourceText::new(name, text));
        match tree(&source.text, Holds::Board) {
            Ok(root) => Ok(Self { source, root }),
            Err(problems) => Err(Diagnostics::new(source, problems)),
        }
    }

    /// What is wrong with the value of a field, `true_time.hz`, or with the nearest one around it that there is.
    #[must_use]
    pub fn wrong(&self, field: &str, why: &str) -> Diagnostics {
        let node = field.split('.').fold(&self.root, Node::at);
        let complaint = Complaint::new(format!("{field}: {why}"));
        Diagnostics::new(Arc::clone(&self.source), vec![Problem::at(node.place(&self.source.text), complaint)])
    }
}
