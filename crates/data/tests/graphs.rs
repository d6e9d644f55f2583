//! Graphs from files: the layouts that are understood, and the exact words of every refusal.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::PathBuf;

use npyz::WriterBuilder;
use oslow_data::{GraphFile, Layout, Result, read_graph};

/// A file in a folder of its own.
struct Stored {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Stored {
    fn new(name: &str, contents: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, contents).unwrap();
        Self { _folder: folder, path }
    }
}

fn read(name: &str, contents: impl AsRef<[u8]>) -> Result<GraphFile> {
    read_graph(&Stored::new(name, contents.as_ref()).path)
}

fn npy_bytes(values: &[u8], shape: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer =
        npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes).begin_nd().unwrap();
    writer.extend(values.iter().copied()).unwrap();
    writer.finish().unwrap();
    bytes
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(String::from).collect()
}

/// Message (after the file) and hint of a refusal by the reader, or by the columns a, b, c.
fn refusal(text: &str) -> (String, String) {
    let file = Stored::new("g.csv", text.as_bytes());
    let error = read_graph(&file.path).and_then(|graph| graph.over(&names("a,b,c"))).unwrap_err();
    assert!(error.is_input());
    let place = format!("{}: ", file.path.display());
    let message = error.to_string();
    (message.strip_prefix(&place).expect(&message).to_string(), error.hint().expect("a hint").to_string())
}

#[test]
fn every_layout_is_the_same_graph() {
    let columns = names("c,a,b");
    for text in [
        "from,to\na,b\nb,c\n",
        "source,target\na,b\nb,c\n",
        "p_value;To;From\n0.1;b;a\n0.2;c;b\n",
        "a,b,c\n0,1,0\n0,0,1\n0,0,0\n",
        ",a,b,c\na,0,1,0\nb,0,0,1\nc,0,0,0\n",
        "b\tc\ta\n0\t1\t0\n0.0\t0.0\t0.0\n1.0\t0\t0\n",
    ] {
        let dag = read("g.csv", text).unwrap().over(&columns).unwrap();
        assert_eq!(dag.edges(), [(1, 2), (2, 0)], "{text}");
    }
}

#[test]
fn nodes_without_names_are_the_callers() {
    let plain = read("g.csv", "0,1,0\n0,0,0\n0,1,0\n").unwrap();
    assert_eq!((plain.layout, &plain.names), (Layout::PlainMatrix, &names("X0,X1,X2")));
    assert_eq!(plain.over(&names("c,a,b")).unwrap().edges(), [(0, 1), (2, 1)]);
    // A first line more than columns holds names, even if they are numbers.
    let numbered = read("g.csv", "0,1\n0,0\n1,0\n").unwrap();
    assert_eq!(
        (numbered.layout, numbered.names, numbered.edges),
        (Layout::NamedMatrix, names("0,1"), vec![(1, 0)])
    );
    assert_eq!(read("g.npy", npy_bytes(&[0, 1, 0, 0], &[2, 2])).unwrap().edges, [(0, 1)]);
    let error = read("g.npy", npy_bytes(&[0; 6], &[2, 3])).unwrap_err().to_string();
    assert!(error.ends_with("2 rows of 3 columns: an adjacency matrix is square"), "{error}");
}

#[test]
fn an_empty_graph_has_no_edges() {
    let graph = read("g.csv", "from,to\n").unwrap();
    assert_eq!(graph.over(&names("a,b")).unwrap(), oslow_core::Dag::empty(2));
}

#[test]
fn what_is_no_graph_is_refused() {
    let layouts = "a graph is a table with the header from,to, or a square matrix of 0 and 1, row → column";
    for (text, message, hint) in [
        ("", "the file is empty", layouts),
        ("x,y,z\n1,2,3\n4,5,6\n", "2 rows of 3 columns: an adjacency matrix is square", layouts),
        (
            "a,b\n0,0.7\n0,0\n",
            "line 2, column `b`: `0.7` is neither 0 nor 1",
            "1 means that the row's node causes the column's node; weights are not read",
        ),
        ("a,b\n0,0\n1,1\n", "line 3, column `b`: `b` → `b` is a loop", "nothing causes itself: remove it"),
        ("from,to\na,b\n\nb,b\n", "line 4: `b` → `b` is a loop", "nothing causes itself: remove it"),
        (
            "from,to\na,b\nb,c\na,b\n",
            "line 4: `a` → `b` is there already, at line 2",
            "remove one of the two",
        ),
        ("from,to\na,\n", "line 2: an edge needs two names", "write one edge a line, cause first"),
        (
            "from,to\na\n",
            "line 2: 1 field, but the header (line 1) has 2",
            "repair the line; a field that contains the delimiter must stand in quotes",
        ),
        ("a,a\n0,1\n0,0\n", "line 1: two nodes are named `a`", "rename one"),
        (
            ",a,b\nb,0,1\na,0,0\n",
            "line 2: the row is named `b`, but its place in the header has `a`",
            "rows and columns of an adjacency matrix have the same order",
        ),
        ("from,to\na,b\nb,bc\n", "there is no column `bc`", "did you mean `b`?"),
        (
            "0,1\n0,0\n",
            "3 columns for a matrix of 2 nodes without names",
            "write the names of its nodes into a first line",
        ),
        (
            "from,to\na,b\nb,c\nc,a\n",
            "the graph has a cycle: a → b → c → a",
            "a causal graph must be acyclic: remove one of these edges",
        ),
    ] {
        assert_eq!(refusal(text), (message.to_string(), hint.to_string()), "{text:?}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let there = Stored::new("truth.csv", b"from,to\n");
    let error = read_graph(&there.path.with_file_name("trth.csv")).unwrap_err();
    assert!(
        error.to_string().starts_with("there is no file `") && error.hint().unwrap().ends_with("truth.csv`?")
    );
    let folder = there.path.parent().unwrap();
    assert!(read_graph(folder).unwrap_err().to_string().ends_with("` is a folder, not a graph"));
}

#[test]
fn the_reference_graphs_are_read_where_they_are_beside_the_project() {
    let shared = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let path = shared.join("data/syntren/DAG1.csv");
    if !path.exists() {
        println!("skipped: the shared data is not beside the project");
        return;
    }
    let graph = read_graph(&path).unwrap();
    assert_eq!((graph.names.len(), graph.layout), (20, Layout::NamedMatrix));
    assert!(!graph.over(&graph.names).unwrap().edges().is_empty());
}
