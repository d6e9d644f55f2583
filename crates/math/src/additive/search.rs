//! The smoothing parameters with the smallest GCV.

use oslow_core::check_stop;

use super::gcv::{Problem, Solution};
use crate::symmetric_eigen;

/// Where the search begins: a third of the penalised degrees of freedom of each term. GCV can have several minima; from here,
/// about where mgcv begins, most searches end in the one that mgcv finds.
const START: f64 = 1.0 / 3.0;
/// Newton steps at most; ten to twenty are usual.
const STEPS: usize = 200;
/// The search ends where no derivative of log GCV is larger.
const GRADIENT: f64 = 1e-7;
/// The longest step in any log λ.
const LONGEST: f64 = 4.0;
/// Curvatures are taken as at least this share of the largest: directions in which GCV is flat are not run along for ever.
const FLAT: f64 = 1e-8;
/// Log λ that are tried at a minimum.
const GRID: [f64; 8] = [-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 16.0];
/// By how much log GCV has to fall for a jump: less does not change an answer.
const WORTH: f64 = 1e-6;
/// Minima that are looked at, at most.
const RESTARTS: usize = 25;
/// How often a step is halved before the point counts as a minimum.
const HALVINGS: usize = 30;

/// Newton's method on log λ from [`start`]. Curvatures enter by their size, so that every step goes down; a step that does
/// not lower GCV is halved. Terms that are best straight send their λ off until GCV no longer changes.
///
/// GCV can have several minima. So at each one every term is tried on a grid of λ, which costs next to nothing; if that finds
/// a lower point, the search goes on from there.
///
/// `None` where the problem is singular or the fit is perfect.
pub(super) fn minimise(problem: &Problem) -> Option<(Vec<f64>, Solution)> {
    let mut rho: Vec<f64> =
        problem.blocks.iter().map(|block| start(&problem.penalties[block.clone()])).collect();
    let mut solution = problem.solve(&rho)?;
    for _ in 0..RESTARTS {
        descend(problem, &mut rho, &mut solution)?;
        let here = problem.log_gcv(&solution)?;
        let Some((term, to)) = best_jump(problem, &rho, &solution, here) else { break };
        let mut there = rho.clone();
        there[term] = to;
        match problem.solve(&there) {
            Some(candidate) if problem.log_gcv(&candidate).is_some_and(|value| value < here) => {
                (rho, solution) = (there, candidate);
            }
            _ => break,
        }
    }
    Some((rho, solution))
}

/// The term and the log λ on the grid that lower log GCV most, where one does by more than [`WORTH`].
fn best_jump(problem: &Problem, rho: &[f64], solution: &Solution, here: f64) -> Option<(usize, f64)> {
    let mut best = (here - WORTH, None);
    for (term, (&from, block)) in rho.iter().zip(&problem.blocks).enumerate() {
        if block.len() < 2 {
            continue;
        }
        for to in GRID.iter().copied().filter(|to| (to - from).abs() > 1.0) {
            let value = problem.log_gcv_after(solution, term, to - from);
            if let Some(value) = value.filter(|&value| value < best.0) {
                best = (value, Some((term, to)));
            }
        }
    }
    best.1
}

/// Goes down to a minimum.
fn descend(problem: &Problem, rho: &mut Vec<f64>, solution: &mut Solution) -> Option<()> {
    for _ in 0..STEPS {
        check_stop();
        let here = problem.derivatives(solution)?;
        if here.gradient.iter().all(|g| g.abs() < GRADIENT) {
            break;
        }
        let mut step = newton_step(&here.hessian, &here.gradient)?;
        let longest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        if longest > LONGEST {
            step.iter_mut().for_each(|s| *s *= LONGEST / longest);
        }
        let mut lower = None;
        for _ in 0..HALVINGS {
            let there: Vec<f64> = rho.iter().zip(&step).map(|(r, s)| r + s).collect();
            if let Some(candidate) = problem.solve(&there)
                && problem.log_gcv(&candidate).is_some_and(|value| value < here.value)
            {
                lower = Some((there, candidate));
                break;
            }
            step.iter_mut().for_each(|s| *s /= 2.0);
        }
        match lower {
            Some(better) => (*rho, *solution) = better,
            None => break,
        }
    }
    Some(())
}

/// The log λ at which a term on its own would have [`START`] of its penalised degrees of freedom.
fn start(penalties: &[f64]) -> f64 {
    let kept = |rho: f64| penalties[1..].iter().map(|s| 1.0 / (1.0 + rho.exp() * s)).sum::<f64>();
    let wanted = START * (penalties.len() - 1) as f64;
    let (mut low, mut high) = (-30.0, 30.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        *if kept(middle) > wanted { &mut low } else { &mut high } = middle;
    }
    (low + high) / 2.0
}

/// −|H|⁻¹g.
fn newton_step(hessian: &[f64], gradient: &[f64]) -> Option<Vec<f64>> {
    let m = gradient.len();
    let eigen = symmetric_eigen(hessian.to_vec(), m)?;
    let largest = eigen.values.iter().fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
    let mut step = vec![0.0; m];
    for (index, value) in eigen.values.iter().enumerate() {
        let vector = eigen.vector(index);
        let along: f64 = vector.iter().zip(gradient).map(|(v, g)| v * g).sum();
        let size = along / value.abs().max(FLAT * largest);
        step.iter_mut().zip(vector).for_each(|(s, v)| *s -= size * v);
    }
    Some(step)
}
