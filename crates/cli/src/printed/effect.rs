//! An average effect in words.

use oslow::{MeanEffect, Setting};

use super::significant;

/// The effect, the probability that there is none, and what it rests on; then the curve, where one was asked for.
pub fn effect(found: &MeanEffect) -> String {
    let MeanEffect { on, target, .. } = found;
    let [from, to] = [&found.from, &found.to].map(|setting| shown(setting, found));
    let mut lines = vec![format!(
        "setting {on} from {from} to {to}{} changes {} by {} ({} interval {} to {})",
        chosen(found),
        measured(found),
        significant(found.mean),
        percent(found.coverage),
        significant(found.low),
        significant(found.high)
    )];
    if let Some(p) = found.p_no_effect {
        lines.push(format!(
            "probability of no effect {p:.2}: that {on} is not a cause of {target}, directly or indirectly"
        ));
    }
    lines.push(format!("{}; holds if the assumptions hold", adjusted(found)));
    if !found.curve.is_empty() {
        lines.push(format!("\n{on}  {}  {} interval", measured(found), percent(found.coverage)));
        lines.extend(found.curve.iter().map(|point| {
            let [mean, low, high] = [point.mean, point.low, point.high].map(significant);
            format!("{}  {mean}  {low} to {high}", point.value)
        }));
    }
    lines.join("\n") + "\n"
}

/// A value as the user gave it; one that oslow chose is rounded.
fn shown(setting: &Setting, found: &MeanEffect) -> String {
    match setting {
        Setting::Number(value) if !chosen(found).is_empty() => significant(*value),
        given => given.to_string(),
    }
}

/// Why these values, where the user did not choose them.
fn chosen(found: &MeanEffect) -> &'static str {
    match found.chosen {
        "quartiles" => " (lower to upper quartile)",
        "two levels" => " (its two levels)",
        "range" => " (smallest to largest value)",
        _ => "",
    }
}

fn measured(found: &MeanEffect) -> String {
    match &found.level {
        Some(level) => format!("the probability of {} = {level}", found.target),
        None => format!("the {} of {}", found.measure, found.target),
    }
}

fn adjusted(found: &MeanEffect) -> String {
    let on = &found.on;
    let named = |parents: &[String]| match parents {
        [] => "nothing".into(),
        _ => parents.join(", "),
    };
    match &found.parent_sets[..] {
        [only] => format!("adjusted for the causes of {on}: {}", named(&only.parents)),
        sets if found.sets_probability >= 0.95 => {
            format!("averaged over {} sets of causes of {on}", sets.len())
        }
        sets => format!(
            "averaged over the {} likeliest sets of causes of {on} (together {})",
            sets.len(),
            percent(found.sets_probability)
        ),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
