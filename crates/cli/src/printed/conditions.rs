//! What conditions act on, in words.

use oslow::{Action, FoundCondition, Target};

/// A line for each condition.
pub fn conditions(all: &[FoundCondition], columns: &[String]) -> Vec<String> {
    all.iter()
        .map(|condition| format!("{}: {}", named(condition), acts(&condition.targets, columns)))
        .collect()
}

fn named(condition: &FoundCondition) -> String {
    let name = if condition.name.is_empty() { "nothing set" } else { &condition.name };
    format!("{name} ({} rows)", condition.rows)
}

fn acts(targets: &[Target], columns: &[String]) -> String {
    let of = |verb: &str, wanted: Action| {
        let named: Vec<String> = (targets.iter())
            .filter(|target| target.action == wanted)
            .map(|target| format!("{}{}", columns[target.column], gain(target)))
            .collect();
        (!named.is_empty()).then(|| format!("{verb} {}", named.join(", ")))
    };
    let all =
        [("sets", Action::Sets), ("changes", Action::Changes), ("was found to change", Action::Unknown)];
    let said: Vec<String> = all.into_iter().filter_map(|(verb, action)| of(verb, action)).collect();
    if said.is_empty() { "acts on no column".into() } else { said.join("; ") }
}

fn gain(target: &Target) -> String {
    target.gain.map(|(gain, error)| format!(" (gain {gain:.2} ± {error:.2})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_and_what_was_found_are_told_apart() {
        let columns = ["a", "b", "c"].map(String::from);
        let target = |column, action, gain| Target { condition: 0, column, action, gain };
        let found = |name: &str, targets| FoundCondition { name: name.into(), rows: 40, targets };
        let all = [
            found("", Vec::new()),
            found("x", vec![target(0, Action::Sets, None), target(1, Action::Unknown, Some((0.5, 0.125)))]),
            found("y", vec![target(1, Action::Changes, None), target(2, Action::Changes, None)]),
        ];
        assert_eq!(
            conditions(&all, &columns),
            [
                "nothing set (40 rows): acts on no column",
                "x (40 rows): sets a; was found to change b (gain 0.50 ± 0.12)",
                "y (40 rows): changes b, c"
            ]
        );
    }
}
