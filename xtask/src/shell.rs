//! Running programs from the repository's root, and saying so.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Cargo's folder for what is built.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// The cargo that runs us.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// What the released program prints.
pub fn oslow(arguments: &[&str]) -> Result<String, String> {
    let program: PathBuf = target().join("release/oslow");
    let output =
        Command::new(&program).args(arguments).output().map_err(|e| format!("{}: {e}", program.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|e| e.to_string())
}

/// A program with its arguments, to be run in the repository's root.
pub struct Program {
    command: Command,
    /// What is printed.
    shown: String,
}

impl Program {
    pub fn new(name: impl AsRef<OsStr>, arguments: &[&str]) -> Self {
        let mut command = Command::new(&name);
        command.current_dir(root()).args(arguments);
        // A path is shown by its file name: `cargo`, not where cargo lies.
        let name = Path::new(&name).file_name().unwrap_or(name.as_ref()).to_string_lossy().into_owned();
        let quoted = arguments.iter().map(|argument| quote(argument));
        let shown = std::iter::once(name).chain(quoted).collect::<Vec<_>>().join(" ");
        Self { command, shown }
    }

    /// More arguments that are too many or too long to be printed; `what` stands for them.
    #[must_use]
    pub fn with_files(mut self, files: &[String], what: &str) -> Self {
        self.command.args(files);
        self.shown = format!("{} {what}", self.shown);
        self
    }

    /// Sets variables of its environment, which are printed in front.
    #[must_use]
    pub fn with_variables(mut self, variables: &[(&str, String)]) -> Self {
        for (name, value) in variables.iter().rev() {
            self.command.env(name, value);
            self.shown = format!("{name}={} {}", quote(value), self.shown);
        }
        self
    }

    /// Sets variables of its environment that are not worth printing.
    #[must_use]
    pub fn with_environment(mut self, variables: &[(&str, String)]) -> Self {
        self.command.envs(variables.iter().map(|(name, value)| (name, value)));
        self
    }

    /// Runs it with this path to programs and nothing else in its environment.
    #[must_use]
    pub fn alone(mut self, path: &str) -> Self {
        self.command.env_clear().env("PATH", path);
        self.shown = format!("env -i PATH={} {}", quote(path), self.shown);
        self
    }

    /// Runs it in another folder than the repository's root.
    #[must_use]
    pub fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs it with its output shown.
    pub fn run(mut self) -> Result<(), String> {
        eprintln!("$ {}", self.shown);
        let status = self.command.status().map_err(|e| self.not_started(&e))?;
        if status.success() { Ok(()) } else { Err(format!("failed ({status}): {}", self.shown)) }
    }

    /// Runs it and returns what it printed on stdout; stderr is shown.
    pub fn output(mut self) -> Result<String, String> {
        eprintln!("$ {}", self.shown);
        let output = self.command.stderr(Stdio::inherit()).output().map_err(|e| self.not_started(&e))?;
        if !output.status.success() {
            return Err(format!("failed ({}): {}", output.status, self.shown));
        }
        String::from_utf8(output.stdout).map_err(|e| format!("{}: its output is not text: {e}", self.shown))
    }

    fn not_started(&self, error: &std::io::Error) -> String {
        format!("cannot start `{}`: {error}", self.shown)
    }
}

/// An argument as one would type it.
fn quote(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.into()
    } else {
        format!("'{argument}'")
    }
}
