//! `oslow prune`.

use crate::home::Home;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn edges(found: &Value) -> Vec<(&str, &str)> {
    let edges = found["edges"].as_array().unwrap();
    edges.iter().map(|edge| (edge["from"].as_str().unwrap(), edge["to"].as_str().unwrap())).collect()
}

#[test]
fn an_order_is_pruned_by_cam() {
    let home = Home::new();
    let found = json(&home.succeed("prune data.csv --order a,b,c --prune cam --json"));
    assert_eq!((&found["method"], &found["prune"]), (&"given".into(), &"cam".into()));
    assert_eq!(edges(&found), [("a", "b"), ("b", "c")]);
    assert!(found["edges"][0]["p_value"].as_f64().unwrap() < 1e-3);
    assert_eq!((&found["order"][0], &found["interrupted"]), (&"a".into(), &false.into()));

    let (code, out, err) = home.run("prune data.csv --order a,b,c --prune cam");
    assert_eq!((code, err.as_str()), (0, "data.csv: 60 rows, 3 columns\n"));
    assert!(out.starts_with("order   a → b → c\nedges   2\n        a → b  p = "), "{out}");
}

#[test]
fn settings_and_knowledge_are_heeded() {
    let home = Home::new();
    let all = json(&home.succeed("prune data.csv --order a,b,c --prune cam --set cutoff=1 --json"));
    assert_eq!(edges(&all).len(), 3);
    home.write("known.toml", "required = [['a', 'c']]\nforbidden = [['b', 'c']]");
    let line = "prune data.csv --order a,b,c --prune cam --knowledge known.toml --json";
    assert_eq!(edges(&json(&home.succeed(line))), [("a", "b"), ("a", "c")]);
    let none = json(&home.succeed("prune data.csv --order c,b,a --prune none --json"));
    assert_eq!(edges(&none), [("b", "a"), ("c", "a"), ("c", "b")]);
}

#[test]
fn a_folder_is_written_and_can_be_judged() {
    let home = Home::new();
    home.write("truth.csv", "from,to\na,b\nb,c\n");
    home.succeed("prune data.csv --order a,b,c --prune cam --out pruned");
    assert!(home.read("pruned/edges.csv").starts_with("from,to,p_value\na,b,"));
    assert!(home.read("pruned/config.toml").contains("cutoff = 0.001\n"));
    let judged = json(&home.succeed("evaluate --truth truth.csv --run pruned --json"));
    assert_eq!((&judged["shd"], &judged["sid"]), (&0.into(), &0.into()));
}

#[test]
fn a_wrong_call_is_refused() {
    let home = Home::new();
    let refused = |line: &str, message: &str, hint: &str| {
        let (code, out, err) = home.run(&format!("prune data.csv {line} --quiet"));
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert_eq!(err, format!("error: {message}\nhint: {hint}\n"), "{line}");
    };
    let each = "name each of the 3 columns once, causes first";
    refused("--order a,b --prune cam", "order: column `c` is missing", each);
    refused("--order a,b,c,d --prune cam", "order: there is no column `d`", "there are: a, b, c");
    refused("--order a,b,c,a --prune cam", "order: `a` is named twice", each);
    refused("--order a,b,c --prune camm", "there is no pruner `camm`", "did you mean `cam`?");
    refused("--order a,b,c --prune cam --set cut=1", "unknown setting `cut`", "did you mean `cutoff`?");
    home.write("known.toml", "tiers = [['c'], ['a']]");
    refused(
        "--order a,b,c --prune cam --knowledge known.toml",
        "the order contradicts the knowledge",
        "look at its tiers and required edges",
    );
}

#[test]
fn threads_do_not_change_an_answer_and_discover_prunes_too() {
    let home = Home::new();
    let pruned = |threads: usize| {
        let order = "PKC,PKA,Plcg,PIP3,PIP2,Raf,Mek,Erk,Akt,P38,Jnk";
        let found = json(
            &home.succeed(&format!("prune sachs --order {order} --prune cam --json --threads {threads}")),
        );
        found["edges"].clone()
    };
    assert_eq!(pruned(1), pruned(2));
    let found = json(&home.succeed("discover --method random --prune cam --set prune.cutoff=0.01 --json"));
    assert!(found["edges"].as_array().unwrap().iter().all(|edge| edge["p_value"].as_f64().unwrap() < 0.01));
}

#[test]
fn a_budget_leaves_edges_unlooked_at() {
    let home = Home::new();
    let (code, out, err) =
        home.run("prune data.csv --order a,b,c --prune cam --budget 1ms --threads 1 --json --quiet");
    // The table is small: either it was done in time, or an edge stayed.
    let found = json(&out);
    assert_eq!(
        (code, found["interrupted"] == true),
        (0, err.contains("edges that were not looked at have stayed"))
    );
}
