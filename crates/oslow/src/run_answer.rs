//! The answer in the folder of a run.

use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::Path;

use oslow_core::{Call, Dag, Error, Ordering, Remedy, Result, read_utf8};
use serde::Deserialize;

use crate::run_folder::RUN;

/// What a run found, as its folder holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAnswer {
    /// The columns' names.
    pub columns: Vec<String>,
    /// The order, where the method yields one.
    pub order: Option<Ordering>,
    /// The graph.
    pub graph: Dag,
}

/// The part of `run.json` that answers.
#[derive(Deserialize)]
struct Written {
    columns: Vec<String>,
    order: Option<Vec<String>>,
    edges: Vec<WrittenEdge>,
}

#[derive(Deserialize)]
struct WrittenEdge {
    from: String,
    to: String,
}

/// Reads the columns, the order and the edges of the run in a folder.
pub fn read_run(folder: &Path) -> Result<RunAnswer> {
    let path = folder.join(RUN);
    let text = read_utf8(&path).map_err(|e| match e {
        Error::Io { source, .. } if matches!(source.kind(), NotFound | NotADirectory) => missing(folder),
        other => other,
    })?;
    parse(&text).map_err(|e| e.at(path.display()))
}

fn missing(folder: &Path) -> Error {
    let error = match folder.is_dir() {
        true => Error::input(format!("the folder `{}` holds no run: there is no {RUN}", folder.display())),
        false => Error::input(format!("there is no folder `{}`", folder.display())),
    };
    error.with_hint(made_by())
}

fn made_by() -> Remedy {
    Remedy::from("a run is made by ").and(Call::WriteRun)
}

fn parse(text: &str) -> Result<RunAnswer> {
    let written: Written = serde_json::from_str(text)
        .map_err(|e| Error::input(format!("not a run of oslow: {e}")).with_hint(made_by()))?;
    let columns = written.columns;
    let index = |name: &str| {
        columns.iter().position(|column| column == name).ok_or_else(|| {
            Error::input(format!("an edge names `{name}`, which is no column"))
                .with_hint("was the file changed by hand? run it again")
        })
    };
    let edges = written.edges.iter().map(|edge| Ok((index(&edge.from)?, index(&edge.to)?)));
    let graph = Dag::new(columns.len(), &edges.collect::<Result<Vec<_>>>()?)?;
    let order = written.order.map(|names| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ordering::from_names(&names, &columns)
    });
    Ok(RunAnswer { order: order.transpose()?, graph, columns })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_order_may_be_absent_and_a_wrong_edge_is_named() {
        let run = parse(r#"{"columns": ["a", "b"], "order": null, "edges": [{"from": "b", "to": "a"}]}"#);
        let run = run.unwrap();
        assert_eq!((run.order, run.graph.edges()), (None, vec![(1, 0)]));
        let wrong = parse(r#"{"columns": ["a"], "order": ["a"], "edges": [{"from": "b", "to": "a"}]}"#);
        assert_eq!(wrong.unwrap_err().to_string(), "an edge names `b`, which is no column");
        assert!(parse("{}").unwrap_err().to_string().starts_with("not a run of oslow: missing field"));
    }
}
