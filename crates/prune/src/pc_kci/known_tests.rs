//! Tests that were made: what they say is about the table and not about an order, so that no other order of it repeats them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use oslow_core::{Checkpoint, Error, Result};

/// Both ends of an edge as the test takes them, and what is given.
type Test = (usize, usize, Vec<usize>);

/// P-values of tests on one table, which threads share.
pub(super) struct KnownTests(Mutex<BTreeMap<Test, f64>>);

impl KnownTests {
    /// Those of an earlier order, if any.
    pub fn load(checkpoint: &mut dyn Checkpoint) -> Result<Self> {
        let Some(bytes) = checkpoint.load() else { return Ok(Self(Mutex::default())) };
        let tests: Vec<(Test, f64)> = serde_json::from_slice(&bytes)
            .map_err(|why| Error::input(format!("the saved tests cannot be read: {why}")))?;
        Ok(Self(Mutex::new(tests.into_iter().collect())))
    }

    /// The p-value of a test, which is made unless it is known.
    pub fn p_value(&self, test: Test, make: impl FnOnce(&Test) -> Result<f64>) -> Result<f64> {
        let tests = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = tests().get(&test) {
            return Ok(known);
        }
        let made = make(&test)?;
        tests().insert(test, made);
        Ok(made)
    }

    /// Keeps them for the next order.
    pub fn save(self, checkpoint: &mut dyn Checkpoint) -> Result<()> {
        let tests: Vec<(Test, f64)> =
            self.0.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
        let bytes = serde_json::to_vec(&tests)
            .map_err(|why| Error::internal(format!("the tests cannot be saved: {why}")))?;
        checkpoint.save(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::MemoryCheckpoint;

    #[test]
    fn what_was_saved_is_known_and_damage_is_noticed() {
        let mut kept = MemoryCheckpoint::default();
        let tests = KnownTests::load(&mut kept).unwrap();
        assert_eq!(tests.p_value((0, 2, vec![1]), |_| Ok(0.1 + 0.2)).unwrap(), 0.1 + 0.2);
        tests.save(&mut kept).unwrap();
        let again = KnownTests::load(&mut kept).unwrap();
        let refuse = |_: &Test| Err(Error::input("it is made again"));
        assert_eq!(again.p_value((0, 2, vec![1]), refuse).unwrap(), 0.1 + 0.2);
        assert!(again.p_value((0, 2, vec![]), refuse).is_err());
        let damaged = KnownTests::load(&mut MemoryCheckpoint(Some(b"[[".to_vec())));
        let message = damaged.err().unwrap().to_string();
        assert!(message.starts_with("the saved tests cannot be read: "), "{message}");
    }
}
