//! What holds for a whole table, some of its columns can tell.

use oslow_core::Rng;
use rand::seq::SliceRandom;

/// All columns, or so many drawn at random, in increasing order.
pub(crate) fn drawn_nodes(columns: usize, most: usize, rng: &mut Rng) -> Vec<usize> {
    let mut drawn: Vec<usize> = (0..columns).collect();
    if columns > most {
        drawn.shuffle(rng);
        drawn.truncate(most);
        drawn.sort_unstable();
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn all_columns_or_some_at_random() {
        let drawn = |columns, seed| drawn_nodes(columns, 50, &mut Seed(seed).stream("test"));
        assert_eq!(drawn(50, 1), (0..50).collect::<Vec<usize>>());
        let some = drawn(200, 1);
        assert!(some.len() == 50 && some.windows(2).all(|two| two[0] < two[1]));
        assert_ne!(some, drawn(200, 2));
    }
}
