//! What two graphs have in common: the counts behind precision, recall and F1.

use oslow_core::Dag;

/// Edges of the truth, of the guess, and of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    truth: usize,
    guess: usize,
    both: usize,
}

impl Overlap {
    /// Counts edges with their direction.
    pub fn directed(truth: &Dag, guess: &Dag) -> Self {
        Self::count(truth, guess, |truth, (a, b)| truth.has(a, b))
    }

    /// Counts edges whatever their direction.
    pub fn skeleton(truth: &Dag, guess: &Dag) -> Self {
        Self::count(truth, guess, |truth, (a, b)| truth.has(a, b) || truth.has(b, a))
    }

    fn count(truth: &Dag, guess: &Dag, found: impl Fn(&Dag, (usize, usize)) -> bool) -> Self {
        assert_eq!(truth.nodes(), guess.nodes(), "both graphs must have the same nodes");
        let guessed = guess.edges();
        let both = guessed.iter().filter(|&&edge| found(truth, edge)).count();
        Self { truth: truth.edges().len(), guess: guessed.len(), both }
    }

    /// The share of the guessed edges that are true; `None` where none was guessed.
    pub fn precision(self) -> Option<f64> {
        share(self.both, self.guess)
    }

    /// The share of the true edges that were guessed; `None` where there is none.
    pub fn recall(self) -> Option<f64> {
        share(self.both, self.truth)
    }

    /// Twice the common edges over the edges of both; `None` where neither has any.
    pub fn f1(self) -> Option<f64> {
        share(2 * self.both, self.truth + self.guess)
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
