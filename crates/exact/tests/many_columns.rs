//! What is done with many columns, on a table that is small enough to do without it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{ForgetfulCheckpoint, Knowledge, Prepared, Preparing, Sample, Seed, Silent};
use oslow_exact::search::{ComponentSearch, ExactSearch, Found, LocalSearch};
use oslow_exact::{LocalConfig, LocalScores, NoiseChoice, TransformChoice, Watch};
use oslow_scm::{Simulated, Spec, simulate};

const NODES: usize = 12;

fn table() -> Sample {
    let spec = Spec { nodes: NODES, mechanism: "sinusoid".into(), additive: true, ..Spec::default() };
    let Simulated { sample, .. } = simulate(&spec, 500, Seed(86)).unwrap();
    sample
}

/// Quick fits, the screening above so many columns.
fn config(all_others_up_to: usize) -> LocalConfig {
    LocalConfig {
        all_others_up_to,
        splits: 1,
        noise: NoiseChoice::Gaussian,
        transform: TransformChoice::None,
        interacting: 0,
        location_units: 6,
        scale_units: 2,
        ..LocalConfig::default()
    }
}

fn scores(sample: &Sample, config: &LocalConfig) -> LocalScores {
    let sample = Prepared::new(sample, Preparing::default()).unwrap();
    let knowledge = Knowledge::none(NODES);
    let allowed: Vec<Vec<usize>> =
        (0..NODES).map(|node| (0..NODES).filter(|&other| other != node).collect()).collect();
    let watch = Watch { observer: &mut Silent, checkpoint: &mut ForgetfulCheckpoint };
    LocalScores::compute(&sample, config, &allowed, &knowledge, Seed(1), watch).unwrap()
}

fn in_parts(scores: &LocalScores, config: &LocalConfig) -> Found {
    let search =
        ComponentSearch { exact_up_to: 4, local: LocalSearch { window: 6, ..LocalSearch::default() } };
    let knowledge = Knowledge::none(NODES);
    search.search(&scores.costs(config), knowledge.precedence(), Seed(1), &mut Silent).unwrap()
}

#[test]
fn screening_and_parts_find_nearly_what_looking_at_everything_finds() {
    let sample = table();
    let (all, few) = (config(NODES), config(5));
    let (everything, screened) = (scores(&sample, &all), scores(&sample, &few));
    let knowledge = Knowledge::none(NODES);
    let costs = everything.costs(&all);
    let exact = ExactSearch::new(&costs, knowledge.precedence()).unwrap();
    let best = exact.draw(&mut Seed(1).stream("test")).unwrap();
    let found = in_parts(&screened, &few);
    assert!(found.cost < best.cost + 0.01, "{} {}", found.cost, best.cost);
    // The price of a cause is 0.006.
    let of_parts = in_parts(&everything, &all);
    assert!((of_parts.cost - best.cost).abs() < 1e-9 && of_parts.lower_bound <= best.cost + 1e-9);
}

#[test]
fn threads_change_nothing() {
    let sample = table();
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let scores = scores(&sample, &config(5));
            (scores.candidates(), in_parts(&scores, &config(5)))
        })
    });
    assert_eq!(one, two);
}
