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
