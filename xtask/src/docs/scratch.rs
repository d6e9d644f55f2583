//! A folder with the files that documents speak of.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::shell::{root, target};

const ROWS: usize = 200;
/// Lines of output that are shown.
const SHOWN: usize = 15;
/// Variables in their causal order, and the true edges between them.
const VARIABLES: [&str; 5] = ["age", "diet", "exercise", "weight", "glucose"];
const EDGES: [(&str, &str); 6] = [
    ("age", "diet"),
    ("age", "exercise"),
    ("diet", "weight"),
    ("exercise", "weight"),
    ("age", "glucose"),
    ("weight", "glucose"),
];

/// A folder for one document: `data.csv` with `truth.csv`, the same as a folder `networks` of tables and graphs, `known.toml`, and the project's
/// experiments. It is the home of whoever types there.
pub struct Scratch {
    pub folder: PathBuf,
}

impl Scratch {
    /// The folder, made new; the table has these columns.
    pub fn new(document: &str, columns: &[&str]) -> Result<Self, String> {
        let folder = target().join("docs").join(document.replace(['/', '.'], "-"));
        // What is not there need not be removed; what cannot be removed shows when it is written again.
        let _ = std::fs::remove_dir_all(&folder);
        let scratch = Self { folder };
        let (data, truth) = (table(columns), edges(columns));
        scratch.write("data.csv", &data)?;
        scratch.write("truth.csv", &truth)?;
        scratch.write("networks/data1.csv", &data)?;
        scratch.write("networks/DAG1.csv", &truth)?;
        scratch.write("known.toml", "roots = [\"age\"]\n")?;
        // Shells that complete commands have this folder.
        scratch.write(".local/share/bash-completion/completions/README", "")?;
        scratch.copy("experiments")?;
        Ok(scratch)
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let parent = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|e| format!("cannot write `{}`: {e}", path.display()))
    }

    /// Copies the files of a folder of the repository.
    fn copy(&self, folder: &str) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("cannot copy `{folder}`: {e}");
        for entry in std::fs::read_dir(root().join(folder)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let text = std::fs::read_to_string(entry.path()).map_err(failed)?;
            self.write(&format!("{folder}/{}", entry.file_name().to_string_lossy()), &text)?;
        }
        Ok(())
    }

    /// Has a shell run a command here, with the program that was built in front of all others.
    pub fn shell(&self, command: &str) -> Result<Done, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(
            std::iter::once(target().join("release")).chain(std::env::split_paths(&path)),
        )
        .map_err(|e| format!("PATH cannot be set: {e}"))?;
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("HOME", &self.folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot start `sh`: {e}"))?;
        Ok(Done { code: output.status.code(), output: String::from_utf8_lossy(&output.stdout).into() })
    }
}

/// How a command ended.
pub struct Done {
    /// `None`: by a signal.
    code: Option<i32>,
    /// What it printed, stdout and stderr together.
    pub output: String,
}

impl Done {
    pub fn succeeded(&self) -> bool {
        self.code == Some(0)
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "exit code {code}")?,
            None => write!(f, "ended by a signal")?,
        }
        let lines: Vec<&str> = self.output.lines().collect();
        lines[lines.len().saturating_sub(SHOWN)..].iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// A table of some of the variables, as text.
fn table(columns: &[&str]) -> String {
    let mut draws = Draws(1);
    let rows = (0..ROWS).map(|_| {
        let row = person(&mut draws);
        let value = |column: &&str| VARIABLES.iter().position(|name| name == column).map(|at| row[at]);
        columns.iter().filter_map(value).map(|value| format!("{value:.4}")).collect::<Vec<_>>().join(",")
    });
    std::iter::once(columns.join(",")).chain(rows).map(|line| line + "\n").collect()
}

/// The true edges between some of the variables, as text.
fn edges(columns: &[&str]) -> String {
    let inside = EDGES.iter().filter(|(from, to)| columns.contains(from) && columns.contains(to));
    std::iter::once("from,to\n".into()).chain(inside.map(|(from, to)| format!("{from},{to}\n"))).collect()
}

/// One row, in the order of [`VARIABLES`].
fn person(draws: &mut Draws) -> [f64; 5] {
    let age = 50.0 + 14.0 * draws.noise();
    let diet = 1.5 + 0.5 * (age / 8.0).sin() + 0.3 * draws.noise();
    let exercise = 6.0 - 0.06 * age + 0.6 * draws.noise();
    let weight = 60.0 + 5.0 * diet * diet - 2.0 * exercise + (1.0 + diet.abs()) * draws.noise();
    let glucose = 4.0 + 0.002 * (weight - 60.0).powi(2) + 0.01 * age + 0.2 * draws.noise();
    [age, diet, exercise, weight, glucose]
}

/// Random numbers, the same everywhere.
struct Draws(u64);

impl Draws {
    /// Nearly normal, with mean 0 and variance 1: the sum of twelve uniform numbers.
    fn noise(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_the_columns_that_are_asked_for_and_graphs_their_edges() {
        let table = table(&["age", "weight", "diet"]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[1].split(',').count()), (ROWS + 1, "age,weight,diet", 3));
        assert_eq!(edges(&["age", "weight", "diet"]), "from,to\nage,diet\ndiet,weight\n");
    }
}
