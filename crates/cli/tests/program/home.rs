//! Running the program in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder in which the program is started.
pub struct Home(tempfile::TempDir);

impl Home {
    /// A folder with `data.csv` in it: 60 rows of a, b, c.
    pub fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        home.write("data.csv", &table());
        home
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with arguments that are separated by blanks.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_oslow")));
        command.current_dir(self.0.path()).args(line.split_whitespace());
        command
    }

    /// Exit code, stdout and stderr.
    pub fn run(&self, line: &str) -> (i32, String, String) {
        outcome(&self.command(line).output().unwrap())
    }

    /// stdout of a call that must succeed.
    pub fn succeed(&self, line: &str) -> String {
        let (code, out, err) = self.run(line);
        assert_eq!(code, 0, "oslow {line}\n{err}");
        out
    }
}

/// Exit code, stdout and stderr.
pub fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// a → b → c with numbers that need no generator.
fn table() -> String {
    let noise = |i: usize, j: usize| ((i * 37 + j * 101 + i * i * (7 + j)) % 89) as f64 / 89.0 - 0.5;
    let row = |i: usize| {
        let a = noise(i, 0);
        let b = (3.0 * a).sin() + 0.3 * noise(i, 1);
        format!("{a},{b},{}\n", b * b + 0.3 * noise(i, 2))
    };
    "a,b,c\n".to_string() + &(0..60).map(row).collect::<String>()
}
