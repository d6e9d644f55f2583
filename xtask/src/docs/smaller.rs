//! Commands of documents made small enough to be run by every check.

/// What becomes of a command.
#[derive(Debug, PartialEq)]
pub enum Smaller {
    /// This is run.
    Run(String),
    /// It is not run, for this reason.
    LeftOut(&'static str),
}

/// Commands that are not run. Each is what another step does.
const LEFT_OUT: [(&str, &str); 8] = [
    ("cargo xtask ci", "this is a part of it"),
    ("cargo install --path crates/cli", "it writes to the user's home; the same package was built before"),
    ("pip install ./python", "`cargo xtask python-tests` does it"),
    ("oslow bench mine.toml --folder mine=networks --shard 1/2 --out part1", SHARDS),
    ("oslow bench mine.toml --folder mine=networks --shard 2/2 --out part2", SHARDS),
    ("oslow bench mine.toml --folder mine=networks --merge part1 part2 --out whole", SHARDS),
    ("oslow bench experiments/sachs.toml --profile quick --shard 1/2 --out part1", SHARDS),
    ("oslow bench experiments/sachs.toml --profile quick --merge part1 part2 --out whole", SHARDS),
];

const SHARDS: &str = "it takes minutes; a test of the program merges smaller shards";

/// Parts of commands, and what is run instead.
const PARTS: [(&str, &str); 8] = [
    // The program that was built is on the path.
    ("cargo run --release -- ", "oslow "),
    // It serves until Ctrl-C.
    ("oslow app", "timeout --preserve-status --signal=INT 2 oslow app --no-browser"),
    ("--bootstrap 100", "--bootstrap 2"),
    ("--rows 1000", "--rows 200"),
    ("--method oslow ", "--method oslow --set cycles=3 --set warm_up=3 --set refine=none "),
    // One cell or two.
    ("experiments/synthetic_small.toml", "experiments/synthetic_small.toml --sets 1 --shard 1/1000"),
    // Experiments without small cells: they and their settings are read, none of their cells is run.
    ("experiments/sachs.toml", "experiments/sachs.toml --shard 100000/100000"),
    ("bench mine.toml", "bench mine.toml --shard 100000/100000"),
];

/// Whole commands, and what is run instead. Another step runs the first one as it is.
const WHOLE: [(&str, &str); 1] = [("oslow discover", "oslow discover --columns Raf,Mek,Plcg,PIP2,PIP3")];

/// The same for blocks of Python.
const PYTHON: [(&str, &str); 2] = [("n=200", "n=2"), ("n=1000", "n=2")];

/// What to run in place of a command.
pub fn smaller(command: &str) -> Smaller {
    if let Some((_, why)) = LEFT_OUT.iter().find(|(left_out, _)| *left_out == command) {
        return Smaller::LeftOut(why);
    }
    let text = replaced(command, &PARTS);
    let whole = WHOLE.iter().find(|(whole, _)| *whole == text).map(|(_, instead)| instead.to_string());
    Smaller::Run(whole.unwrap_or(text))
}

/// What to run in place of a block of Python.
pub fn smaller_python(block: &str) -> String {
    replaced(block, &PYTHON)
}

fn replaced(text: &str, rules: &[(&str, &str)]) -> String {
    rules.iter().fold(text.to_string(), |text, (part, instead)| text.replace(part, instead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_is_made_smaller_and_the_rest_is_left_alone() {
        let run = |text: &str| Smaller::Run(text.into());
        assert_eq!(smaller("cargo run --release -- discover a.csv"), run("oslow discover a.csv"));
        assert_eq!(
            smaller("cargo run --release -- discover"),
            run("oslow discover --columns Raf,Mek,Plcg,PIP2,PIP3")
        );
        assert_eq!(
            smaller("oslow discover a.csv --bootstrap 100 --out run"),
            run("oslow discover a.csv --bootstrap 2 --out run")
        );
        let app = "timeout --preserve-status --signal=INT 2 oslow app --no-browser study";
        assert_eq!(smaller("oslow app study"), run(app));
        assert_eq!(smaller("oslow list"), run("oslow list"));
        assert_eq!(smaller("cargo xtask ci"), Smaller::LeftOut("this is a part of it"));
        assert_eq!(smaller_python("oslow.bootstrap(df, n=200)\n"), "oslow.bootstrap(df, n=2)\n");
    }
}
