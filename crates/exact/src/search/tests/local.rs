//! The local search against the exact one.

use std::ops::ControlFlow;

use crate::best_dag;
use oslow_core::{Event, Observer, Ordering, Seed, Silent};
use proptest::prelude::*;

use super::super::{ExactSearch, Found, LocalSearch};
use super::enumeration::price;
use super::{Case, Drawn, NEAR, drawn};

fn search(settings: &LocalSearch, case: &Case, given: &[Ordering]) -> oslow_core::Result<Found> {
    settings.search(&case.costs, &case.precedence, given, Seed(1), &mut Silent)
}

/// Few starts and small windows, so that the search is not exact by itself.
const WEAK: LocalSearch = LocalSearch { starts: 1, window: 3, patience: 2, rounds: 20 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn it_stays_between_bound_and_start(drawn in drawn(1..=9), seed: u64) {
        let case = drawn.case(seed);
        let random = Ordering::random(drawn.d, &mut Seed(seed).stream("start"));
        let start = case.precedence.project(&random);
        let settings = LocalSearch { starts: 0, ..WEAK };
        let start_cost = best_dag(&case.costs, &start).map_or(f64::INFINITY, |(_, cost)| cost);
        match search(&settings, &case, &[start]) {
            Ok(found) => {
                let exact = ExactSearch::new(&case.costs, &case.precedence).unwrap();
                let best = exact.draw(&mut Seed(1).stream("draw")).unwrap().cost;
                prop_assert!(case.precedence.admits(&found.order));
                prop_assert_eq!(found.cost, price(&case.costs, &found.dag));
                prop_assert!(found.cost <= start_cost && found.cost >= best - NEAR);
                prop_assert!(found.lower_bound <= best + NEAR);
            }
            Err(_) => prop_assert_eq!(start_cost, f64::INFINITY),
        }
    }
}

#[test]
fn it_finds_the_cheapest_of_a_few_nodes() {
    let found = |seed: &u64| {
        let case = Drawn { d: 13, candidates: 7, excluded: 0.0, ordered: 0.02, integers: false }.case(*seed);
        let exact = ExactSearch::new(&case.costs, &case.precedence).unwrap();
        let best = exact.draw(&mut Seed(1).stream("draw")).unwrap();
        let settings = LocalSearch { window: 5, ..LocalSearch::default() };
        search(&settings, &case, &[]).unwrap().cost < best.cost + NEAR
    };
    assert!((0..20).filter(found).count() >= 19);
}

#[test]
fn a_window_of_all_nodes_is_exact() {
    let case = Drawn { d: 9, candidates: 8, excluded: 0.0, ordered: 0.0, integers: false }.case(1);
    let exact = ExactSearch::new(&case.costs, &case.precedence).unwrap();
    let best = exact.draw(&mut Seed(1).stream("draw")).unwrap();
    let once = LocalSearch { starts: 1, window: 9, patience: 1, rounds: 1 };
    let found = search(&once, &case, &[]).unwrap();
    assert!((found.cost - best.cost).abs() < NEAR);
    assert!(found.gap() < NEAR, "nine nodes are one group, and its bound is exact");
}

fn large() -> Case {
    Drawn { d: 40, candidates: 7, excluded: 0.0, ordered: 0.02, integers: false }.case(2)
}

#[test]
fn many_nodes_are_searched_on_any_number_of_threads() {
    let case = large();
    let settings = LocalSearch { starts: 3, window: 7, patience: 2, rounds: 50 };
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&settings, &case, &[]).unwrap())
    });
    assert_eq!(one, two);
    assert!(case.precedence.admits(&one.order));
    assert!(one.gap() > 0.0 && one.ties.is_none() && !one.interrupted);
    let again =
        search(&LocalSearch { starts: 0, ..settings }, &case, std::slice::from_ref(&one.order)).unwrap();
    assert!(again.cost <= one.cost);
}

#[test]
fn it_stops_when_told() {
    struct Stop(u64);
    impl Observer for Stop {
        fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            let Event::Progress { done, best: Some(_), .. } = event else { panic!("{event:?}") };
            self.0 = *done;
            ControlFlow::Break(())
        }
    }
    let case = large();
    let mut stop = Stop(0);
    let found = WEAK.search(&case.costs, &case.precedence, &[], Seed(1), &mut stop).unwrap();
    assert_eq!((stop.0, found.interrupted), (1, true));
    let settled = search(&LocalSearch { rounds: 500, ..WEAK }, &case, &[]).unwrap();
    assert!(!settled.interrupted && settled.cost < found.cost);
}
