//! A masked network: forward, and back.
//!
//! Matrices of activations have one row per data row and the units of variable i in columns
//! `i·width .. (i+1)·width`. For each variable only the blocks that the mask keeps are multiplied, and
//! blocks that nobody reads are not computed at all.

use crate::Real;
use crate::config::Activation;
use crate::kernel::elementwise::{
    Dots, activate, add_column_sums, add_columns, add_dots, broadcast, dot_f64, scale_by_slopes, transpose,
};
use crate::kernel::product::{Left, Rows, RowsMut, Shape};
use crate::layout::{LayerLayout, NetLayout};
use crate::mask::{Blocks, Mask};

/// What a forward pass leaves behind for the way back: activations and slopes per hidden layer, and outputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape<T> {
    pub values: Vec<Vec<T>>,
    pub slopes: Vec<Vec<T>>,
    /// rows × d.
    pub output: Vec<T>,
}

impl<T: Real> Tape<T> {
    /// Makes room for `rows` rows.
    pub fn resize(&mut self, net: &NetLayout, d: usize, rows: usize) {
        let zero = T::from_f64(0.0);
        let depth = net.hidden.len();
        self.values.resize(depth, Vec::new());
        self.slopes.resize(depth, Vec::new());
        for (layer, buffers) in net.hidden.iter().zip(self.values.iter_mut().zip(&mut self.slopes)) {
            buffers.0.resize(rows * d * layer.output, zero);
            buffers.1.resize(rows * d * layer.output, zero);
        }
        self.output.resize(rows * d, zero);
    }
}

/// A network as it is being evaluated: its layout, the parameters θ and the mask.
#[derive(Clone, Copy)]
pub(crate) struct Net<'a, T> {
    pub layout: &'a NetLayout,
    pub d: usize,
    pub activation: Activation,
    pub theta: &'a [T],
    pub mask: &'a Mask,
}

impl<T: Real> Net<'_, T> {
    /// Evaluates all outputs at `x` (rows × d).
    pub fn forward(&self, x: &[T], tape: &mut Tape<T>) {
        for layer in 0..self.layout.hidden.len() {
            for active in &self.mask.active {
                self.hidden_blocks(layer, active.clone(), x, tape);
            }
        }
        for i in 0..self.d {
            self.output(i, x, tape);
        }
    }

    /// Computes the units of the variables in `range` in one hidden layer.
    pub fn hidden_blocks(&self, depth: usize, range: std::ops::Range<usize>, x: &[T], tape: &mut Tape<T>) {
        let layer = &self.layout.hidden[depth];
        let (below, rest) = tape.values.split_at_mut(depth);
        let input: &[T] = if depth == 0 { x } else { &below[depth - 1] };
        let (values, slopes) = (&mut rest[0], &mut tape.slopes[depth]);
        let (wide, narrow) = (self.d * layer.output, self.d * layer.input);
        let columns = range.start * layer.output..range.end * layer.output;
        broadcast(wide, columns.clone(), &self.theta[layer.bias.clone()][columns.clone()], values);
        let weight = &self.theta[layer.weight.clone()];
        for i in range {
            for run in &self.mask.hidden.into[i] {
                T::product(
                    Shape { m: values.len() / wide, n: layer.output, k: (run.end - run.start) * layer.input },
                    T::from_f64(run.factor),
                    Left { data: &input[run.start * layer.input..], row: narrow, column: 1 },
                    Rows { data: &weight[run.start * layer.input * wide + i * layer.output..], row: wide },
                    RowsMut { data: &mut values[i * layer.output..], row: wide },
                );
            }
        }
        activate(self.activation, wide, columns.clone(), values, slopes);
        if layer.residual {
            add_columns(wide, columns, values, input);
        }
    }

    /// Computes output i from the last hidden layer (and the inputs, where there is a skip connection).
    pub fn output(&self, i: usize, x: &[T], tape: &mut Tape<T>) {
        let (d, last) = (self.d, &self.layout.last);
        let bias = self.theta[last.bias.start + i];
        tape.output.iter_mut().skip(i).step_by(d).for_each(|out| *out = bias);
        let hidden = &tape.values[self.layout.hidden.len() - 1];
        let stride = d * last.input;
        let weight = &self.theta[last.weight.clone()][i * stride..(i + 1) * stride];
        for run in &self.mask.output.into[i] {
            let columns = run.start * last.input..run.end * last.input;
            let out = &mut tape.output[i..];
            let factor = T::from_f64(run.factor);
            let place = Dots { stride, columns: columns.clone(), out_stride: d };
            add_dots(place, factor, hidden, &weight[columns], out);
            if let Some(skip) = &self.layout.skip {
                let weight = &self.theta[skip.clone()][i * d + run.start..i * d + run.end];
                let place = Dots { stride: d, columns: run.start..run.end, out_stride: d };
                add_dots(place, factor, x, weight, out);
            }
        }
    }
}

/// Hidden weights the other way round (output unit by output unit), as the way back needs them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transposed<T> {
    layers: Vec<Vec<T>>,
}

impl<T: Real> Transposed<T> {
    /// Transposes the hidden layers from `first` on.
    pub fn refresh(&mut self, net: &NetLayout, d: usize, theta: &[T], first: usize) {
        self.layers.resize(net.hidden.len(), Vec::new());
        for (layer, into) in net.hidden.iter().zip(&mut self.layers).skip(first) {
            into.resize(layer.weight.len(), T::from_f64(0.0));
            transpose(d * layer.input, d * layer.output, &theta[layer.weight.clone()], into);
        }
    }
}

/// A forward pass and the gradient of its outputs.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a, T> {
    /// The inputs, rows × d.
    pub x: &'a [T],
    pub tape: &'a Tape<T>,
    /// rows × d.
    pub d_output: &'a [T],
}

/// Room for the way back.
#[derive(Clone, Debug, Default)]
pub(crate) struct BackwardSpace<T> {
    above: Vec<T>,
    below: Vec<T>,
    block: Vec<T>,
}

/// Where gradients are added: for θ, and for the two masks where they are differentiable.
pub(crate) struct Gradient<'a, T> {
    pub theta: &'a mut [T],
    pub hidden_mask: &'a mut [f64],
    pub output_mask: &'a mut [f64],
}

impl<T: Real> Net<'_, T> {
    /// Adds to `gradient` what flows back from the outputs, and to `d_x` if it is wanted.
    pub fn backward(
        &self,
        transposed: &Transposed<T>,
        pass: Pass<'_, T>,
        space: &mut BackwardSpace<T>,
        gradient: &mut Gradient<'_, T>,
        mut d_x: Option<&mut [T]>,
    ) {
        let Pass { x, tape, d_output } = pass;
        let d = self.d;
        let depth = self.layout.hidden.len();
        self.backward_last(&tape.values[depth - 1], d_output, space, gradient);
        if self.layout.skip.is_some() {
            self.backward_skip(x, d_output, space, gradient, d_x.as_deref_mut());
        }
        for level in (0..depth).rev() {
            let layer = &self.layout.hidden[level];
            let (wide, narrow) = (d * layer.output, d * layer.input);
            let input: &[T] = if level == 0 { x } else { &tape.values[level - 1] };
            let rows = input.len() / narrow;
            space.below.clear();
            if level > 0 {
                // A residual layer hands its input the same gradient that it got.
                if layer.residual {
                    space.below.extend_from_slice(&space.above);
                } else {
                    space.below.resize(rows * narrow, T::from_f64(0.0));
                }
            }
            for active in &self.mask.active {
                let columns = active.start * layer.output..active.end * layer.output;
                scale_by_slopes(wide, columns.clone(), &mut space.above, &tape.slopes[level]);
                let bias = &mut gradient.theta[layer.bias.clone()][columns.clone()];
                add_column_sums(wide, columns, &space.above, bias);
            }
            let weights = Left { data: input, row: 1, column: narrow };
            self.weight_gradient(layer, weights, &space.above, &mut space.block, gradient);
            let into: Option<&mut [T]> = if level > 0 { Some(&mut space.below) } else { d_x.as_deref_mut() };
            if let Some(into) = into {
                for i in self.mask.active.iter().cloned().flatten() {
                    for run in &self.mask.hidden.into[i] {
                        let start = run.start * layer.input;
                        T::product(
                            Shape { m: rows, n: run.end * layer.input - start, k: layer.output },
                            T::from_f64(run.factor),
                            Left { data: &space.above[i * layer.output..], row: wide, column: 1 },
                            Rows {
                                data: &transposed.layers[level][i * layer.output * narrow + start..],
                                row: narrow,
                            },
                            RowsMut { data: &mut into[start..], row: narrow },
                        );
                    }
                }
            }
            std::mem::swap(&mut space.above, &mut space.below);
        }
    }

    /// Weight gradients of a hidden layer: (inputs)ᵀ·(gradients of pre-activations), block by block.
    fn weight_gradient(
        &self,
        layer: &LayerLayout,
        input: Left<'_, T>,
        above: &[T],
        block: &mut Vec<T>,
        gradient: &mut Gradient<'_, T>,
    ) {
        let d = self.d;
        let wide = d * layer.output;
        let rows = above.len() / wide;
        let d_weight = &mut gradient.theta[layer.weight.clone()];
        if self.mask.differentiable {
            block.clear();
            block.resize(d * layer.input * wide, T::from_f64(0.0));
            T::product(
                Shape { m: d * layer.input, n: wide, k: rows },
                T::from_f64(1.0),
                input,
                Rows { data: above, row: wide },
                RowsMut { data: block, row: wide },
            );
            let weight = &self.theta[layer.weight.clone()];
            for unit in 0..d * layer.input {
                let j = unit / layer.input;
                for i in 0..d {
                    let span = unit * wide + i * layer.output..unit * wide + (i + 1) * layer.output;
                    let factor = T::from_f64(self.mask.hidden(i, j));
                    gradient.hidden_mask[i * d + j] += dot_f64(&block[span.clone()], &weight[span.clone()]);
                    for (into, from) in d_weight[span.clone()].iter_mut().zip(&block[span]) {
                        *into += factor * *from;
                    }
                }
            }
            return;
        }
        for i in self.mask.active.iter().cloned().flatten() {
            for run in &self.mask.hidden.into[i] {
                let start = run.start * layer.input;
                T::product(
                    Shape { m: run.end * layer.input - start, n: layer.output, k: rows },
                    T::from_f64(run.factor),
                    Left { data: &input.data[start..], ..input },
                    Rows { data: &above[i * layer.output..], row: wide },
                    RowsMut { data: &mut d_weight[start * wide + i * layer.output..], row: wide },
                );
            }
        }
    }

    /// The last layer: leaves the gradient of the last hidden layer in `space.above`.
    fn backward_last(
        &self,
        hidden: &[T],
        d_output: &[T],
        space: &mut BackwardSpace<T>,
        gradient: &mut Gradient<'_, T>,
    ) {
        let (d, last) = (self.d, &self.layout.last);
        add_column_sums(d, 0..d, d_output, &mut gradient.theta[last.bias.clone()]);
        space.above.clear();
        space.above.resize(hidden.len(), T::from_f64(0.0));
        let source = Blocked { values: hidden, width: last.input, weight: last.weight.clone() };
        self.backward_linear(&source, d_output, Some(&mut space.above), &mut space.block, gradient);
    }

    /// The skip connection is a last layer whose hidden units are the inputs themselves.
    fn backward_skip(
        &self,
        x: &[T],
        d_output: &[T],
        space: &mut BackwardSpace<T>,
        gradient: &mut Gradient<'_, T>,
        d_x: Option<&mut [T]>,
    ) {
        if let Some(skip) = &self.layout.skip {
            let source = Blocked { values: x, width: 1, weight: skip.clone() };
            self.backward_linear(&source, d_output, d_x, &mut space.block, gradient);
        }
    }

    /// Back through `output = (mask ∘ W)·values`, W stored output by output.
    fn backward_linear(
        &self,
        source: &Blocked<'_, T>,
        d_output: &[T],
        mut d_values: Option<&mut [T]>,
        block: &mut Vec<T>,
        gradient: &mut Gradient<'_, T>,
    ) {
        let d = self.d;
        let (width, stride) = (source.width, d * source.width);
        let rows = d_output.len() / d;
        let weight = &self.theta[source.weight.clone()];
        let dense = self.mask.differentiable.then(|| Blocks::dense(d));
        let runs = dense.as_ref().unwrap_or(&self.mask.output);
        block.clear();
        block.resize(d * stride, T::from_f64(0.0));
        for j in 0..d {
            let columns = j * width;
            for run in &runs.from[j] {
                T::product(
                    Shape { m: run.end - run.start, n: width, k: rows },
                    T::from_f64(run.factor),
                    Left { data: &d_output[run.start..], row: 1, column: d },
                    Rows { data: &source.values[columns..], row: stride },
                    RowsMut { data: &mut block[run.start * stride + columns..], row: stride },
                );
            }
            if let Some(d_values) = d_values.as_deref_mut() {
                for run in &self.mask.output.from[j] {
                    T::product(
                        Shape { m: rows, n: width, k: run.end - run.start },
                        T::from_f64(run.factor),
                        Left { data: &d_output[run.start..], row: d, column: 1 },
                        Rows { data: &weight[run.start * stride + columns..], row: stride },
                        RowsMut { data: &mut d_values[columns..], row: stride },
                    );
                }
            }
        }
        let d_weight = &mut gradient.theta[source.weight.clone()];
        for i in 0..d {
            for j in 0..d {
                let span = i * stride + j * width..i * stride + (j + 1) * width;
                let factor = if self.mask.differentiable {
                    gradient.output_mask[i * d + j] += dot_f64(&block[span.clone()], &weight[span.clone()]);
                    T::from_f64(self.mask.output(i, j))
                } else {
                    T::from_f64(1.0)
                };
                for (into, from) in d_weight[span.clone()].iter_mut().zip(&block[span]) {
                    *into += factor * *from;
                }
            }
        }
    }
}

/// What a linear output reads: values with `width` columns per variable, and where the weights lie.
struct Blocked<'a, T> {
    values: &'a [T],
    width: usize,
    weight: std::ops::Range<usize>,
}
