//! What the user knows beforehand: it restricts orders and parents, strictly.

use std::collections::BTreeMap;

use crate::{Action, Dag, Error, Ordering, Result};

/// Background knowledge about the columns `0..d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    d: usize,
    required: Vec<(usize, usize)>,
    /// `forbidden[from * d + to]`: `from` is not a direct cause of `to`.
    forbidden: Vec<bool>,
    precedence: Precedence,
    /// What conditions do to each column, by name.
    actions: BTreeMap<String, Vec<Action>>,
}

/// Background knowledge as the user writes it, by column name.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    tiers: Vec<Vec<String>>,
    required: Vec<(String, String)>,
    forbidden: Vec<(String, String)>,
    roots: Vec<String>,
    leaves: Vec<String>,
    conditions: BTreeMap<String, toml::Value>,
}

impl Knowledge {
    /// Nothing is known.
    pub fn none(d: usize) -> Self {
        let precedence = Precedence::from_relation(d, vec![false; d * d]);
        Self { d, required: Vec::new(), forbidden: vec![false; d * d], precedence, actions: BTreeMap::new() }
    }

    /// A graph is known: no other edge is allowed.
    pub fn of_graph(graph: &Dag) -> Self {
        let d = graph.nodes();
        let forbidden = (0..d * d).map(|k| !graph.has(k / d, k % d)).collect();
        Self { forbidden, ..Self::none(d) }
    }

    /// Reads the TOML of a knowledge file: `tiers`, `required`, `forbidden`, `roots`, `leaves`, `conditions`.
    pub fn from_toml(text: &str, columns: &[String]) -> Result<Self> {
        let written: Written = toml::from_str(text).map_err(|e| {
            Error::input(e.to_string().trim_end().to_string()).with_hint(
                "the keys are tiers, required, forbidden, roots, leaves and conditions, holding column names",
            )
        })?;
        let index = |name: &String| index_of(name, columns);
        let pairs = |list: &[(String, String)]| -> Result<Vec<(usize, usize)>> {
            list.iter().map(|(from, to)| Ok((index(from)?, index(to)?))).collect()
        };
        let nodes = |list: &[String]| list.iter().map(index).collect::<Result<Vec<_>>>();
        let tiers = written.tiers.iter().map(|tier| nodes(tier)).collect::<Result<Vec<_>>>()?;
        let known = Self::new(
            columns,
            &tiers,
            &pairs(&written.required)?,
            &pairs(&written.forbidden)?,
            &nodes(&written.roots)?,
            &nodes(&written.leaves)?,
        )?;
        let actions = (written.conditions.into_iter())
            .map(|(name, written)| {
                let actions = actions(written, columns).map_err(|e| e.at(format!("conditions, `{name}`")))?;
                Ok((name, actions))
            })
            .collect::<Result<_>>()?;
        Ok(Self { actions, ..known })
    }

    /// Combines everything that is known; refuses contradictions, naming the columns.
    pub fn new(
        columns: &[String],
        tiers: &[Vec<usize>],
        required: &[(usize, usize)],
        forbidden: &[(usize, usize)],
        roots: &[usize],
        leaves: &[usize],
    ) -> Result<Self> {
        let d = columns.len();
        let arrow = |&(from, to): &(usize, usize)| format!("`{}` → `{}`", columns[from], columns[to]);
        Dag::new(d, required).map_err(|_| {
            let edges: Vec<String> = required.iter().map(arrow).collect();
            Error::input(format!("the required edges form a cycle: {}", edges.join(", ")))
                .with_hint("remove one of them")
        })?;

        let tier = tier_of(columns, tiers)?;
        let mut no_edge = vec![false; d * d];
        for &(from, to) in forbidden {
            no_edge[from * d + to] = true;
        }
        for node in 0..d {
            no_edge[node * d + node] = true;
            for &root in roots {
                no_edge[node * d + root] = true;
            }
            for &leaf in leaves {
                no_edge[leaf * d + node] = true;
            }
        }
        let mut before = vec![false; d * d];
        for from in 0..d {
            for to in 0..d {
                if let (Some(a), Some(b)) = (tier[from], tier[to]) {
                    before[from * d + to] = a < b;
                    no_edge[from * d + to] |= a > b;
                }
            }
        }
        for edge in required {
            let &(from, to) = edge;
            if before[to * d + from] {
                return Err(Error::input(format!(
                    "the required edge {} goes against the tiers",
                    arrow(edge)
                ))
                .with_hint("move one of the two columns to another tier or drop the edge"));
            }
            if no_edge[from * d + to] {
                return Err(Error::input(format!("the required edge {} is also forbidden", arrow(edge)))
                    .with_hint("look at forbidden, roots and leaves"));
            }
            before[from * d + to] = true;
        }
        let precedence = Precedence::from_relation(d, before);
        if let Some(node) = (0..d).find(|&node| precedence.requires(node, node)) {
            return Err(Error::input(format!(
                "tiers and required edges together put `{}` before itself",
                columns[node]
            ))
            .with_hint("a chain of required edges goes back to an earlier tier"));
        }
        Ok(Self { d, required: required.to_vec(), forbidden: no_edge, precedence, actions: BTreeMap::new() })
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.d
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::none(self.d)
    }

    /// The edges that must be in the graph.
    pub fn required(&self) -> &[(usize, usize)] {
        &self.required
    }

    /// Whether `from` may be a direct cause of `to` as far as edges go (orders are [`Self::precedence`]).
    pub fn allows(&self, from: usize, to: usize) -> bool {
        from != to && !self.forbidden[from * self.d + to]
    }

    /// What conditions do to each column, by the conditions' names; of those that are not there nobody knows.
    pub fn actions(&self) -> &BTreeMap<String, Vec<Action>> {
        &self.actions
    }

    /// Which nodes must come before which.
    pub fn precedence(&self) -> &Precedence {
        &self.precedence
    }
}

/// A strict partial order on nodes, closed transitively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precedence {
    d: usize,
    before: Vec<bool>,
}

impl Precedence {
    /// The transitive closure of `relation[a * d + b]`: a before b.
    pub fn from_relation(d: usize, mut relation: Vec<bool>) -> Self {
        for via in 0..d {
            for a in 0..d {
                if relation[a * d + via] {
                    for b in 0..d {
                        relation[a * d + b] |= relation[via * d + b];
                    }
                }
            }
        }
        Self { d, before: relation }
    }

    /// Whether `a` must come before `b`.
    pub fn requires(&self, a: usize, b: usize) -> bool {
        self.before[a * self.d + b]
    }

    /// Whether any order will do.
    pub fn is_free(&self) -> bool {
        !self.before.contains(&true)
    }

    /// Whether an order respects it.
    pub fn admits(&self, order: &Ordering) -> bool {
        let positions = order.positions();
        (0..self.d * self.d).all(|k| !self.before[k] || positions[k / self.d] < positions[k % self.d])
    }

    /// The topological sort that always takes the free node with the smallest priority; `None` on a cycle.
    pub fn sort(&self, priority: &[f64]) -> Option<Ordering> {
        let mut left: Vec<usize> = Ordering::by_priority(priority).nodes().to_vec();
        let mut nodes = Vec::with_capacity(self.d);
        while !left.is_empty() {
            let next = left.iter().position(|&b| !left.iter().any(|&a| self.requires(a, b)))?;
            nodes.push(left.remove(next));
        }
        Some(Ordering::new(nodes).expect("every node was taken once"))
    }

    /// An admitted order near `order`: its positions are the priorities of a topological sort.
    pub fn project(&self, order: &Ordering) -> Ordering {
        let priority: Vec<f64> = order.positions().iter().map(|&p| p as f64).collect();
        self.sort(&priority).expect("knowledge is acyclic by construction")
    }
}

/// What is written of a condition: the columns that it sets, or a table that also says how, or that nobody knows.
fn actions(written: toml::Value, columns: &[String]) -> Result<Vec<Action>> {
    const EXAMPLE: &str = "write a list of columns, such as [\"a\"], or { targets = [\"a\"], kind = \"imperfect\" }, \
        or { targets = \"unknown\" }";
    let refuse = |why: String| Error::input(why).with_hint(EXAMPLE);
    let (targets, kind) = match written {
        toml::Value::Table(mut table) => {
            let (targets, kind) = (table.remove("targets"), table.remove("kind"));
            if let Some(other) = table.keys().next() {
                return Err(refuse(format!("unknown key `{other}`")));
            }
            (targets.unwrap_or_else(|| toml::Value::Array(Vec::new())), kind)
        }
        list => (list, None),
    };
    let action = match kind.as_ref().map(|kind| kind.as_str()) {
        None | Some(Some("perfect")) => Action::Sets,
        Some(Some("imperfect")) => Action::Changes,
        Some(_) => return Err(refuse("the kind is neither `perfect` nor `imperfect`".into())),
    };
    match targets {
        toml::Value::String(word) if word == "unknown" && kind.is_none() => {
            Ok(vec![Action::Unknown; columns.len()])
        }
        toml::Value::Array(list) => {
            let mut actions = vec![Action::Nothing; columns.len()];
            for target in list {
                let name = target.as_str().ok_or_else(|| refuse(format!("{target} is no column")))?;
                actions[index_of(name, columns)?] = action;
            }
            Ok(actions)
        }
        _ => Err(refuse("the targets are neither a list of columns nor `unknown`".into())),
    }
}

/// The tier of each column, if it has one.
fn tier_of(columns: &[String], tiers: &[Vec<usize>]) -> Result<Vec<Option<usize>>> {
    let mut tier = vec![None; columns.len()];
    for (rank, members) in tiers.iter().enumerate() {
        for &node in members {
            if tier[node].replace(rank).is_some() {
                return Err(Error::input(format!("`{}` stands in two tiers", columns[node])));
            }
        }
    }
    Ok(tier)
}

/// The index of a column by name, with "did you mean" where it is missing.
pub(crate) fn index_of(name: &str, columns: &[String]) -> Result<usize> {
    columns.iter().position(|column| column == name).ok_or_else(|| {
        let error = Error::input(format!("there is no column `{name}`"));
        error.with_hint(crate::suggestion(name, columns.iter().map(String::as_str)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<String> {
        ["a", "b", "c", "d"].map(String::from).to_vec()
    }

    fn refusal(text: &str) -> String {
        Knowledge::from_toml(text, &columns()).unwrap_err().to_string()
    }

    #[test]
    fn contradictions_are_named() {
        assert_eq!(
            refusal("required = [['a','b'],['b','a']]"),
            "the required edges form a cycle: `a` → `b`, `b` → `a`"
        );
        assert_eq!(
            refusal("tiers = [['a'],['b']]\nrequired = [['b','a']]"),
            "the required edge `b` → `a` goes against the tiers"
        );
        assert_eq!(
            refusal("roots = ['b']\nrequired = [['a','b']]"),
            "the required edge `a` → `b` is also forbidden"
        );
        assert_eq!(
            refusal("tiers = [['a'],['b']]\nrequired = [['b','c'],['c','a']]"),
            "tiers and required edges together put `a` before itself"
        );
        assert_eq!(refusal("tiers = [['a'],['a']]"), "`a` stands in two tiers");
        assert_eq!(refusal("roots = ['z']"), "there is no column `z`");
        assert!(refusal("root = ['a']").contains("unknown field `root`"));
    }

    #[test]
    fn conditions_say_what_they_act_on_and_how() {
        use Action::{Changes, Nothing, Sets, Unknown};
        let text = "[conditions]\nwt = {}\nx = ['b', 'a']\ny = { targets = ['c'], kind = 'imperfect' }\nz = { targets = 'unknown' }";
        let known = Knowledge::from_toml(text, &columns()).unwrap();
        let of = |name: &str| known.actions()[name].clone();
        assert_eq!(of("wt"), [Nothing; 4]);
        assert_eq!(of("x"), [Sets, Sets, Nothing, Nothing]);
        assert_eq!(of("y"), [Nothing, Nothing, Changes, Nothing]);
        assert_eq!(of("z"), [Unknown; 4]);
        assert!(!known.is_empty());
        assert_eq!(refusal("[conditions]\nx = ['q']"), "conditions, `x`: there is no column `q`");
        assert_eq!(
            refusal("[conditions]\nx = 3"),
            "conditions, `x`: the targets are neither a list of columns nor `unknown`"
        );
        assert_eq!(
            refusal("[conditions]\nx = { targets = ['a'], kind = 'soft' }"),
            "conditions, `x`: the kind is neither `perfect` nor `imperfect`"
        );
        assert_eq!(refusal("[conditions]\nx = { target = ['a'] }"), "conditions, `x`: unknown key `target`");
    }

    #[test]
    fn tiers_restrict_orders_and_edges() {
        let known =
            Knowledge::from_toml("tiers = [['c'],['a','b']]\nforbidden = [['a','b']]", &columns()).unwrap();
        assert!(!known.allows(0, 2) && !known.allows(0, 1) && known.allows(1, 0) && known.allows(2, 0));
        let projected = known.precedence().project(&Ordering::identity(4));
        assert_eq!(projected.nodes(), [2, 0, 1, 3]);
        assert!(known.precedence().admits(&projected));
        assert!(!known.precedence().admits(&Ordering::identity(4)));
    }
}
