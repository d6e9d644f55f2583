//! The search by parts against the exact one.

use oslow_core::{Seed, Silent};
use proptest::prelude::*;

use super::super::{ComponentSearch, ExactSearch, LocalSearch};
use super::enumeration::price;
use super::{NEAR, drawn};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn exact_parts_make_the_cheapest_order(drawn in drawn(1..=9), exact_up_to in 0..9usize, seed: u64) {
        let case = drawn.case(seed);
        let settings = ComponentSearch { exact_up_to, local: LocalSearch { window: 4, ..LocalSearch::default() } };
        let found = settings.search(&case.costs, &case.precedence, Seed(1), &mut Silent);
        let Ok(exact) = ExactSearch::new(&case.costs, &case.precedence) else {
            prop_assert!(found.is_err());
            return Ok(());
        };
        let best = exact.draw(&mut Seed(1).stream("draw")).unwrap().cost;
        let Ok(found) = found else {
            // Only a local search may miss the orders that are allowed.
            prop_assert!(exact_up_to < drawn.d);
            return Ok(());
        };
        prop_assert!(case.precedence.admits(&found.order));
        prop_assert_eq!(found.cost, price(&case.costs, &found.dag));
        prop_assert!(found.lower_bound <= best + NEAR && found.cost >= best - NEAR);
        if exact_up_to >= drawn.d {
            prop_assert!((found.cost - best).abs() < NEAR && found.gap() < NEAR);
        }
    }
}
