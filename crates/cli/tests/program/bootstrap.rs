//! `oslow discover --bootstrap`.

use crate::home::Home;
use serde_json::Value;

/// A run that takes a moment.
const FAST: &str = "discover data.csv --method r2-sort --prune cam --quiet";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn without_seconds(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("  \"seconds\"")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_json_has_confidence_order_pairs_and_other_edges() {
    let home = Home::new();
    let found = json(&home.succeed(&format!("{FAST} --bootstrap 20 --json")));
    assert_eq!((&found["bootstrap"]["resamples"], &found["bootstrap"]["finished"]), (&20.into(), &20.into()));
    let columns = ["a", "b", "c"];
    for first in columns {
        let after = found["order_pairs"][first].as_object().unwrap();
        assert_eq!(after.len(), 2);
        for (second, share) in after {
            let back = &found["order_pairs"][second][first];
            assert!((share.as_f64().unwrap() + back.as_f64().unwrap() - 1.0).abs() < 1e-12);
        }
    }
    let edges = found["edges"].as_array().unwrap();
    let others = found["other_edges"].as_array().unwrap();
    assert!(!edges.is_empty());
    for edge in edges.iter().chain(others) {
        assert!((0.0..=1.0).contains(&edge["confidence"].as_f64().unwrap()), "{edge}");
    }
    assert!(
        others
            .iter()
            .all(|other| edges.iter().all(|e| (&e["from"], &e["to"]) != (&other["from"], &other["to"])))
    );

    let plain = json(&home.succeed(&format!("{FAST} --json")));
    assert_eq!((&plain["order"], edges.len()), (&found["order"], plain["edges"].as_array().unwrap().len()));
    for key in ["bootstrap", "order_pairs", "other_edges"] {
        assert!(plain.get(key).is_none(), "{key}");
    }
}

#[test]
fn it_speaks_to_people() {
    let home = Home::new();
    let out = home.succeed(&format!("{FAST} --bootstrap 20"));
    assert!(out.lines().nth(1).unwrap().starts_with("unsure  ") && out.contains("20 resamples"), "{out}");
    assert!(out.contains(", confidence "), "{out}");
    let guessed = home.succeed("discover data.csv --method random --prune cam --quiet --bootstrap 40");
    assert!(guessed.lines().nth(1).unwrap().ends_with(" (share of 40 resamples)"), "{guessed}");
}

#[test]
fn the_run_folder_has_the_tables_and_can_be_repeated() {
    let home = Home::new();
    home.succeed(&format!("{FAST} --bootstrap 12 --out first"));
    let header = |name: &str| home.read(&format!("first/{name}")).lines().next().unwrap().to_string();
    assert_eq!(header("edges.csv"), "from,to,p_value,confidence");
    assert_eq!(header("edge_frequencies.csv"), "from,to,confidence,in_answer");
    assert_eq!(header("order_pairs.csv"), "first,second,share");
    assert_eq!(home.read("first/order_pairs.csv").lines().count(), 7);
    assert!(home.read("first/graph.graphml").contains("<key id=\"confidence\""));
    assert!(home.read("first/config.toml").contains("bootstrap = 12\n"));
    home.succeed("discover --config first/config.toml --threads 2 --out second --quiet");
    assert_eq!(without_seconds(&home.read("first/run.json")), without_seconds(&home.read("second/run.json")));
    for name in ["config.toml", "edges.csv", "edge_frequencies.csv", "order_pairs.csv", "graph.dot"] {
        assert_eq!(home.read(&format!("first/{name}")), home.read(&format!("second/{name}")), "{name}");
    }
    // A run without a bootstrap leaves nothing of an earlier one behind.
    home.succeed(&format!("{FAST} --out first --force"));
    assert!(
        !home.path("first/order_pairs.csv").exists() && !home.path("first/edge_frequencies.csv").exists()
    );
}

#[test]
fn a_stopped_bootstrap_says_how_far_it_came_and_goes_on() {
    let home = Home::new();
    let line = format!("{FAST} --out run");
    let (code, _, err) = home.run(&format!("{line} --bootstrap 1000000 --budget 300ms"));
    assert_eq!(code, 0);
    assert!(err.starts_with("stopped early (the time was up) with "), "{err}");
    assert!(
        err.ends_with(
            " of 1000000 resamples finished: this is the best so far; `--resume` goes on with it\n"
        )
    );
    let stopped = json(&home.read("run/run.json"));
    let finished = stopped["bootstrap"]["finished"].as_u64().unwrap();
    assert_eq!(stopped["interrupted"], true);

    let (code, _, err) = home.run(&format!("{} --bootstrap 9 --resume", line.replace("cam", "none")));
    assert_eq!(code, 2);
    assert!(err.contains("the interrupted run had the pruner cam, this one has none"), "{err}");
    let (code, _, err) = home.run(&format!("{line} --resume"));
    assert_eq!(code, 2);
    assert!(err.contains("the interrupted run had a bootstrap, this one has none"), "{err}");

    let all = finished + 5;
    home.succeed(&format!("{line} --bootstrap {all} --resume"));
    home.succeed(&format!("{FAST} --bootstrap {all} --out whole"));
    assert_eq!(without_seconds(&home.read("run/run.json")), without_seconds(&home.read("whole/run.json")));
    assert!(!home.path("run/checkpoint.bin").exists());
}

#[test]
fn a_long_run_is_said_to_be_long() {
    let home = Home::new();
    let line = "discover data.csv --bootstrap 100000 --budget 1ms --threads 2";
    let (_, _, err) = home.run(line);
    let told: Vec<&str> = err.lines().filter(|line| line.starts_with("about ")).collect();
    assert!(told.len() == 1 && told[0].ends_with(" on 2 threads"), "{err}");
    let (_, _, err) = home.run(&format!("{line} --quiet"));
    assert!(!err.contains("about "), "{err}");
}
