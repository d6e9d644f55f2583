//! What pruners found out about tables, for the next order of the same table.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use oslow::{Checkpoint, Result};

/// Bytes that are kept; what was kept longest ago is forgotten first.
const MOST: usize = 256 << 20;

/// Pieces of work and their names, those that were kept longest first.
type Kept = VecDeque<(String, Vec<u8>)>;

/// Keeps work by name. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Kept>>);

impl Memory {
    /// The part with this name, which says all that the work depends on, but for the order: each pruner files what it finds under what the
    /// order allowed.
    pub fn of(&self, name: String) -> Recollection {
        Recollection { memory: self.clone(), name }
    }
}

/// One part of a memory.
pub struct Recollection {
    memory: Memory,
    name: String,
}

impl Checkpoint for Recollection {
    fn load(&mut self) -> Option<Vec<u8>> {
        let kept = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(name, _)| *name == self.name).map(|(_, state)| state.clone())
    }

    fn save(&mut self, state: &[u8]) -> Result<()> {
        let mut kept = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(name, _)| *name != self.name);
        kept.push_back((self.name.clone(), state.to_vec()));
        let bytes = |kept: &Kept| kept.iter().map(|(_, state)| state.len()).sum::<usize>();
        while bytes(&kept) > MOST {
            kept.pop_front();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_by_its_name_until_there_is_too_much() {
        let memory = Memory::default();
        let (mut a, mut b) = (memory.of("a".into()), memory.clone().of("b".into()));
        assert_eq!(a.load(), None);
        a.save(b"first").unwrap();
        a.save(b"second").unwrap();
        b.save(b"other").unwrap();
        assert_eq!((a.load(), b.load()), (Some(b"second".to_vec()), Some(b"other".to_vec())));
        b.save(&vec![0; MOST]).unwrap();
        assert_eq!((a.load(), b.load().map(|state| state.len())), (None, Some(MOST)));
    }
}
