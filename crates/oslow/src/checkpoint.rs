//! Unfinished work kept in a run folder.

use std::path::{Path, PathBuf};

use oslow_core::{Checkpoint, Error, Remedy, Result};

use crate::Identity;
use crate::hash::StableHash;
use crate::parted_checkpoint::unwritable;
use crate::whole_file::write_whole;

/// The state of the learner, and which run it belongs to. One file, so that two runs in one folder cannot mix: whichever
/// wrote last, the state is that of the identity beside it.
pub(crate) const STATE: &str = "checkpoint.bin";
/// How the file begins.
const MAGIC: [u8; 8] = *b"oslowck2";
/// The bytes of the checksum of all that follows it.
const CHECKSUM: usize = 32;
/// The bytes that say how long the identity is.
const LENGTH: usize = size_of::<u64>();

/// Keeps the state of a run in `checkpoint.bin`, headed by the identity of the run. The folder is made when there is
/// something to keep.
#[derive(Debug)]
pub struct FolderCheckpoint {
    folder: PathBuf,
    identity: Identity,
    state: Option<Vec<u8>>,
}

impl FolderCheckpoint {
    /// For a run that starts over; what an earlier one left is replaced by the first save.
    pub fn fresh(folder: &Path, identity: Identity) -> Self {
        Self { folder: folder.into(), identity, state: None }
    }

    /// Takes up what an interrupted run of the same identity left, if there is any; refuses that of another.
    pub fn resume(folder: &Path, identity: Identity) -> Result<Self> {
        if !Self::is_there(folder) {
            return Ok(Self::fresh(folder, identity));
        }
        let path = folder.join(STATE);
        let bytes = std::fs::read(&path).map_err(|e| Error::io("read", &path, e))?;
        let (before, state) = unpack(&bytes).map_err(|e| e.at(path.display()))?;
        before.check(&identity).map_err(|e| e.at(folder.display()))?;
        Ok(Self { folder: folder.into(), identity, state: Some(state.to_vec()) })
    }

    /// Whether a folder holds the state of an interrupted run.
    pub fn is_there(folder: &Path) -> bool {
        folder.join(STATE).is_file()
    }

    /// Whether there is a state to go on from.
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }

    /// Removes the state: the run is finished.
    pub fn remove(&mut self) -> Result<()> {
        self.state = None;
        remove(&self.folder.join(STATE))
    }
}

impl Checkpoint for FolderCheckpoint {
    fn load(&mut self) -> Option<Vec<u8>> {
        self.state.clone()
    }

    fn save(&mut self, state: &[u8]) -> Result<()> {
        std::fs::create_dir_all(&self.folder).map_err(|e| Error::io("create", &self.folder, e))?;
        write_whole(&self.folder.join(STATE), &pack(&self.identity, state)?)?;
        self.state = Some(state.to_vec());
        Ok(())
    }
}

/// The file: its magic, a checksum of the rest, the length of the identity, the identity as JSON, the state.
fn pack(identity: &Identity, state: &[u8]) -> Result<Vec<u8>> {
    let mark = serde_json::to_vec(identity).map_err(unwritable)?;
    let length = (mark.len() as u64).to_le_bytes();
    let rest = [&length[..], &mark, state].concat();
    Ok([&MAGIC[..], checksum(&rest).as_bytes(), &rest].concat())
}

/// What tells a damaged file from a whole one.
fn checksum(bytes: &[u8]) -> String {
    let mut hash = StableHash::default();
    hash.add(bytes);
    hash.text()
}

fn unpack(bytes: &[u8]) -> Result<(Identity, &[u8])> {
    let damaged =
        || Error::input("not the state of an interrupted run, or damaged").with_hint(Remedy::start_over());
    let rest = bytes.strip_prefix(&MAGIC).ok_or_else(damaged)?;
    let (stated, rest) = rest.split_first_chunk::<CHECKSUM>().ok_or_else(damaged)?;
    if checksum(rest).as_bytes() != stated {
        return Err(damaged());
    }
    let (length, rest) = rest.split_first_chunk::<LENGTH>().ok_or_else(damaged)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
    let (mark, state) = rest.split_at_checked(length).ok_or_else(damaged)?;
    Ok((serde_json::from_slice(mark).map_err(|_| damaged())?, state))
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", path, e)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DiscoverOptions;
    use oslow_core::{Sample, Seed};

    fn identity(seed: u64) -> Identity {
        let sample = Sample::new(vec!["a".into(), "b".into()], vec![1., 2., 3., 5.]).unwrap();
        Identity::new(&sample, &DiscoverOptions { seed: Seed(seed), ..DiscoverOptions::default() }).unwrap()
    }

    #[test]
    fn of_two_runs_in_one_folder_neither_takes_up_the_others_state() {
        let home = tempfile::tempdir().unwrap();
        let [mut first, mut second] = [0, 1].map(|seed| FolderCheckpoint::fresh(home.path(), identity(seed)));
        first.save(b"early").unwrap();
        second.save(b"of the second").unwrap();
        first.save(b"of the first").unwrap();
        let refusal = FolderCheckpoint::resume(home.path(), identity(1)).unwrap_err();
        assert!(refusal.to_string().ends_with("had the seed 0, this one has 1"), "{refusal}");
        let state = FolderCheckpoint::resume(home.path(), identity(0)).unwrap().load();
        assert_eq!(state.as_deref(), Some(&b"of the first"[..]));
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = pack(&identity(0), b"state").unwrap();
        let (before, state) = unpack(&whole).unwrap();
        assert_eq!((before, state), (identity(0), &b"state"[..]));
        for cut in 0..whole.len() {
            assert!(unpack(&whole[..cut]).unwrap_err().is_input(), "{cut}");
        }
        let rest = [&[0xff; LENGTH][..], b"{}"].concat();
        let endless = [&MAGIC[..], checksum(&rest).as_bytes(), &rest].concat();
        assert!(unpack(&endless).unwrap_err().is_input());
        for byte in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[byte] ^= 1;
            assert!(unpack(&flipped).unwrap_err().is_input(), "{byte}");
        }
    }
}
