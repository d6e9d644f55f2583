//! PC with the kernel conditional independence test: an edge goes as soon as some set of variables makes its ends independent.
//!
//! # Assumes
//! The order is right; no hidden common causes; faithfulness: every edge shows as dependence, given any set of variables.
//! # Model
//! None: [`Kci`] sees dependence of any form, noise of any kind.
//! # Algorithm
//! 1. Start with the tournament of the order (or with the graph of a learner that yields none), without what knowledge forbids.
//! 2. For sets of 0, 1, 2, … variables: test each edge that is left given each set of this size that its ends are
//!    adjacent to. An edge with a p-value above `alpha` is dropped, and its other sets are not tried.
//! 3. Edges are dropped at the end of a size and not within it (PC-stable), so that the order of the tests does not matter.
//! 4. What is left points along the order.
//!
//! An edge's `p_value` is the largest of all its tests: the one that came nearest to dropping it. Required edges are not tested and
//! have none; neither has an edge whose tests were cut short by a stop.
//!
//! With `conditioning = "order"` only the candidate parents of the later end are conditioned on. Its true parents are among
//! them and separate it from every other variable before it, so nothing more is needed where the order is right. This is how
//! we read the paper's remark that a known order makes the number of tests polynomial: with at most k variables given it is
//! O(dᵏ⁺²), whatever the graph, and an effect of both ends is never conditioned on.
//!
//! "pc" is the default because it is what the paper ran: with a true order on Sachs it gives the paper's 10 edges, SHD 9 and SID
//! 36, in 73 tests; "order" keeps one edge more (SHD 10, SID 36), in 61. On the first SynTReN set, with a true order, it is the
//! other way round: "order" has SHD 25 and SID 29, "pc" 31 and 88.
//! # Cost
//! At most d(d − 1)/2 tests without conditioning, O(n·r²) each, and O(n²·r) for each conditional one (see [`Kci`]); how many of
//! these is up to the graph. Memory O(n·r) a thread, and 256 MiB at most for conditioning sets. With "pc" every order of a table
//! leads to the same tests: a checkpoint keeps them for the next order.
//! # Departs from the paper
//! Nothing with `conditioning = "pc"`: its skeletons are those of causal-learn, which the paper's code calls. Stopping at
//! the first separating set leaves out tests and changes no skeleton. The test is not symmetric: as there, the column that
//! comes first in the table is the one that is joined with the conditioning variables. With "order" it is the cause, so
//! that the layout of the table does not matter.
//! # Reference
//! Colombo, Maathuis: Order-independent constraint-based causal structure learning. JMLR 2014. Zhang, Peters, Janzing,
//! Schölkopf: Kernel-based conditional independence test and application in causal discovery. UAI 2011.

mod known_tests;
mod skeleton;
mod subsets;
mod watch;

use oslow_core::{
    Capabilities, Dag, Error, Prepared, Pruned, PrunedEdge, Pruner, PrunerEntry, Result, Run, Settings,
    configure, describe, within,
};
use oslow_math::Kci;
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use known_tests::KnownTests;
use skeleton::{Pair, Search};
use watch::Watch;

/// The pruner's entry in the registry.
pub(crate) const ENTRY: PrunerEntry = PrunerEntry {
    name: "pc-kci",
    summary: "drop an edge if a kernel test finds its ends independent given some other variables",
    assumes: &["the order is right", "no hidden common causes", "faithfulness"],
    takes: Capabilities::NUMBERS,
    build: |settings| Ok(Box::new(PcKci::read(settings)?)),
    resolve: |settings| describe(&PcKci::read(settings)?),
};

/// Settings of `pc-kci`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PcKci {
    /// Level of the tests, in (0, 1). An edge goes if a p-value is above it. The paper's is 0.05.
    alpha: f64,
    /// Which variables are conditioned on: those adjacent to either end (`"pc"`), or the candidate parents of the
    /// later end (`"order"`). The paper's is "pc".
    conditioning: Conditioning,
    /// Most variables that are conditioned on at once, or `"all"`. The paper's is "all".
    max_conditioning: MaxConditioning,
}

/// Which variables are conditioned on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Conditioning {
    Pc,
    Order,
}

/// How many variables are conditioned on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a whole number or \"all\"")]
enum MaxConditioning {
    Number(usize),
    Word(All),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum All {
    All,
}

impl Default for PcKci {
    fn default() -> Self {
        Self {
            alpha: 0.05,
            conditioning: Conditioning::Pc,
            max_conditioning: MaxConditioning::Word(All::All),
        }
    }
}

impl PcKci {
    fn read(settings: &Settings) -> Result<Self> {
        let config: Self = configure(settings)?;
        if let MaxConditioning::Number(number) = config.max_conditioning {
            within("max_conditioning", number, 0..=1000)?;
        }
        if config.alpha > 0.0 && config.alpha < 1.0 {
            Ok(config)
        } else {
            Err(Error::input(format!("alpha = {}: it must be between 0 and 1", config.alpha)))
        }
    }
}

impl Pruner for PcKci {
    fn prune(&self, sample: &Prepared, within: &Dag, run: &mut Run<'_>) -> Result<Pruned> {
        let Candidates { order, causes } = Candidates::new(sample, within, run.knowledge)?;
        let columns: Vec<&[f64]> = (0..sample.columns()).map(|j| sample.column(j)).collect();
        let kci = Kci::new(&columns)?;
        let known = KnownTests::load(run.checkpoint)?;
        let test = |pair: &Pair, given: &[usize]| {
            let (x, y) = self.roles(pair);
            known.p_value((x, y, given.to_vec()), |(x, y, given)| Ok(kci.test(*x, *y, given)?.p_value))
        };
        let largest = match self.max_conditioning {
            MaxConditioning::Number(number) => number,
            MaxConditioning::Word(All::All) => sample.columns(),
        };
        let positions = order.positions();
        let search = Search {
            alpha: self.alpha,
            largest,
            conditioning: self.conditioning,
            positions: &positions,
            test: &test,
        };
        let pair = |cause: usize, effect: usize| {
            let required = run.knowledge.required().contains(&(cause, effect));
            Pair { cause, effect, required, p_value: None }
        };
        let of = |(effect, causes): (usize, &Vec<usize>)| {
            causes.iter().map(|&cause| pair(cause, effect)).collect::<Vec<_>>()
        };
        let pairs = causes.iter().enumerate().flat_map(of).collect();
        let pairs = search.run(pairs, &Watch::new(run.observer))?;
        known.save(run.checkpoint)?;
        let unfinished = pairs.iter().any(|pair| !pair.required && pair.p_value.is_none());
        let edge = |pair: &Pair| PrunedEdge { from: pair.cause, to: pair.effect, p_value: pair.p_value };
        Pruned::new(order.len(), pairs.iter().map(edge).collect(), unfinished)
    }
}

impl PcKci {
    /// Which end of an edge is joined with the conditioning variables in the test, and the other end.
    fn roles(&self, pair: &Pair) -> (usize, usize) {
        let &Pair { cause, effect, .. } = pair;
        match self.conditioning {
            Conditioning::Pc => (cause.min(effect), cause.max(effect)),
            Conditioning::Order => (cause, effect),
        }
    }
}

#[cfg(test)]
mod tests;
