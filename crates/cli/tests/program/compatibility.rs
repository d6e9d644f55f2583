//! What earlier versions wrote is read: `fixtures/compatibility` holds files of each.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::home::Home;

/// By how much a mean may differ from what the model answered then: sums are made in vectors, whose width differs between processors.
const TOLERANCE: f64 = 1e-6;

/// The folder of each version.
fn versions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/compatibility");
    let mut entries: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.retain(|path| path.is_dir());
    entries.sort();
    assert!(!entries.is_empty());
    entries
}

/// A copy of that folder, to work in.
fn home_of(version: &Path) -> Home {
    let home = Home::new();
    std::fs::create_dir(home.path("run")).unwrap();
    for folder in ["", "run"] {
        for entry in version.join(folder).read_dir().unwrap() {
            let from = entry.unwrap().path();
            if from.is_file() {
                std::fs::copy(&from, home.path(folder).join(from.file_name().unwrap())).unwrap();
            }
        }
    }
    home
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Fields of a column that only some transforms and values have; what suits a table best may change.
const WHERE_IT_APPLIES: [&str; 2] = ["log_end", "grid"];

/// Fails unless every field of then is there now, with its kind. Entries of a list are alike.
fn only_grows(then: &Value, now: &Value, place: &str) {
    assert_eq!(kind(then), kind(now), "{place}");
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => {
            let always = |(key, _): &(&String, &Value)| !WHERE_IT_APPLIES.contains(&key.as_str());
            for (key, value) in then.iter().filter(always) {
                let now = now.get(key).unwrap_or_else(|| panic!("{place}.{key} is gone"));
                only_grows(value, now, &format!("{place}.{key}"));
            }
        }
        (Value::Array(then), Value::Array(now)) => {
            let first = then.first().zip(now.first());
            first.into_iter().for_each(|(then, now)| only_grows(then, now, &format!("{place}[0]")));
        }
        _ => {}
    }
}

fn numbers(table: &str) -> Vec<f64> {
    let cells = table.lines().skip(1).flat_map(|line| line.split(','));
    cells.map(|cell| cell.parse().unwrap()).collect()
}

fn near(then: f64, now: f64) -> bool {
    (then - now).abs() <= TOLERANCE * then.abs().max(1.0)
}

#[test]
fn run_folders_are_read() {
    for version in versions() {
        let home = home_of(&version);
        home.succeed("report run --out page.html --quiet");
        assert!(home.read("page.html").contains("X2"));
        let found = json(&home.read("run/run.json"));
        let learned = json(&home.succeed("evaluate --truth truth.csv --run run --json"));
        assert_eq!((&learned["shd"], &learned["cbc"]), (&0.into(), &0.0.into()), "{learned}");
        let checks = json(&home.succeed("check data.csv --run run --json --quiet"));
        assert!(checks.as_array().is_some_and(|checks| !checks.is_empty()), "{checks}");
        let effect = json(&home.succeed("effects run --on X0 --target X2 --json --quiet"));
        assert!(effect["mean"].is_number(), "{effect}");
        home.succeed("fit data.csv --run run --out again.safetensors --set epochs=3 --quiet");
        // A finished run is shown again by its own version; another one says whose it is.
        let config = "discover data.csv --config run/config.toml --out run --resume --quiet --json";
        let (code, out, err) = home.run(config);
        if found["version"] == env!("CARGO_PKG_VERSION") {
            assert_eq!((code, json(&out)), (0, found), "{err}");
        } else {
            assert_eq!(code, 2, "{err}");
            assert!(err.contains("had the version") && err.contains("hint: "), "{err}");
        }
    }
}

#[test]
fn settings_and_knowledge_are_read_and_json_only_grows() {
    for version in versions() {
        let home = home_of(&version);
        let then = json(&home.read("run/run.json"));
        let now = json(&home.succeed("discover data.csv --config run/config.toml --quiet --json"));
        only_grows(&then, &now, "run.json");
        assert_eq!((&then["columns"], &then["seed"]), (&now["columns"], &now["seed"]));
        let known = json(&home.succeed("discover data.csv --knowledge known.toml --quiet --json"));
        assert_eq!((&known["order"], &known["edges"]), (&now["order"], &now["edges"]));
    }
}

#[test]
fn models_answer_as_they_did() {
    for version in versions() {
        let home = home_of(&version);
        let then = json(&home.read("intervene.json"));
        for model in ["run", "run/model.safetensors"] {
            let now = json(&home.succeed(&format!("intervene {model} --do X0=1 --json --quiet")));
            only_grows(&then, &now, "intervene");
            for (then, now) in
                then["effects"].as_array().unwrap().iter().zip(now["effects"].as_array().unwrap())
            {
                assert_eq!(then["target"], now["target"]);
                let [before, after] = [then, now].map(|effect| effect["mean"].as_f64().unwrap());
                assert!(near(before, after), "{before} {after}");
            }
        }
        let now = home.succeed("counterfactual run data.csv --do X0=1 --quiet");
        let (then, now) = (numbers(&home.read("counterfactual.csv")), numbers(&now));
        assert_eq!((then.len(), now.len()), (360, 360));
        assert!(then.iter().zip(&now).all(|(then, now)| near(*then, *now)));
        assert_eq!(home.succeed("sample run --rows 5 --quiet").lines().count(), 6);
    }
}

#[test]
fn a_field_that_is_gone_or_another_kind_is_found() {
    let then = json(r#"{"a": [{"b": 1}], "c": null}"#);
    only_grows(&then, &json(r#"{"a": [{"b": 2, "d": 3}], "c": null, "e": 4}"#), "all");
    for now in [r#"{"a": [{}], "c": null}"#, r#"{"a": [{"b": "1"}], "c": null}"#, r#"{"a": []}"#] {
        let now = json(now);
        assert!(std::panic::catch_unwind(|| only_grows(&then, &now, "all")).is_err(), "{now}");
    }
}
