//! `oslow discover --fit`, and what takes its folder.

use crate::home::Home;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_run_with_a_model_answers_interventions() {
    let home = Home::new();
    home.succeed("discover data.csv --fit --out run --quiet");
    assert!(home.read("run/config.toml").contains("fit = true\n"));
    let moved = json(&home.succeed("intervene run --do a=0.2 --json --quiet"));
    assert_eq!(moved, json(&home.succeed("intervene run/model.safetensors --do a=0.2 --json --quiet")));
    assert_eq!(home.succeed("sample run --rows 5 --quiet").lines().count(), 6);
    assert_eq!(home.succeed("counterfactual run data.csv --do a=0.2 --quiet").lines().count(), 61);
    // The model follows the graph: without an edge nothing changes.
    home.write("known.toml", "forbidden = [[\"a\", \"b\"], [\"a\", \"c\"]]\nroots = [\"a\"]\n");
    home.succeed("discover data.csv --knowledge known.toml --fit --out apart --quiet");
    let mean = |value: f64| {
        let found = json(
            &home.succeed(&format!("intervene apart --do a={value} --target b --json --quiet --seed 1")),
        );
        found.to_string().replace(&format!("{value}"), "")
    };
    assert_eq!(mean(0.1), mean(0.3));
    home.succeed("discover data.csv --config run/config.toml --out again --quiet");
    assert_eq!(home.read("again/order.txt"), home.read("run/order.txt"));
    assert!(
        std::fs::read(home.path("again/model.safetensors")).unwrap()
            == std::fs::read(home.path("run/model.safetensors")).unwrap()
    );
}

#[test]
fn a_run_without_a_model_says_how_to_get_one() {
    let home = Home::new();
    home.succeed("discover data.csv --method r2-sort --prune none --out bare --quiet");
    let (code, _, err) = home.run("intervene bare --do a=1");
    assert_eq!(code, 2);
    assert!(err.contains("the folder `bare` holds no model") && err.contains("--fit"), "{err}");
    let (code, _, err) = home.run("discover data.csv --fit");
    assert_eq!(code, 2);
    assert!(err.contains("--out"), "{err}");
}
