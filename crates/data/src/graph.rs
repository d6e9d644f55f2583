//! Graphs in: a table of edges, or an adjacency matrix, row → column.

use std::collections::HashMap;
use std::path::Path;

use csv::StringRecord;
use oslow_core::{Dag, Edge, Error, Result, suggestion};

use crate::lines::Lines;
use crate::{bytes_of, csv as text, dialect, format, format::Format, npy, table};

/// A graph as a file has it: not yet checked for cycles, as only [`over`](Self::over) knows all its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFile {
    /// The nodes: those of a matrix in its order, those of an edge table in the order in which they are named.
    pub names: Vec<String>,
    /// The edges, cause → effect, as indices into `names`.
    pub edges: Vec<Edge>,
    /// How it was written.
    pub layout: Layout,
    /// The file, for messages.
    source: String,
}

/// How a file writes a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A table with the columns `from` and `to` (or `source` and `target`, `cause` and `effect`). A node without edges is not in it.
    EdgeTable,
    /// A square matrix of 0 and 1, row → column, under the nodes' names.
    NamedMatrix,
    /// The same without names: the nodes are called X0, X1, … unless the caller knows better.
    PlainMatrix,
}

/// What the two columns of an edge table may be called; the first is what we write.
const EDGE_HEADERS: [(&str, &str); 3] = [("from", "to"), ("source", "target"), ("cause", "effect")];
const LAYOUTS: &str =
    "a graph is a table with the header from,to, or a square matrix of 0 and 1, row → column";

/// Reads a graph from `.csv`, `.tsv`, `.txt` or `.npy`: a table with the columns `from` and `to` (others are ignored; also `source`
/// and `target`, or `cause` and `effect`), or
/// a square matrix of 0 and 1, row → column, with or without a line of names (and then with or without row names).
///
/// Refuses repeated edges, loops and everything that is neither layout, naming file and line.
///
/// ```no_run
/// let columns = ["a", "b", "c"].map(String::from);
/// let truth = oslow_data::read_graph("truth.csv".as_ref())?.over(&columns)?;
/// assert!(!truth.has(0, 0));
/// # Ok::<(), oslow_data::Error>(())
/// ```
pub fn read_graph(path: &Path) -> Result<GraphFile> {
    table::check_exists(path, "graph")?;
    let read = || match Format::of(path)? {
        Format::Text | Format::Tabs => parse(&text::text(&bytes_of::of_file(path)?)?.0),
        Format::Npy => from_array(npy::read_array(path)?),
        Format::Parquet | Format::Workbook => {
            Err(Error::input("graphs are read from text and NumPy arrays only").with_hint("save it as .csv"))
        }
    };
    let graph = read().map_err(|e| e.at(path.display()))?;
    Ok(GraphFile { source: path.display().to_string(), ..graph })
}

impl GraphFile {
    /// The graph in a text; messages name its source.
    pub(crate) fn from_text(text: &str, source: &str) -> Result<Self> {
        let graph = parse(text).map_err(|e| e.at(source))?;
        Ok(Self { source: source.into(), ..graph })
    }

    /// The graph over these columns, in their order. Every name must be a column, columns that it does not name have no
    /// edges. A matrix without names needs as many columns as it has rows, and takes them in their order.
    pub fn over(&self, columns: &[String]) -> Result<Dag> {
        self.place(columns).map_err(|e| e.at(&self.source))
    }

    fn place(&self, columns: &[String]) -> Result<Dag> {
        let nodes: Vec<usize> = match self.layout {
            Layout::PlainMatrix if self.names.len() == columns.len() => (0..columns.len()).collect(),
            Layout::PlainMatrix => {
                let (d, wanted) = (self.names.len(), columns.len());
                return Err(Error::input(format!(
                    "{wanted} columns for a matrix of {d} nodes without names"
                ))
                .with_hint("write the names of its nodes into a first line"));
            }
            Layout::EdgeTable | Layout::NamedMatrix => {
                self.names.iter().map(|name| index_of(name, columns)).collect::<Result<_>>()?
            }
        };
        let edges: Vec<Edge> = self.edges.iter().map(|&(from, to)| (nodes[from], nodes[to])).collect();
        match Dag::find_cycle(columns.len(), &edges) {
            None => Dag::new(columns.len(), &edges),
            Some(cycle) => {
                let path: Vec<&str> = cycle.iter().map(|&node| columns[node].as_str()).collect();
                Err(Error::input(format!("the graph has a cycle: {}", path.join(" → ")))
                    .with_hint("a causal graph must be acyclic: remove one of these edges"))
            }
        }
    }
}

fn index_of(name: &str, columns: &[String]) -> Result<usize> {
    columns.iter().position(|column| column == name).ok_or_else(|| {
        Error::input(format!("there is no column `{name}`"))
            .with_hint(suggestion(name, columns.iter().map(String::as_str)))
    })
}

/// A line of the file, by its number.
type Line = (u64, StringRecord);

fn parse(content: &str) -> Result<GraphFile> {
    let mut lines = Lines::new(content, dialect::delimiter(content, '.'));
    let mut all: Vec<Line> = Vec::new();
    let mut record = StringRecord::new();
    while let Some(number) = lines.next(&mut record)? {
        all.push((number, record.clone()));
    }
    let Some((first, rest)) = all.split_first() else {
        return Err(Error::input("the file is empty").with_hint(LAYOUTS));
    };
    if let Some((number, record)) = rest.iter().find(|(_, record)| record.len() != first.1.len()) {
        return Err(text::ragged(*number, record.len(), first.0, first.1.len(), true)
            .with_hint("repair the line; a field that contains the delimiter must stand in quotes"));
    }
    let column = |name: &str| first.1.iter().position(|field| field.eq_ignore_ascii_case(name));
    match EDGE_HEADERS.iter().find_map(|(from, to)| column(from).zip(column(to))) {
        Some((from, to)) => edge_table(rest, from, to),
        None => matrix(&all),
    }
}

fn edge_table(lines: &[Line], from: usize, to: usize) -> Result<GraphFile> {
    let mut names: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut edges = EdgeList::default();
    for (number, record) in lines {
        let mut node = |field: usize| {
            let name = &record[field];
            if name.is_empty() {
                return Err(Error::input(format!("line {number}: an edge needs two names"))
                    .with_hint("write one edge a line, cause first"));
            }
            Ok(*known.entry(name.to_string()).or_insert_with(|| {
                names.push(name.to_string());
                names.len() - 1
            }))
        };
        let edge = (node(from)?, node(to)?);
        edges.add(edge, &names, format!("line {number}"))?;
    }
    Ok(GraphFile { names, edges: edges.edges, layout: Layout::EdgeTable, source: String::new() })
}

fn matrix(lines: &[Line]) -> Result<GraphFile> {
    let (number, first) = &lines[0];
    let row_names = first.len() > 1 && first[0].is_empty();
    let start = usize::from(row_names);
    let d = first.len() - start;
    // One line more than columns: names that look like numbers.
    let named = row_names || dialect::is_header(first.iter(), '.') || lines.len() == d + 1;
    let names: Vec<String> = match named {
        true => first.iter().skip(start).map(str::to_string).collect(),
        false => format::default_names(d),
    };
    let rows = &lines[usize::from(named)..];
    if rows.len() != d {
        return Err(not_square(rows.len(), d));
    }
    check_names(&names).map_err(|e| e.at(format_args!("line {number}")))?;
    let mut edges = EdgeList::default();
    for (from, (number, record)) in rows.iter().enumerate() {
        if row_names && record[0] != names[from] {
            return Err(Error::input(format!(
                "line {number}: the row is named `{}`, but its place in the header has `{}`",
                &record[0], names[from]
            ))
            .with_hint("rows and columns of an adjacency matrix have the same order"));
        }
        for (to, field) in record.iter().skip(start).enumerate() {
            let place = format!("line {number}, column `{}`", names[to]);
            if cell(field.parse().ok(), field, &place)? {
                edges.add((from, to), &names, place)?;
            }
        }
    }
    let layout = if named { Layout::NamedMatrix } else { Layout::PlainMatrix };
    Ok(GraphFile { names, edges: edges.edges, layout, source: String::new() })
}

fn from_array(array: npy::Array) -> Result<GraphFile> {
    let names = format::default_names(array.columns);
    if array.rows != array.columns {
        return Err(not_square(array.rows, array.columns));
    }
    let mut edges = EdgeList::default();
    for (from, row) in array.values.chunks(array.columns).enumerate() {
        for (to, &value) in row.iter().enumerate() {
            let place = format!("row {}, column {}", from + 1, to + 1);
            if cell(Some(value), &value.to_string(), &place)? {
                edges.add((from, to), &names, place)?;
            }
        }
    }
    Ok(GraphFile { names, edges: edges.edges, layout: Layout::PlainMatrix, source: String::new() })
}

fn not_square(rows: usize, columns: usize) -> Error {
    Error::input(format!("{rows} rows of {columns} columns: an adjacency matrix is square"))
        .with_hint(LAYOUTS)
}

fn check_names(names: &[String]) -> Result<()> {
    for (j, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(Error::input(format!("column {} has no name", j + 1)).with_hint(LAYOUTS));
        }
        if names[..j].contains(name) {
            return Err(Error::input(format!("two nodes are named `{name}`")).with_hint("rename one"));
        }
    }
    Ok(())
}

/// Whether a cell says that there is an edge.
fn cell(value: Option<f64>, written: &str, place: &str) -> Result<bool> {
    match value {
        Some(0.0) => Ok(false),
        Some(1.0) => Ok(true),
        _ => Err(Error::input(format!("{place}: `{written}` is neither 0 nor 1"))
            .with_hint("1 means that the row's node causes the column's node; weights are not read")),
    }
}

/// Edges with the places where they stand.
#[derive(Default)]
struct EdgeList {
    edges: Vec<Edge>,
    places: HashMap<Edge, String>,
}

impl EdgeList {
    /// Adds an edge; refuses loops and repetitions.
    fn add(&mut self, edge: Edge, names: &[String], place: String) -> Result<()> {
        let (from, to) = (&names[edge.0], &names[edge.1]);
        if from == to {
            return Err(Error::input(format!("{place}: `{from}` → `{to}` is a loop"))
                .with_hint("nothing causes itself: remove it"));
        }
        if let Some(earlier) = self.places.insert(edge, place.clone()) {
            return Err(Error::input(format!("{place}: `{from}` → `{to}` is there already, at {earlier}"))
                .with_hint("remove one of the two"));
        }
        self.edges.push(edge);
        Ok(())
    }
}
