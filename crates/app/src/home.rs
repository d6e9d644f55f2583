//! The folder of the app: tables, runs, and what its user is about to do.
//!
//! ```text
//! FOLDER/*.csv, FOLDER/tables/*.csv   tables, in every format that oslow reads; what is dropped on the page goes to `tables`
//! FOLDER/runs/3.toml                  what run 3 is to do: a configuration file
//! FOLDER/runs/3/                      run 3, a run folder
//! FOLDER/draft.json                   what is being chosen on the page
//! ```
//!
//! There is no other state. So nothing is lost when the browser or the program ends.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use oslow::data::{Table, check_name, datasets, open};
use oslow::{Error, ReadConfig, Result, RunConfig, read_utf8, write_whole};
use serde::Serialize;

const TABLES: &str = "tables";
const RUNS: &str = "runs";
const DRAFT: &str = "draft.json";

/// The folder, locked.
pub struct Home {
    path: PathBuf,
    /// Systems that cannot open a folder do not lock it.
    _lock: Option<File>,
}

/// A table that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableFile {
    /// Its path from the folder.
    pub data: String,
    /// Its size.
    pub bytes: u64,
}

impl Home {
    /// Makes the folder if need be. Refuses one in which another app works.
    pub fn open(path: &Path) -> Result<Self> {
        for folder in [path.to_path_buf(), path.join(TABLES), path.join(RUNS)] {
            std::fs::create_dir_all(&folder).map_err(|e| Error::io("create", &folder, e))?;
        }
        let path = std::fs::canonicalize(path).map_err(|e| Error::io("read", path, e))?;
        let lock = locked(&path)?;
        Ok(Self { path, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tables, by name.
    pub fn tables(&self) -> Result<Vec<TableFile>> {
        let mut tables = Vec::new();
        for folder in ["", TABLES] {
            let entries = std::fs::read_dir(self.path.join(folder));
            for entry in entries.map_err(|e| Error::io("read", self.path.join(folder), e))? {
                let entry = entry.map_err(|e| Error::io("read", self.path.join(folder), e))?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                if name.starts_with('.') || check_name(Path::new(&name)).is_err() {
                    continue;
                }
                let data = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                // A link that leads out of the folder is none of its tables.
                let Ok(place) = std::fs::canonicalize(entry.path()) else { continue };
                if let Some(found) =
                    place.metadata().ok().filter(|found| found.is_file() && place.starts_with(&self.path))
                {
                    tables.push(TableFile { data, bytes: found.len() });
                }
            }
        }
        tables.sort_by(|a, b| a.data.cmp(&b.data));
        Ok(tables)
    }

    /// Reads a table of the folder, or a built-in one. A name that is not in the list is refused, so that no path leads elsewhere.
    pub fn read_table(&self, data: &str, read: &ReadConfig) -> Result<Table> {
        open(&self.place_of(data)?, &read.options()?)
    }

    /// What the library opens a table by.
    pub fn place_of(&self, data: &str) -> Result<String> {
        if datasets().iter().any(|set| set.name == data) {
            return Ok(data.into());
        }
        if !self.tables()?.iter().any(|table| table.data == data) {
            return Err(Error::input(format!("there is no table `{data}` in the folder of the app"))
                .with_hint("drop the file on the page again"));
        }
        let place = self.path.join(data).into_os_string().into_string();
        place.map_err(|_| {
            Error::input("the path of the folder of the app is not Unicode")
                .with_hint("choose another folder")
        })
    }

    /// Takes a table in that lies beside its place, and says by what name; one that is there already is not kept twice.
    pub fn keep_table(&self, name: &str, unfinished: &Path) -> Result<String> {
        let plain = plain_name(name)?;
        let there = self.path.join(TABLES).join(&plain);
        if same_bytes(&there, unfinished).map_err(|e| Error::io("read", &there, e))? {
            std::fs::remove_file(unfinished).map_err(|e| Error::io("remove", unfinished, e))?;
            return Ok(format!("{TABLES}/{plain}"));
        }
        let (stem, extension) = plain.split_once('.').unwrap_or((&plain, ""));
        let numbered = |k: u32| if k == 1 { plain.clone() } else { format!("{stem}-{k}.{extension}") };
        let is_free = |name: &String| !self.path.join(TABLES).join(name).exists();
        let name = (1..).map(numbered).find(is_free).unwrap_or_else(|| plain.clone());
        let place = self.path.join(TABLES).join(&name);
        std::fs::rename(unfinished, &place).map_err(|e| Error::io("write", &place, e))?;
        Ok(format!("{TABLES}/{name}"))
    }

    /// Where a table lies while it comes in.
    pub fn unfinished_table(&self, mark: &str) -> PathBuf {
        self.path.join(TABLES).join(format!(".{mark}.unfinished"))
    }

    /// The numbers of all runs, ascending.
    pub fn runs(&self) -> Result<Vec<u32>> {
        let folder = self.path.join(RUNS);
        let entries = std::fs::read_dir(&folder).map_err(|e| Error::io("read", &folder, e))?;
        let mut runs = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|e| Error::io("read", &folder, e))?;
            let name = entry.file_name().into_string().unwrap_or_default();
            runs.extend(name.strip_suffix(".toml").and_then(|number| number.parse::<u32>().ok()));
        }
        runs.sort_unstable();
        Ok(runs)
    }

    /// The folder of a run.
    pub fn run_folder(&self, run: u32) -> PathBuf {
        self.path.join(RUNS).join(run.to_string())
    }

    /// What a run is to do.
    pub fn run_config(&self, run: u32) -> Result<RunConfig> {
        let path = self.config_file(run);
        RunConfig::from_toml(&read_utf8(&path)?).map_err(|e| e.at(path.display()))
    }

    /// Keeps what a run is to do.
    pub fn keep_run(&self, run: u32, config: &RunConfig) -> Result<()> {
        write_whole(&self.config_file(run), config.to_toml()?.as_bytes())
    }

    /// Forgets what a run is to do: it is no run any more.
    pub fn forget_run(&self, run: u32) -> Result<()> {
        let path = self.config_file(run);
        std::fs::remove_file(&path).map_err(|e| Error::io("remove", &path, e))
    }

    /// Removes the folder of a run, if it has one. A link there is removed, and what it leads to stays.
    pub fn remove_run_folder(&self, run: u32) -> Result<()> {
        let folder = self.run_folder(run);
        match std::fs::remove_dir_all(&folder) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|e| Error::io("remove", &folder, e)),
        }
    }

    fn config_file(&self, run: u32) -> PathBuf {
        self.path.join(RUNS).join(format!("{run}.toml"))
    }

    /// What was being chosen, as the page wrote it.
    pub fn draft(&self) -> Result<Option<Vec<u8>>> {
        let path = self.path.join(DRAFT);
        match std::fs::read(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(|e| Error::io("read", &path, e)),
        }
    }

    /// Keeps what is being chosen.
    pub fn keep_draft(&self, draft: &[u8]) -> Result<()> {
        write_whole(&self.path.join(DRAFT), draft)
    }
}

/// The name of a table with nothing in it that a shell would not take as it is; refuses one that is not called like a table.
pub fn plain_name(name: &str) -> Result<String> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_start_matches(['.', '-']);
    check_name(Path::new(name))?;
    Ok(name.into())
}

/// Whether both are there and hold the same.
fn same_bytes(one: &Path, other: &Path) -> std::io::Result<bool> {
    let length = |path: &Path| path.metadata().map(|found| found.len()).ok();
    Ok(length(one).is_some() && length(one) == length(other) && std::fs::read(one)? == std::fs::read(other)?)
}

fn locked(path: &Path) -> Result<Option<File>> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => {
            Err(Error::input(format!("another oslow works in `{}`", path.display()))
                .with_hint("use the page that is open, or name another folder"))
        }
        // Some file systems have no locks.
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path()).unwrap();
        (folder, home)
    }

    #[test]
    fn names_of_tables_are_made_plain() {
        assert_eq!(plain_name("a b&c.csv").unwrap(), "a-b-c.csv");
        assert_eq!(plain_name("../../etc/x.tsv").unwrap(), "x.tsv");
        assert_eq!(plain_name("C:\\x\\y.csv.gz").unwrap(), "y.csv.gz");
        assert_eq!(plain_name(".-.x.csv").unwrap(), "x.csv");
        assert!(plain_name("x.exe").unwrap_err().is_input() && plain_name("..").unwrap_err().is_input());
    }

    #[test]
    fn a_table_never_replaces_another_and_is_kept_once() {
        let (_folder, home) = home();
        let keep = |text: &str| {
            let unfinished = home.unfinished_table("mark");
            std::fs::write(&unfinished, text).unwrap();
            let data = home.keep_table("x.csv.gz", &unfinished).unwrap();
            assert!(!unfinished.exists());
            data
        };
        assert_eq!(keep("one"), "tables/x.csv.gz");
        assert_eq!(keep("two"), "tables/x-2.csv.gz");
        assert_eq!(keep("one"), "tables/x.csv.gz");
    }

    #[test]
    fn only_tables_in_the_folder_are_read() {
        let (folder, home) = home();
        std::fs::write(folder.path().join("a.csv"), "a,b\n1,2\n2,5\n3,1\n").unwrap();
        std::fs::write(folder.path().join("a.txt.bak"), "").unwrap();
        let read =
            |data: &str| home.read_table(data, &ReadConfig::default()).map(|table| table.sample.rows());
        assert_eq!(read("a.csv").unwrap(), 3);
        assert_eq!(read("sachs").unwrap(), 853);
        for outside in ["../a.csv", "/etc/passwd", "tables/../a.csv", "./a.csv", "-", "a.txt.bak", ""] {
            assert!(read(outside).unwrap_err().to_string().starts_with("there is no table"), "{outside}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_no_table() {
        let (folder, home) = home();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret.csv"), "a,b\n1,2\n").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.csv"), folder.path().join("link.csv"))
            .unwrap();
        assert_eq!(home.tables().unwrap(), []);
        assert!(home.place_of("link.csv").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_has_one_app_at_a_time() {
        let (folder, home) = home();
        assert!(Home::open(folder.path()).err().unwrap().to_string().starts_with("another oslow works in"));
        drop(home);
        Home::open(folder.path()).unwrap();
    }
}
