//! All subsets of a given size.

/// The subsets of `items` with `size` members, in lexicographic order of the members' places.
pub(super) fn subsets(items: &[usize], size: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
    let mut places: Option<Vec<usize>> = (size <= items.len()).then(|| (0..size).collect());
    std::iter::from_fn(move || {
        let current = places.clone()?;
        places = following(current.clone(), items.len());
        Some(current.into_iter().map(|place| items[place]).collect())
    })
}

/// The places after these, of `len` places.
fn following(mut places: Vec<usize>, len: usize) -> Option<Vec<usize>> {
    let size = places.len();
    let moved = (0..size).rev().find(|&k| places[k] < len - size + k)?;
    places[moved] += 1;
    for k in moved + 1..size {
        places[k] = places[k - 1] + 1;
    }
    Some(places)
}

/// How many subsets of `size` members `len` items have; the largest number where that is too many.
pub(super) fn count(len: usize, size: usize) -> u64 {
    if size > len {
        return 0;
    }
    (0..size as u64).fold(1u64, |product, k| {
        let wide = u128::from(product) * u128::from(len as u64 - k) / u128::from(k + 1);
        u64::try_from(wide).unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_comes_once() {
        let all: Vec<_> = subsets(&[7, 8, 9], 2).collect();
        assert_eq!(all, [vec![7, 8], vec![7, 9], vec![8, 9]]);
        assert_eq!(subsets(&[1, 2], 0).collect::<Vec<_>>(), [Vec::<usize>::new()]);
        assert_eq!(subsets(&[1, 2], 3).count(), 0);
        let items: Vec<usize> = (0..9).collect();
        for size in 0..=10 {
            assert_eq!(subsets(&items, size).count() as u64, count(9, size));
        }
        assert_eq!(count(200, 100), u64::MAX);
    }
}
