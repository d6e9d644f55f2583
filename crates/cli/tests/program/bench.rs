//! `oslow bench`: stored as it goes, killed, resumed, split.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::home::Home;

const EXPERIMENT: &str = r#"
title = "A small one"
metrics = ["cbc", "shd"]
seed = 5
sets = 3
rows = 150
nodes = [3]
methods = [{ name = "oslow", settings = { cycles = 8, refine = "none" }, also = ["best-validated"] }]

[[problems]]
column = "sinusoid"
simulate = { mechanism = "sinusoid" }
graphs = ["path", "tournament"]

[[problems]]
column = "genes"
folder = "genes"
origin = "ask Mendel"

[[published]]
label = "Theirs"
cbc."sinusoid" = [0.15, 0.18]

[profiles.tiny]
sets = 1
"#;

/// A home with the experiment in it.
fn home() -> Home {
    let home = Home::new();
    home.write("small.toml", EXPERIMENT);
    home
}

/// The lines of results without their times.
fn timeless(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().map(csv_fields);
    let header = lines.next().unwrap();
    let timed: Vec<usize> =
        (0..header.len()).filter(|&k| header[k] == "seconds" || header[k] == "prune_seconds").collect();
    assert_eq!(timed.len(), 2);
    lines
        .map(|fields| {
            fields.into_iter().enumerate().filter(|(k, _)| !timed.contains(k)).map(|(_, f)| f).collect()
        })
        .collect()
}

fn csv_fields(line: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    reader.records().next().unwrap().unwrap().iter().map(String::from).collect()
}

#[test]
fn a_method_without_an_order_has_its_graph_pruned_and_no_cbc() {
    let home = Home::new();
    let methods = r#"methods = [{ name = "gran-dag", settings = { iterations = 500, rate = 0.01 } }]
prune = ["none", "cam"]"#;
    let (head, tail) = EXPERIMENT.split_once("methods").unwrap();
    let (_, tail) = tail.split_once('\n').unwrap();
    home.write("graphs.toml", &format!("{head}{methods}\n{tail}"));
    home.succeed("bench graphs.toml --profile tiny --out graphs --threads 1 --quiet");
    let results = home.read("graphs/results.csv");
    let header = csv_fields(results.lines().next().unwrap());
    let at = |name: &str| header.iter().position(|field| field == name).unwrap();
    let rows: Vec<Vec<String>> = results.lines().skip(1).map(csv_fields).collect();
    for prune in ["none", "cam"] {
        let of = |row: &&Vec<String>| row[at("method")] == "gran-dag" && row[at("prune")] == prune;
        let judged: Vec<&Vec<String>> = rows.iter().filter(of).collect();
        assert_eq!(judged.len(), 2, "{results}");
        for row in judged {
            assert!(row[at("cbc")].is_empty() && !row[at("shd")].is_empty() && row[at("error")].is_empty());
        }
        assert!(home.read("graphs/summary.md").contains(&format!("| gran-dag + {prune} | – |")));
    }
}

#[test]
fn a_killed_run_is_resumed_without_losing_or_repeating_a_cell() {
    let home = home();
    home.succeed("bench small.toml --out whole --threads 1 --quiet");
    let whole = home.read("whole/results.csv");

    let mut child = home.command("bench small.toml --out cut --threads 2 --quiet").spawn().unwrap();
    let path = home.path("cut/results.csv");
    let start = Instant::now();
    let written = || std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    while written() < 4 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = home.read("cut/results.csv");
    assert!((4..whole.lines().count()).contains(&before.lines().count()), "{before}");

    let (code, _, err) = home.run("bench small.toml --out cut --threads 2");
    assert_eq!(code, 2);
    assert!(err.contains("error: `cut` holds results\nhint: go on with them with `--resume`"), "{err}");
    home.succeed("bench small.toml --out cut --threads 2 --quiet --resume");
    let after = home.read("cut/results.csv");
    assert_eq!(timeless(&after), timeless(&whole), "the same cells, whatever the threads and the kill");
    // What was finished before the kill was not done again: its times are still there.
    let lines: HashSet<&str> = after.lines().collect();
    let complete = before.rsplit_once('\n').unwrap().0;
    assert!(complete.lines().filter(|line| lines.contains(line)).count() >= complete.lines().count() - 1);
}

#[test]
fn shards_together_are_the_whole() {
    let home = home();
    home.succeed("bench small.toml --profile tiny --out whole --quiet");
    for shard in ["1/3", "2/3", "3/3"] {
        let out =
            home.succeed(&format!("bench small.toml --profile tiny --out parts --shard {shard} --quiet"));
        assert_eq!(out, "");
    }
    let (_, out, err) = home.run("bench small.toml --profile tiny --out parts --resume --json");
    let cells = home.read("whole/results.csv").lines().count() - 1 - 2 * 2;
    assert!(out.contains("\"done\": 12") && out.contains("\"total\": 12"), "{out} {err} {cells}");
    assert_eq!(timeless(&home.read("parts/results.csv")), timeless(&home.read("whole/results.csv")));
}

#[test]
fn folders_of_shards_are_merged_or_refused() {
    let home = home();
    home.succeed("bench small.toml --profile tiny --out whole --quiet");
    for (shard, out) in [("1/2", "first"), ("2/2", "second")] {
        home.succeed(&format!("bench small.toml --profile tiny --shard {shard} --out {out} --quiet"));
    }
    for (line, message) in [
        ("--merge first", "error: 6 of 12 cells are missing: those of shard 2/2\nhint: name the folders"),
        ("--merge first second first", " hold the same cell\nhint: name the folder of each shard once"),
        (
            "--merge first nowhere",
            "error: `nowhere` holds no results\nhint: name the folders that the shards wrote",
        ),
        ("--seed 9 --merge first second", "holds 6 cells that this experiment does not ask for"),
    ] {
        let (code, out, err) = home.run(&format!("bench small.toml --profile tiny --out merged {line}"));
        assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
        assert!(err.contains(message), "{line}: {err}");
        assert!(!home.path("merged").exists(), "{line} left something behind");
    }
    let (code, out, err) = home.run("bench small.toml --profile tiny --out merged --merge second first");
    assert_eq!((code, out), (0, home.read("merged/summary.md")), "{err}");
    assert_eq!(timeless(&home.read("merged/results.csv")), timeless(&home.read("whole/results.csv")));
    let (code, _, err) = home.run("bench small.toml --profile tiny --out merged --merge first second");
    assert_eq!(code, 2);
    assert!(err.contains("`merged` holds results"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_slurm_array_does_the_shards() {
    let home = home();
    // No profile is named: the experiment is made as small as the others here.
    home.write("small.toml", &EXPERIMENT.replace("sets = 3", "sets = 1"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cluster/slurm_array.sh");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_oslow")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    // The second time, a task finds its shard done.
    for task in ["1", "2", "1"] {
        let mut bash = std::process::Command::new("bash");
        bash.current_dir(home.path("")).args([script, "small.toml", "parts"]).env("PATH", &path);
        let done = bash.env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_TASK_COUNT", "2").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    home.succeed("bench small.toml --merge parts/1 parts/2 --out whole --quiet");
    assert_eq!(timeless(&home.read("whole/results.csv")).len(), 14);
}

#[test]
fn the_summary_has_ours_the_published_and_the_trivial_rows() {
    let home = home();
    let (code, out, err) = home.run("bench small.toml --profile tiny --out b");
    assert_eq!(code, 0, "{err}");
    assert_eq!(out, home.read("b/summary.md"));
    for row in [
        "| oslow + none |",
        "| oslow: best-validated + none |",
        "| random order + none |",
        "| R²-sort, ascending + none |",
        "| R²-sort, descending + none |",
        "| true order + none | 0.000",
        "| empty graph | –",
        "| Theirs | 0.15 ± 0.18",
        "| R²-sortability |",
    ] {
        assert!(out.contains(row), "{row} is not in\n{out}");
    }
    assert!(out.contains("sinusoid CBC (2 data sets)") && out.contains("No cell failed."), "{out}");
    assert!(out.ends_with("```\noslow bench small.toml --profile tiny\n```\n"), "{out}");
    let skipped = "`genes` is skipped: nothing says where its folder is (ask Mendel)";
    assert!(out.contains(skipped) && err.contains(skipped), "{err}");
    assert!(err.contains("`--folder NAME=DIR`"), "{err}");
    assert!(home.read("b/summary.html").contains("<table>"));
    assert!(home.read("b/summary.tex").contains("\\toprule"));
}

#[test]
fn a_failing_cell_is_a_row_and_not_the_end() {
    let home = home();
    std::fs::create_dir(home.path("genes")).unwrap();
    home.write("genes/data1.csv", "a,b\n1,2\n2,1\n3,5\n4,4\n");
    home.write("genes/DAG1.csv", "a,b\n0,1\n0,0\n");
    home.write("genes/data2.csv", "a,b\n1,2\n2,1\n3,5\n4,4\n");
    home.write("genes/DAG2.csv", "a,b\n0,0\n0,0\n");
    home.write("fail.toml", &EXPERIMENT.replace("also = [\"best-validated\"]", "also = [\"no-such\"]"));
    let (code, out, err) = home.run("bench fail.toml --profile tiny --out b --folder genes=genes");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("`oslow` offers no order `no-such`") && out.contains("4 rows failed"), "{out}");
    // The truth without edges has no CBC; that is not a failure.
    let rows = home.read("b/results.csv");
    assert!(rows.lines().any(|line| line.contains("genes 2") && line.contains("true order")), "{rows}");
}

#[test]
fn wrong_experiments_are_refused_before_work_starts() {
    let home = home();
    home.write("bad.toml", &EXPERIMENT.replace("\"oslow\"", "\"oslo\""));
    for (line, message) in [
        ("bench nothing.toml", "error: there is no file `nothing.toml`\nhint: "),
        ("bench bad.toml", "error: bad.toml: there is no method `oslo`\nhint: did you mean `oslow`?\n"),
        (
            "bench small.toml --profile tin",
            "error: small.toml: there is no profile `tin`\nhint: did you mean `tiny`?\n",
        ),
        ("bench small.toml --shard 4/3", "error: shard: `4/3` is not i/n with 1 ≤ i ≤ n\nhint: "),
        ("bench small.toml --folder genes", "error: --folder genes: there is no `=`\nhint: "),
        (
            "bench small.toml --folder genes=nowhere",
            "error: --folder genes=nowhere: there is no folder `nowhere`\nhint: ",
        ),
    ] {
        let (code, out, err) = home.run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
        assert!(err.starts_with(message), "{line}: {err}");
        assert!(!home.path("bench").exists(), "{line} left something behind");
    }
}

#[test]
fn results_of_other_settings_are_not_mixed() {
    let home = home();
    home.succeed("bench small.toml --profile tiny --out b --quiet");
    home.write("small.toml", &EXPERIMENT.replace("cycles = 8", "cycles = 9"));
    let (code, _, err) = home.run("bench small.toml --profile tiny --out b --resume");
    assert_eq!(code, 2);
    assert!(err.contains("holds 2 cells that this experiment does not ask for"), "{err}");
    // An experiment that has only grown goes on.
    home.write("small.toml", EXPERIMENT);
    home.succeed("bench small.toml --profile tiny --out b --resume --quiet --sets 2");
    assert!(home.read("b/results.csv").contains("set 1"));
}

#[test]
fn figures_come_out_as_csv_and_pictures() {
    let home = Home::new();
    home.write(
        "figures.toml",
        "title = 'F'\nrows = 200\n[[figures]]\nname = 'path of 2'\npoints = 9\ndraws = 50\ntrue_draws = 500\n\
         simulate = { graph = 'path', nodes = 2, mechanism = 'intervention' }",
    );
    let out = home.succeed("bench figures.toml --out f --quiet");
    assert!(out.contains("| path of 2, X2 |"), "{out}");
    let text = home.read("f/results.csv");
    assert_eq!(text.lines().count(), 10);
    assert!(text.starts_with("cell,part,figure,target,x,mean,low,high,truth,"), "{text}");
    assert!(home.read("f/path-of-2-X2.svg").starts_with("<svg"));
    let before = home.read("f/results.csv");
    home.succeed("bench figures.toml --out f --quiet --resume");
    assert_eq!(home.read("f/results.csv"), before, "nothing was done again");
}
