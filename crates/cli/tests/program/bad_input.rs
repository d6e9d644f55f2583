//! Every way to call the program wrongly, and its exact words. Exit code 2, nothing on stdout, nothing written.

use crate::home::Home;

/// Refused with these words, and the folder `run` was not made.
fn refused(home: &Home, line: &str, message: &str, hint: &str) {
    let (code, out, err) = home.run(line);
    // What was read before the mistake was found may be told first.
    let said: String = err.lines().filter(|l| !l.ends_with(" columns")).map(|l| format!("{l}\n")).collect();
    let hint = if hint.is_empty() { String::new() } else { format!("hint: {hint}\n") };
    assert_eq!((code, out.as_str()), (2, ""), "oslow {line}\n{err}");
    assert_eq!(said, format!("error: {message}\n{hint}"), "oslow {line}");
    assert!(!home.path("run").exists() && !home.path(".run.unfinished").exists(), "oslow {line}");
}

/// A table that cannot be used.
fn refused_table(text: &str, message: &str, hint: &str) {
    let home = Home::new();
    home.write("t.csv", text);
    refused(&home, "discover t.csv --method random --out run", message, hint);
}

#[test]
fn tables() {
    let home = Home::new();
    refused(&home, "discover dta.csv --out run", "there is no file `dta.csv`", "did you mean `data.csv`?");
    refused_table("", "t.csv: the file is empty", "a table has a line of names and a line for each row");
    refused_table(
        "a,b\n1,2\n3\n",
        "t.csv: line 3: 1 field, but the header (line 1) has 2",
        "repair the line; a field that contains the delimiter must stand in quotes",
    );
    refused_table(
        "a,b\n1,2\n3,high\n",
        "t.csv: line 3, column `b`: `high` is not a number",
        "if the column holds categories, pass `--type b=categorical`; if not, repair the cell or leave the column out with `--index b`",
    );
    let drop = "pass `--missing auto` to use what the other cells say, `--missing drop-rows` to leave such rows out, or repair the table";
    refused_table("a,b\n1,2\nNaN,3\n", "t.csv: line 3, column `a`: the value is missing (`NaN`)", drop);
    refused_table("a,b\n1,2\n3,inf\n", "t.csv: line 3, column `b`: inf is not a finite number", drop);
    refused_table(
        "a,b\n1,2\n1,3\n",
        "t.csv: column `a` is constant, so it can neither be standardised nor ordered",
        "drop it, or choose the others with `--columns`",
    );
    refused_table("a,b\n1,1\n2,2\n", "t.csv: columns `a` and `b` hold the same values", "drop one of them");
    refused_table(
        "a,b,a\n1,2,3\n",
        "t.csv: columns 1 and 3 are both named `a`",
        "rename one, or choose other columns with `--columns`",
    );
    refused_table(
        "a\n1\n2\n",
        "t.csv: only one column, `a`: an order needs at least 2",
        "if the columns are not separated by `,` `;` or tab, say by what with `--delimiter`",
    );
    refused_table("a,b\n1,2\n", "t.csv: 1 row: at least 2 are needed", "pass a table with more rows");
}

#[test]
fn unknown_names() {
    let home = Home::new();
    let mean = |name: &str| format!("did you mean `{name}`?");
    refused(
        &home,
        "discover data.csv --method oslwo --out run",
        "there is no method `oslwo`",
        &mean("oslow"),
    );
    refused(&home, "discover data.csv --prune noen --out run", "there is no pruner `noen`", &mean("none"));
    refused(
        &home,
        "discover data.csv --method oslow --set cylces=2 --out run",
        "unknown setting `cylces`",
        &mean("cycles"),
    );
    refused(&home, "discover data.csv --set windwo=2 --out run", "unknown setting `windwo`", &mean("window"));
    refused(
        &home,
        "discover data.csv --set local.fodls=2 --out run",
        "unknown setting `local.fodls`",
        &mean("folds"),
    );
    refused(
        &home,
        "discover data.csv --method oslow --set flow.hiden=[2] --out run",
        "unknown setting `flow.hiden`",
        &mean("hidden"),
    );
    refused(
        &home,
        "discover data.csv --prune cam --set prune.cut=1 --out run",
        "unknown setting `cut`",
        "did you mean `cutoff`?",
    );
    refused(&home, "discover sahcs", "`sahcs` is neither a file nor a built-in data set", &mean("sachs"));
    refused(
        &home,
        "discover data.csv --columns a,d",
        "data.csv: there is no column `d`",
        "there are: a, b, c",
    );
    refused(&home, "simulate --graph pth --out run", "there is no graph `pth`", &mean("path"));
    refused(
        &home,
        "simulate --problem pairwise --out run",
        "there is no problem `pairwise`",
        &mean("pairwise-counterexample"),
    );
    refused(&home, "simulate --set sings=random --out run", "unknown setting `sings`", &mean("signs"));
}

#[test]
fn settings_and_options() {
    let home = Home::new();
    refused(
        &home,
        "discover data.csv --set cycles --out run",
        "--set cycles: there is no `=`",
        "for example `--set local.folds=10` or `--set flow.hidden=[32,32]`",
    );
    refused(
        &home,
        "discover data.csv --method oslow --set cycles=many --out run",
        "`cycles` must be a whole number, got `many`",
        "`oslow list methods --json` shows every setting with its default",
    );
    refused(
        &home,
        "discover data.csv --set local.folds=abc --out run",
        "`local.folds` must be a whole number, got `abc`",
        "`oslow list methods --json` shows every setting with its default",
    );
    refused(
        &home,
        "fit data.csv --order a,b,c --set weight_decay=-1 --out model",
        "weight_decay = -1: it must be 0 to 1000000",
        "",
    );
    refused(
        &home,
        "discover data.csv --method oslow --set cycles=0 --out run",
        "cycles = 0: it must be 1 to 1000000",
        "",
    );
    refused(&home, "discover data.csv --set starts=0 --out run", "starts = 0: it must be 1 to 10000", "");
    refused(
        &home,
        "discover data.csv --set exact_up_to=26 --out run",
        "exact_up_to = 26: it must be 0 to 25",
        "",
    );
    refused(
        &home,
        "discover data.csv --set prune.sufficient.standard_errors=-1 --out run",
        "sufficient.standard_errors = -1: it must be 0 to 1000000",
        "",
    );
    let outliers = "for example `--outliers mad:10`";
    refused(
        &home,
        "discover data.csv --outliers iqr",
        "outliers: `iqr` is neither `none` nor `mad:K`",
        outliers,
    );
    refused(
        &home,
        "discover data.csv --outliers mad:0.001 --out run",
        "outliers mad:0.001 keeps only 0 of 60 rows",
        "pass a larger multiple, such as `--outliers mad:10`",
    );
    refused(
        &home,
        "discover data.csv --standardize minmax --out run",
        "standardize: `minmax` is neither `zscore` nor `none`",
        "for example `--standardize none`",
    );
    refused(
        &home,
        "discover data.csv --budget soon --out run",
        "budget: `soon` is not a time",
        "for example `--budget 60s`, `5m` or `1.5h`",
    );
    let usual = "100 or 200 resamples are usual, as in `--bootstrap 100`";
    refused(
        &home,
        "discover data.csv --bootstrap 0 --out run",
        "bootstrap = 0: at least 1 resample is needed",
        usual,
    );
    refused(
        &home,
        "discover data.csv --bootstrap 1000000000000 --out run",
        "bootstrap = 1000000000000: at most 1000000 resamples can be counted",
        usual,
    );
    refused(
        &home,
        "discover data.csv --missing fill",
        "missing: `fill` is none of auto, refuse, drop-rows and impute",
        "for example `--missing auto`",
    );
    refused(
        &home,
        "discover data.csv --delimiter ab",
        "the delimiter `ab` is not a single character",
        "for example `--delimiter ';'` or `--delimiter tab`",
    );
    // What clap refuses has its words, but the same exit code.
    for line in [
        "discover --no-such",
        "discover --threads 0",
        "discover --seed -1",
        "discover --bootstrap -1",
        "discover --bootstrap many",
        "discover --resume",
        "nothing",
    ] {
        let (code, out, err) = home.run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.starts_with("error: "), "{err}");
    }
}

#[test]
fn simulations() {
    let home = Home::new();
    let given = |rest: &str| format!("simulate --graph given --nodes 3 --out run {rest}");
    let count = "nodes are counted from 0; `nodes` says how many there are";
    refused(
        &home,
        &given(""),
        "the graph `given` has no edges",
        "give them as cause and effect, counted from 0: edges=[[0,1],[1,2]]",
    );
    refused(&home, &given("--set edges=[[0,3]]"), "edges: edge 0 → 3 names a node outside 0..3", count);
    refused(
        &home,
        &given("--set edges=[[0,1],[1,0]]"),
        "edges: the graph has a cycle: 0 → 1 → 0",
        "a causal graph must be acyclic: remove one of these edges",
    );
    refused(
        &home,
        "simulate --set edges=[[0,1]] --out run",
        "edges: the graph `erdos-renyi` draws its own",
        "choose the graph `given`, or leave `edges` out",
    );
    refused(
        &home,
        "simulate --nodes 4 --set expected_edges=7 --out run",
        "expected_edges = 7: must lie above 0 and not above 6, all pairs",
        "",
    );
    refused(
        &home,
        "simulate --set p=0.2 --set expected_edges=7 --out run",
        "p and expected_edges say the same: give one of them",
        "",
    );
    refused(
        &home,
        "simulate --set output=square --out run",
        "there is no output `square`",
        "there are: identity, cube, cuberoot, asinh, sinh, sigmoid, hinge, any",
    );
    refused(&home, "simulate --rows 1 --out run", "rows = 1: at least 2 are needed", "");
    let problem = "simulate --problem pairwise-counterexample --out run";
    refused(&home, &format!("{problem} --rows 1"), "rows = 1: at least 2 are needed", "");
    // What a problem fixes cannot be chosen; clap has its own words for it.
    for option in [
        "graph path",
        "nodes 3",
        "mechanism linear",
        "noise laplace",
        "additive",
        "set p=0.3",
        "graph-seed 1",
    ] {
        let (code, out, err) = home.run(&format!("{problem} --{option}"));
        assert_eq!((code, out.as_str()), (2, ""), "{option}");
        assert!(err.starts_with("error: ") && err.contains("cannot be used with"), "{err}");
        assert!(!home.path("run").exists(), "{option}");
    }
}

#[test]
fn configuration_files() {
    let home = Home::new();
    let spelling = "check the spelling; paths count from the folder where oslow was started";
    refused(&home, "discover --config c.toml", "there is no file `c.toml`", spelling);
    home.write("c.toml", "metod = 'random'");
    refused(&home, "discover --config c.toml", "c.toml: unknown key `metod`", "did you mean `method`?");
    home.write("c.toml", "data = 'data.csv'\nbootstrap = 0");
    refused(
        &home,
        "discover --config c.toml",
        "bootstrap = 0: at least 1 resample is needed",
        "100 or 200 resamples are usual, as in `--bootstrap 100`",
    );
}

#[test]
fn text_that_is_not_utf_8() {
    let home = Home::new();
    let latin = |name: &str| std::fs::write(home.path(name), b"# one line\nname = 'caf\xe9'\n").unwrap();
    latin("k.toml");
    std::fs::create_dir(home.path("found")).unwrap();
    latin("found/run.json");
    home.write("truth.csv", "from,to\na,b\n");
    for (line, file) in [
        ("discover data.csv --method random --knowledge k.toml --out run", "k.toml"),
        ("discover --config k.toml --out run", "k.toml"),
        ("bench k.toml --out run", "k.toml"),
        ("evaluate --truth truth.csv --run found", "found/run.json"),
    ] {
        refused(&home, line, &format!("{file}: line 2: the text is not UTF-8"), "save the file as UTF-8");
    }
}

#[test]
fn knowledge() {
    let home = Home::new();
    let call = "discover data.csv --method random --knowledge k.toml --out run";
    let spelling = "check the spelling; paths count from the folder where oslow was started";
    refused(&home, call, "there is no file `k.toml`", spelling);
    home.write("k.toml", "required = [['a','b'],['b','a']]");
    let cycle = "k.toml: the required edges form a cycle: `a` → `b`, `b` → `a`";
    refused(&home, call, cycle, "remove one of them");
    home.write("k.toml", "tiers = [['a'],['b']]\nrequired = [['b','a']]");
    refused(
        &home,
        call,
        "k.toml: the required edge `b` → `a` goes against the tiers",
        "move one of the two columns to another tier or drop the edge",
    );
    home.write("k.toml", "roots = ['z']");
    refused(&home, call, "k.toml: there is no column `z`", "there are: a, b, c");
}

#[test]
fn orders() {
    let home = Home::new();
    let fit = |order: &str| format!("fit data.csv --order {order} --out run");
    let each = "name each of the 3 columns once, causes first";
    refused(&home, &fit("a,b"), "order: column `c` is missing", each);
    refused(&home, &fit("a,b,b"), "order: `b` is named twice", each);
    refused(&home, &fit("a,b,z"), "order: there is no column `z`", "there are: a, b, c");
    home.write("k.toml", "tiers = [['a'],['b']]");
    refused(
        &home,
        &format!("{} --knowledge k.toml", fit("b,a,c")),
        "the order contradicts the knowledge",
        "look at its tiers and required edges",
    );
    refused(
        &home,
        "fit data.csv --order a,b,c --out no/m",
        "there is no folder `no`",
        "make it first, or name another file with `--out`",
    );
}

#[test]
fn models_and_actions() {
    let home = Home::new();
    let make = "make a model with `oslow fit DATA --order a,b,c --out MODEL`";
    refused(&home, "sample none.safetensors", "there is no file `none.safetensors`", make);
    home.write("broken.safetensors", "this is no model");
    let (code, out, err) = home.run("intervene broken.safetensors --do a=1");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("error: broken.safetensors: not a model of oslow: "), "{err}");
    assert!(
        err.ends_with("\nhint: models are made by `oslow fit DATA --order a,b,c --out MODEL`\n"),
        "{err}"
    );

    home.succeed("fit data.csv --order a,b,c --out m --set epochs=1 --set flow.hidden=[2] --quiet");
    let there = "there are: a, b, c";
    refused(&home, "intervene m --do zz=1", "--do zz=1: the model has no variable `zz`", there);
    refused(&home, "intervene m --do a", "--do a: there is no `=`", "for example `--do a=1.5`");
    refused(
        &home,
        "intervene m --do a=x",
        "--do a=x: `x` is not a finite number",
        "for example `--do a=1.5`",
    );
    refused(&home, "intervene m --do a=1 --do a=2", "--do a=2: `a` is set twice", "name each variable once");
    let range = "for example `--grid a=-3:3:0.1`: start, stop and step";
    refused(&home, "intervene m --grid zz=0:1:1", "--grid zz=0:1:1: the model has no variable `zz`", there);
    refused(&home, "intervene m --grid a=0:1", "--grid a=0:1: a range is start:stop:step", range);
    refused(
        &home,
        "intervene m --grid a=0:1:1 --do a=1",
        "`a` is set by both --do and --grid",
        "drop one of the two",
    );
    refused(&home, "intervene m --do a=1 --target zz", "--target zz: the model has no variable `zz`", there);
    refused(
        &home,
        "intervene m --do a=1 --target a",
        "--target a: it is set, so its mean is known",
        "name a variable that is not set, or leave `--target` out",
    );
    refused(
        &home,
        "intervene m --do a=1 --rows 1",
        "rows = 1: an interval needs at least 2",
        "draw more rows",
    );
    home.write("two.csv", "a,b\n1,2\n");
    let columns = "two.csv: there is no column `c`";
    refused(&home, "counterfactual m two.csv --do a=1", columns, "there are: a, b");
}

#[test]
fn folders_with_other_things() {
    let home = Home::new();
    std::fs::create_dir(home.path("thesis")).unwrap();
    home.write("thesis/chapter.tex", "");
    let hint = "name another folder with `--out`; nothing in this one was touched";
    refused(
        &home,
        "discover data.csv --out thesis",
        "the folder `thesis` is not empty and holds no run",
        hint,
    );
    refused(&home, "simulate --out thesis", "the folder `thesis` is not empty and holds no simulation", hint);
    refused(
        &home,
        "discover --out data.csv",
        "`data.csv` is a file, not a folder",
        "name a folder with `--out`",
    );
}

#[test]
fn judging() {
    let home = Home::new();
    let judge = |rest: &str| format!("evaluate --truth truth.csv {rest}");
    refused(
        &home,
        &judge("--order a,b,c"),
        "there is no file `truth.csv`",
        "check the spelling; paths count from the folder where oslow was started",
    );
    home.write("truth.csv", "from,to\nalpha,b\nb,c\n");
    let once = "name each node once, causes first";
    let missing = "order: `c` is missing, which has edges in `truth.csv`";
    refused(&home, &judge("--order alpha,b"), missing, once);
    refused(
        &home,
        &judge("--order alhpa,b,c"),
        "order: `alpha` is missing, which has edges in `truth.csv`",
        "did you mean `alpha` where the order has `alhpa`?",
    );
    let three = "name each of the 3 columns once, causes first";
    refused(&home, &judge("--order alpha,b,c,b"), "order: `b` is named twice", three);
    refused(
        &home,
        &judge("--order alpha,b,c,e --columns alpha,b,c"),
        "order: there is no column `e`",
        "there are: alpha, b, c",
    );
    refused(
        &home,
        &judge("--order alpha,b,c --columns alpha,d"),
        "order: column `d` is missing",
        "name each of the 4 columns once, causes first",
    );
    let none = "a run is made by `oslow discover DATA --out DIR`";
    refused(&home, &judge("--run nowhere"), "there is no folder `nowhere`", none);
    refused(&home, &judge("--run ."), "the folder `.` holds no run: there is no run.json", none);
    home.succeed("discover data.csv --method random --out done --quiet");
    refused(&home, &judge("--run done"), "truth.csv: there is no column `alpha`", "there are: a, b, c");

    home.write("truth.csv", "from,to\na,b\nb,c\nc,a\n");
    let cycle = "a causal graph must be acyclic: remove one of these edges";
    refused(&home, &judge("--order a,b,c"), "truth.csv: the graph has a cycle: a → b → c → a", cycle);
    home.write("truth.csv", "0,1\n0,0\n");
    refused(&home, &judge("--order a,b"), "order: there is no column `a`", "there are: X0, X1");
    refused(
        &home,
        &judge("--run done"),
        "truth.csv: 3 columns for a matrix of 2 nodes without names",
        "write the names of its nodes into a first line",
    );
    for line in ["evaluate --order a,b", "evaluate --truth t.csv", "evaluate --truth t --order a --run b"] {
        assert_eq!(home.run(line).0, 2, "{line}");
    }
}
