//! A sum of costs of which some may be infinite.

/// A sum in which infinite costs are counted and finite ones added. So terms can be taken out again, and of two orders
/// that are not allowed the one with fewer offences is the better.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Total {
    infinite: i32,
    finite: f64,
}

impl Total {
    /// Adds a cost.
    pub fn add(&mut self, cost: f64) {
        if cost == f64::INFINITY { self.infinite += 1 } else { self.finite += cost }
    }

    /// Puts a cost in the place of another.
    pub fn replace(&mut self, old: f64, new: f64) {
        self.add(new);
        if old == f64::INFINITY { self.infinite -= 1 } else { self.finite -= old }
    }

    /// Whether it is less by more than the tolerance.
    pub fn beats(self, other: Self, tolerance: f64) -> bool {
        self.infinite < other.infinite
            || (self.infinite == other.infinite && self.finite < other.finite - tolerance)
    }

    /// The lesser of two.
    pub fn lesser(self, other: Self) -> Self {
        if other.beats(self, 0.0) { other } else { self }
    }

    /// The sum of the finite costs.
    pub fn finite(self) -> f64 {
        self.finite
    }

    /// The sum.
    pub fn value(self) -> f64 {
        if self.infinite > 0 { f64::INFINITY } else { self.finite }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_costs_can_be_taken_out_again() {
        let mut total = Total::default();
        [1.0, f64::INFINITY, 2.0].into_iter().for_each(|cost| total.add(cost));
        assert_eq!(total.value(), f64::INFINITY);
        let before = total;
        total.replace(f64::INFINITY, 4.0);
        assert_eq!(total.value(), 7.0);
        assert!(total.beats(before, 1.0) && !before.beats(total, 0.0));
        assert_eq!(before.lesser(total), total);
    }
}
