//! Licences as deny.toml allows them and as packages declare them.

/// What deny.toml allows.
pub(crate) struct Policy {
    /// For every package.
    pub(crate) allowed: Vec<String>,
    /// A licence for one package, by name.
    pub(crate) exceptions: Vec<(String, String)>,
}

impl Policy {
    /// Reads the two lines of deny.toml that matter here: `allow = [...]` and `exceptions = [...]`.
    pub(crate) fn of(deny: &str) -> Self {
        let strings = |line: &str| -> Vec<String> { line.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
        let line = |key: &str| deny.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("no `{key}`"));
        let exceptions = strings(line("exceptions = "));
        let pairs = exceptions.as_chunks::<2>().0.iter().map(|[licence, name]| (licence.clone(), name.clone()));
        Self { allowed: strings(line("allow = ")), exceptions: pairs.collect() }
    }

    /// Whether this package is a named exception under exactly this licence.
    pub(crate) fn excepts(&self, name: &str, expression: &str) -> bool {
        self.exceptions.iter().any(|(licence, package)| package == name && licence == expression)
    }

    /// The allowed licences under which a package can be taken, the first alternative that will do; `None` if none will.
    ///
    /// Reads SPDX expressions with `OR`, `AND` and parentheses, and the old `/` for `OR`.
    pub(crate) fn choose(&self, expression: &str) -> Option<Vec<String>> {
        let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut at = 0;
        let chosen = self.any_of(&words, &mut at);
        if at == words.len() { chosen } else { None }
    }

    fn any_of(&self, words: &[&str], at: &mut usize) -> Option<Vec<String>> {
        let mut chosen = self.all_of(words, at);
        while words.get(*at) == Some(&"OR") {
            *at += 1;
            let other = self.all_of(words, at);
            chosen = chosen.or(other);
        }
        chosen
    }

    fn all_of(&self, words: &[&str], at: &mut usize) -> Option<Vec<String>> {
        let mut chosen = self.one(words, at);
        while words.get(*at) == Some(&"AND") {
            *at += 1;
            let other = self.one(words, at);
            chosen = chosen.zip(other).map(|(one, two)| [one, two].concat());
        }
        chosen
    }

    fn one(&self, words: &[&str], at: &mut usize) -> Option<Vec<String>> {
        let word = *words.get(*at)?;
        *at += 1;
        if word == "(" {
            let chosen = self.any_of(words, at);
            *at += 1;
            return chosen;
        }
        let mut licence = word.to_owned();
        while words.get(*at) == Some(&"WITH") {
            licence = format!("{licence} WITH {}", words.get(*at + 1)?);
            *at += 2;
        }
        self.allowed.contains(&licence).then(|| vec![licence])
    }
}
