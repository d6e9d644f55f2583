//! The part of `run.json` that the head of the page and its picture are made of.

use oslow_core::{Edge, Error, Result};
use oslow_report::EdgeAttributes;
use serde::Deserialize;

use crate::TableEvidence;

/// So many links are named in the summary.
const SUREST: usize = 3;

/// A run.
#[derive(Deserialize)]
pub(super) struct WrittenRun {
    method: String,
    prune: String,
    dataset: Option<String>,
    rows: usize,
    pub columns: Vec<String>,
    pub order: Option<Vec<String>>,
    edges: Vec<WrittenEdge>,
    #[serde(default)]
    checks: Vec<WrittenCheck>,
    #[serde(default)]
    interrupted: bool,
    pub seed: u64,
}

#[derive(Deserialize)]
struct WrittenEdge {
    from: String,
    to: String,
    p_value: Option<f64>,
    confidence: Option<f64>,
    direction_confidence: Option<f64>,
    direction: Option<String>,
}

#[derive(Deserialize)]
struct WrittenCheck {
    verdict: String,
}

impl WrittenRun {
    /// The edges by column, with what is known of them.
    pub fn edges(&self) -> Result<Vec<(Edge, EdgeAttributes)>> {
        let node = |name: &str| {
            let place = self.columns.iter().position(|column| column == name);
            place.ok_or_else(|| Error::input(format!("an edge names `{name}`, which is no column")))
        };
        let known = |edge: &WrittenEdge| EdgeAttributes {
            p_value: edge.p_value,
            confidence: edge.confidence,
            direction_confidence: edge.direction_confidence,
            decided: edge.direction.as_deref().map(|direction| direction == "decided"),
        };
        self.edges.iter().map(|edge| Ok(((node(&edge.from)?, node(&edge.to)?), known(edge)))).collect()
    }

    /// Whether evidence is that of this run, and not of one that was changed since.
    pub fn is_shown_by(&self, evidence: &TableEvidence) -> bool {
        evidence.columns.len() == self.columns.len() && evidence.edges.len() == self.edges.len()
    }

    /// The places of the edges, the surest first, or those whose columns go together most closely.
    pub fn strongest(&self, evidence: Option<&TableEvidence>) -> Vec<usize> {
        let correlation = |k: usize| evidence.and_then(|evidence| evidence.edges[k].rank_correlation);
        let strength = |k: usize| self.edges[k].confidence.or(correlation(k).map(f64::abs)).unwrap_or(0.0);
        let mut places: Vec<usize> = (0..self.edges.len()).collect();
        places.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)));
        places
    }

    /// What the data are called.
    pub fn title(&self) -> String {
        if self.dataset.as_deref() == Some(oslow_data::STANDARD_INPUT) {
            return "A table from standard input".into();
        }
        let file = |name: &String| name.rsplit(['/', '\\']).next().map(String::from);
        self.dataset.as_ref().and_then(file).unwrap_or_else(|| "A table".into())
    }

    /// The answer in a few sentences.
    pub fn summary(&self) -> Vec<String> {
        let undecided = |edge: &&WrittenEdge| edge.direction.as_deref() == Some("undecided");
        let (all, open) = (self.edges.len(), self.edges.iter().filter(undecided).count());
        let table = format!("{} rows and {} columns", thousands(self.rows), self.columns.len());
        let direction = if self.edges.iter().all(|edge| edge.direction.is_none()) {
            format!("The method {} gives each a direction, but does not say how sure it is.", self.method)
        } else if open == 0 {
            "The data tell the direction of each: which column is the cause, and which the effect.".into()
        } else if open == all {
            "The data do not tell for any of them which column is the cause.".into()
        } else {
            let (told, rest) = (all - open, if open == 1 { "the other" } else { "the others" });
            format!("For {told} of them the data tell which column is the cause; for {rest} they do not.")
        };
        let links = if all == 1 { "1 link".into() } else { format!("{} links", thousands(all)) };
        let found = if self.interrupted { "had found" } else { "found" };
        match (all, self.prune.as_str()) {
            (0, _) => vec![format!("In {table}, oslow {found} no link.")],
            (_, "none") if self.order.is_some() => vec![format!(
                "In {table}, oslow learned a causal order. Nobody thinned the graph: each column is linked with every later one that may be its effect."
            )],
            _ => {
                let found = format!("In {table}, oslow {found} {links} between columns.");
                [found, direction].into_iter().chain(self.surest()).collect()
            }
        }
    }

    /// The surest links with a direction.
    fn surest(&self) -> Option<String> {
        let sure = |place: &usize| {
            let edge = &self.edges[*place];
            edge.confidence.is_some() && edge.direction.as_deref() == Some("decided")
        };
        let chosen = self.strongest(None).into_iter().filter(sure).take(SUREST);
        let named: Vec<String> = chosen.map(|place| self.edges[place].name()).collect();
        (!named.is_empty()).then(|| format!("Surest: {}.", named.join(", ")))
    }

    /// What must not be overlooked.
    pub fn warnings(&self) -> Vec<String> {
        let violated = self.checks.iter().filter(|check| check.verdict == "violated").count();
        let stopped = "This run was stopped before it was finished. What follows is incomplete.";
        let speak = if violated == 1 { "speaks" } else { "speak" };
        let against = format!(
            "{violated} of {} checks {speak} against an assumption. Read the part Assumptions before you rely on the answer.",
            self.checks.len()
        );
        let all = [(self.interrupted, stopped.to_string()), (violated > 0, against)];
        all.into_iter().filter_map(|(holds, text)| holds.then_some(text)).collect()
    }
}

impl WrittenEdge {
    fn name(&self) -> String {
        format!("{} → {}", self.from, self.to)
    }
}

/// A number with a comma before each three digits.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let place = |(k, digit): (usize, char)| {
        let comma = k > 0 && (digits.len() - k).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(rest: &str) -> WrittenRun {
        let text = format!(
            "{{\"method\": \"m\", \"prune\": \"p\", \"dataset\": \"data/of me.csv\", \"rows\": 12345, \"seed\": 0, \
             \"columns\": [\"a\", \"b\", \"c\"], \"order\": null, {rest}}}"
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_answer_is_told_in_words() {
        let none = run("\"edges\": []");
        assert_eq!(none.summary(), ["In 12,345 rows and 3 columns, oslow found no link."]);
        assert_eq!((none.title().as_str(), none.warnings().len()), ("of me.csv", 0));
        let piped = WrittenRun { dataset: Some("-".into()), ..run("\"edges\": []") };
        assert_eq!(piped.title(), "A table from standard input");
        let plain = run("\"edges\": [{\"from\": \"a\", \"to\": \"b\"}]");
        assert_eq!(plain.summary()[0], "In 12,345 rows and 3 columns, oslow found 1 link between columns.");
        assert!(plain.summary()[1].contains("does not say how sure it is"));
        let edge = |direction| {
            format!("{{\"from\": \"a\", \"to\": \"b\", \"confidence\": 0.9, \"direction\": \"{direction}\"}}")
        };
        let some = run(&format!("\"edges\": [{}, {}]", edge("decided"), edge("undecided")));
        assert_eq!(
            some.summary()[1],
            "For 1 of them the data tell which column is the cause; for the other they do not."
        );
        assert_eq!(some.summary()[2], "Surest: a → b.");
    }

    #[test]
    fn a_stop_and_a_violated_assumption_are_loud() {
        let stopped = run(
            "\"edges\": [], \"interrupted\": true, \"checks\": [{\"verdict\": \"violated\"}, {\"verdict\": \"fine\"}]",
        );
        let [stop, against] = &stopped.warnings()[..] else { panic!("two warnings") };
        assert!(
            stop.contains("stopped before it was finished") && against.starts_with("1 of 2 checks speaks")
        );
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
