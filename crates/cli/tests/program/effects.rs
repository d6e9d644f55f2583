//! `oslow effects`, and `oslow fit --run`.

use crate::home::Home;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// What a call that must be refused says.
fn refused(home: &Home, line: &str) -> String {
    let (code, out, err) = home.run(line);
    assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
    err
}

/// Rows in which z causes x and y, and x causes y: y = 2x − 3z + noise. `kind` is one of three words, `yes` is 0 or 1.
fn table(home: &Home) {
    let mut table = String::from("z,x,y,kind,yes\n");
    let mut state = 7_u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    for _ in 0..200 {
        let z = 2.0 * uniform() - 1.0;
        let x = z + uniform();
        let y = 2.0 * x - 3.0 * z + uniform();
        let kind = ["a", "b", "c"][(3.0 * uniform()) as usize];
        let yes = u8::from(uniform() < 0.3 + 0.4 * f64::from(u8::from(x > 0.5)));
        table += &format!("{z},{x},{y},{kind},{yes}\n");
    }
    home.write("table.csv", &table);
}

#[test]
fn a_run_answers_as_its_table_does() {
    let home = Home::new();
    table(&home);
    let asked = "--on x --target y --from 0 --to 1 --grid x=0:1:0.5 --json --quiet";
    let of_table = json(&home.succeed(&format!("effects table.csv --columns z,x,y --seed 3 {asked}")));
    home.succeed("discover table.csv --columns z,x,y --seed 3 --quiet --out run");
    let of_run = json(&home.succeed(&format!("effects run {asked}")));
    assert_eq!(of_run, of_table);
    assert_eq!(json(&home.succeed(&format!("effects run --threads 1 {asked}"))), of_run);
    let [low, mean, high] = ["low", "mean", "high"].map(|key| number(&of_run[key]));
    assert!(low <= mean && mean <= high && low < high, "{of_run}");
    assert_eq!(of_run["curve"].as_array().unwrap().len(), 3);
    // The sets are those of run.json, and so is the probability of no effect.
    let run = json(&home.read("run/run.json"));
    let stored = run["columns_info"][1]["parent_sets"].as_array().unwrap();
    let named = |sets: &[Value]| sets.iter().map(|set| set["parents"].clone()).collect::<Vec<_>>();
    assert_eq!(named(of_run["parent_sets"].as_array().unwrap()), named(stored));
    let sum: f64 = stored.iter().map(|set| number(&set["probability"])).sum();
    assert!(sum > 0.8 && sum < 1.001, "{sum}");
    let pairs = run["pairs"].as_array().unwrap();
    let pair = pairs.iter().find(|pair| pair["a"] == "x" && pair["b"] == "y").unwrap();
    assert!((number(&of_run["p_no_effect"]) - (1.0 - number(&pair["a_causes_b"]))).abs() < 1e-9);
    let weighted = of_run["parent_sets"].as_array().unwrap().iter();
    let weighted: f64 = weighted.map(|set| number(&set["probability"]) * number(&set["mean"])).sum();
    assert!((weighted / sum - mean).abs() < 1e-9);
    let words = home.succeed("effects run --on x --target y --quiet");
    assert!(words.starts_with("setting x from ") && words.contains("(lower to upper quartile)"), "{words}");
    assert!(words.contains(" changes the mean of y by ") && words.contains("(90 % interval "), "{words}");
    assert!(words.contains("probability of no effect ") && words.contains(" of causes of x"), "{words}");
    // A table that is gone or has changed is not taken for that of the run.
    home.write("table.csv", "z,x,y\n1,2,3\n2,1,3\n4,4,1\n");
    let refusal = refused(&home, "effects run --on x --target y");
    assert!(refusal.contains("`table.csv` has changed since the run in `run` was made"), "{refusal}");
    std::fs::remove_file(home.path("table.csv")).unwrap();
    let refusal = refused(&home, "effects run --on x --target y");
    assert!(refusal.contains("the table of the run in `run`"), "{refusal}");
}

#[test]
fn a_given_graph_is_adjusted_for() {
    let home = Home::new();
    table(&home);
    home.write("graph.csv", "from,to\nz,x\nz,y\nx,y\n");
    home.write("wrong.csv", "from,to\nx,y\n");
    home.write("reversed.csv", "from,to\ny,x\n");
    let effect = |graph: &str| {
        let asked = "effects table.csv --columns z,x,y --on x --target y --from 0 --to 1 --json --quiet";
        json(&home.succeed(&format!("{asked} --graph {graph}")))
    };
    let right = effect("graph.csv");
    assert!((number(&right["mean"]) - 2.0).abs() < 0.2, "{right}");
    assert!(number(&right["low"]) < 2.0 && number(&right["high"]) > 2.0, "{right}");
    assert!(right.get("p_no_effect").is_none());
    assert!(number(&effect("wrong.csv")["mean"]) < 1.0);
    let reversed = effect("reversed.csv");
    assert_eq!(["mean", "low", "high"].map(|key| number(&reversed[key])), [0.0; 3]);
}

#[test]
fn levels_are_named_and_probabilities_told() {
    let home = Home::new();
    table(&home);
    home.write("graph.csv", "from,to\nx,yes\nkind,y\n");
    let asked = "effects table.csv --columns x,y,kind,yes --graph graph.csv --quiet";
    let words = home.succeed(&format!("{asked} --on x --target yes"));
    assert!(words.contains("changes the probability of yes = 1 by 0."), "{words}");
    let words = home.succeed(&format!("{asked} --on kind --target y --from a --to c"));
    assert!(words.starts_with("setting kind from a to c changes the mean of y by "), "{words}");
    let refusal = refused(&home, &format!("{asked} --on kind --target y"));
    assert!(refusal.contains("say which two of its levels") && refusal.contains("`--from`"), "{refusal}");
    let refusal = refused(&home, &format!("{asked} --on kind --target y --from a --to d"));
    assert!(refusal.contains("`kind` has no level `d`"), "{refusal}");
    let refusal = refused(&home, &format!("{asked} --on x --target kind"));
    assert!(refusal.contains("`kind` is categorical with 3 levels"), "{refusal}");
    assert!(refusal.contains("`--type kind=ordinal`"), "{refusal}");
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let home = Home::new();
    table(&home);
    let refusal = |asked: &str| refused(&home, &format!("effects table.csv {asked}"));
    assert!(refusal("--on xx --target y").contains("there is no column `xx`"));
    assert!(refusal("--on x --target x").contains("`x` is both set and the target"));
    assert!(refusal("--on x --target y --from much").contains("`much` is not a number"));
    assert!(refusal("--on x --target y --from 1 --to 1").contains("which is no change"));
    assert!(refusal("--on x --target y --grid z=0:1:1").contains("--grid sets `z`, and --on says `x`"));
    assert!(refusal("--on kind --target y --from a --to b --grid kind=0:1:1").contains("it has no curve"));
    assert!(refusal("--on yes --target y --from 0 --to 0.5").contains("`yes` is binary and never 0.5"));
    home.succeed("discover table.csv --columns z,x,y --method r2-sort --prune none --quiet --out sorted");
    let refusal = refused(&home, "effects sorted --on x --target y");
    assert!(refusal.contains("does not hold the probabilities of causes"), "{refusal}");
    let refusal = refused(&home, "effects sorted --on x --target y --columns x,y");
    assert!(refusal.contains("is a run, which has its own"), "{refusal}");
    let warned =
        home.run("effects table.csv --columns z,x,y --graph sorted/edges.csv --on x --target y --from -9").2;
    assert!(warned.contains("`x` = -9 lies outside the central 99 % of its data"), "{warned}");
}

#[test]
fn a_flow_follows_the_graph_of_a_run() {
    let home = Home::new();
    table(&home);
    home.succeed("discover table.csv --columns z,x,y --fit --quiet --seed 2 --out run");
    home.succeed("fit --run run --out model.safetensors --quiet");
    let bytes = |name: &str| std::fs::read(home.path(name)).unwrap();
    assert_eq!(bytes("model.safetensors"), bytes("run/model.safetensors"));
    let (code, _, err) = home.run("fit --run run --order z,x,y --out other.safetensors");
    assert_eq!(code, 2, "{err}");
    let refusal = refused(&home, "fit table.csv --columns z,x --run run --out other.safetensors");
    assert!(refusal.contains("the run has the columns z, x, y"), "{refusal}");
}
