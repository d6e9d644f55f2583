//! What a method without randomness gives on Sachs: the row of the paper on raw data, and what standardising makes of it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow::metrics::{cbc, shd, sid};
use oslow::prelude::*;

/// CBC in edges, SHD and SID of a method with CAM's pruning.
fn judged(method: &str, standardize: Standardize) -> (u32, usize, usize) {
    let sachs = oslow::data::load("sachs").unwrap().sample;
    let index = |name: &str| sachs.names().iter().position(|known| known == name).unwrap();
    let edges = oslow::data::datasets()[0].truth().unwrap();
    let truth = Dag::new(11, &edges.iter().map(|(a, b)| (index(a), index(b))).collect::<Vec<_>>()).unwrap();
    let options = DiscoverOptions {
        method: method.into(),
        prune: "cam".into(),
        standardize,
        ..DiscoverOptions::default()
    };
    let found = discover(&sachs, &options, &mut Silent, &mut ForgetfulCheckpoint).unwrap();
    let backward = cbc(&truth, found.order.as_ref().unwrap()).unwrap() * edges.len() as f64;
    let graph = found.dag().unwrap();
    (backward.round() as u32, shd(&truth, &graph), sid(&truth, &graph))
}

#[test]
fn score_on_raw_and_on_standardised_sachs() {
    // CBC .47 and .71 of 17 edges.
    assert_eq!(judged("score", Standardize::None), (8, 12, 45));
    assert_eq!(judged("score", Standardize::ZScore), (12, 16, 59));
}
