//! Rows on disk: written as they finish, so that a run that is killed loses nothing.
//!
//! A cell is written by one call and counts as done when all its parts are there. A run that is not split takes up
//! the rows of every `results*.csv` in its folder.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use oslow::{Choice, Error, Remedy, Result, read_utf8, write_whole};

/// Which part of the cells this process does: every `of`-th, from the `index`-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub index: usize,
    /// The number of parts.
    pub of: usize,
}

impl std::str::FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err(Error::input(format!("shard: `{text}` is not i/n with 1 ≤ i ≤ n"))
                .with_hint("2/4, for example, is the second of four")),
        }
    }
}

impl Shard {
    /// Its share of all jobs.
    pub fn of<J>(self, jobs: &[J]) -> impl Iterator<Item = &J> {
        jobs.iter().skip(self.index - 1).step_by(self.of)
    }

    /// The name of its file.
    pub fn file(self) -> String {
        format!("{SHARD}{}-of-{}.csv", self.index, self.of)
    }

    /// The shard that a file of this name holds, if it is one.
    pub fn of_file(name: &str) -> Option<Self> {
        name.strip_prefix(SHARD)?.strip_suffix(".csv")?.replace("-of-", "/").parse().ok()
    }
}

/// The rows of finished cells, by key.
pub type Cells = HashMap<String, Vec<Vec<String>>>;

/// Finished cells, in memory and on disk.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    header: Vec<String>,
    cells: Cells,
    file: File,
}

/// The file of a run that is not split.
const WHOLE: &str = "results.csv";
/// What the names of shards' files begin with.
const SHARD: &str = "results.shard-";
/// The fields before a cell's own: its key, and which part of how many.
const KEY_FIELDS: [&str; 2] = ["cell", "part"];

impl Store {
    /// Opens the folder. What is already there is an error unless the run is resumed.
    pub fn open(folder: &Path, header: &[String], shard: Option<Shard>, resume: bool) -> Result<Self> {
        let own = folder.join(shard.map_or(WHOLE.into(), Shard::file));
        let header = full(header);
        if !resume {
            expect_no_results(folder, shard)?;
        }
        let files = if shard.is_some() { vec![own.clone()] } else { result_files(folder) };
        let mut cells = Cells::new();
        for file in files.iter().filter(|file| file.exists()) {
            cells.extend(read(file, &header)?);
        }
        std::fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, e))?;
        // What a kill cut off is gone from the file, too: the next row begins on a line of its own.
        write_whole(&own, &text(&header, cells.iter().flat_map(|(key, rows)| records(key, rows)))?)?;
        let file = OpenOptions::new().append(true).open(&own).map_err(|e| Error::io("write", &own, e))?;
        Ok(Self { folder: folder.into(), header, cells, file })
    }

    /// The rows of a cell, if it is done.
    pub fn rows(&self, key: &str) -> Option<&[Vec<String>]> {
        self.cells.get(key).map(Vec::as_slice)
    }

    /// All finished cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Forgets cells whose last field, the error, is not empty.
    pub fn forget_failed(&mut self) {
        self.cells.retain(|_, rows| rows.iter().all(|row| row.last().is_none_or(String::is_empty)));
    }

    /// Refuses rows of cells that are not among these.
    pub fn expect_only(&self, keys: &HashSet<&str>) -> Result<()> {
        expect_only(&self.cells, keys, &self.folder)
    }

    /// Stores a finished cell.
    pub fn add(&mut self, key: &str, rows: Vec<Vec<String>>) -> Result<()> {
        let bytes = lines(records(key, &rows))?;
        let failed = |e| Error::io("write", &self.folder, e);
        self.file.write_all(&bytes).and_then(|()| self.file.sync_data()).map_err(failed)?;
        self.cells.insert(key.into(), rows);
        Ok(())
    }

    /// Writes `results.csv` anew in the order of the plan, not in that in which cells happened to finish.
    pub fn sort(&self, keys: &[&str]) -> Result<()> {
        write_sorted(&self.folder, &self.header, keys, &self.cells)
    }
}

/// The header of a file: that of its rows behind the fields of its cells.
pub fn full(header: &[String]) -> Vec<String> {
    KEY_FIELDS.iter().map(ToString::to_string).chain(header.iter().cloned()).collect()
}

/// Writes `results.csv` with those of the cells that are there, in the order of the keys.
pub fn write_sorted(folder: &Path, header: &[String], keys: &[&str], cells: &Cells) -> Result<()> {
    let rows = keys.iter().filter_map(|key| Some((*key, cells.get(*key)?)));
    let records = rows.flat_map(|(key, rows)| records(key, rows));
    write_whole(&folder.join(WHOLE), &text(header, records)?)
}

/// Refuses a folder that holds results, or those of a shard.
pub fn expect_no_results(folder: &Path, shard: Option<Shard>) -> Result<()> {
    let held = match shard {
        Some(shard) => folder.join(shard.file()).exists(),
        None => !result_files(folder).is_empty(),
    };
    if !held {
        return Ok(());
    }
    let hint = Remedy::from("go on with them with ").and(Choice::Resume).and(", or ");
    Err(Error::input(format!("`{}` holds results", folder.display()))
        .with_hint(hint.and("name another folder with ").and(Choice::Out)))
}

/// Refuses cells of a folder that are not among these.
pub fn expect_only(cells: &Cells, keys: &HashSet<&str>, folder: &Path) -> Result<()> {
    let strange = cells.keys().filter(|key| !keys.contains(key.as_str())).count();
    if strange == 0 {
        return Ok(());
    }
    Err(Error::input(format!(
        "`{}` holds {strange} cells that this experiment does not ask for: it, its settings or the program have changed",
        folder.display()
    ))
    .with_hint(another_folder()))
}

fn another_folder() -> Remedy {
    Remedy::from("name another folder with ").and(Choice::Out)
}

/// Every file with results in a folder.
pub fn result_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_result = |name: &str| name == WHOLE || Shard::of_file(name).is_some();
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_result))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

/// The cells of a file that are complete.
pub fn read(path: &Path, header: &[String]) -> Result<Cells> {
    let whole = read_utf8(path)?;
    // A line without an end was being written when the process was killed.
    let whole = &whole[..whole.rfind('\n').map_or(0, |end| end + 1)];
    let broken = |e: &dyn std::fmt::Display| {
        Error::input(format!("{}: {e}", path.display())).with_hint(another_folder())
    };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(whole.as_bytes());
    let mut found = Cells::new();
    for (number, record) in reader.records().enumerate() {
        let fields: Vec<String> = record.map_err(|e| broken(&e))?.iter().map(String::from).collect();
        if number == 0 {
            if fields != header {
                return Err(broken(&"its columns are not those of this experiment"));
            }
            continue;
        }
        let mut fields = fields.into_iter();
        let (Some(key), Some(part)) = (fields.next(), fields.next()) else { continue };
        let rows = found.entry(key).or_default();
        // A cell that was written twice is the same both times.
        if part.split_once('/').and_then(|(k, _)| k.parse().ok()) == Some(rows.len() + 1) {
            let mut row: Vec<String> = fields.collect();
            row.push(part);
            rows.push(row);
        }
    }
    found.retain(|_, rows| {
        let parts = rows.first().and_then(|row| row.last()).and_then(|p| p.split_once('/')?.1.parse().ok());
        let complete = parts == Some(rows.len());
        rows.iter_mut().for_each(|row| drop(row.pop()));
        complete
    });
    Ok(found)
}

/// A cell's rows with its key and their numbers in front.
fn records<'a>(key: &'a str, rows: &'a [Vec<String>]) -> impl Iterator<Item = Vec<String>> + 'a {
    rows.iter().enumerate().map(move |(k, row)| {
        let part = format!("{}/{}", k + 1, rows.len());
        // One line a row: only then can a torn one be told.
        let row = row.iter().map(|field| field.replace(['\n', '\r'], " "));
        [key.to_string(), part].into_iter().chain(row).collect()
    })
}

fn text(header: &[String], records: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>> {
    lines(std::iter::once(header.to_vec()).chain(records))
}

fn lines(records: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>> {
    let failed = |e: &dyn std::fmt::Display| Error::internal(format!("a row cannot be written: {e}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Vec<String> {
        vec!["x".into(), "error".into()]
    }

    fn row(x: &str, error: &str) -> Vec<String> {
        vec![x.into(), error.into()]
    }

    fn open(folder: &Path, shard: Option<Shard>, resume: bool) -> Result<Store> {
        Store::open(folder, &header(), shard, resume)
    }

    #[test]
    fn cells_come_back_and_a_torn_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path(), None, false).unwrap();
        store.add("a", vec![row("1", ""), row("2,3", "")]).unwrap();
        store.add("b", vec![row("4", ""), row("5", "")]).unwrap();
        drop(store);
        let path = folder.path().join("results.csv");
        let whole = std::fs::read_to_string(&path).unwrap();
        for cut in whole.find("b,1/2").unwrap()..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut store = open(folder.path(), None, true).unwrap();
            assert_eq!(store.rows("a").unwrap(), [row("1", ""), row("2,3", "")], "{cut}");
            assert_eq!(store.rows("b"), None, "{cut}");
            store.add("b", vec![row("4", ""), row("5", "")]).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "{cut}");
        }
    }

    #[test]
    fn results_are_not_overwritten_by_accident() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), None, false).unwrap());
        assert!(open(folder.path(), None, false).unwrap_err().to_string().contains("holds results"));
        let other = Store::open(folder.path(), &["y".to_string()], None, true).unwrap_err();
        assert!(other.to_string().contains("its columns are not those"), "{other}");
    }

    #[test]
    fn shards_are_put_together_and_sorted() {
        let folder = tempfile::tempdir().unwrap();
        let shard = |index| Some(Shard { index, of: 2 });
        open(folder.path(), shard(1), false).unwrap().add("b", vec![row("2", "")]).unwrap();
        open(folder.path(), shard(2), false).unwrap().add("a", vec![row("1", "no\nluck")]).unwrap();
        let mut all = open(folder.path(), None, true).unwrap();
        all.sort(&["a", "b"]).unwrap();
        let text = std::fs::read_to_string(folder.path().join("results.csv")).unwrap();
        assert_eq!(text, "cell,part,x,error\na,1/1,1,no luck\nb,1/1,2,\n");
        assert!(all.expect_only(&HashSet::from(["a", "b", "c"])).is_ok());
        let refusal = all.expect_only(&HashSet::from(["a"])).unwrap_err().to_string();
        assert!(refusal.contains("holds 1 cells that this experiment does not ask for"), "{refusal}");
        all.forget_failed();
        assert!(all.rows("a").is_none() && all.rows("b").is_some());
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("2/4".parse::<Shard>().unwrap(), Shard { index: 2, of: 4 });
        for wrong in ["0/4", "5/4", "2", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        let shard = Shard { index: 2, of: 14 };
        assert_eq!(Shard::of_file(&shard.file()), Some(shard));
        for other in ["results.csv", "results.shard-3-of-2.csv", "results.shard-1-of-2.csv.tmp"] {
            assert_eq!(Shard::of_file(other), None, "{other}");
        }
        assert_eq!(Shard { index: 2, of: 3 }.of(&[0, 1, 2, 3, 4, 5, 6]).collect::<Vec<_>>(), [&1, &4]);
    }
}
