//! A discovery checks and scales its table once, whatever stages it has.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use oslow::prelude::*;
use oslow::{Prepared, Preparing, methods, pruners};

/// Numbers that count how often somebody looks at them.
struct Watched {
    numbers: Vec<f64>,
    looks: AtomicUsize,
}

impl AsRef<[f64]> for Watched {
    fn as_ref(&self) -> &[f64] {
        self.looks.fetch_add(1, SeqCst);
        &self.numbers
    }
}

/// How often this looks at a table.
fn looks(work: impl FnOnce(&Sample)) -> usize {
    let row = |i: usize| {
        let a = (i * 37 % 101) as f64;
        let b = (a * 0.13).sin() * 5.0 + (i * 53 % 17) as f64;
        [a, b, b * b + (i * 29 % 31) as f64]
    };
    let numbers = (0..80).flat_map(row).collect();
    let watched = Arc::new(Watched { numbers, looks: AtomicUsize::new(0) });
    let sample = Sample::shared(["a", "b", "c"].map(String::from).to_vec(), watched.clone()).unwrap();
    let before = watched.looks.load(SeqCst);
    work(&sample);
    watched.looks.load(SeqCst) - before
}

#[test]
fn no_stage_looks_at_the_table_again() {
    let once = looks(|sample| {
        Prepared::new(sample, Preparing::default()).unwrap();
    });
    let discovery = |method: &str, prune: &str, threads: usize| {
        looks(|sample| {
            let (method, prune) = (method.into(), prune.into());
            let options =
                DiscoverOptions { method, prune, threads: Some(threads), ..DiscoverOptions::default() };
            discover(sample, &options, &mut Silent, &mut ForgetfulCheckpoint).unwrap();
        })
    };
    // The answer says how many rows were removed, and for that asks how many there were.
    let expected = discovery("random", "none", 1);
    assert!((once..=once + 2).contains(&expected), "{expected} looks, to prepare takes {once}");
    for method in ["exact", "cam", "score", "direct-lingam", "bi-lsnm", "r2-sort"] {
        assert!(methods().any(|known| known.name == method), "{method}");
        assert_eq!(discovery(method, "none", 2), expected, "{method}");
    }
    for pruner in pruners() {
        assert_eq!(discovery("var-sort", pruner.name, 2), expected, "{}", pruner.name);
    }
}
