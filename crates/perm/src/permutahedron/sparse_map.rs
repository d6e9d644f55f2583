//! SparseMAP: the point of the permutahedron that is nearest to scores, as a mean of few orders.

use oslow_core::{Ordering, Precedence};
use oslow_math::{cholesky, solve_factored};

use super::{Origin, SparseOrders, combination};

/// The duality gap at which the projection is found, per unit of the polytope's squared radius.
const TOLERANCE: f64 = 1e-12;

/// Orders with weights whose mean μ is the Euclidean projection of θ onto the permutahedron (its corners are vectors of positions 0 … d − 1):
/// the largest ⟨θ, μ⟩ − ½|μ|².
///
/// An active-set method. The corner that lies farthest in the direction θ − μ joins the set; sorting finds it. Then θ is projected onto the plane
/// through the set, and as long as this has weights below 0, corners leave on the way there. It ends when no corner lies farther than
/// μ, or after so many corners have joined: then the weights are those of the projection onto the hull of the set. The set never depends
/// affinely, so that it has d members at most.
///
/// With a precedence the corners are admitted orders, found by a greedy sort; the polytope is that of the orders so found.
///
/// Niculae, Martins, Blondel, Cardie: SparseMAP: differentiable sparse structured inference. ICML 2018.
pub fn sparse_map(theta: &[f64], iterations: usize, precedence: &Precedence) -> Option<SparseOrders> {
    let d = theta.len() as f64;
    let mut orders = vec![precedence.sort(theta)?];
    let mut weights = vec![1.0];
    let mut face = Face::through(theta, &orders)?;
    for _ in 0..iterations {
        let mean = combination(&orders, &weights);
        let direction: Vec<f64> = theta.iter().zip(&mean).map(|(t, m)| t - m).collect();
        let corner = precedence.sort(&direction)?;
        let ahead: f64 =
            corner.positions().iter().zip(&mean).zip(&direction).map(|((&p, m), u)| (p as f64 - m) * u).sum();
        if ahead <= TOLERANCE * d * d * d || orders.contains(&corner) {
            break;
        }
        let (mut more, mut lighter) = (orders.clone(), weights.clone());
        more.push(corner);
        lighter.push(0.0);
        // None: the corner lies in the plane already as far as can be told, so that nothing is left to gain.
        let Some(found) = settle(theta, &mut more, &mut lighter) else { break };
        (orders, weights, face) = (more, lighter, found);
    }
    Some(SparseOrders { orders, weights, origin: Origin::SparseMap(face) })
}

/// Moves the weights to the projection onto the plane through the corners, dropping those that reach 0 on the way.
fn settle(theta: &[f64], orders: &mut Vec<Ordering>, weights: &mut Vec<f64>) -> Option<Face> {
    let mut face = Face::through(theta, orders)?;
    loop {
        let goal = face.weights();
        let share = |(weight, goal): (&f64, &f64)| if *goal > 0.0 { 1.0 } else { weight / (weight - goal) };
        let step = weights.iter().zip(&goal).map(share).fold(1.0, f64::min);
        let first_out = weights.iter().zip(&goal).map(share).position(|share| share < 1.0 && share <= step);
        weights.iter_mut().zip(&goal).for_each(|(weight, goal)| *weight += step * (goal - *weight));
        let Some(first_out) = first_out else { return Some(face) };
        orders.remove(first_out);
        weights.remove(first_out);
        face = Face::through(theta, orders)?;
    }
}

/// The plane through some corners: the Cholesky factor of G = 11ᵀ + VᵀV, where the columns of V are ρᵢ − θ.
#[derive(Clone, Debug)]
pub(super) struct Face {
    factor: Vec<f64>,
}

impl Face {
    /// `None` where the corners depend affinely.
    fn through(theta: &[f64], orders: &[Ordering]) -> Option<Self> {
        let count = orders.len();
        let from_theta = |order: &Ordering| -> Vec<f64> {
            order.positions().iter().zip(theta).map(|(&p, t)| p as f64 - t).collect()
        };
        let v: Vec<Vec<f64>> = orders.iter().map(from_theta).collect();
        let entry = |k: usize| 1.0 + v[k / count].iter().zip(&v[k % count]).map(|(a, b)| a * b).sum::<f64>();
        let mut factor: Vec<f64> = (0..count * count).map(entry).collect();
        let largest = (0..count).map(|i| factor[i * count + i]).fold(1.0, f64::max);
        cholesky(&mut factor, count).ok()?;
        let independent = |i: usize| factor[i * count + i].powi(2) > 1e-13 * largest;
        (0..count).all(independent).then_some(Self { factor })
    }

    /// The weights, summing to 1, of the point of the plane that is nearest to θ: α ∝ G⁻¹1.
    fn weights(&self) -> Vec<f64> {
        let solution = self.solve(vec![1.0; self.factor.len().isqrt()]);
        let sum: f64 = solution.iter().sum();
        solution.iter().map(|x| x / sum).collect()
    }

    /// From a gradient g in the weights to z with ∂⟨g, α⟩/∂θ = Σ zᵢ·ρᵢ: the solution of VᵀV·z + τ1 = g, 1ᵀz = 0.
    pub fn pull_back(&self, d_weights: &[f64]) -> Vec<f64> {
        let weights = self.weights();
        let mut z = self.solve(d_weights.to_vec());
        let sum: f64 = z.iter().sum();
        z.iter_mut().zip(weights).for_each(|(z, weight)| *z -= sum * weight);
        z
    }

    fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        solve_factored(&self.factor, &mut right);
        right
    }
}

#[cfg(test)]
mod tests {
    use super::super::k_best::tests::free;
    use super::*;
    use proptest::prelude::*;

    fn moved(theta: &[f64], k: usize, step: f64) -> Vec<f64> {
        theta.iter().enumerate().map(|(i, t)| if i == k { t + step } else { *t }).collect()
    }

    proptest! {
        #[test]
        fn the_mean_is_the_projection(theta in prop::collection::vec(-4.0..4.0f64, 6)) {
            let found = sparse_map(&theta, 100, &free(6)).unwrap();
            prop_assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(found.weights.iter().all(|weight| *weight > 0.0) && found.orders.len() <= 6);
            // Of all points of the polytope the projection is the one from which no corner lies nearer to θ.
            let mean = found.mean();
            let direction: Vec<f64> = theta.iter().zip(&mean).map(|(t, m)| t - m).collect();
            let at = |point: &[f64]| direction.iter().zip(point).map(|(u, x)| u * x).sum::<f64>();
            let mut sorted = direction.clone();
            sorted.sort_by(f64::total_cmp);
            let farthest: f64 = sorted.iter().enumerate().map(|(p, u)| u * p as f64).sum();
            prop_assert!(farthest - at(&mean) < 1e-8, "{}", farthest - at(&mean));
        }

        #[test]
        fn the_gradient_is_that_of_finite_differences(
            theta in prop::collection::vec(-2.0..2.0f64, 5), slopes in prop::collection::vec(-1.0..1.0f64, 25),
        ) {
            let loss = |order: &Ordering| {
                let nodes = order.nodes();
                slopes[nodes[0] * 5 + nodes[1]] + slopes[nodes[2] * 5 + nodes[0]]
            };
            let expected = |found: &SparseOrders| -> f64 {
                found.orders.iter().zip(&found.weights).map(|(order, weight)| weight * loss(order)).sum()
            };
            let found = sparse_map(&theta, 100, &free(5)).unwrap();
            let losses: Vec<f64> = found.orders.iter().map(loss).collect();
            let gradient = found.pull_back(&losses);
            for k in 0..5 {
                let near = [1e-6, -1e-6].map(|step| sparse_map(&moved(&theta, k, step), 100, &free(5)).unwrap());
                // Where the set changes, there is no derivative.
                if near.iter().all(|near| near.orders == found.orders) {
                    let slope = (expected(&near[0]) - expected(&near[1])) / 2e-6;
                    prop_assert!((slope - gradient[k]).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {}", gradient[k]);
                }
            }
        }
    }

    #[test]
    fn far_scores_have_one_order_and_known_ones_come_first() {
        let found = sparse_map(&[9.0, 0.0, 4.0, -7.0], 100, &free(4)).unwrap();
        assert_eq!((found.orders[0].nodes(), found.weights), (&[3, 1, 2, 0][..], vec![1.0]));
        let mut relation = vec![false; 16];
        relation[3] = true; // 0 before 3
        let precedence = Precedence::from_relation(4, relation);
        let found = sparse_map(&[0.2, 0.0, 0.1, -0.3], 100, &precedence).unwrap();
        assert!(found.orders.len() > 1 && found.orders.iter().all(|order| precedence.admits(order)));
    }
}
