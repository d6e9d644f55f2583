//! `cargo xtask messy`: errors on tables with categories and counts, and on tables with missing values. Draws tables, damages some, and asks for the graph in several ways.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::in_parallel::in_parallel;
use crate::judged::Judged;
use crate::shell::{Program, cargo, oslow, root, target};
use crate::splitmix::SplitMix;
use crate::{Command, number};

pub const COMMAND: Command = Command {
    name: "messy",
    summary: "CBC, SHD and F1 on simulated tables with categories and counts, and with missing values; an hour (OUT [SETS [SEED]])",
    run,
};

/// A kind of table.
struct Design {
    family: &'static str,
    nodes: usize,
    rows: usize,
    ways: &'static [Way],
}

/// What is done to a table, and what is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// As it is.
    Whole,
    /// Codes in place of categories, and all columns taken for continuous.
    Codes,
    /// Some cells are empty, and what stood there is drawn from what the others say.
    Imputed(Gaps),
    /// The same table, and only complete rows are taken.
    Dropped(Gaps),
}

/// Which cells are empty.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gaps {
    /// This share of all, completely at random.
    Random(f64),
    /// This share of every second column's, by the value of the column before it: a cell is three times as likely to be empty where that is above its median.
    ByNeighbour(f64),
}

const MIXED: &[Way] = &[Way::Whole, Way::Codes];
const TENTH: Gaps = Gaps::Random(0.1);
const THIRD: Gaps = Gaps::Random(0.3);
const BY_NEIGHBOUR: Gaps = Gaps::ByNeighbour(0.3);
const GAPS: &[Way] = &[
    Way::Whole,
    Way::Imputed(TENTH),
    Way::Dropped(TENTH),
    Way::Imputed(THIRD),
    Way::Dropped(THIRD),
    Way::Imputed(BY_NEIGHBOUR),
    Way::Dropped(BY_NEIGHBOUR),
];

const fn mixed(family: &'static str, nodes: usize) -> Design {
    Design { family, nodes, rows: 2000, ways: MIXED }
}

const fn with_gaps(family: &'static str) -> Design {
    Design { family, nodes: 5, rows: 1000, ways: GAPS }
}

const DESIGNS: &[Design] = &[
    mixed("mixed", 5),
    mixed("mixed-linear", 5),
    mixed("mixed", 8),
    with_gaps("linear-laplace"),
    with_gaps("mlp-gaussian"),
    with_gaps("scale-gaussian"),
    with_gaps("mlp-lognormal"),
];

/// A table that is asked about in one way.
struct Case {
    design: &'static Design,
    way: Way,
    seed: u64,
}

/// How right an answer is.
struct Outcome {
    cbc: f64,
    shd: f64,
    skeleton: f64,
    seconds: f64,
}

fn run(arguments: &[String]) -> Result<(), String> {
    let out = root().join(arguments.first().ok_or("name a folder for the results")?);
    let (sets, seed) = (number(arguments, 1, 10)?, number(arguments, 2, 87_000)?);
    Program::new(cargo(), &["build", "--release", "--package=oslow-cli"]).run()?;
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let cases: Vec<Case> = (DESIGNS.iter())
        .flat_map(|design| design.ways.iter().map(move |&way| (design, way)))
        .flat_map(|(design, way)| (0..sets).map(move |k| Case { design, way, seed: seed + k }))
        .collect();
    let named = |case: &Case| format!("{}, {}", case.design.family, case.way.named());
    let outcomes = in_parallel(&cases, |k, case| case.run(k), named)?;
    let text = table(&cases, &outcomes);
    std::fs::write(out.join("messy.md"), &text).map_err(|e| e.to_string())?;
    println!("{text}");
    Ok(())
}

impl Case {
    fn run(&self, k: usize) -> Result<Outcome, String> {
        let folder = target().join(format!("messy/{k}"));
        let Design { family, nodes, rows, .. } = self.design;
        let [nodes, rows, seed] = [nodes.to_string(), rows.to_string(), self.seed.to_string()];
        let place = folder.to_string_lossy();
        let mut call = vec!["simulate", "--family", family, "--nodes", &nodes, "--rows", &rows];
        call.extend(["--seed", &seed, "--out", &place, "--quiet", "--force"]);
        oslow(&call)?;
        let (table, more) = self.table(&folder)?;
        let judged = Judged::of(&folder, &table, &more.iter().map(String::as_str).collect::<Vec<_>>())?;
        std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Outcome {
            cbc: judged.distance("cbc")?,
            shd: judged.distance("shd")?,
            skeleton: judged.distance("skeleton_f1")?,
            seconds: judged.answer("seconds")?,
        })
    }

    /// The table as it is asked about, and what is told of it.
    fn table(&self, folder: &Path) -> Result<(PathBuf, Vec<String>), String> {
        let (whole, changed) = (folder.join("data.csv"), folder.join("changed.csv"));
        let mut cells = Cells::read(&whole)?;
        let more = match self.way {
            Way::Whole => return Ok((whole, Vec::new())),
            Way::Codes => {
                cells.encode();
                let types: Vec<String> =
                    cells.names.iter().map(|name| format!("{name}=continuous")).collect();
                ["--type".into(), types.join(",")].to_vec()
            }
            Way::Imputed(gaps) | Way::Dropped(gaps) => {
                cells.lose(gaps, self.seed);
                let what = if matches!(self.way, Way::Dropped(_)) { "drop-rows" } else { "impute" };
                ["--missing".into(), what.into()].to_vec()
            }
        };
        std::fs::write(&changed, cells.text()).map_err(|e| e.to_string())?;
        Ok((changed, more))
    }
}

/// The cells of a simulated table.
struct Cells {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Cells {
    fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let cells = |line: &str| -> Vec<String> { line.split(',').map(String::from).collect() };
        let mut lines = text.lines();
        let names = cells(lines.next().ok_or("the table is empty")?);
        Ok(Self { names, rows: lines.map(cells).collect() })
    }

    fn column(&self, j: usize) -> Vec<&str> {
        self.rows.iter().map(|row| row[j].as_str()).collect()
    }

    /// Numbers in place of words, in the order of the alphabet.
    fn encode(&mut self) {
        for j in 0..self.names.len() {
            let mut words = self.column(j);
            if words.iter().all(|word| word.parse::<f64>().is_ok()) {
                continue;
            }
            words.sort_unstable();
            words.dedup();
            let words: Vec<String> = words.into_iter().map(String::from).collect();
            for row in &mut self.rows {
                row[j] = words.partition_point(|word| *word < row[j]).to_string();
            }
        }
    }

    /// Empties cells, but never all of a row.
    fn lose(&mut self, gaps: Gaps, seed: u64) {
        let mut stream = SplitMix::new(seed, 0);
        let d = self.names.len();
        let large: Vec<Vec<bool>> = (0..d).map(|j| above_the_median(&self.column(j))).collect();
        for (i, row) in self.rows.iter_mut().enumerate() {
            let lost: Vec<bool> = (0..d)
                .map(|j| {
                    stream.happens(match gaps {
                        Gaps::Random(share) => share,
                        Gaps::ByNeighbour(_) if j % 2 == 0 => 0.0,
                        Gaps::ByNeighbour(share) => share * if large[j - 1][i] { 1.5 } else { 0.5 },
                    })
                })
                .collect();
            let all = lost.iter().all(|lost| *lost);
            row.iter_mut().zip(lost).filter(|(_, lost)| *lost && !all).for_each(|(cell, _)| cell.clear());
        }
    }

    fn text(&self) -> String {
        let line = |cells: &Vec<String>| cells.join(",") + "\n";
        line(&self.names) + &self.rows.iter().map(line).collect::<String>()
    }
}

/// Which numbers are above their median; words never are.
fn above_the_median(cells: &[&str]) -> Vec<bool> {
    let numbers: Vec<f64> = cells.iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    numbers.iter().map(|number| *number > sorted[sorted.len() / 2]).collect()
}

impl Way {
    fn named(self) -> String {
        let said = |gaps: Gaps| match gaps {
            Gaps::Random(share) => format!("{:.0} % of cells empty at random", 100.0 * share),
            Gaps::ByNeighbour(share) => {
                format!("{:.0} % of every second column empty, by the column before", 100.0 * share)
            }
        };
        match self {
            Self::Whole => "as it is".into(),
            Self::Codes => "codes as numbers".into(),
            Self::Imputed(gaps) => format!("{}: imputed", said(gaps)),
            Self::Dropped(gaps) => format!("{}: rows dropped", said(gaps)),
        }
    }
}

fn table(cases: &[Case], outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "# Messy tables\n\nMade by `cargo xtask messy`. Means over tables.\n\n\
         | family | columns, rows | table | tables | CBC | SHD | F1 of the skeleton | seconds |\n|---|---|---|---|---|---|---|---|\n",
    );
    for design in DESIGNS {
        for &way in design.ways {
            let is_this = |case: &Case| std::ptr::eq(case.design, design) && case.way == way;
            let those: Vec<&Outcome> =
                cases.iter().zip(outcomes).filter(|(case, _)| is_this(case)).map(|(_, one)| one).collect();
            let mean = |of: fn(&Outcome) -> f64| {
                those.iter().map(|outcome| of(outcome)).sum::<f64>() / those.len() as f64
            };
            let _ = writeln!(
                text,
                "| {} | {}, {} | {} | {} | {:.3} | {:.2} | {:.2} | {:.1} |",
                design.family,
                design.nodes,
                design.rows,
                way.named(),
                those.len(),
                mean(|one| one.cbc),
                mean(|one| one.shd),
                mean(|one| one.skeleton),
                mean(|one| one.seconds),
            );
        }
    }
    text
}
