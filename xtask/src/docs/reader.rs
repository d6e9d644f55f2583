//! Somebody who does what a document says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::blocks::{Block, blocks};
use super::commands::{Typed, commands};
use super::scratch::{Done, Scratch};
use super::smaller::{Smaller, smaller, smaller_python};

/// The names that Python blocks take for granted: some rows and columns of a table, and its truth. One line, so that the lines of a block keep their
/// numbers.
const PRELUDE: &str = "import oslow; sachs = oslow.datasets.load('sachs'); \
     df = sachs.to_pandas()[['Raf', 'Mek', 'PKA', 'Akt', 'Erk']][:200]; \
     truth = oslow.TrueGraph(list(df), [edge for edge in sachs.edges if set(edge) <= set(df)])";

/// What happened.
pub struct Told {
    began: Instant,
    /// What ran, by folder: the same command twice in one folder runs once.
    ran: BTreeSet<(PathBuf, String)>,
    /// How many commands and blocks there are, repeated ones included.
    followed: usize,
    skipped: Vec<String>,
    pub failures: Vec<String>,
}

impl Told {
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
            ran: BTreeSet::new(),
            followed: 0,
            skipped: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// An error if there was a failure.
    pub fn sum_up(self) -> Result<(), String> {
        for skipped in &self.skipped {
            eprintln!("not run: {skipped}");
        }
        let (followed, left_out, seconds) =
            (self.followed, self.skipped.len(), self.began.elapsed().as_secs());
        eprintln!("{followed} commands and blocks followed in {seconds} s, {left_out} left out");
        if self.failures.is_empty() {
            return Ok(());
        }
        Err(format!(
            "{} of them do not do what the document says\n\n{}",
            self.failures.len(),
            self.failures.join("\n\n")
        ))
    }
}

/// Reads one document, in its folder.
pub struct Reader<'a> {
    pub document: &'a str,
    pub scratch: &'a Scratch,
    pub python: Option<&'a Path>,
}

impl Reader<'_> {
    /// Follows every block of a document.
    pub fn follow(&self, text: &str, told: &mut Told) -> Result<(), String> {
        for block in blocks(text).map_err(|e| format!("{}:{e}", self.document))? {
            match block.language.as_str() {
                "sh" | "console" => {
                    for typed in commands(&block) {
                        self.enter(&typed, told)?;
                    }
                }
                "toml" => self.keep(&block, told)?,
                "python" => self.run_python(&block, told)?,
                "rust,no_run" => {
                    self.skip(block.line, "Rust", "a test of the crate `oslow` compiles it", told)
                }
                other => told.failures.push(format!(
                    "{}:{}: a block of `{other}`: it must be sh, console, toml, python or rust,no_run",
                    self.document, block.line
                )),
            }
        }
        Ok(())
    }

    /// Types a command.
    pub fn enter(&self, typed: &Typed, told: &mut Told) -> Result<(), String> {
        let text = match smaller(&typed.command) {
            Smaller::Run(text) => text,
            Smaller::LeftOut(why) => {
                self.skip(typed.line, &typed.command, why, told);
                return Ok(());
            }
        };
        told.followed += 1;
        if told.ran.insert((self.scratch.folder.clone(), text.clone())) {
            eprintln!("{}:{} $ {text}", self.document, typed.line);
            self.judge(typed, &text, &self.scratch.shell(&text)?, told);
        }
        Ok(())
    }

    fn judge(&self, typed: &Typed, text: &str, done: &Done, told: &mut Told) {
        if done.succeeded() != typed.fails {
            return;
        }
        let run_as = if text == typed.command { String::new() } else { format!("\n  run as  {text}") };
        let wanted = if typed.fails { "\n  it should fail" } else { "" };
        told.failures
            .push(format!("{}:{}: {}{run_as}{wanted}\n{done}", self.document, typed.line, typed.command));
    }

    /// Writes a block to the file that its first line names.
    fn keep(&self, block: &Block, told: &mut Told) -> Result<(), String> {
        let name = block.text.lines().next().and_then(|line| line.strip_prefix("# "));
        match name.filter(|name| name.ends_with(".toml") && !name.contains(['/', ' '])) {
            Some(name) => self.scratch.write(name, &block.text)?,
            None => told.failures.push(format!(
                "{}:{}: the first line of a block of TOML names its file: `# known.toml`",
                self.document, block.line
            )),
        }
        Ok(())
    }

    fn run_python(&self, block: &Block, told: &mut Told) -> Result<(), String> {
        let Some(python) = self.python else {
            self.skip(block.line, "Python", "--shell", told);
            return Ok(());
        };
        told.followed += 1;
        eprintln!("{}:{} a block of Python", self.document, block.line);
        let empty_lines = "\n".repeat(block.line.saturating_sub(1));
        self.scratch.write("block.py", &format!("{PRELUDE}{empty_lines}{}", smaller_python(&block.text)))?;
        let done = self.scratch.shell(&format!("'{}' block.py", python.display()))?;
        if !done.succeeded() {
            told.failures.push(format!("{}:{}: a block of Python\n{done}", self.document, block.line));
        }
        Ok(())
    }

    fn skip(&self, line: usize, what: &str, why: &str, told: &mut Told) {
        told.skipped.push(format!("{}:{line}: {what} ({why})", self.document));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_command_is_reported_with_document_line_command_and_output() {
        let scratch = Scratch::new("test-of-reader", &["age", "weight"]).unwrap();
        let reader = Reader { document: "some.md", scratch: &scratch, python: None };
        let text = "# Title\n\n```sh\ntest -f data.csv\necho 'no option --colour' && false   # a remark\n```\n\n\
                    ```console\n$ false      # fails: as it should\nwhat it prints\n$ true       # fails: but it does not\n```\n\n\
                    ```toml\n# known.toml\ntiers = []\n```\n\n```sh\ngrep -q tiers known.toml\ncargo xtask ci\n```\n\n```ruby\n1\n```\n";
        let mut told = Told::new();
        reader.follow(text, &mut told).unwrap();
        let failures = [
            "some.md:5: echo 'no option --colour' && false\nexit code 1\n    no option --colour",
            "some.md:11: true\n  it should fail\nexit code 0",
            "some.md:25: a block of `ruby`: it must be sh, console, toml, python or rust,no_run",
        ];
        assert_eq!(told.failures, failures);
        assert_eq!((told.followed, told.skipped.len()), (5, 1), "{:?}", told.skipped);
        assert!(
            told.sum_up()
                .unwrap_err()
                .starts_with("3 of them do not do what the document says\n\nsome.md:5: ")
        );
    }
}
