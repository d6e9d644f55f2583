//! DAGuerreotype: one score a variable, a sparse distribution over orders from them, and equations for the orders that it supports.
//!
//! # Assumes
//! Each variable is a function of those before it plus noise, and noises have equal variances in the units of the table: then the right
//! orders leave the smallest squares. On standardised data this holds where causes explain about as much of each effect.
//! # Model
//! Scores θ, one a variable. An order is the vector ρ of its positions, and the larger ⟨θ, ρ⟩ the better it fits. [`top_k_sparsemax`](oslow_perm::top_k_sparsemax) or
//! [`sparse_map`](oslow_perm::sparse_map) turn θ into weights α of few orders. The loss of an order is the negative log-likelihood
//! d/2·ln(Σ squares) of normal noises with one variance, where each variable is predicted from all before it: by a weighted sum or by a network
//! with one hidden layer of 50 leaky ReLU units. With `edges = "bernoulli"` an edge is a coin whose probability is learned, straight-through,
//! at a price for each edge.
//! # Algorithm
//! Minimise Σ α(θ)·loss + l2·|θ|² by Adam in θ, with the exact derivatives of α. With `bilevel` the equations of each supported order are fitted
//! before each step; with `joint` one set of equations for all orders takes a step at the same time. It ends when 100 steps have not
//! lowered the objective by 1e-4. This is done from several random θ near 0, and the answer is the order by ascending θ where the objective was lowest.
//! # Cost
//! With `bilevel` one fit for each variable and set of variables before it that a supported order has: at most d·2^(d−1), 200 passes over the rows
//! with O(d·50) each; all threads. Steps of θ cost O(k·d²) besides. With `joint` every step is a pass over the rows for each order.
//! # Departs from the paper
//! What a variable leaves depends on the set of variables before it and not on their order. So `bilevel` fits an equation once for each variable and
//! set, keeps what it leaves, and never repeats it; the program fits all equations of every supported order again before each step
//! of the scores. The losses of orders are fixed numbers then, and the published schedule (5000 steps at most) takes seconds. A fit is 200 steps of
//! Adam down ½ ln(squares) of this variable alone, at a rate that falls from 0.03 to 0, and all fits start from the same random numbers; the program
//! takes plain gradient steps of 0.1 down the loss of all variables. Linear equations without coins are solved exactly. Equations see columns scaled
//! to variance 1, and what they leave is put back into the units of the table.
//!
//! Scores start at small random numbers instead of 0, and several times: a descent often ends at an order that only its neighbours do not beat,
//! and as fits are kept, another one costs little where variables are few. `starts = 1` is the published single one. The answer is taken where
//! the objective was lowest, not at the last step; a run that is
//! told to stop answers with the order that had the lowest loss, which is also the alternative `lowest-loss`. Orders are admitted
//! ones: with tiers the k best are exact, with other knowledge they are the best that a search by exchanges meets.
//!
//! Defaults were chosen on 72 additive Gaussian-process tables of 3 to 6 variables and 1000 rows from seeds 7000 to 7071 by mean CBC, with one start:
//! 0.028 for `top-k-sparsemax` and 0.036 for `sparsemap`, about 0.5 for linear equations with either (36 tables); 0.038, 0.028 and 0.026 for rates
//! of 0.01, 0.03 and 0.1; 0.044 for 100 steps a fit. Five starts have 0.013.
//! # Reference
//! Zantedeschi, Franceschi, Kaddour, Kusner, Niculae: DAG learning on the permutahedron. ICLR 2023.

mod bilevel;
mod config;
mod edges;
mod joint;
mod search;
mod table;

use oslow_core::{
    Capabilities, Evidence, Kind, Learned, Learner, Method, OrderAlternative, Prepared, Result, Run,
    check_stop, configure, describe, unless_stopped,
};

use bilevel::Bilevel;
use config::{DaguerreotypeConfig, EdgeMask, Optimisation};
use joint::Joint;
use search::Search;
use table::{Losses, Table};

/// The slope of a unit below 0: torch's, which the program uses.
const LEAK: f64 = 0.01;

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "daguerreotype",
    kind: Kind::Contestant,
    summary: "DAGuerreotype: one score a variable, a sparse distribution over orders from them, and equations for each order",
    assumes: &[
        "each variable is a function of its causes, plus noise",
        "noises have equal variances in the units of the table",
    ],
    takes: Capabilities::NUMBERS,
    build: |settings| {
        let config = configure::<DaguerreotypeConfig>(settings)?;
        config.check()?;
        Ok(Box::new(config))
    },
    resolve: |settings| describe(&configure::<DaguerreotypeConfig>(settings)?),
}];

impl Learner for DaguerreotypeConfig {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let table = Table::new(sample);
        let mut equations: Box<dyn Losses> = match self.optimisation {
            Optimisation::Bilevel => Box::new(Bilevel::new(self, &table, run.knowledge, run.seed)),
            Optimisation::Joint => Box::new(Joint::new(self, &table, run.knowledge, run.seed, 0)),
        };
        let mut rng = run.seed.stream("order/daguerreotype");
        let mut search = Search::new(self, run.knowledge.precedence(), sample.columns(), &mut rng);
        for index in 0..self.starts {
            equations.start(index);
            search.descend(index, equations.as_mut(), &mut rng, run)?;
            if search.interrupted {
                break;
            }
        }
        let Search { best, lowest, history, mut interrupted, .. } = search;
        if lowest.0 == f64::INFINITY {
            // No order has a loss yet.
            check_stop();
        }
        // Scores that were stopped may not have moved yet, while some order has already done best.
        let order = if interrupted { lowest.1.clone() } else { best.1 };
        let dag = match self.edges {
            EdgeMask::None => None,
            EdgeMask::Bernoulli => {
                let dag = unless_stopped(|| equations.graph(&order)).transpose()?;
                interrupted |= dag.is_none();
                dag
            }
        };
        Ok(Learned {
            order: Some(order),
            dag,
            evidence: Evidence {
                objective: Some(best.0),
                alternatives: vec![OrderAlternative { rule: "lowest-loss", order: lowest.1, nll: None }],
                ..Evidence::default()
            },
            history: Some(history),
            interrupted,
            ..Learned::default()
        })
    }
}

#[cfg(test)]
mod tests;
