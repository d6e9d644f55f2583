//! Average effects with the doubt about the graph, beside those of the model that drew the table: one line of JSON for each pair.
//!
//! `cargo run --example effects_coverage -p oslow -- mlp-gaussian 5 300 0 4`: family (or settings of a `Spec`), columns, rows, seed, pairs.
//! `cargo xtask effects-coverage` runs it on many tables.

use oslow::prelude::*;
use oslow::{EffectGraph, EffectQuestion, GraphDoubt, mean_effect};
use rand::seq::SliceRandom;

/// Draws of the true model: enough to hide its own randomness.
const TRUE_ROWS: usize = 200_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [family, numbers @ ..] = &arguments[..] else { return Err(usage()) };
    let numbers: Vec<usize> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let [nodes, rows, seed, pairs] = numbers[..] else { return Err(usage()) };
    let settings = match family.contains('=') {
        true => format!("nodes = {nodes}\n{}", family.replace("; ", "\n")),
        false => format!("nodes = {nodes}\nfamily = '{family}'"),
    };
    let settings: Settings = settings.parse().map_err(|e| Error::input(format!("{family}: {e}")))?;
    let seed = Seed(seed as u64);
    let drawn = oslow::scm::simulate(&oslow::scm::Spec::from_settings(&settings)?, rows, seed)?;
    let options = DiscoverOptions { seed, threads: Some(1), ..DiscoverOptions::default() };
    let found = discover(&drawn.sample, &options, &mut Silent, &mut ForgetfulCheckpoint)?;
    let doubt = GraphDoubt::from_json(&found.to_json()?)?;
    for (on, target) in random_pairs(nodes, pairs, seed) {
        let names = drawn.sample.names();
        let question = EffectQuestion {
            on: names[on].clone(),
            target: names[target].clone(),
            ..EffectQuestion::default()
        };
        let graph = EffectGraph::Doubted(&doubt);
        let answer = mean_effect(&drawn.sample, &question, graph, seed, Some(1), &mut Silent)?;
        let answer = answer.ok_or_else(|| Error::internal("nobody asked to stop"))?;
        let values = [&answer.from, &answer.to].map(|value| value.to_string().parse().unwrap_or(f64::NAN));
        let truth = average_effect(&drawn.scm, on, values, target, TRUE_ROWS, seed)?;
        let likeliest = answer.parent_sets.iter().map(|set| set.probability).fold(0.0, f64::max);
        let line = serde_json::json!({
            "truth": truth.mean,
            "mean": answer.mean,
            "low": answer.low,
            "high": answer.high,
            "p_no_effect": answer.p_no_effect,
            "likeliest": likeliest,
            "is_cause": drawn.dag.is_ancestor(on, target),
        });
        println!("{line}");
    }
    Ok(())
}

/// Some of the ordered pairs of columns, each once.
fn random_pairs(nodes: usize, pairs: usize, seed: Seed) -> Vec<(usize, usize)> {
    let mut rng = seed.stream("effects-coverage/pairs");
    let all = (0..nodes).flat_map(|on| (1..nodes).map(move |k| (on, (on + k) % nodes)));
    let mut all: Vec<(usize, usize)> = all.collect();
    all.shuffle(&mut rng);
    all.truncate(pairs);
    all
}

fn usage() -> Error {
    Error::input("give a family, and the numbers of columns and rows, a seed, and the number of pairs")
}
