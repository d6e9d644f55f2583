//! `cargo xtask reliability`: whether confidences are right. Draws tables, runs the program, and counts how often what it is sure of is true.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::in_parallel::in_parallel;
use crate::shell::{Program, cargo, oslow, root, target};
use crate::{Command, number};

pub const COMMAND: Command = Command {
    name: "reliability",
    summary: "how often edges of each confidence are true, on simulated tables; a quarter of an hour (OUT [SETS [SEED]])",
    run,
};

/// Families that the model holds for, and families that it does not.
pub const GROUPS: [(&str, &[&str]); 3] = [
    (
        "inside the model",
        &[
            "mlp-gaussian",
            "mlp-laplace",
            "gp",
            "sigmoid",
            "polynomial",
            "sinus",
            "scale-gaussian",
            "product",
            "linear-laplace",
        ],
    ),
    (
        "outside",
        &[
            "linear-uniform",
            "linear-exponential",
            "mlp-lognormal",
            "scale-exponential",
            "pnl-cubic",
            "seen-distorted",
            "seen-measured",
            "seen-grid-20",
            "nonadditive",
            "hidden",
            "any",
            "steps",
        ],
    ),
    ("linear Gaussian", &["linear-gaussian"]),
];
/// Columns, rows, and how many times the asked-for sets of each family.
const SIZES: [(usize, usize, usize); 5] =
    [(5, 300, 3), (5, 1000, 2), (5, 3000, 1), (10, 300, 1), (10, 1000, 1)];
/// Bins of a diagram.
const BINS: usize = 10;

/// What the program says of an ordered pair, and whether it is so.
#[derive(Clone)]
struct Said {
    group: usize,
    edge: f64,
    direction: Option<f64>,
    is_edge: bool,
}

fn run(arguments: &[String]) -> Result<(), String> {
    let out = root().join(arguments.first().ok_or("name a folder for the results")?);
    let (sets, seed) = (number(arguments, 1, 1)?, number(arguments, 2, 71_000)?);
    Program::new(cargo(), &["build", "--release", "--package=oslow-cli"]).run()?;
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let cases: Vec<Case> = (0..GROUPS.len())
        .flat_map(|group| GROUPS[group].1.iter().map(move |&family| (group, family)))
        .flat_map(|(group, family)| {
            SIZES.iter().flat_map(move |&(nodes, rows, times)| {
                (0..times as u64 * sets).map(move |k| Case { group, family, nodes, rows, seed: seed + k })
            })
        })
        .collect();
    let named = |case: &Case| format!("{}, {} × {}", case.family, case.rows, case.nodes);
    let answers = in_parallel(&cases, |k, case| case.run(k), named)?;
    let said: Vec<Said> = answers.iter().flat_map(|answer| answer.said.clone()).collect();
    let text = table(&said, cases.len()) + &alarms(&cases, &answers);
    std::fs::write(out.join("reliability.md"), &text).map_err(|e| e.to_string())?;
    std::fs::write(out.join("reliability.svg"), diagram(&said)).map_err(|e| e.to_string())?;
    println!("{text}");
    Ok(())
}

/// What the program says of a table.
#[derive(Clone)]
struct Answer {
    said: Vec<Said>,
    /// Whether a check speaks against an assumption.
    alarm: bool,
}

struct Case {
    group: usize,
    family: &'static str,
    nodes: usize,
    rows: usize,
    seed: u64,
}

impl Case {
    fn run(&self, k: usize) -> Result<Answer, String> {
        let folder = target().join(format!("reliability/{k}"));
        let (nodes, rows, seed) = (self.nodes.to_string(), self.rows.to_string(), self.seed.to_string());
        let place = folder.to_string_lossy().into_owned();
        oslow(&[
            "simulate",
            "--family",
            self.family,
            "--nodes",
            &nodes,
            "--rows",
            &rows,
            "--seed",
            &seed,
            "--out",
            &place,
            "--force",
            "--quiet",
        ])?;
        let data = folder.join("data.csv").to_string_lossy().into_owned();
        let answer = oslow(&["discover", &data, "--json", "--quiet", "--threads", "1", "--seed", &seed])?;
        let answer: Value = serde_json::from_str(&answer).map_err(|e| e.to_string())?;
        let truth = edges(&folder.join("truth.csv"))?;
        std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
        let pairs = answer["pairs"].as_array().ok_or("the answer has no pairs")?;
        let mut said = Vec::new();
        for pair in pairs {
            let [a, b] = ["a", "b"].map(|key| pair[key].as_str().unwrap_or_default());
            let [forth, back] = ["a_to_b", "b_to_a"].map(|key| pair[key].as_f64().unwrap_or_default());
            for (from, to, edge, other) in [(a, b, forth, back), (b, a, back, forth)] {
                let is = |x: &str, y: &str| truth.iter().any(|edge| edge.0 == x && edge.1 == y);
                // Of directions only those of true edges are right or wrong; the likelier one is what is said.
                let asked = (is(from, to) || is(to, from))
                    && edge + other > 0.05
                    && edge >= other
                    && (edge > other || from < to);
                let direction = asked.then(|| edge / (edge + other));
                said.push(Said { group: self.group, edge, direction, is_edge: is(from, to) });
            }
        }
        let checks = answer["checks"].as_array().ok_or("the answer has no checks")?;
        let alarm = checks.iter().any(|check| check["verdict"] == "violated");
        Ok(Answer { said, alarm })
    }
}

/// The edges of a table `from,to`.
fn edges(path: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let lines = text.lines().skip(1).filter_map(|line| line.split_once(','));
    Ok(lines.map(|(from, to)| (from.into(), to.into())).collect())
}

/// Predictions with whether they came true.
type Told = Vec<(f64, bool)>;

fn told(said: &[Said], group: usize) -> [Told; 2] {
    let of = || said.iter().filter(|one| one.group == group);
    let directions = of().filter_map(|one| Some((one.direction?, one.is_edge)));
    [of().map(|one| (one.edge, one.is_edge)).collect(), directions.collect()]
}

/// In each bin of predictions: how many, their mean, and the share that came true.
fn bins(told: &Told) -> Vec<(usize, f64, f64)> {
    (0..BINS)
        .map(|bin| {
            let inside = |p: f64| ((p * BINS as f64) as usize).min(BINS - 1) == bin;
            let those: Vec<_> = told.iter().filter(|(p, _)| inside(*p)).collect();
            let n = those.len().max(1) as f64;
            let mean = those.iter().map(|(p, _)| p).sum::<f64>() / n;
            (those.len(), mean, those.iter().filter(|(_, is)| *is).count() as f64 / n)
        })
        .collect()
}

/// The expected calibration error: the mean over predictions of how far their bin is off.
fn calibration_error(told: &Told) -> f64 {
    bins(told).iter().map(|(n, mean, share)| *n as f64 * (mean - share).abs()).sum::<f64>()
        / told.len().max(1) as f64
}

/// The mean of −ln of the probability given to what came true, none below one in two hundred.
fn log_loss(told: &Told) -> f64 {
    let loss = |(p, is): &(f64, bool)| -(if *is { *p } else { 1.0 - p }).clamp(0.005, 0.995).ln();
    told.iter().map(loss).sum::<f64>() / told.len().max(1) as f64
}

fn table(said: &[Said], cases: usize) -> String {
    let mut text =
        format!("# How right the confidences are\n\nMade by `cargo xtask reliability`: {cases} tables of ");
    let sizes: Vec<String> = SIZES.iter().map(|(d, n, _)| format!("{n} × {d}")).collect();
    let _ = writeln!(text, "{} (rows × columns).\n", sizes.join(", "));
    text.push_str("| | edges: calibration error | log loss | said ≥ 0.9 | of these true | directions: calibration error | said ≥ 0.9 | of these right |\n|---|---|---|---|---|---|---|---|\n");
    let sure = |told: &Told| {
        let those: Vec<_> = told.iter().filter(|(p, _)| *p >= 0.9).collect();
        let right = those.iter().filter(|(_, is)| *is).count() as f64 / those.len().max(1) as f64;
        (those.len(), right)
    };
    for (group, (name, _)) in GROUPS.iter().enumerate() {
        let [edges, directions] = told(said, group);
        let ((many, true_ones), (directed, right)) = (sure(&edges), sure(&directions));
        let _ = writeln!(
            text,
            "| {name} | {:.3} | {:.3} | {many} | {true_ones:.3} | {:.3} | {directed} | {right:.3} |",
            calibration_error(&edges),
            log_loss(&edges),
            calibration_error(&directions)
        );
    }
    text.push_str("\nEdges by what was said of them (number, and share that is true):\n\n| |");
    (0..BINS).for_each(|bin| {
        let _ = write!(text, " {:.1} |", bin as f64 / BINS as f64);
    });
    text.push_str(&format!("\n|---|{}\n", "---|".repeat(BINS)));
    for (group, (name, _)) in GROUPS.iter().enumerate() {
        for (what, told) in ["edges", "directions"].iter().zip(told(said, group)) {
            let cells: Vec<String> = bins(&told)
                .iter()
                .map(|(n, _, share)| if *n == 0 { String::new() } else { format!("{n}: {share:.2}") })
                .collect();
            let _ = writeln!(text, "| {name}, {what} | {} |", cells.join(" | "));
        }
    }
    text + "\nIn the diagram a point on the diagonal is right, one below it too sure.\n\n![Share of edges that are true by confidence](reliability.svg)\n"
}

/// How often a check speaks against an assumption, family by family.
fn alarms(cases: &[Case], answers: &[Answer]) -> String {
    let mut text = String::from(
        "\n## Checks of assumptions\n\nTables in which at least one check is violated:\n\n| family | tables | with a violated check |\n|---|---|---|\n",
    );
    for (name, families) in GROUPS {
        for family in families {
            let of: Vec<&Answer> = cases
                .iter()
                .zip(answers)
                .filter(|(case, _)| case.family == *family)
                .map(|(_, answer)| answer)
                .collect();
            let violated = of.iter().filter(|answer| answer.alarm).count();
            let _ = writeln!(text, "| {family} ({name}) | {} | {violated} |", of.len());
        }
    }
    text
}

/// The reliability diagram: what was said across, what came true upwards.
fn diagram(said: &[Said]) -> String {
    const SIDE: f64 = 320.0;
    const EDGE: f64 = 50.0;
    const COLORS: [&str; 3] = ["#0072b2", "#d55e00", "#999999"];
    let (width, height) = (2.0 * (SIDE + EDGE) + EDGE, SIDE + 2.0 * EDGE + 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (panel, title) in ["edges", "directions"].iter().enumerate() {
        let left = EDGE + panel as f64 * (SIDE + EDGE);
        let (x, y) = (|p: f64| left + SIDE * p, |p: f64| EDGE + SIDE * (1.0 - p));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{title}</text>\n<rect x=\"{left}\" y=\"{EDGE}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#888\"/>\n<path d=\"M{} {}L{} {}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>",
            x(0.5),
            EDGE - 12.0,
            x(0.0),
            y(0.0),
            x(1.0),
            y(1.0)
        );
        for tick in [0.0, 0.5, 1.0] {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                x(tick),
                y(0.0) + 18.0
            );
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{tick}</text>",
                left - 6.0,
                y(tick) + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">confidence</text>",
            x(0.5),
            y(0.0) + 36.0
        );
        for (group, color) in COLORS.iter().enumerate() {
            let found = bins(&told(said, group)[panel]);
            let points: Vec<_> =
                found.iter().filter(|(n, _, _)| *n >= 5).map(|(_, p, share)| (x(*p), y(*share))).collect();
            let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
                line.join("L")
            );
            for (x, y) in points {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\"/>");
            }
        }
    }
    for (group, (name, _)) in GROUPS.iter().enumerate() {
        let (x, y) = (EDGE + 200.0 * group as f64, height - 12.0);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{}\" r=\"4\" fill=\"{}\"/><text x=\"{}\" y=\"{y}\">{name}</text>",
            y - 4.0,
            COLORS[group],
            x + 10.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"14\" y=\"{}\" transform=\"rotate(-90 14 {})\" text-anchor=\"middle\">share that is true</text>",
        EDGE + SIDE / 2.0,
        EDGE + SIDE / 2.0
    );
    svg + "</svg>\n"
}
