//! Every command on small data.

use crate::home::Home;
use serde_json::Value;

/// Settings with which OSLow takes a moment.
const TINY: &str = "--method oslow --set cycles=2 --set warm_up=2 --set theta_steps=2 --set gamma_steps=1 --set flow.hidden=[4]";
/// A fit that takes a moment.
const FIT: &str = "fit data.csv --order a,b,c --out m.safetensors --set epochs=3 --set flow.hidden=[4]";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn discover_prints_the_promised_json() {
    let home = Home::new();
    let found = json(&home.succeed(&format!("discover data.csv --json --quiet --prune cam {TINY}")));
    for key in [
        "method",
        "prune",
        "dataset",
        "rows",
        "columns",
        "order",
        "edges",
        "nll",
        "assumptions",
        "ties",
        "seed",
        "seconds",
        "version",
    ] {
        assert!(found.get(key).is_some(), "{key}");
    }
    assert_eq!(
        (&found["method"], &found["prune"], &found["dataset"]),
        (&"oslow".into(), &"cam".into(), &"data.csv".into())
    );
    assert_eq!((&found["rows"], &found["ties"], &found["seed"]), (&60.into(), &Value::Null, &0.into()));
    assert_eq!(found["order"].as_array().unwrap().len(), 3);
    assert_eq!(keys(&found["edges"][0]), ["from", "p_value", "to"]);
    let unpruned = json(&home.succeed(&format!("discover data.csv --json --quiet --prune none {TINY}")));
    assert_eq!(unpruned["edges"].as_array().unwrap().len(), 3);
    assert_eq!(keys(&unpruned["edges"][0]), ["from", "to"]);
    assert!(found["nll"].is_f64() && found["seconds"].is_f64());
}

#[test]
fn discover_is_exact_unless_told_otherwise() {
    let home = Home::new();
    home.succeed("simulate --graph path --nodes 3 --rows 120 --seed 2 --out sim --quiet");
    let found = json(&home.succeed("discover sim/data.csv --json --quiet"));
    assert_eq!((&found["method"], &found["prune"]), (&"exact".into(), &"likelihood".into()));
    assert!(found["nll"].is_f64() && found["ties"].as_u64().is_some_and(|ties| ties > 0), "{found}");
    assert_eq!(found["pairs"].as_array().unwrap().len(), 3);
    for pair in found["pairs"].as_array().unwrap() {
        let of = |key: &str| pair[key].as_f64().unwrap();
        assert!((of("a_to_b") + of("b_to_a") + of("none") - 1.0).abs() < 1e-3, "{pair}");
        assert!(["a_before_b", "a_causes_b", "b_causes_a"].iter().all(|key| (0.0..=1.0).contains(&of(key))));
    }
    for edge in found["edges"].as_array().unwrap() {
        let direction = edge["direction_confidence"].as_f64().unwrap();
        assert_eq!(edge["direction"] == "decided", direction >= 0.8, "{edge}");
        assert!(edge["gain"].as_f64().unwrap() > 0.0 && edge["gain_se"].as_f64().unwrap() > 0.0, "{edge}");
        assert!(
            ["rising", "falling", "bent", "spread", "levels"].iter().any(|shape| edge["effect"] == *shape)
        );
    }
    assert!(found["nll_no_causes"].as_f64() > found["nll"].as_f64() && found["stopped"] == false);
    assert_eq!(found["candidates"], json(r#"{"X0": ["X1", "X2"], "X1": ["X0", "X2"], "X2": ["X0", "X1"]}"#));
    assert!(found.get("gap").is_none(), "the search was exact");
    assert_eq!((found["order"].as_array().unwrap().len(), &found["interrupted"]), (3, &false.into()));
    let known =
        ["confidence", "direction", "direction_confidence", "effect", "from", "gain", "gain_se", "to"];
    assert_eq!(keys(&found["edges"][0]), known, "{found}");

    let by_cam = json(&home.succeed("discover sim/data.csv --prune cam --json --quiet"));
    assert_eq!((&by_cam["method"], &by_cam["prune"]), (&"exact".into(), &"cam".into()));
    for key in ["order", "nll", "ties", "candidates"] {
        assert_eq!(by_cam[key], found[key], "{key} does not depend on the pruner");
    }
    let edges = by_cam["edges"].as_array().unwrap();
    assert!(
        !edges.is_empty() && edges.iter().all(|edge| edge["p_value"].as_f64().unwrap() < 1e-3),
        "{by_cam}"
    );

    let searched = json(&home.succeed("discover sim/data.csv --set exact_up_to=2 --json --quiet"));
    assert!(searched["gap"].as_f64().unwrap() >= 0.0, "{searched}");
    let sorted = json(&home.succeed("discover sim/data.csv --method var-sort --json --quiet"));
    assert!(
        ["candidates", "gap", "pairs", "nll_no_causes"].iter().all(|key| sorted.get(key).is_none()),
        "{sorted}"
    );
    let stopped = json(&home.succeed("discover sim/data.csv --budget 0.001ms --json --quiet"));
    // Nothing was learned in no time, and nothing is said.
    assert_eq!((&stopped["order"], &stopped["interrupted"]), (&serde_json::Value::Null, &true.into()));
    assert!(["pairs", "gap"].iter().all(|key| stopped.get(key).is_none()) && stopped["ties"].is_null());
    assert_eq!(stopped["stopped"], true);
    let unasked = json(&home.succeed("discover sim/data.csv --set confidence.draws=0 --json --quiet"));
    assert!(unasked.get("pairs").is_none() && unasked["edges"] != found["edges"]);
}

#[test]
fn discover_speaks_to_people() {
    let home = Home::new();
    let (code, out, err) = home.run(&format!("discover data.csv --prune cam {TINY}"));
    assert_eq!((code, err.as_str()), (0, "data.csv: 60 rows, 3 columns\n"), "no bar without a terminal");
    let labels: Vec<&str> = out.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!((labels[0], labels[1], labels[labels.len() - 1]), ("order", "nll", "run"), "{out}");
    assert!(out.lines().next().unwrap().matches(" → ").count() == 2);
    assert!(out.contains("assumes no hidden common causes\n"));
    assert!(out.contains("\nedges   ") && out.contains("  p = "), "{out}");
    let out = home.succeed(&format!("discover data.csv --prune none --quiet {TINY}"));
    assert!(
        out.contains("edges   3, unpruned: every earlier variable is a candidate cause of each later one")
    );
}

#[test]
fn without_data_it_is_sachs() {
    let found = json(&Home::new().succeed("discover --method random --prune cam --json"));
    assert_eq!(
        (&found["dataset"], &found["rows"], &found["nll"]),
        (&"sachs".into(), &853.into(), &Value::Null)
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let home = Home::new();
    let run = |threads: usize| {
        home.succeed(&format!("discover data.csv --threads {threads} --out run{threads} {TINY}"));
        let text = home.read(&format!("run{threads}/run.json"));
        text.lines().filter(|line| !line.starts_with("  \"seconds\"")).collect::<String>()
    };
    assert_eq!(run(1), run(2));
    let model = |threads| std::fs::read(home.path(&format!("run{threads}/model.safetensors"))).unwrap();
    assert_eq!(model(1), model(2));
}

#[test]
fn a_run_folder_can_be_repeated_from_its_configuration() {
    let home = Home::new();
    home.write("known.toml", "tiers = [['c'], ['a', 'b']]");
    home.succeed(&format!(
        "discover data.csv --columns c,b,a --knowledge known.toml --outliers mad:9 --seed 4 --out first {TINY}"
    ));
    home.succeed("discover --config first/config.toml --out second");
    for name in ["config.toml", "order.txt", "edges.csv", "graph.dot", "graph.graphml", "history.csv"] {
        assert_eq!(home.read(&format!("first/{name}")), home.read(&format!("second/{name}")), "{name}");
    }
    assert!(home.read("first/order.txt").starts_with("c\n"), "tiers are honoured");
    let over = json(&home.succeed("discover --config first/config.toml --seed 5 --set cycles=1 --json"));
    assert_eq!(over["seed"], 5, "the command line wins");
}

#[test]
fn a_budget_stops_early_and_says_so() {
    let home = Home::new();
    let (code, out, err) = home.run("discover data.csv --method oslow --budget 1ms --quiet --set warm_up=0");
    assert_eq!(code, 0);
    assert!(out.starts_with("order   "));
    assert_eq!(err, "stopped early (the time was up) after 0 of 60 steps: this is the best so far\n");
    let found = json(&home.succeed("discover data.csv --method oslow --budget 1ms --json --set warm_up=0"));
    assert_eq!(found["interrupted"], true);
}

#[test]
fn list_shows_the_registries() {
    let home = Home::new();
    let methods = json(&home.succeed("list methods --json"));
    assert_eq!(methods.as_array().unwrap().len(), oslow::methods().count());
    for (entry, method) in methods.as_array().unwrap().iter().zip(oslow::methods()) {
        assert_eq!(keys(entry), ["assumes", "defaults", "name", "summary"]);
        assert_eq!(entry["name"], method.name);
    }
    let all = json(&home.succeed("list --json"));
    let kinds = [
        "datasets",
        "families",
        "graphs",
        "mechanisms",
        "methods",
        "metrics",
        "mixes",
        "noises",
        "outputs",
        "problems",
        "pruners",
        "seen",
    ];
    assert_eq!(keys(&all), kinds);
    let text = home.succeed("list");
    assert!(oslow::methods().all(|method| text.contains(method.name)));
    assert!(home.succeed("list problems").starts_with("problems\n  pairwise-counterexample  X1 = U1, "));
    assert!(home.succeed("list pruners").starts_with("pruners\n  none  "));
}

#[test]
fn a_flow_is_fitted_sampled_and_intervened_upon() {
    let home = Home::new();
    let (code, out, err) = home.run(FIT);
    assert_eq!((code, err.as_str()), (0, "data.csv: 60 rows, 3 columns\nsaved in `m.safetensors`\n"));
    assert!(out.starts_with("nll     ") && out.ends_with(" nats per held-out row, in standardised units\n"));

    let rows = home.succeed("sample m.safetensors --rows 7");
    assert_eq!((rows.lines().next(), rows.lines().count()), (Some("a,b,c"), 8));
    assert_eq!(rows, home.succeed("sample m.safetensors --rows 7 --out rows.csv") + &home.read("rows.csv"));

    let means = home.succeed("intervene m.safetensors --do a=0.1");
    let targets: Vec<&str> = means.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((means.lines().next(), targets), (Some("target,mean,low,high"), vec!["target", "b", "c"]));
    let curve = home.succeed("intervene m.safetensors --grid a=-0.1:0.1:0.1 --do b=0 --target c --rows 20");
    let starts: Vec<String> =
        curve.lines().map(|l| l.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(starts, ["variable,value,target", "a,-0.1,c", "a,0,c", "a,0.1,c"]);

    let (_, out, err) = home.run("intervene m.safetensors --do a=7 --json");
    let answer = json(&out);
    assert_eq!((&answer["extrapolates"], &answer["do"]["a"]), (&true.into(), &7.0.into()));
    assert_eq!(keys(&answer["effects"][0]), ["extrapolates", "high", "low", "mean", "target"]);
    assert!(err.starts_with("warning: `a` = 7 lies outside the central 99 % of its data, -0.5 to "), "{err}");
}

#[test]
fn counterfactuals_keep_what_comes_before() {
    let home = Home::new();
    home.succeed(FIT);
    home.write("one.csv", "c,b,a\n0.3,0.2,0.1\n");
    let text = home.succeed("counterfactual m.safetensors one.csv --do b=0.4");
    let row: Vec<f64> = text.lines().nth(1).unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert_eq!((text.lines().next(), row[1]), (Some("a,b,c"), 0.4));
    assert!((row[0] - 0.1).abs() < 1e-9 && (row[2] - 0.3).abs() > 1e-6, "{row:?}");
    // Nothing changes where a variable is set to what it was.
    let same = home.succeed("counterfactual m.safetensors one.csv --do b=0.2 --json");
    let last = json(&same)["rows"][0][2].as_f64().unwrap();
    assert!((last - 0.3).abs() < 1e-9, "{last}");
}

#[test]
fn a_simulation_can_be_discovered() {
    let home = Home::new();
    let line =
        "simulate --graph path --nodes 3 --mechanism linear --noise laplace --additive --rows 50 --out sim";
    let (code, out, err) = home.run(line);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(
        err.starts_with(
            "50 rows of 3 variables in `sim/data.csv`, 2 true edges in `sim/truth.csv`\nvar-sortability "
        ),
        "{err}"
    );
    let truth = home.read("sim/truth.csv");
    assert_eq!((truth.lines().next(), truth.lines().count()), (Some("from,to"), 3));
    let found = json(&home.succeed("discover sim/data.csv --method random --json"));
    assert_eq!(found["rows"], 50);
    let about = json(&home.succeed(&format!("{line} --force --json --set signs=random")));
    assert_eq!(
        keys(&about),
        ["columns", "data", "edges", "r2_sortability", "rows", "truth", "var_sortability"]
    );
}

/// The members of an object in the order in which they are written.
fn written_keys(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once('"'))
        .map(|(key, _)| key)
        .collect()
}

#[test]
fn evaluate_prints_the_promised_json() {
    let home = Home::new();
    home.write("truth.csv", "from,to\na,b\nb,c\n");
    home.write("guess.csv", "a,b,c\n0,1,1\n0,0,0\n0,0,0\n");
    let text = home.succeed("evaluate --truth truth.csv --graph guess.csv --json");
    let names: Vec<&str> = oslow::metrics::METRICS.iter().map(|metric| metric.name).collect();
    assert_eq!(written_keys(&text), names);
    assert!(text.contains("\"cbc\": null,\n") && text.contains("\"shd\": 2,\n"), "{text}");
    let judged = json(&text);
    assert_eq!((&judged["sid"], &judged["shd_reversal_twice"]), (&1.into(), &2.into()));
    assert_eq!((&judged["precision"], &judged["f1"]), (&0.5.into(), &0.5.into()));

    let text = home.succeed("evaluate --truth truth.csv --order a,c,b --json");
    assert!(text.contains("\"cbc\": 0.5,\n") && text.contains("\"sid\": null,\n"), "{text}");
    // A whole number that is a share stays a share.
    assert!(home.succeed("evaluate --truth truth.csv --order a,b,c --json").contains("\"cbc\": 0.0,\n"));
}

#[test]
fn evaluate_speaks_to_people() {
    let home = Home::new();
    home.write("truth.csv", "from,to\na,b\nb,c\n");
    let (code, out, err) = home.run("evaluate --truth truth.csv --order a,d,c,b");
    assert_eq!((code, err.as_str()), (0, "`d` has no edges in `truth.csv`\n"));
    assert!(out.starts_with("cbc                 0.5000  count of backward connections: "), "{out}");
    assert!(out.contains("\nsid                      –  structural intervention distance: "), "{out}");
}

#[test]
fn evaluate_takes_runs_matrices_and_data() {
    let home = Home::new();
    home.write("truth.csv", "from,to\na,b\nb,c\n");
    home.succeed("discover data.csv --method random --out run --quiet");
    let by_run = json(&home.succeed("evaluate --truth truth.csv --run run --json"));
    let order = home.read("run/order.txt").trim().replace('\n', ",");
    let by_order = json(&home.succeed(&format!("evaluate --truth truth.csv --order {order} --json")));
    let by_graph = json(&home.succeed("evaluate --truth truth.csv --graph run/edges.csv --json"));
    assert_eq!((&by_run["cbc"], &by_run["sid"]), (&by_order["cbc"], &by_graph["sid"]));
    assert!(by_run["cbc"].is_f64() && by_run["sid"].is_u64());

    home.write("plain.csv", "0,1,0\n0,0,1\n0,0,0\n");
    for guess in ["plain.csv --columns a,b,c", "truth.csv", "truth.csv --columns d"] {
        let text = home.succeed(&format!("evaluate --truth truth.csv --graph {guess} --json"));
        assert_eq!((&json(&text)["shd"], &json(&text)["sid"]), (&0.into(), &0.into()), "{guess}");
    }
    let named = json(&home.succeed("evaluate --truth plain.csv --order X0,X1,X2 --json"));
    assert_eq!(named["cbc"], 0.0);

    let order = "PKC,PKA,Plcg,PIP3,PIP2,Raf,Mek,Erk,Akt,P38,Jnk";
    let built_in = json(&home.succeed(&format!("evaluate --truth sachs --order {order} --json")));
    assert_eq!(built_in["cbc"], 0.0);

    let text = home.succeed("evaluate --truth truth.csv --run run --data data.csv --json --quiet");
    assert!(written_keys(&text).ends_with(&["var_sortability", "r2_sortability"]));
    assert!(json(&text)["var_sortability"].is_f64() && json(&text)["r2_sortability"].is_f64());
}

#[test]
fn threads_do_not_change_a_judgement() {
    let home = Home::new();
    home.succeed("simulate --nodes 12 --rows 20 --out a --quiet");
    home.succeed("simulate --nodes 12 --rows 20 --seed 1 --out b --quiet");
    let judge = |threads: usize| {
        home.succeed(&format!("evaluate --truth a/truth.csv --graph b/truth.csv --json --threads {threads}"))
    };
    assert_eq!(judge(1), judge(2));
}

#[test]
fn a_problem_is_simulated_by_its_name() {
    let home = Home::new();
    let (code, out, err) = home.run("simulate --problem pairwise-counterexample --rows 20 --out sim");
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(
        err.starts_with("20 rows of 3 variables in `sim/data.csv`, 3 true edges in `sim/truth.csv`\n"),
        "{err}"
    );
    assert_eq!(home.read("sim/truth.csv"), "from,to\nX1,X2\nX1,X3\nX2,X3\n");
    let data = home.read("sim/data.csv");
    assert!(data.starts_with("X1,X2,X3\n"));
    home.succeed("simulate --problem pairwise-counterexample --rows 20 --out other --noise-seed 1");
    assert_ne!(home.read("other/data.csv"), data);
}

#[test]
fn a_given_graph_is_simulated_as_it_is() {
    let home = Home::new();
    home.succeed("simulate --graph given --nodes 3 --set edges=[[2,0],[0,1]] --rows 20 --seed 3 --out sim");
    assert_eq!(home.read("sim/truth.csv"), "from,to\nX0,X1\nX2,X0\n");
}

#[test]
fn graph_mechanism_and_noise_have_seeds_of_their_own() {
    let home = Home::new();
    let simulated = |seeds: &str| {
        home.succeed(&format!("simulate --nodes 6 --rows 20 --out sim --force {seeds}"));
        (home.read("sim/truth.csv"), home.read("sim/data.csv"))
    };
    let (truth, data) = simulated("--seed 4");
    let spelled = simulated("--graph-seed 4 --mechanism-seed 4 --noise-seed 4 --seed 9");
    assert_eq!(spelled, (truth.clone(), data.clone()));
    for other in ["--mechanism-seed 5", "--noise-seed 5"] {
        let (same, changed) = simulated(&format!("--seed 4 {other}"));
        assert_eq!(same, truth, "{other}");
        assert_ne!(changed, data, "{other}");
    }
    assert_ne!(simulated("--seed 4 --graph-seed 5").0, truth);
}

#[test]
fn a_simulation_does_not_depend_on_the_number_of_threads() {
    let home = Home::new();
    for options in ["--mechanism gaussian-process --set output=asinh", "--problem pairwise-counterexample"] {
        let simulated = |threads: usize| {
            home.succeed(&format!(
                "simulate {options} --rows 100 --threads {threads} --out sim{threads} --force"
            ));
            ["data.csv", "truth.csv"]
                .map(|name| std::fs::read(home.path(&format!("sim{threads}/{name}"))).unwrap())
        };
        assert_eq!(simulated(1), simulated(2), "{options}");
    }
}

#[test]
fn the_command_line_wins_over_the_method_and_the_pruner_of_a_config() {
    let home = Home::new();
    home.succeed("discover data.csv --set local.steps=3 --set prune.local.steps=3 --out run --quiet");
    let (code, out, err) = home.run("discover --config run/config.toml --method r2-sort --prune cam --json");
    assert_eq!(code, 0, "{err}");
    let found = json(&out);
    assert_eq!((found["method"].as_str(), found["prune"].as_str()), (Some("r2-sort"), Some("cam")));
    let notes = ["for `exact`; `r2-sort` does not use them", "for `likelihood`; `cam` does not use them"];
    assert!(
        notes.iter().all(|note| err.contains(&format!("the config file's settings are {note}"))),
        "{err}"
    );
    home.succeed("discover --config run/config.toml --method r2-sort --set descending=true --quiet");
    home.succeed("discover --config run/config.toml --method exact --quiet");
}

#[test]
fn help_and_completions_are_there() {
    let home = Home::new();
    for line in [
        "--help",
        "discover --help",
        "evaluate --help",
        "prune --help",
        "fit --help",
        "--version",
        "completions bash",
        "completions zsh",
    ] {
        assert!(!home.succeed(line).is_empty(), "{line}");
    }
    assert!(home.succeed("fit --help").contains("  epochs = 150\n"), "settings are listed");
    assert!(home.succeed("simulate --help").contains("  expected_edges = \"none\"\n"), "settings are listed");
    let (code, out, err) = home.run("");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("Usage: oslow"));
}

#[test]
fn numbers_that_are_too_large_do_no_harm() {
    let home = Home::new();
    for budget in ["9223372036854775807", "1e19s"] {
        home.succeed(&format!("discover data.csv --method random --budget {budget}"));
        home.succeed(&format!("prune data.csv --order a,b,c --prune cam --budget {budget}"));
    }
    let (code, _, err) = home.run("discover data.csv --method random --threads 1000000");
    assert_eq!(code, 0);
    let most = oslow::most_threads();
    assert!(err.starts_with(&format!("using {most} threads (4 per core), not 1000000\n")), "{err}");
}

#[test]
fn a_family_is_simulated_and_other_options_override_it() {
    let home = Home::new();
    home.succeed("simulate --family seen-counts --nodes 3 --rows 50 --seed 2 --out counts");
    let data = home.read("counts/data.csv");
    assert!(
        data.lines().skip(1).flat_map(|line| line.split(',')).all(|x| x.parse::<u32>().is_ok()),
        "{data}"
    );
    home.succeed("simulate --family seen-counts --set seen=as-is --nodes 3 --rows 50 --seed 2 --out plain");
    assert_ne!(home.read("plain/data.csv"), data);
    assert_eq!(home.read("plain/truth.csv"), home.read("counts/truth.csv"));
    let (code, _, err) = home.run("simulate --family seen-count --out nothing");
    assert_eq!(code, 2);
    assert!(
        err.contains("error: there is no family `seen-count`\nhint: did you mean `seen-counts`?"),
        "{err}"
    );
}
