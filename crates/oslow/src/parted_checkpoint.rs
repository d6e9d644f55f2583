//! One checkpoint for the answer and the resamples.

use oslow_core::{Checkpoint, Error, Remedy, Result};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

/// The state of the learner on the whole table.
const LEARNER: &str = "learner";
/// The resamples that are finished.
const RESAMPLES: &str = "resamples";

/// A checkpoint in two parts, each kept while the other is replaced.
pub(crate) struct PartedCheckpoint<'a> {
    whole: &'a mut dyn Checkpoint,
    parts: [(&'static str, Option<Vec<u8>>); 2],
}

impl<'a> PartedCheckpoint<'a> {
    /// Takes up what is saved.
    pub fn open(whole: &'a mut dyn Checkpoint) -> Result<Self> {
        let mut parts = [(LEARNER, None), (RESAMPLES, None)];
        if let Some(bytes) = whole.load() {
            let saved = SafeTensors::deserialize(&bytes).map_err(broken)?;
            for (name, part) in &mut parts {
                *part = saved.tensor(name).ok().map(|tensor| tensor.data().to_vec());
            }
        }
        Ok(Self { whole, parts })
    }

    /// The part of the learner.
    pub fn learner(&mut self) -> Part<'_, 'a> {
        Part { checkpoint: self, index: 0 }
    }

    /// The part of the resamples.
    pub fn resamples(&mut self) -> Part<'_, 'a> {
        Part { checkpoint: self, index: 1 }
    }
}

/// One part of a checkpoint.
pub(crate) struct Part<'p, 'a> {
    checkpoint: &'p mut PartedCheckpoint<'a>,
    index: usize,
}

impl Checkpoint for Part<'_, '_> {
    fn load(&mut self) -> Option<Vec<u8>> {
        self.checkpoint.parts[self.index].1.clone()
    }

    fn save(&mut self, state: &[u8]) -> Result<()> {
        self.checkpoint.parts[self.index].1 = Some(state.to_vec());
        let mut tensors = Vec::new();
        for (name, part) in &self.checkpoint.parts {
            if let Some(bytes) = part {
                tensors
                    .push((*name, TensorView::new(Dtype::U8, vec![bytes.len()], bytes).map_err(unwritable)?));
            }
        }
        self.checkpoint.whole.save(&safetensors::serialize(tensors, None).map_err(unwritable)?)
    }
}

/// A state that cannot be written.
pub(crate) fn unwritable(why: impl std::fmt::Display) -> Error {
    Error::internal(format!("the state of the run cannot be written: {why}"))
}

/// A state that cannot be read.
pub(crate) fn broken(why: impl std::fmt::Display) -> Error {
    Error::input(format!("the state of the interrupted run cannot be read: {why}"))
        .with_hint(Remedy::start_over())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::MemoryCheckpoint;

    #[test]
    fn each_part_is_kept_while_the_other_is_replaced() {
        let mut kept = MemoryCheckpoint::default();
        let mut parted = PartedCheckpoint::open(&mut kept).unwrap();
        assert_eq!(parted.learner().load(), None);
        parted.learner().save(b"order").unwrap();
        parted.resamples().save(b"first").unwrap();
        parted.resamples().save(b"second").unwrap();
        let mut again = PartedCheckpoint::open(&mut kept).unwrap();
        assert_eq!(again.learner().load().unwrap(), b"order");
        assert_eq!(again.resamples().load().unwrap(), b"second");
        let mut other = MemoryCheckpoint(Some(b"something else".to_vec()));
        assert!(PartedCheckpoint::open(&mut other).err().unwrap().is_input());
    }
}
