//! Which candidates matter at all: component-wise boosting.

use oslow_core::check_stop;

use super::SmoothBasis;
use crate::row_products_with;

/// Steps of boosting, as in CAM.
const STEPS: usize = 100;
/// The share of a fit that a step takes.
const RATE: f64 = 0.1;
/// Degrees of freedom of a fit, the constant's not counted.
const DEGREES: f64 = 3.0;
/// A candidate stays where it was chosen in more steps.
const CHOSEN_ABOVE: usize = STEPS / 50;

/// The candidates (by index) that boosting chose in more than 2 % of its steps, `most` at most, the often chosen first.
///
/// # Algorithm
///
/// A hundred times: fit each candidate alone to what is left of y by a spline with 4 degrees of freedom, take the best, subtract a tenth of
/// it.
///
/// # Reference
///
/// Bühlmann, Hothorn: Boosting algorithms: regularization, prediction and model fitting. Statistical Science 22:477-505, 2007.
pub fn select_terms(y: &[f64], bases: &[&SmoothBasis], most: usize) -> Vec<usize> {
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let mut rest: Vec<f64> = y.iter().map(|y| y - mean).collect();
    let shrinkage: Vec<Vec<f64>> = bases.iter().map(|basis| shrinkage(&basis.penalties)).collect();
    let mut chosen = vec![0; bases.len()];
    for _ in 0..STEPS {
        check_stop();
        let mut best: Option<(f64, usize, Vec<f64>)> = None;
        for (index, basis) in bases.iter().enumerate() {
            let moments = row_products_with(&basis.functions, &rest);
            // The functions are orthonormal: a fit s·m leaves Σm² − Σ(2s − s²)m² of them.
            let gain = |(m, s): (&f64, &f64)| (2.0 - s) * s * m * m;
            let gain: f64 = moments.iter().zip(&shrinkage[index]).map(gain).sum();
            if best.as_ref().is_none_or(|best| gain > best.0) {
                best = Some((gain, index, moments));
            }
        }
        let Some((_, index, moments)) = best else { break };
        chosen[index] += 1;
        for ((m, s), function) in
            moments.iter().zip(&shrinkage[index]).zip(bases[index].functions.chunks_exact(y.len()))
        {
            let weight = RATE * s * m;
            rest.iter_mut().zip(function).for_each(|(r, f)| *r -= weight * f);
        }
    }
    let mut ranked: Vec<usize> = (0..bases.len()).filter(|&index| chosen[index] > CHOSEN_ABOVE).collect();
    ranked.sort_by_key(|&index| std::cmp::Reverse(chosen[index]));
    ranked.truncate(most);
    ranked
}

/// 1/(1 + λs) of each function, with the λ that gives [`DEGREES`] in all.
fn shrinkage(penalties: &[f64]) -> Vec<f64> {
    let shrunk = |rho: f64| penalties.iter().map(|s| 1.0 / (1.0 + rho.exp() * s)).collect::<Vec<f64>>();
    let (mut low, mut high) = (-30.0, 30.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        *if shrunk(middle).iter().sum::<f64>() > DEGREES { &mut low } else { &mut high } = middle;
    }
    shrunk((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThinPlate;

    #[test]
    fn causes_are_chosen_and_noise_is_not() {
        let mut state = 1u64;
        let mut column = || -> Vec<f64> {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
            };
            (0..400).map(|_| next()).collect()
        };
        let columns: Vec<Vec<f64>> = (0..30).map(|_| column()).collect();
        let noise = column();
        let y: Vec<f64> = (0..400)
            .map(|i| (6.0 * columns[3][i]).sin() + 4.0 * columns[17][i].powi(2) + 0.3 * noise[i])
            .collect();
        let bases: Vec<SmoothBasis> =
            columns.iter().map(|x| ThinPlate::new(x, 10).unwrap().basis(10).unwrap()).collect();
        let bases: Vec<&SmoothBasis> = bases.iter().collect();
        let chosen = select_terms(&y, &bases, 10);
        assert_eq!(chosen[..2], [3, 17]);
        assert!(chosen.len() <= 10 && select_terms(&y, &bases, 1) == [3], "{chosen:?}");
        assert!((shrinkage(&bases[0].penalties).iter().sum::<f64>() - DEGREES).abs() < 1e-9);
    }
}
