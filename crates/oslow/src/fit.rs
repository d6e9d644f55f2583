//! A flow for one known order.

use oslow_core::{
    Capabilities, Dag, ForgetfulCheckpoint, Knowledge, Observer, Ordering, Outliers, Prepared, Preparing,
    Result, Run, Sample, Seed, Settings, Standardize, configure, describe,
};
use oslow_flow::{FitConfig, FittedFlow};

use crate::plan::read_knowledge;
use crate::pool::with_threads;

/// What a fit is to do.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// The causal order.
    pub order: Ordering,
    /// Settings that differ from the defaults of [`FitConfig`].
    pub settings: Settings,
    /// How columns are brought to a common scale.
    pub standardize: Standardize,
    /// Which rows are left out as outliers.
    pub outliers: Outliers,
    /// Background knowledge with the keys of a knowledge file.
    pub knowledge: Settings,
    /// The graph that the flow is to follow: every variable depends on its direct causes alone. `None`: on all before it in the order.
    pub graph: Option<Dag>,
    /// The source of all randomness.
    pub seed: Seed,
    /// How many threads may work; `None`: one per core. Never changes a result.
    pub threads: Option<usize>,
}

impl FitOptions {
    /// The recommended fit for a graph, along this order of its variables, or along one that it allows.
    pub fn of_graph(graph: Dag, order: Option<Ordering>) -> Self {
        Self { graph: Some(graph.clone()), ..Self::new(order.unwrap_or_else(|| graph.topological_order())) }
    }

    /// The recommended fit for this order.
    pub fn new(order: Ordering) -> Self {
        Self {
            order,
            settings: Settings::new(),
            standardize: Standardize::default(),
            outliers: Outliers::None,
            knowledge: Settings::new(),
            graph: None,
            seed: Seed(0),
            threads: None,
        }
    }
}

/// A flow, and whether its fit was stopped early.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The flow.
    pub flow: FittedFlow,
    /// Whether the observer stopped the fit.
    pub interrupted: bool,
}

/// Fits a flow to a sample whose causal order is known.
pub fn fit(sample: &Sample, options: &FitOptions, observer: &mut dyn Observer) -> Result<Fitted> {
    let config: FitConfig = configure(&options.settings)?;
    Capabilities::NUMBERS.check(sample, "a flow", &[])?;
    let knowledge = match &options.graph {
        Some(graph) => Knowledge::of_graph(graph),
        None => read_knowledge(&options.knowledge, sample.names())?,
    };
    let how = Preparing { standardize: options.standardize, outliers: options.outliers };
    let prepared = Prepared::new(sample, how)?;
    with_threads(options.threads, &observer.stop(), |threads| {
        let mut checkpoint = ForgetfulCheckpoint;
        let mut run =
            Run { seed: options.seed, knowledge: &knowledge, threads, observer, checkpoint: &mut checkpoint };
        let (flow, interrupted) = FittedFlow::fit(&prepared, &options.order, &config, &mut run)?;
        Ok(Fitted { flow, interrupted })
    })
}

/// Every setting of a fit, as it will be used.
pub fn fit_settings(settings: &Settings) -> Result<Settings> {
    describe(&configure::<FitConfig>(settings)?)
}
