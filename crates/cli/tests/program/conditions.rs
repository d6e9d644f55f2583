//! Rows observed under several conditions.

use crate::home::Home;
use serde_json::{Value, json};

/// A linear path with normal noise, whose direction observation cannot tell, and rows of experiments on each column.
fn trial(rows: usize) -> Home {
    let home = Home::new();
    let line = format!(
        "simulate --graph path --nodes 3 --mechanism linear --additive --rows 200 --seed 4 --interventions each --rows-per-condition {rows} --out trial --quiet"
    );
    home.succeed(&line);
    home
}

fn discover(home: &Home, more: &str) -> Value {
    let line =
        format!("discover trial/data.csv --quiet --json --set checks=false --set confidence.draws=0 {more}");
    serde_json::from_str(&home.succeed(&line)).unwrap()
}

/// The edges of a graph as `from,to`, sorted.
fn edges(found: &Value) -> Vec<String> {
    let edges = found["edges"].as_array().unwrap().iter();
    let mut edges: Vec<String> =
        edges.map(|edge| format!("{},{}", edge["from"], edge["to"]).replace('"', "")).collect();
    edges.sort();
    edges
}

#[test]
fn experiments_tell_directions_and_what_they_act_on_is_found() {
    let home = trial(100);
    let mut truth: Vec<String> = home.read("trial/truth.csv").lines().skip(1).map(String::from).collect();
    truth.sort();
    let unknown = discover(&home, "--condition condition");
    assert_eq!(edges(&unknown), truth);
    for condition in unknown["conditions"].as_array().unwrap() {
        let acts: Vec<&Value> = condition["acts_on"].as_array().unwrap().iter().collect();
        match condition["name"].as_str().unwrap() {
            "observational" => assert!(acts.is_empty(), "{condition}"),
            name => {
                assert_eq!((condition["rows"].clone(), acts.len()), (json!(100), 1), "{condition}");
                assert_eq!(
                    (acts[0]["column"].as_str(), acts[0]["known"].as_bool()),
                    (Some(name), Some(false))
                );
                assert!(acts[0]["gain"].as_f64().unwrap() > 0.1);
            }
        }
    }
    let known = discover(&home, "--condition condition --knowledge trial/conditions.toml");
    assert_eq!(edges(&known), truth);
    let of_x0 = &known["conditions"][0];
    assert_eq!((of_x0["name"].clone(), of_x0["acts_on"][0]["action"].clone()), (json!("X0"), json!("sets")));
    let columns = known["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 3);
}

#[test]
fn a_column_may_say_what_was_set() {
    let home = trial(60);
    let by_name = discover(&home, "--condition condition --knowledge trial/conditions.toml");
    let table = home.read("trial/data.csv").replace("observational", "");
    home.write("trial/data.csv", &table);
    let by_target = discover(&home, "--targets condition");
    assert_eq!((edges(&by_target), &by_target["nll"]), (edges(&by_name), &by_name["nll"]));
}

#[test]
fn none_names_a_condition() {
    let home = trial(60);
    home.write("trial/data.csv", &home.read("trial/data.csv").replace("observational", "None"));
    let found = discover(&home, "--condition condition");
    assert_eq!(found["conditions"][0]["name"], "None");
    home.write("trial/data.csv", &home.read("trial/data.csv").replace("None", ""));
    let (code, _, err) = home.run("discover trial/data.csv --condition condition --quiet");
    assert_eq!(code, 2);
    assert!(err.contains("nothing says under which condition this row was observed"), "{err}");
}

#[test]
fn what_cannot_be_is_refused() {
    let home = trial(20);
    let refused = |more: &str| {
        let (code, out, err) = home.run(&format!("discover trial/data.csv --quiet {more}"));
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        err
    };
    let err = refused("--condition dose");
    assert!(err.contains("there is no column `dose`"), "{err}");
    let err = refused("--condition condition --method cam");
    assert!(err.contains("`cam` takes rows of one condition only") && err.contains("exact"), "{err}");
    let err = refused("--condition condition --fit --out run");
    assert!(err.contains("a fitted flow takes rows of one condition only"), "{err}");
    home.write("known.toml", "[conditions]\npill = ['X0']\n");
    let err = refused("--condition condition --knowledge known.toml");
    assert!(err.contains("no row was observed under the condition `pill`"), "{err}");
    home.write("known.toml", "[conditions]\nX0 = ['X7']\n");
    let err = refused("--condition condition --knowledge known.toml");
    assert!(err.contains("X7") && err.contains("known.toml"), "{err}");
}
