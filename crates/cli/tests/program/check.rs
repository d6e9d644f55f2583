//! `oslow check` and `--transform`.

use crate::home::Home;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_discovered_graph_and_that_of_a_run_are_checked() {
    let home = Home::new();
    home.succeed("simulate --graph path --nodes 3 --rows 120 --seed 2 --out sim --quiet");
    let words = home.succeed("check sim/data.csv --quiet");
    assert!(words.lines().all(|line| line.starts_with("fine ") || line.starts_with("violated ")), "{words}");
    home.succeed("discover sim/data.csv --quiet --out run");
    let found = json(&home.succeed("check sim/data.csv --run run --json --quiet"));
    let checks = found.as_array().unwrap();
    assert!(checks.iter().any(|check| check["name"] == "residuals-independent"), "{found}");
    assert!(checks.iter().any(|check| check["name"] == "no-copied-rows" && check["verdict"] == "fine"));
    let stored = json(&home.read("run/run.json"));
    assert!(stored["checks"].as_array().unwrap().len() >= checks.len() - 3, "{stored}");
    let (code, _, err) = home.run("check sim/data.csv --run run --columns X0,X1");
    assert_eq!(code, 2);
    assert!(err.contains("the run has the columns X0, X1, X2"), "{err}");
}

#[test]
fn columns_are_analysed_as_told() {
    let home = Home::new();
    let mut table = String::from("a,b,c\n");
    for k in 0..60 {
        let x = f64::from(k * 37 % 60) / 10.0 - 3.0;
        let y = x.sin() + f64::from(k * 17 % 60) / 40.0;
        table += &format!("{},{},{}\n", x.exp(), y, (0.7 * y + 0.3 * x).exp());
    }
    home.write("skewed.csv", &table);
    let seen = |transform: &str| {
        let found =
            json(&home.succeed(&format!("discover skewed.csv --json --quiet --transform {transform}")));
        found["columns_info"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| column["transform"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(seen("log"), ["log", "none", "log"]);
    assert_eq!(seen("none"), ["none", "none", "none"]);
    assert_eq!(seen("normal-scores"), ["normal-scores", "normal-scores", "normal-scores"]);
    assert!(
        home.succeed("discover skewed.csv --quiet --transform log")
            .contains("oslow analysed a, c as logarithms")
    );
    let (code, _, err) = home.run("discover skewed.csv --method cam --transform log");
    assert_eq!(code, 2);
    assert!(err.contains("the method `cam` takes columns as they are"), "{err}");
}

#[test]
fn columns_that_crowd_against_an_end_are_analysed_from_it() {
    // Products with noise that is as good as exponential, in units that were moved.
    let home = Home::new();
    home.succeed("simulate --family product-exp --nodes 3 --rows 600 --seed 3 --out drawn");
    let found = home.succeed("discover drawn/data.csv --quiet --out run");
    assert!(found.contains("as logarithms of the distance from that end"), "{found}");
    let run = json(&home.read("run/run.json"));
    let of_end = |column: &&Value| column["transform"] == "log-from-end";
    let columns: Vec<&Value> = run["columns_info"].as_array().unwrap().iter().filter(of_end).collect();
    assert!(!columns.is_empty() && columns.iter().all(|column| column["log_end"].is_f64()), "{columns:?}");
    let name = columns[0]["name"].as_str().unwrap();
    let other = if name == "X0" { "X1" } else { "X0" };
    let outside = columns[0]["log_end"].as_f64().unwrap() - 1.0;
    let (code, _, err) =
        home.run(&format!("effects run --on {name} --target {other} --from {outside} --to 0"));
    assert_eq!(code, 2);
    assert!(err.contains("its values are above") || err.contains("its values are below"), "{err}");
}
