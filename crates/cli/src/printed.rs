//! A discovery in words.

mod conditions;
mod effect;

pub use effect::effect;

use oslow::{
    Check, Confidence, Direction, DiscoveredEdge, Discovery, EdgeEvidence, OrderAlternative, OrderPair,
    Standardize, Transform, pruners,
};

use crate::visible::in_one_line;

/// As many edges as are listed though nobody pruned them.
const SHORT: usize = 10;
/// A gap that is no more than rounding, in nats per row.
const PROVED: f64 = 1e-9;
/// A pair of variables that stood one way round less often than this is doubtful …
const SURE: f64 = 0.95;
/// … and so many of the most doubtful ones are named.
const DOUBTS: usize = 5;

/// The answer and what speaks for it, one thing a line.
pub fn discovery(found: &Discovery) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    match &found.order {
        Some(order) => lines.push(("order", arrows(&order.names(&found.columns)))),
        None if found.edges.is_empty() && found.interrupted => {
            lines.push(("order", "none: the run was stopped before anything was learned".into()));
        }
        None => lines.push(("order", format!("`{}` yields none", found.method))),
    }
    if let Some(nll) = found.nll {
        let without =
            found.nll_no_causes.map_or_else(String::new, |none| format!(" ({none:.4} without causes)"));
        lines.push((
            "nll",
            format!("{nll:.4} nats per held-out row, in {}{without}", units(found.standardize)),
        ));
    }
    if let Some(ties) = found.ties.filter(|ties| *ties > 1 && found.probabilities.is_none()) {
        lines.push(("ties", format!("{ties} orders are equally good; this is one of them")));
    }
    if !found.determined.is_empty() {
        lines.push(("same", determined(found)));
    }
    if let Some(gap) = found.gap {
        lines.push(("gap", of_gap(gap)));
    }
    lines.extend(others(found).map(|other| ("other", alternative(other, found))));
    lines
        .extend(found.confidence.as_ref().and_then(|known| Some(("unsure", doubts(known, &found.columns)?))));
    lines.push(("edges", edge_summary(found)));
    if found.edges.len() <= SHORT || found.prune != "none" || found.order.is_none() {
        lines.extend(edge_lines(found).into_iter().map(|line| ("", line)));
    }
    lines.extend(also(found).map(|text| ("also", text)));
    lines.extend(labelled("acts", conditions::conditions(&found.conditions, &found.columns)));
    lines.extend(types(found).map(|text| ("types", text)));
    lines.extend(missing(found).map(|text| ("missing", text)));
    lines.extend(transformed(found).map(|text| ("scale", text)));
    lines.extend(spread(found).map(|text| ("grid", text)));
    lines.extend(labelled("checks", checks(found)));
    lines.extend(labelled("assumes", found.assumptions.iter().map(ToString::to_string)));
    let removed = match found.rows_removed {
        0 => String::new(),
        n => format!(" ({n} removed as outliers)"),
    };
    let drawn = found.rows_drawn.map(|drawn| format!("{drawn} drawn at random of ")).unwrap_or_default();
    let resamples = match &found.confidence {
        None => String::new(),
        Some(known) => format!(", {}", resamples(known.finished)),
    };
    lines.push((
        "run",
        format!(
            "{}, pruner {}, {drawn}{} rows{removed}{resamples}, seed {}, {:.1} s",
            found.method, found.prune, found.rows, found.seed.0, found.seconds
        ),
    ));
    lines.iter().map(|(label, text)| format!("{label:8}{}\n", in_one_line(text))).collect()
}

/// What is known of orders that were not looked at.
fn of_gap(gap: f64) -> String {
    if gap < PROVED {
        "no order is better, given the sets of causes that were scored: proved".into()
    } else {
        format!(
            "no order is better by more than {gap:.4} nats per row, given the sets of causes that were scored; the search was not exact"
        )
    }
}

/// Several lines under one label.
fn labelled(
    label: &'static str,
    texts: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = (&'static str, String)> {
    texts.into_iter().enumerate().map(move |(k, text)| (if k == 0 { label } else { "" }, text))
}

/// Pairs that determine each other.
fn determined(found: &Discovery) -> String {
    let pair = |&(a, b): &(usize, usize)| format!("{} – {}", found.columns[a], found.columns[b]);
    let named = first_few(&found.determined.iter().map(pair).collect::<Vec<_>>());
    format!("{named}: each column determines the other, so the data cannot tell which is the cause")
}

/// What speaks against the assumptions, in a line each.
fn checks(found: &Discovery) -> Vec<String> {
    let violated = || found.checks.iter().filter(|check| check.violated);
    let (all, bad) = (found.checks.len(), violated().count());
    if all == 0 {
        return Vec::new();
    }
    if bad == 0 {
        return vec![format!(
            "the data speak against none of the assumptions that can be checked ({all} checks)"
        )];
    }
    let mut lines = vec![format!(
        "{bad} of {all} speak against an assumption; confidences hold only if the assumptions do"
    )];
    lines.extend(violated().take(DOUBTS).map(check_line));
    lines.extend((bad > DOUBTS).then(|| format!("and {} more: see `checks` in the JSON", bad - DOUBTS)));
    lines
}

/// Every check, those that speak against an assumption first.
pub fn all_checks(checks: &[Check]) -> String {
    let mut sorted: Vec<&Check> = checks.iter().collect();
    sorted.sort_by_key(|check| !check.violated);
    sorted
        .iter()
        .map(|check| format!("{:10}{}\n", check.verdict(), in_one_line(&check_line(check))))
        .collect()
}

fn check_line(check: &Check) -> String {
    let p_value = check.p_value.map(|p| format!(" (p {})", small(p))).unwrap_or_default();
    format!("{}{p_value}", check.meaning)
}

/// A small p-value.
fn small(p: f64) -> String {
    match p {
        p if p < 1e-10 => "< 1e-10".into(),
        p if p < 0.01 => format!("= {p:.1e}"),
        p => format!("= {p:.2}"),
    }
}

/// Which columns are discrete.
fn types(found: &Discovery) -> Option<String> {
    let discrete = |(name, seen): (&String, &oslow::SeenColumn)| {
        seen.kind.is_discrete().then(|| format!("{name} ({})", seen.kind))
    };
    let named: Vec<String> = found.columns.iter().zip(&found.seen).filter_map(discrete).collect();
    (!named.is_empty()).then(|| format!("{}; the others are continuous", first_few(&named)))
}

/// Which columns have gaps, and what was done about them.
fn missing(found: &Discovery) -> Option<String> {
    let share = |(name, seen): (&String, &oslow::SeenColumn)| {
        let percent = 100.0 * seen.missing as f64 / found.rows as f64;
        (seen.missing > 0).then(|| format!("{name} {:.0} %", percent.max(1.0)))
    };
    let named: Vec<String> = found.columns.iter().zip(&found.seen).filter_map(share).collect();
    (!named.is_empty()).then(|| {
        format!(
            "{}: filled several times with values of rows that are alike; confidences contain that doubt",
            first_few(&named)
        )
    })
}

/// Which columns were replaced by a function of them.
fn transformed(found: &Discovery) -> Option<String> {
    let all = || found.columns.iter().zip(&found.seen);
    let as_one = |transform: Transform, how: &str| {
        let changed = all().filter(|(_, seen)| seen.transform == transform);
        let named: Vec<String> = changed.map(|(name, _)| name.clone()).collect();
        let columns = match named.len() {
            0 => return None,
            count if count == found.columns.len() => "all columns".into(),
            _ => first_few(&named),
        };
        Some(format!("{columns} as {how}"))
    };
    let from_end = |(name, seen): (&String, &oslow::SeenColumn)| {
        seen.end.map(|end| format!("{name} (end at {})", significant(end)))
    };
    let from_ends: Vec<String> = all().filter_map(from_end).collect();
    let from_ends = (!from_ends.is_empty())
        .then(|| format!("{} as logarithms of the distance from that end", first_few(&from_ends)));
    let ways: Vec<String> = [
        as_one(Transform::NormalScores, "normal scores (normal quantiles at the ranks)"),
        as_one(Transform::Log, "logarithms"),
        from_ends,
    ]
    .into_iter()
    .flatten()
    .collect();
    (!ways.is_empty()).then(|| format!("oslow analysed {}", ways.join("; ")))
}

/// Which columns lay on a grid.
fn spread(found: &Discovery) -> Option<String> {
    let step = |(name, seen): (&String, &oslow::SeenColumn)| {
        seen.grid.map(|step| format!("{name} (step {})", significant(step)))
    };
    let named: Vec<String> = found.columns.iter().zip(&found.seen).filter_map(step).collect();
    (!named.is_empty()).then(|| format!("{}: values spread at random over one step", first_few(&named)))
}

/// Three significant digits.
fn significant(value: f64) -> String {
    format!("{value:.2e}").parse::<f64>().unwrap_or(value).to_string()
}

/// The first names of a list, and how many more there are.
fn first_few(names: &[String]) -> String {
    let more = match names.len().saturating_sub(DOUBTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(DOUBTS)].join(", "))
}

/// The pairs of variables whose order the resamples disagree about most; `None` where they have no order.
fn doubts(known: &Confidence, columns: &[String]) -> Option<String> {
    let mut pairs = known.order_pairs.as_ref()?.most_doubtful();
    pairs.retain(|pair| pair.share < SURE);
    let of = resamples(known.finished);
    if pairs.is_empty() {
        return Some(format!("no pair of variables changed places in more than 5 % of {of}"));
    }
    let pair = |pair: &OrderPair| {
        format!("{} before {} {:.2}", columns[pair.first], columns[pair.second], pair.share)
    };
    let named: Vec<String> = pairs.iter().take(DOUBTS).map(pair).collect();
    let more = match pairs.len().saturating_sub(DOUBTS) {
        0 => String::new(),
        n => format!(", {n} more"),
    };
    Some(format!("{}{more} (share of {of})", named.join(", ")))
}

fn resamples(number: usize) -> String {
    if number == 1 { "1 resample".into() } else { format!("{number} resamples") }
}

fn arrows(names: &[&str]) -> String {
    names.join(" → ")
}

fn units(standardize: Standardize) -> &'static str {
    match standardize {
        Standardize::ZScore => "standardised units",
        Standardize::None => "the data's units",
    }
}

/// The alternatives that differ from the answer.
fn others(found: &Discovery) -> impl Iterator<Item = &OrderAlternative> {
    found.alternatives.iter().filter(|other| Some(&other.order) != found.order.as_ref())
}

fn alternative(other: &OrderAlternative, found: &Discovery) -> String {
    let nll = other.nll.map(|nll| format!(", nll {nll:.4}")).unwrap_or_default();
    format!("{}  ({}{nll})", arrows(&other.order.names(&found.columns)), other.rule)
}

fn edge_summary(found: &Discovery) -> String {
    let count = found.edges.len();
    if found.unpruned {
        return format!(
            "{count}, unpruned: there was no time to prune; `oslow prune` does it for this order"
        );
    }
    if found.prune != "none" || found.order.is_none() {
        return count.to_string();
    }
    let d = found.columns.len();
    let all = if count == d * (d - 1) / 2 { "every" } else { "every allowed" };
    let remedy =
        if pruners().count() > 1 { "; thin them with `--prune`, see `oslow list pruners`" } else { "" };
    format!("{count}, unpruned: {all} earlier variable is a candidate cause of each later one{remedy}")
}

/// One line an edge: those with a direction first, the surest of them first.
fn edge_lines(found: &Discovery) -> Vec<String> {
    let undecided = |edge: &DiscoveredEdge| edge.direction == Some(Direction::Undecided);
    let linked = |edge: &DiscoveredEdge| {
        found.probabilities.as_ref().map_or(0.0, |known| known.adjacent(edge.from, edge.to))
    };
    let mut edges: Vec<&DiscoveredEdge> = found.edges.iter().collect();
    let rank =
        |edge: &DiscoveredEdge| if undecided(edge) { linked(edge) } else { edge.confidence.unwrap_or(0.0) };
    edges.sort_by(|a, b| undecided(a).cmp(&undecided(b)).then(rank(b).total_cmp(&rank(a))));
    let cells: Vec<[String; 3]> = edges
        .iter()
        .map(|edge| {
            let [from, to] = [edge.from, edge.to].map(|node| &found.columns[node]);
            let confidence = edge.confidence.map(|known| format!("confidence {}", probability(known)));
            if undecided(edge) {
                let this_way = probability(edge.direction_confidence.unwrap_or(0.5));
                let sure = format!("linked {}, {from} → {to} {this_way}", probability(linked(edge)));
                [format!("{from} — {to}"), sure, strength(edge)]
            } else {
                let sure: Vec<String> = p_value(edge).into_iter().chain(confidence).collect();
                [format!("{from} → {to}"), sure.join(", "), strength(edge)]
            }
        })
        .collect();
    let widest = |k: usize| cells.iter().map(|line| line[k].chars().count()).max().unwrap_or(0);
    let (first, second) = (widest(0), widest(1));
    let line = |[name, sure, strength]: &[String; 3]| {
        format!("{name:first$}  {sure:second$}  {strength}").trim_end().to_string()
    };
    cells.iter().map(line).collect()
}

fn p_value(edge: &DiscoveredEdge) -> Option<String> {
    // Where not even the smallest number can hold it, the p-value is still not 0.
    edge.p_value.map(|p| if p == 0.0 { "p < 1e-300".into() } else { format!("p = {p:.2e}") })
}

/// What the cause is worth and what it does.
fn strength(edge: &DiscoveredEdge) -> String {
    let told =
        |known: EdgeEvidence| format!("gain {:.2} ± {:.2}, {}", known.gain, known.gain_error, known.effect);
    edge.strength.map(told).unwrap_or_default()
}

/// Two digits, and never sure.
fn probability(value: f64) -> String {
    match value {
        value if value > 0.99 => "> 0.99".into(),
        value if value < 0.01 => "< 0.01".into(),
        value => format!("{value:.2}"),
    }
}

/// Pairs that likely have an edge though the graph has none: other causes predict nearly as well without it.
fn also(found: &Discovery) -> Option<String> {
    let known = found.probabilities.as_ref()?;
    let pair = |&(a, b): &(usize, usize)| {
        format!("{} — {} {}", found.columns[a], found.columns[b], probability(known.adjacent(a, b)))
    };
    let named: Vec<String> = found.other_likely_pairs().iter().map(pair).collect();
    (!named.is_empty()).then(|| {
        format!("{}: likely linked, but the causes above predict nearly as well without", first_few(&named))
    })
}
