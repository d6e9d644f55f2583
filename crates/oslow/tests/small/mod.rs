//! A small table and settings with which everything takes a moment.

use oslow::prelude::*;

/// 120 rows of X0 … X3.
pub fn sample() -> Sample {
    let spec = oslow::scm::Spec { nodes: 4, ..oslow::scm::Spec::default() };
    oslow::scm::simulate(&spec, 120, Seed(5)).unwrap().sample
}

/// OSLow with a few short rounds, pruned by CAM.
pub fn options() -> DiscoverOptions {
    let settings = "cycles = 6\nwarm_up = 3\ntheta_steps = 4\ngamma_steps = 2\nflow.hidden = [4]";
    DiscoverOptions {
        method: "oslow".into(),
        prune: "cam".into(),
        settings: settings.parse().unwrap(),
        dataset: Some("small".into()),
        threads: Some(1),
        ..DiscoverOptions::default()
    }
}
