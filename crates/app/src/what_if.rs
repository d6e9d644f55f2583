//! What would happen if a column were set: the effects of a run, at many values.

use oslow::{
    ColumnType, EffectGraph, EffectQuestion, Error, GraphDoubt, MeanEffect, Result, RunConfig, Sample,
    Silent, mean_effect, read_run_config, read_run_table, read_utf8,
};
use serde::{Deserialize, Serialize};

use crate::home::Home;

/// Places of the slider.
const POINTS: usize = 25;
/// The share of the observed values below the slider, and above it.
const TAIL: f64 = 0.01;

/// What is asked of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    on: String,
    target: String,
    from: Option<String>,
    to: Option<String>,
}

/// The answer, and what the values of the column that is set are called.
#[derive(Serialize)]
pub struct Answered {
    effect: MeanEffect,
    levels: Vec<String>,
}

impl Asked {
    /// Answers as `oslow effects` does.
    pub fn answer(self, home: &Home, run: u32, threads: Option<usize>) -> Result<Answered> {
        let folder = home.run_folder(run);
        let config = read_run_config(&folder)?;
        let data = config.data.as_deref().map(|data| home.place_of(data)).transpose()?;
        let config = RunConfig { data, ..config };
        let path = folder.join("run.json");
        let doubt = GraphDoubt::from_json(&read_utf8(&path)?)?;
        let sample = read_run_table(&folder, &config)?.sample;
        let on = sample.index_of(&self.on)?;
        let grid = grid(&sample, on);
        let question =
            EffectQuestion { on: self.on, target: self.target, from: self.from, to: self.to, grid };
        let seed = config.options()?.seed;
        let graph = EffectGraph::Doubted(&doubt);
        let found = mean_effect(&sample, &question, graph, seed, threads, &mut Silent)?;
        let effect = found.ok_or_else(|| Error::internal("an effect stopped that nobody stopped"))?;
        Ok(Answered { effect, levels: sample.labels(on).to_vec() })
    }
}

/// The values to set a column to: evenly over what was observed, or each that was. None where they have no order.
fn grid(sample: &Sample, on: usize) -> Vec<f64> {
    if sample.type_of(on) == ColumnType::Categorical {
        return Vec::new();
    }
    let observed = sample.column(on).enumerate().filter(|(row, _)| !sample.is_gap(*row, on));
    let mut values: Vec<f64> = observed.map(|(_, value)| value).collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    let (low, high) = (at(TAIL), at(1.0 - TAIL));
    if sample.type_of(on) != ColumnType::Continuous {
        values.dedup();
        values.retain(|value| (low..=high).contains(value));
        let every = values.len().div_ceil(POINTS).max(1);
        return values.into_iter().step_by(every).collect();
    }
    (0..POINTS).map(|k| low + (high - low) * k as f64 / (POINTS - 1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_covers_what_was_observed() {
        let values: Vec<f64> = (0..200).flat_map(|k| [f64::from(k), f64::from(k % 2)]).collect();
        let sample = Sample::new(vec!["a".into(), "b".into()], values).unwrap();
        let sample = sample.with_type(1, ColumnType::Binary).unwrap();
        let wide = grid(&sample, 0);
        assert_eq!((wide.len(), wide[0], wide[POINTS - 1]), (POINTS, 2.0, 197.0));
        assert_eq!(grid(&sample, 1), [0.0, 1.0]);
    }
}
