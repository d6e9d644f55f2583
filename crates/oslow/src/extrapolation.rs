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
            "`{name}` = {} lies outside the central 99 % of its data, {} to {}: what follows is extrapolated",
            shortest(*value),
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

/// Variables that lie far outside the data in some rows, further than the data are wide, in words.
pub fn far_rows(flow: &FittedFlow, rows: &[f64]) -> Vec<String> {
    let d = flow.names().len();
    let of = |node: usize| {
        let (low, high) = flow.observed(node);
        let width = high - low;
        let near = low - width..=high + width;
        let far = rows.iter().skip(node).step_by(d).filter(|value| !near.contains(value)).count();
        let rows = if far == 1 { "1 row".into() } else { format!("{far} rows") };
        let (name, low, high) = (&flow.names()[node], short(low), short(high));
        let said = || {
            format!(
                "`{name}` of {rows} lies far outside the central 99 % of its data, {low} to {high}: what follows for them is extrapolated"
            )
        };
        (far > 0).then(said)
    };
    (0..d).filter_map(of).collect()
}

/// A value as it was given, with an exponent where it would have hundreds of digits.
fn shortest(x: f64) -> String {
    let plain = x == 0.0 || (1e-5..1e16).contains(&x.abs());
    if plain { format!("{x}") } else { format!("{x:e}") }
}

/// Four digits, which is enough to see where a range ends.
fn short(x: f64) -> String {
    if x.abs() >= 1e16 {
        return format!("{x:.3e}");
    }
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
        assert_eq!([shortest(5.0), shortest(-0.25), shortest(1e308)], ["5", "-0.25", "1e308"]);
        assert_eq!(short(-2e300), "-2.000e300");
        assert_eq!([short(0.0), short(0.000_123_456), short(2.5)], ["0", "0.0001235", "2.5"]);
    }
}
