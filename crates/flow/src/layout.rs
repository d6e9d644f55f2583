//! Where each parameter lies in the flat vector θ.

use std::ops::Range;

use crate::config::{Base, FlowConfig};
use crate::mixture;

/// A flow's shape and the place of every parameter.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The number of variables.
    pub d: usize,
    /// The shape.
    pub config: FlowConfig,
    /// Stacked transforms, data side first.
    pub transforms: Vec<TransformLayout>,
    /// The parameters of a learned base, variable by variable; empty where the base is fixed.
    pub base: Range<usize>,
    /// The number of parameters.
    pub len: usize,
}

/// One affine transform.
#[derive(Clone, Debug)]
pub struct TransformLayout {
    /// The network of the shift t.
    pub shift: NetLayout,
    /// The network of the log-scale s.
    pub scale: NetLayout,
    /// log-scale and shift of ActNorm, d numbers each.
    pub actnorm: Option<(Range<usize>, Range<usize>)>,
}

/// One masked network.
#[derive(Clone, Debug)]
pub struct NetLayout {
    /// Hidden layers. Weights are stored input unit by input unit: `d·input` rows of `d·output` numbers.
    pub hidden: Vec<LayerLayout>,
    /// The last layer. Weights are stored output by output: `d` rows of `d·input` numbers.
    pub last: LayerLayout,
    /// Linear weights from inputs to outputs, output by output: `d × d`.
    pub skip: Option<Range<usize>>,
}

/// One layer; unit u of variable i has index `i·width + u`.
#[derive(Clone, Debug)]
pub struct LayerLayout {
    /// Units per variable that come in.
    pub input: usize,
    /// Units per variable that go out.
    pub output: usize,
    /// The weights.
    pub weight: Range<usize>,
    /// The biases.
    pub bias: Range<usize>,
    /// Whether the input is added to the activated output.
    pub residual: bool,
}

impl Layout {
    /// Lays out the parameters of a flow over `d` variables.
    pub fn new(d: usize, config: &FlowConfig) -> Self {
        let mut end = 0;
        let mut take = |count: usize| {
            end += count;
            end - count..end
        };
        let transforms = (0..config.transforms)
            .map(|_| TransformLayout {
                shift: NetLayout::new(d, config, &mut take),
                scale: NetLayout::new(d, config, &mut take),
                actnorm: config.actnorm.then(|| (take(d), take(d))),
            })
            .collect();
        let base = take(if config.base == Base::Learned { d * mixture::PARAMETERS } else { 0 });
        Self { d, config: config.clone(), transforms, base, len: end }
    }

    /// How many parameters there are, counted without laying them out.
    pub(crate) fn parameters(d: usize, config: &FlowConfig) -> f64 {
        let d = d as f64;
        let (mut net, mut input) = (0.0, 1.0);
        for output in config.hidden.iter().map(|&units| units as f64).chain([1.0]) {
            net += d * output * (d * input + 1.0);
            input = output;
        }
        net += if config.skip { d * d } else { 0.0 };
        let actnorm = if config.actnorm { 2.0 * d } else { 0.0 };
        let base = if config.base == Base::Learned { d * mixture::PARAMETERS as f64 } else { 0.0 };
        config.transforms as f64 * (2.0 * net + actnorm) + base
    }

    /// The largest number of units per variable in any hidden layer.
    pub fn widest(&self) -> usize {
        self.config.hidden.iter().copied().max().unwrap_or(1)
    }
}

impl NetLayout {
    fn new(d: usize, config: &FlowConfig, take: &mut impl FnMut(usize) -> Range<usize>) -> Self {
        let mut input = 1;
        let mut hidden: Vec<LayerLayout> = Vec::new();
        for &output in &config.hidden {
            let residual = config.residual && !hidden.is_empty() && input == output;
            let (weight, bias) = (take(d * input * d * output), take(d * output));
            hidden.push(LayerLayout { input, output, weight, bias, residual });
            input = output;
        }
        let last =
            LayerLayout { input, output: 1, weight: take(d * d * input), bias: take(d), residual: false };
        Self { hidden, last, skip: config.skip.then(|| take(d * d)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted_as_they_are_laid_out() {
        let plain = FlowConfig { hidden: vec![3, 5, 5], ..FlowConfig::default() };
        let rich =
            FlowConfig { skip: true, actnorm: true, transforms: 3, base: Base::Learned, ..plain.clone() };
        for (d, config) in [(1, &plain), (4, &plain), (4, &rich)] {
            assert_eq!(Layout::parameters(d, config), Layout::new(d, config).len as f64);
        }
    }
}
