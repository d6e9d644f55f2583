//! Candidate causes by regression trees.

use oslow_core::{Event, Prepared, Result, Run};
use oslow_math::extra_tree_importances;
use rayon::prelude::*;

use super::config::GranDagConfig;

/// Columns that are candidate causes of each column: those that many extremely randomised trees find important for it. `None` if the
/// run was stopped.
pub(super) fn neighbours(
    config: &GranDagConfig,
    sample: &Prepared,
    run: &mut Run<'_>,
) -> Result<Option<Vec<Vec<usize>>>> {
    let d = sample.columns();
    let mut chosen = Vec::with_capacity(d);
    for to in 0..d {
        let others: Vec<usize> = (0..d).filter(|&from| from != to).collect();
        let inputs: Vec<&[f64]> = others.iter().map(|&from| sample.column(from)).collect();
        let of_tree = |tree: usize| {
            let index = (to * config.trees + tree) as u64;
            let mut rng = run.seed.indexed("order/gran-dag/trees", index);
            extra_tree_importances(&inputs, sample.column(to), &mut rng)
        };
        let trees: Vec<Vec<f64>> = (0..config.trees).into_par_iter().map(of_tree).collect();
        let importance = |k: usize| trees.iter().map(|tree| tree[k]).sum::<f64>() / config.trees as f64;
        // As in the program the variable itself counts in the mean, with an importance of 0.
        let least = config.importance / d as f64;
        chosen.push((0..d - 1).filter(|&k| importance(k) > least).map(|k| others[k]).collect());
        let (done, total) = (to as u64 + 1, d as u64);
        let event = Event::Progress { stage: "choosing candidates", done, total, loss: None, best: None };
        if run.observer.on_event(&event).is_break() {
            return Ok(None);
        }
    }
    Ok(Some(chosen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{ForgetfulCheckpoint, Knowledge, Preparing, Sample, Seed, Silent};
    use rand::RngExt;

    #[test]
    fn neighbours_are_chosen_and_strangers_are_not() {
        // a → b → c, and d, e, f on their own.
        let mut rng = Seed(1).stream("test");
        let mut uniform = || rng.random::<f64>() - 0.5;
        let mut row = || {
            let a = uniform();
            let b = (4.0 * a).sin() + 0.2 * uniform();
            [a, b, b * b + 0.2 * uniform(), uniform(), uniform(), uniform()]
        };
        let values: Vec<f64> = (0..300).flat_map(|_| row()).collect();
        let sample = Sample::new(["a", "b", "c", "d", "e", "f"].map(String::from).into(), values).unwrap();
        let (observer, checkpoint, knowledge) = (&mut Silent, &mut ForgetfulCheckpoint, &Knowledge::none(6));
        let mut run = Run { seed: Seed(1), knowledge, threads: 1, observer, checkpoint };
        let config = GranDagConfig { trees: 100, ..GranDagConfig::default() };
        let chosen = neighbours(&config, &Prepared::new(&sample, Preparing::as_given()).unwrap(), &mut run)
            .unwrap()
            .unwrap();
        assert_eq!(chosen[0], [1]);
        assert!(chosen[1].contains(&0) && !chosen[1].contains(&3) && chosen[2].contains(&1), "{chosen:?}");
    }
}
