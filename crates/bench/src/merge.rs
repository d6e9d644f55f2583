//! The shards of an experiment put together. Nothing is written before everything was found right.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use oslow::{Error, Result};

use crate::store::{Cells, Shard, expect_only, read, result_files};

/// The cells that the shards in some folders hold: each of `keys` once. Refuses folders without results, results of another experiment, cells that two files hold,
/// and cells that none holds.
pub fn merged(folders: &[PathBuf], header: &[String], keys: &[&str]) -> Result<Cells> {
    let asked: HashSet<&str> = keys.iter().copied().collect();
    let mut holder: HashMap<String, PathBuf> = HashMap::new();
    let mut all = Cells::new();
    let mut shards = BTreeSet::new();
    for folder in folders {
        let files = result_files(folder);
        if files.is_empty() {
            return Err(Error::input(format!("`{}` holds no results", folder.display()))
                .with_hint("name the folders that the shards wrote"));
        }
        for file in files {
            let cells = read(&file, header)?;
            expect_only(&cells, &asked, &file).map_err(|e| {
                let same = "give the experiment, its profile, seed, number of data sets and data folders as they were given to its shards";
                Error::input(e.to_string()).with_hint(same)
            })?;
            shards.extend(shard_of(&file));
            for (key, rows) in cells {
                if let Some(other) = holder.insert(key.clone(), file.clone()) {
                    return Err(Error::input(format!(
                        "`{}` and `{}` hold the same cell",
                        other.display(),
                        file.display()
                    ))
                    .with_hint("name the folder of each shard once"));
                }
                all.insert(key, rows);
            }
        }
    }
    if all.len() == keys.len() {
        return Ok(all);
    }
    let missing = format!("{} of {} cells are missing", keys.len() - all.len(), keys.len());
    Err(match open_shards(&shards, &all, keys).as_slice() {
        [] => Error::input(missing).with_hint("name the folders of all shards"),
        open => Error::input(format!("{missing}: those of {}", open.join(", ")))
            .with_hint("name the folders of all shards, and let each finish"),
    })
}

/// The shard that a file holds, by its number of shards and its own number.
fn shard_of(file: &Path) -> Option<(usize, usize)> {
    let shard = Shard::of_file(file.file_name()?.to_str()?)?;
    Some((shard.of, shard.index))
}

/// The shards that lack a cell, where all files are of the same number of shards.
fn open_shards(shards: &BTreeSet<(usize, usize)>, all: &Cells, keys: &[&str]) -> Vec<String> {
    let (Some(&(of, _)), Some(&(last, _))) = (shards.first(), shards.last()) else { return Vec::new() };
    if of != last {
        return Vec::new();
    }
    let lacks = |shard: &Shard| shard.of(keys).any(|key| !all.contains_key(*key));
    let open = (1..=of).map(|index| Shard { index, of }).filter(lacks);
    open.map(|shard| format!("shard {}/{}", shard.index, shard.of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, full};

    const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];

    fn header() -> Vec<String> {
        vec!["x".into(), "error".into()]
    }

    /// A folder with a shard of [`KEYS`].
    fn write(folder: &Path, shard: &str, keys: &[&str]) -> PathBuf {
        let folder = folder.join(shard.replace('/', "-"));
        let mut store = Store::open(&folder, &header(), Some(shard.parse().unwrap()), true).unwrap();
        for key in keys {
            store.add(key, vec![vec![format!("row of {key}"), String::new()]]).unwrap();
        }
        folder
    }

    fn refusal(folders: &[&PathBuf]) -> String {
        let folders: Vec<PathBuf> = folders.iter().copied().cloned().collect();
        let error = merged(&folders, &full(&header()), &KEYS).unwrap_err();
        assert!(error.is_input());
        error.to_string()
    }

    #[test]
    fn shards_are_put_together_whole_or_not_at_all() {
        let home = tempfile::tempdir().unwrap();
        let parts = [("1/3", &["a", "d"][..]), ("2/3", &["b", "e"]), ("3/3", &["c"])];
        let [first, second, third] = parts.map(|(shard, keys)| write(home.path(), shard, keys));
        let all = [third.clone(), first.clone(), second.clone()];
        let cells = merged(&all, &full(&header()), &KEYS).unwrap();
        assert_eq!(cells.len(), 5);
        assert_eq!(cells["d"], [["row of d", ""]]);

        assert_eq!(refusal(&[&first, &third]), "2 of 5 cells are missing: those of shard 2/3");
        assert!(refusal(&[&first, &second, &third, &first]).ends_with("hold the same cell"));
        let torn = write(home.path(), "2/4", &["b"]);
        assert_eq!(refusal(&[&first, &third, &torn]), "1 of 5 cells are missing");
        let strange = write(home.path(), "1/2", &["a", "z"]);
        assert!(refusal(&[&strange]).contains("holds 1 cells that this experiment does not ask for"));
        let empty = home.path().join("nowhere");
        assert!(refusal(&[&first, &empty]).ends_with("holds no results"));
    }
}
