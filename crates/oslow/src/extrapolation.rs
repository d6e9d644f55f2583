//! Interventions outside the data.

use oslow_core::{Intervention, Interventional};
use oslow_flow::FittedFlow;

/// A value outside the central 99 % of what was observed: a model has little to go by there.
#[derive(Clone, Debug, PartialEq)]
pub struct Extrapolation {
    /// The variable.
    pub name: String,
    /// The value it was set to.
    pub value: f64,
    /// Where its central 99 % begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl std::fmt::Display for Extrapolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, value, low, high } = self;
        write!(
            f,
            "`{name}` = {value} lies outside the central 99 % of its data, {} to {}: what follows is extrapolated",
            short(*low),
            short(*high)
        )
    }
}

/// The interventions that lie outside the data a flow was fitted to.
pub fn extrapolations(flow: &FittedFlow, interventions: &[Intervention]) -> Vec<Extrapolation> {
    let outside = |action: &Intervention| {
        let (low, high) = flow.observed(action.node);
        let name = flow.names()[action.node].clone();
        (!(low..=high).contains(&action.value)).then_some(Extrapolation {
            name,
            value: action.value,
            low,
            high,
        })
    };
    interventions.iter().filter_map(outside).collect()
}

/// Four digits, which is enough to see where a range ends.
fn short(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 12) as usize };
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warning_names_variable_value_and_range() {
        let outside = Extrapolation { name: "X".into(), value: 5.0, low: -1.234_567, high: 12_345.6 };
        assert_eq!(
            outside.to_string(),
            "`X` = 5 lies outside the central 99 % of its data, -1.235 to 12346: what follows is extrapolated"
        );
        assert_eq!([short(0.0), short(0.000_123_456), short(2.5)], ["0", "0.0001235", "2.5"]);
    }
}
