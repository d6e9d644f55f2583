//! The augmented Lagrangian: how a constraint is tightened while training goes on.

/// Loss + λ·h + μ/2·h², where h = 0 is the constraint.
pub(super) struct Lagrangian {
    pub mu: f64,
    pub lambda: f64,
    /// The share of the last violation below which μ stays.
    decrease: f64,
    /// The violation when the constraint was tightened last.
    last: Option<f64>,
}

/// By how much μ grows.
const GROWTH: f64 = 10.0;

impl Lagrangian {
    /// With the first μ.
    pub fn new(mu: f64, decrease: f64) -> Self {
        Self { mu, lambda: 0.0, decrease, last: None }
    }

    /// What a violation costs.
    pub fn cost(&self, h: f64) -> f64 {
        self.lambda * h + 0.5 * self.mu * h * h
    }

    /// The slope of that.
    pub fn slope(&self, h: f64) -> f64 {
        self.lambda + self.mu * h
    }

    /// Raises λ by μ·h, and μ if the violation has not fallen far enough.
    pub fn tighten(&mut self, h: f64) {
        self.lambda += self.mu * h;
        if self.last.is_some_and(|last| h > self.decrease * last) {
            self.mu *= GROWTH;
        }
        self.last = Some(h);
    }
}

/// Whether training stands still, by the last three of some looks at the loss: it went one way, and either up, or down by less than `least`.
pub(super) fn stands_still(looks: &[f64], least: f64) -> bool {
    let [.., first, middle, last] = looks else { return false };
    let one_way = first.min(*last) < *middle && *middle < first.max(*last);
    one_way && (last > first || first - last < least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_cost() {
        let lagrangian = Lagrangian { mu: 0.3, lambda: 0.7, decrease: 0.9, last: None };
        let difference = (lagrangian.cost(0.5 + 1e-6) - lagrangian.cost(0.5 - 1e-6)) / 2e-6;
        assert!((difference - lagrangian.slope(0.5)).abs() < 1e-9);
    }

    #[test]
    fn mu_grows_where_the_violation_does_not_fall() {
        let mut lagrangian = Lagrangian::new(0.5, 0.9);
        let mut after = |h: f64| {
            lagrangian.tighten(h);
            (lagrangian.lambda, lagrangian.mu)
        };
        assert_eq!(after(2.0), (1.0, 0.5), "there is nothing to compare with");
        assert_eq!(after(1.0), (1.5, 0.5), "it fell far enough");
        assert_eq!(after(0.95), (1.975, 5.0));
    }

    #[test]
    fn training_stands_still_when_the_loss_rises_or_hardly_falls() {
        assert!(!stands_still(&[1.0, 0.9], 0.5), "too early");
        assert!(stands_still(&[5.0, 1.0, 0.9, 0.8], 0.5));
        assert!(!stands_still(&[1.0, 0.9, 0.8], 0.1), "it falls");
        assert!(stands_still(&[0.8, 0.9, 1.0], 0.1), "it rises");
        assert!(!stands_still(&[1.0, 1.1, 0.99], 0.5), "up and down tells nothing");
    }
}
