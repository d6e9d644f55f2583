//! The affine autoregressive transform `z = (x − t(x)) · exp(−s(x))`, stacked: forward, and back.

use crate::Real;
use crate::base::Densities;
use crate::conditioner::{BackwardSpace, Gradient, Net, Pass, Tape, Transposed};
use crate::config::{Head, ScaleModel};
use crate::kernel::elementwise::{add_column_sums, affine, apply_head};
use crate::layout::{Layout, NetLayout, TransformLayout};
use crate::mask::Mask;

/// A flow as it is being evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Stack<'a, T> {
    pub layout: &'a Layout,
    pub theta: &'a [T],
    pub mask: &'a Mask,
}

/// What one transform leaves behind: its input, both networks' tapes, the log-scale with the slope of its head,
/// exp(−log-scale) and the result before ActNorm, each rows × d (scale, log-scale and slope have one row in
/// additive mode).
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage<T> {
    pub x: Vec<T>,
    pub shift: Tape<T>,
    pub scale: Tape<T>,
    pub log_scale: Vec<T>,
    slope: Vec<T>,
    inverse_scale: Vec<T>,
    u: Vec<T>,
}

impl<T: Real> Stage<T> {
    /// Turns the scale network's outputs into log-scales.
    pub fn apply_head(&mut self, head: Head) {
        let zero = T::from_f64(0.0);
        self.log_scale.resize(self.scale.output.len(), zero);
        self.slope.resize(self.scale.output.len(), zero);
        apply_head(head, &self.scale.output, &mut self.log_scale, &mut self.slope);
    }
}

/// Room for evaluating a flow on some rows and going back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch<T> {
    pub stages: Vec<Stage<T>>,
    /// The noise, rows × d.
    pub z: Vec<T>,
    /// −log p per row.
    pub nll: Vec<f64>,
    d_z: Vec<T>,
    d_shift: Vec<T>,
    d_scale: Vec<T>,
    back: BackwardSpace<T>,
}

/// The input of a scale network in additive mode: one row of zeros.
pub(crate) fn origin<T: Real>(d: usize) -> Vec<T> {
    vec![T::from_f64(0.0); d]
}

impl<'a, T: Real> Stack<'a, T> {
    pub fn net(&self, layout: &'a NetLayout) -> Net<'a, T> {
        Net {
            layout,
            d: self.layout.d,
            activation: self.layout.config.activation,
            theta: self.theta,
            mask: self.mask,
        }
    }

    fn additive(&self) -> bool {
        self.layout.config.scale == ScaleModel::Additive
    }

    /// Evaluates noise and negative log-density at `x` (rows × d).
    pub fn forward(&self, x: &[T], scratch: &mut Scratch<T>) {
        let d = self.layout.d;
        let rows = x.len() / d;
        scratch.stages.resize(self.layout.transforms.len(), Stage::default());
        scratch.nll.clear();
        scratch.nll.resize(rows, 0.0);
        scratch.z.clear();
        scratch.z.extend_from_slice(x);
        for (transform, stage) in self.layout.transforms.iter().zip(&mut scratch.stages) {
            std::mem::swap(&mut stage.x, &mut scratch.z);
            self.forward_stage(transform, rows, stage, &mut scratch.nll);
            scratch.z.clear();
            scratch.z.extend_from_slice(&stage.u);
            if let Some((log_scale, shift)) = &transform.actnorm {
                let (log_scale, shift) = (&self.theta[log_scale.clone()], &self.theta[shift.clone()]);
                for (k, z) in scratch.z.iter_mut().enumerate() {
                    *z = log_scale[k % d].exp() * *z + shift[k % d];
                }
                let log_det: f64 = log_scale.iter().map(|l| l.to_f64()).sum();
                scratch.nll.iter_mut().for_each(|nll| *nll -= log_det);
            }
        }
        Densities::new(self.layout, self.theta).add_nll(d, &scratch.z, &mut scratch.nll);
    }

    fn forward_stage(&self, transform: &TransformLayout, rows: usize, stage: &mut Stage<T>, nll: &mut [f64]) {
        let d = self.layout.d;
        stage.shift.resize(&transform.shift, d, rows);
        self.net(&transform.shift).forward(&stage.x, &mut stage.shift);
        let scale = self.net(&transform.scale);
        if self.additive() {
            stage.scale.resize(&transform.scale, d, 1);
            scale.forward(&origin(d), &mut stage.scale);
        } else {
            stage.scale.resize(&transform.scale, d, rows);
            scale.forward(&stage.x, &mut stage.scale);
        }
        stage.apply_head(self.layout.config.head);
        stage.inverse_scale.resize(rows * d, T::from_f64(0.0));
        stage.u.resize(rows * d, T::from_f64(0.0));
        let Stage { x, shift, log_scale, inverse_scale, u, .. } = stage;
        if self.additive() {
            // One row of scales serves all rows.
            for (at, x) in x.chunks_exact(d).enumerate() {
                let at = at * d..(at + 1) * d;
                let t = &shift.output[at.clone()];
                affine(x, t, log_scale, &mut inverse_scale[at.clone()], &mut u[at]);
            }
        } else {
            affine(x, &shift.output, log_scale, inverse_scale, u);
        }
        let mut log_scales = log_scale.chunks_exact(d).cycle();
        for nll in nll {
            *nll += log_scales.next().into_iter().flatten().map(|s| s.to_f64()).sum::<f64>();
        }
    }

    /// Adds `weight` times the gradient of the summed −log p of the last [`Stack::forward`].
    pub fn backward(
        &self,
        transposed: &[[Transposed<T>; 2]],
        weight: f64,
        scratch: &mut Scratch<T>,
        gradient: &mut Gradient<'_, T>,
    ) {
        let Scratch { stages, z, d_z, d_shift, d_scale, back, .. } = scratch;
        let d_base = &mut gradient.theta[self.layout.base.clone()];
        Densities::new(self.layout, self.theta).backward(weight, z, d_z, d_base);
        let weight = T::from_f64(weight);
        for level in (0..stages.len()).rev() {
            let (transform, stage) = (&self.layout.transforms[level], &stages[level]);
            self.backward_actnorm(transform, stage, weight, d_z, gradient);
            self.heads(stage, weight, d_z, d_shift, d_scale);
            // What remains in d_z is the direct part of the gradient of this stage's input.
            let wanted = level > 0;
            let mut d_x = wanted.then_some(d_z.as_mut_slice());
            let [shift_t, scale_t] = &transposed[level];
            let pass = Pass { x: &stage.x, tape: &stage.shift, d_output: d_shift };
            self.net(&transform.shift).backward(shift_t, pass, back, gradient, d_x.as_deref_mut());
            let zeros = origin(self.layout.d);
            let (x, d_x) = if self.additive() { (&zeros, None) } else { (&stage.x, d_x) };
            let pass = Pass { x, tape: &stage.scale, d_output: d_scale };
            self.net(&transform.scale).backward(scale_t, pass, back, gradient, d_x);
        }
    }

    fn backward_actnorm(
        &self,
        transform: &TransformLayout,
        stage: &Stage<T>,
        weight: T,
        d_z: &mut [T],
        gradient: &mut Gradient<'_, T>,
    ) {
        let d = self.layout.d;
        let Some((log_scale, shift)) = &transform.actnorm else { return };
        add_column_sums(d, 0..d, d_z, &mut gradient.theta[shift.clone()]);
        let d_log_scale = &mut gradient.theta[log_scale.clone()];
        for (k, (d_z, u)) in d_z.iter_mut().zip(&stage.u).enumerate() {
            *d_z *= self.theta[log_scale.start + k % d].exp();
            d_log_scale[k % d] += *d_z * *u - weight;
        }
    }

    /// From the gradient of u to those of the networks' outputs; `d_z` becomes the direct gradient of x.
    fn heads(&self, stage: &Stage<T>, weight: T, d_z: &mut [T], d_shift: &mut Vec<T>, d_scale: &mut Vec<T>) {
        let d = self.layout.d;
        d_shift.clear();
        d_scale.clear();
        d_scale.resize(stage.scale.output.len(), T::from_f64(0.0));
        for (k, d_z) in d_z.iter_mut().enumerate() {
            let raw = if self.additive() { k % d } else { k };
            d_scale[raw] += (weight - *d_z * stage.u[k]) * stage.slope[raw];
            *d_z *= stage.inverse_scale[k];
            d_shift.push(-*d_z);
        }
    }
}
