//! Evaluates a flow for many orders at once, in parallel, with the same result on any number of threads.
//!
//! The work is cut into items (an order, some rows) by a rule that knows nothing of threads. Items are dealt
//! to a fixed number of shards; each shard adds up its own gradient, and shards are added in order.

use std::ops::Range;

use oslow_core::{Error, Result};
use rayon::prelude::*;

use crate::Real;
use crate::conditioner::{Gradient, Transposed};
use crate::kernel::elementwise::add_all;
use crate::layout::Layout;
use crate::mask::Mask;
use crate::transform::{Scratch, Stack};

/// Rows per item of a flow whose activations fit into the second-level cache.
const ROWS: usize = 128;
/// Rows per item of wider flows: there the weights are what has to be fetched, and more rows share them.
const ROWS_OF_WIDE_FLOWS: usize = 256;
/// From this number of units in a layer on a flow is wide.
const WIDE: usize = 1024;
/// Shards of an evaluation without gradient.
const SCORING_SHARDS: usize = 16;
/// Bytes that the shards' gradients may take together before fewer shards are used.
const GRADIENT_BYTES: usize = 4 << 20;

/// Evaluates flows of one layout; keeps its buffers from call to call.
pub struct Engine<T> {
    layout: Layout,
    transposed: Vec<[Transposed<T>; 2]>,
    shards: Vec<Shard<T>>,
}

#[derive(Clone, Default)]
struct Shard<T> {
    scratch: Scratch<T>,
    gradient: Vec<T>,
    results: Vec<ItemResult>,
}

#[derive(Clone)]
struct ItemResult {
    mask: usize,
    nll: f64,
    mask_gradient: Option<MaskGradient>,
}

/// The gradient with respect to the two masks of an order, d × d each.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskGradient {
    /// Of the mask between hidden layers.
    pub hidden: Vec<f64>,
    /// Of the mask before the outputs.
    pub output: Vec<f64>,
}

/// One order on some rows.
#[derive(Clone)]
struct Item {
    mask: usize,
    rows: Range<usize>,
}

/// What an evaluation found, per mask.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Mean negative log-likelihood per row.
    pub nll: Vec<f64>,
    /// Gradients of each mask's own mean, for differentiable masks.
    pub mask_gradients: Vec<Option<MaskGradient>>,
}

impl<T: Real> Engine<T> {
    /// An engine for flows of this layout.
    pub fn new(layout: &Layout) -> Self {
        Self { layout: layout.clone(), transposed: Vec::new(), shards: Vec::new() }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The mean negative log-likelihood per row of `x` (rows × d) under each mask.
    pub fn nll(&mut self, theta: &[T], x: &[T], masks: &[Mask]) -> Vec<f64> {
        self.run(theta, x, masks, None).nll
    }

    /// −log p of each row under one mask.
    pub fn row_nll(&mut self, theta: &[T], x: &[T], mask: &Mask) -> Vec<f64> {
        self.evaluate_rows(theta, x, mask).1
    }

    /// The noise z (rows × d) and −log p of each row under one mask.
    pub fn evaluate_rows(&mut self, theta: &[T], x: &[T], mask: &Mask) -> (Vec<T>, Vec<f64>) {
        let d = self.layout.d;
        let layout = &self.layout;
        let parts: Vec<(Vec<T>, Vec<f64>)> = x
            .par_chunks(rows_per_item(layout) * d)
            .map_init(Scratch::default, |scratch, x| {
                Stack { layout, theta, mask }.forward(x, scratch);
                (scratch.z.clone(), scratch.nll.clone())
            })
            .collect();
        let (z, nll): (Vec<Vec<T>>, Vec<Vec<f64>>) = parts.into_iter().unzip();
        (z.concat(), nll.concat())
    }

    /// Adds the gradient of Σₖ weights[k]·nll[k] to `gradient` and returns the parts of the sum; `step` names
    /// the moment in the error if a number is not finite.
    pub fn gradient(
        &mut self,
        theta: &[T],
        x: &[T],
        masks: &[Mask],
        weights: &[f64],
        gradient: &mut Vec<T>,
        step: u64,
    ) -> Result<Evaluation> {
        self.transposed.resize(self.layout.transforms.len(), Default::default());
        for (level, (transform, [shift, scale])) in
            self.layout.transforms.iter().zip(&mut self.transposed).enumerate()
        {
            // Nobody asks for the gradient of the data, so the first layers of the first transform are not needed.
            let first = usize::from(level == 0);
            shift.refresh(&transform.shift, self.layout.d, theta, first);
            scale.refresh(&transform.scale, self.layout.d, theta, first);
        }
        let evaluation = self.run(theta, x, masks, Some((weights, gradient)));
        match evaluation.nll.iter().find(|nll| !nll.is_finite()) {
            None => Ok(evaluation),
            Some(_) => Err(Error::non_finite("the negative log-likelihood", format!("training step {step}"))),
        }
    }

    fn run(
        &mut self,
        theta: &[T],
        x: &[T],
        masks: &[Mask],
        mut backward: Option<(&[f64], &mut Vec<T>)>,
    ) -> Evaluation {
        let Self { layout, transposed, shards } = self;
        let d = layout.d;
        let rows = x.len() / d;
        let items = items(masks.len(), rows, rows_per_item(layout));
        if items.is_empty() {
            return Evaluation { nll: vec![0.0; masks.len()], mask_gradients: vec![None; masks.len()] };
        }
        let limit = match backward {
            None => SCORING_SHARDS,
            Some(_) => (GRADIENT_BYTES / (layout.len * size_of::<T>())).clamp(2, SCORING_SHARDS),
        };
        // A power of two, so that equal shards meet the usual numbers of threads.
        let count = limit.min(items.len());
        let count = 1 << count.ilog2();
        if shards.len() < count {
            shards.resize(count, Shard::default());
        }
        let weights = backward.as_ref().map(|(weights, _)| *weights);
        // The first shard adds to the caller's gradient itself: one buffer less to clear and to add up.
        if let Some((_, gradient)) = &mut backward {
            std::mem::swap(*gradient, &mut shards[0].gradient);
        }
        shards[..count].par_iter_mut().enumerate().for_each(|(index, shard)| {
            shard.results.clear();
            if weights.is_some() && index > 0 {
                shard.gradient.clear();
                shard.gradient.resize(layout.len, T::from_f64(0.0));
            }
            for item in &items[items.len() * index / count..items.len() * (index + 1) / count] {
                let mask = &masks[item.mask];
                let stack = Stack { layout, theta, mask };
                stack.forward(&x[item.rows.start * d..item.rows.end * d], &mut shard.scratch);
                let nll = shard.scratch.nll.iter().sum::<f64>() / rows as f64;
                let mask_gradient = weights.and_then(|weights| {
                    let (mut hidden, mut output) = (vec![0.0; d * d], vec![0.0; d * d]);
                    let mut gradient = Gradient {
                        theta: &mut shard.gradient,
                        hidden_mask: &mut hidden,
                        output_mask: &mut output,
                    };
                    let weight = weights[item.mask];
                    stack.backward(transposed, weight / rows as f64, &mut shard.scratch, &mut gradient);
                    let own = |g: Vec<f64>| g.into_iter().map(|g| g / weight).collect();
                    mask.differentiable.then(|| MaskGradient { hidden: own(hidden), output: own(output) })
                });
                shard.results.push(ItemResult { mask: item.mask, nll, mask_gradient });
            }
        });
        if let Some((_, gradient)) = backward {
            std::mem::swap(gradient, &mut shards[0].gradient);
            add_shards(gradient, &shards[1..count]);
        }
        collect(masks.len(), &shards[..count])
    }
}

fn rows_per_item(layout: &Layout) -> usize {
    if layout.d * layout.widest() < WIDE { ROWS } else { ROWS_OF_WIDE_FLOWS }
}

/// Every order on every chunk of at most `most` rows; chunks differ by at most one row.
fn items(masks: usize, rows: usize, most: usize) -> Vec<Item> {
    let chunks = rows.div_ceil(most);
    let chunk = |c: usize| rows * c / chunks..rows * (c + 1) / chunks;
    (0..masks).flat_map(|mask| (0..chunks).map(move |c| Item { mask, rows: chunk(c) })).collect()
}

/// Adds the shards' gradients, in the shards' order.
fn add_shards<T: Real>(gradient: &mut [T], shards: &[Shard<T>]) {
    const PIECE: usize = 16_384;
    gradient.par_chunks_mut(PIECE).enumerate().for_each(|(index, piece)| {
        for shard in shards {
            let start = index * PIECE;
            add_all(piece, &shard.gradient[start..start + piece.len()]);
        }
    });
}

/// Adds up the items of each mask, in their order.
fn collect<T>(masks: usize, shards: &[Shard<T>]) -> Evaluation {
    let mut evaluation = Evaluation { nll: vec![0.0; masks], mask_gradients: vec![None; masks] };
    for result in shards.iter().flat_map(|shard| &shard.results) {
        evaluation.nll[result.mask] += result.nll;
        let Some(part) = &result.mask_gradient else { continue };
        match &mut evaluation.mask_gradients[result.mask] {
            empty @ None => *empty = Some(part.clone()),
            Some(sum) => {
                sum.hidden.iter_mut().zip(&part.hidden).for_each(|(a, b)| *a += b);
                sum.output.iter_mut().zip(&part.output).for_each(|(a, b)| *a += b);
            }
        }
    }
    evaluation
}
