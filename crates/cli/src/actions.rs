//! `--do X=1.5` and `--grid X=-3:3:0.1`.

use oslow::{Error, Intervention, Result};

use crate::names;

/// More points than anybody wants to read.
const MOST_POINTS: f64 = 100_000.0;

/// The interventions of a command line.
pub fn interventions(given: &[String], variables: &[String]) -> Result<Vec<Intervention>> {
    let mut all: Vec<Intervention> = Vec::with_capacity(given.len());
    for text in given {
        let example = format!("for example `--do {}=1.5`", variables[0]);
        let (name, value) = text.rsplit_once('=').ok_or_else(|| {
            Error::input(format!("--do {text}: there is no `=`")).with_hint(example.clone())
        })?;
        let node = names::find(name.trim(), variables).map_err(|e| e.at(format_args!("--do {text}")))?;
        let value = number(value).ok_or_else(|| {
            Error::input(format!("--do {text}: `{value}` is not a finite number")).with_hint(example)
        })?;
        if all.iter().any(|other| other.node == node) {
            return Err(Error::input(format!("--do {text}: `{}` is set twice", variables[node]))
                .with_hint("name each variable once"));
        }
        all.push(Intervention { node, value });
    }
    Ok(all)
}

/// A variable and the values it is set to, one after the other.
#[derive(Debug, PartialEq)]
pub struct Grid {
    pub node: usize,
    pub values: Vec<f64>,
}

/// `X=start:stop:step`, both ends included.
pub fn grid(text: &str, variables: &[String]) -> Result<Grid> {
    let refuse = |what: String| {
        Error::input(format!("--grid {text}: {what}"))
            .with_hint(format!("for example `--grid {}=-3:3:0.1`: start, stop and step", variables[0]))
    };
    let (name, range) = text.rsplit_once('=').ok_or_else(|| refuse("there is no `=`".into()))?;
    let node = names::find(name.trim(), variables).map_err(|e| e.at(format_args!("--grid {text}")))?;
    let parts: Vec<&str> = range.split(':').collect();
    let [start, stop, step] = parts[..] else {
        return Err(refuse("a range is start:stop:step".into()));
    };
    let read = |part: &str| number(part).ok_or_else(|| refuse(format!("`{part}` is not a finite number")));
    let (first, last, width) = (read(start)?, read(stop)?, read(step)?);
    if width <= 0.0 || last < first {
        return Err(refuse("the step must be positive and the stop not below the start".into()));
    }
    // A stop that is a whole number of steps away is reached, whatever rounding says.
    let steps = ((last - first) / width + 1e-9).floor();
    if steps >= MOST_POINTS {
        return Err(refuse(format!("{} points are too many", steps + 1.0)));
    }
    let digits = decimals(start).zip(decimals(step)).map(|(a, b)| a.max(b));
    let value = |k: usize| rounded(first + k as f64 * width, digits);
    Ok(Grid { node, values: (0..=steps as usize).map(value).collect() })
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|x: &f64| x.is_finite())
}

/// Digits after the point, where the number is written without an exponent.
fn decimals(text: &str) -> Option<usize> {
    let text = text.trim();
    if text.contains(['e', 'E']) {
        return None;
    }
    Some(text.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
}

/// The number with the digits that the user wrote: -3 + 30·0.1 is 0, not 4e-16.
fn rounded(x: f64, digits: Option<usize>) -> f64 {
    let round = |digits| format!("{x:.digits$}").parse::<f64>().ok();
    // Adding 0 turns -0 into 0.
    digits.and_then(round).unwrap_or(x) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> Vec<String> {
        vec!["X".into(), "a=b".into()]
    }

    #[test]
    fn ranges_include_both_ends_and_keep_their_digits() {
        let values = |text: &str| grid(text, &variables()).unwrap().values;
        assert_eq!(values("X=-0.3:0.3:0.1"), [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]);
        assert_eq!(values("X=0:1:0.4"), [0.0, 0.4, 0.8]);
        assert_eq!(values("X=2:2:1"), [2.0]);
        assert_eq!(grid("a=b=0:1:1", &variables()).unwrap(), Grid { node: 1, values: vec![0.0, 1.0] });
    }

    #[test]
    fn wrong_ranges_and_actions_are_refused() {
        let grid_refusal = |text: &str| grid(text, &variables()).unwrap_err().to_string();
        assert_eq!(grid_refusal("X=1:2"), "--grid X=1:2: a range is start:stop:step");
        assert_eq!(grid_refusal("X=1:2:x"), "--grid X=1:2:x: `x` is not a finite number");
        assert_eq!(grid_refusal("Y=1:2:1"), "--grid Y=1:2:1: the model has no variable `Y`");
        assert!(
            grid_refusal("X=2:1:1").ends_with("the step must be positive and the stop not below the start")
        );
        assert!(grid_refusal("X=0:1:1e-9").ends_with("points are too many"));
        let refusal = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(ToString::to_string).collect();
            interventions(&given, &variables()).unwrap_err().to_string()
        };
        assert_eq!(refusal(&["X"]), "--do X: there is no `=`");
        assert_eq!(refusal(&["X=inf"]), "--do X=inf: `inf` is not a finite number");
        assert_eq!(refusal(&["X=1", "X=2"]), "--do X=2: `X` is set twice");
    }
}
