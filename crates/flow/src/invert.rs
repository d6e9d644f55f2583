//! From noise to data: one variable after the other, in causal order.
//!
//! When a variable's value is known its hidden units are computed once and kept, so that a whole inversion
//! costs as much as one evaluation. An intervention sets a variable where noise would have set it; setting
//! its noise to the value that yields the same (the paper's way) is the same thing.

use rayon::prelude::*;

use oslow_core::{Intervention, Ordering};

use crate::Real;
use crate::conditioner::Tape;
use crate::config::ScaleModel;
use crate::layout::Layout;
use crate::mask::Mask;
use crate::transform::{Stack, Stage, origin};

/// Rows that are inverted together.
const ROWS: usize = 128;

/// The data x (rows × d) that noise z (rows × d) becomes under the interventions (in model units).
pub fn invert<T: Real>(
    layout: &Layout,
    theta: &[T],
    order: &Ordering,
    mask: &Mask,
    z: &[T],
    interventions: &[Intervention],
) -> Vec<T> {
    let inverter = Inverter { stack: Stack { layout, theta, mask }, order, interventions };
    let parts: Vec<Vec<T>> = z.par_chunks(ROWS * layout.d).map(|z| inverter.rows(z)).collect();
    parts.concat()
}

struct Inverter<'a, T> {
    stack: Stack<'a, T>,
    order: &'a Ordering,
    interventions: &'a [Intervention],
}

impl<T: Real> Inverter<'_, T> {
    fn rows(&self, z: &[T]) -> Vec<T> {
        let layout = self.stack.layout;
        let d = layout.d;
        let rows = z.len() / d;
        let mut stages: Vec<Stage<T>> = layout.transforms.iter().map(|t| self.stage(t, rows)).collect();
        for &node in self.order.nodes() {
            for (transform, stage) in layout.transforms.iter().zip(&mut stages) {
                self.stack.net(&transform.shift).output(node, &stage.x, &mut stage.shift);
                if layout.config.scale == ScaleModel::Affine {
                    self.stack.net(&transform.scale).output(node, &stage.x, &mut stage.scale);
                    stage.apply_head(layout.config.head);
                }
            }
            match self.interventions.iter().rev().find(|intervention| intervention.node == node) {
                Some(set) => self.push(node, T::from_f64(set.value), rows, &mut stages),
                None => self.pull(node, z, rows, &mut stages),
            }
            self.remember(node, &mut stages);
        }
        stages.swap_remove(0).x
    }

    fn stage(&self, transform: &crate::layout::TransformLayout, rows: usize) -> Stage<T> {
        let layout = self.stack.layout;
        let d = layout.d;
        let mut stage = Stage::default();
        stage.x.resize(rows * d, T::from_f64(0.0));
        stage.shift.resize(&transform.shift, d, rows);
        if layout.config.scale == ScaleModel::Additive {
            stage.scale.resize(&transform.scale, d, 1);
            self.stack.net(&transform.scale).forward(&origin(d), &mut stage.scale);
            stage.apply_head(layout.config.head);
        } else {
            stage.scale.resize(&transform.scale, d, rows);
        }
        stage
    }

    /// From noise down to data: the last transform is undone first.
    fn pull(&self, node: usize, z: &[T], rows: usize, stages: &mut [Stage<T>]) {
        let d = self.stack.layout.d;
        for row in 0..rows {
            let k = row * d + node;
            let mut value = z[k];
            for level in (0..stages.len()).rev() {
                let (shift, log_scale) = self.moments(&stages[level], k);
                value = shift + log_scale.exp() * self.undo_actnorm(level, node, value);
                stages[level].x[k] = value;
            }
        }
    }

    /// From a given value up: what the later transforms see of it.
    fn push(&self, node: usize, value: T, rows: usize, stages: &mut [Stage<T>]) {
        let d = self.stack.layout.d;
        for row in 0..rows {
            let k = row * d + node;
            let mut value = value;
            for level in 0..stages.len() {
                stages[level].x[k] = value;
                let (shift, log_scale) = self.moments(&stages[level], k);
                value = self.actnorm(level, node, (value - shift) * (-log_scale).exp());
            }
        }
    }

    /// Shift and log-scale of one number.
    fn moments(&self, stage: &Stage<T>, k: usize) -> (T, T) {
        let layout = self.stack.layout;
        let raw = if layout.config.scale == ScaleModel::Additive { k % layout.d } else { k };
        (stage.shift.output[k], stage.log_scale[raw])
    }

    fn actnorm(&self, level: usize, node: usize, u: T) -> T {
        let Some((log_scale, shift)) = &self.stack.layout.transforms[level].actnorm else { return u };
        self.stack.theta[log_scale.start + node].exp() * u + self.stack.theta[shift.start + node]
    }

    fn undo_actnorm(&self, level: usize, node: usize, z: T) -> T {
        let Some((log_scale, shift)) = &self.stack.layout.transforms[level].actnorm else { return z };
        (z - self.stack.theta[shift.start + node]) * (-self.stack.theta[log_scale.start + node]).exp()
    }

    /// Computes the hidden units of a variable whose value is now known.
    fn remember(&self, node: usize, stages: &mut [Stage<T>]) {
        if !self.stack.mask.active.iter().any(|active| active.contains(&node)) {
            return;
        }
        let layout = self.stack.layout;
        for (transform, stage) in layout.transforms.iter().zip(stages) {
            let fill = |net: &crate::layout::NetLayout, x: &[T], tape: &mut Tape<T>| {
                for depth in 0..net.hidden.len() {
                    self.stack.net(net).hidden_blocks(depth, node..node + 1, x, tape);
                }
            };
            fill(&transform.shift, &stage.x, &mut stage.shift);
            if layout.config.scale == ScaleModel::Affine {
                fill(&transform.scale, &stage.x, &mut stage.scale);
            }
        }
    }
}
