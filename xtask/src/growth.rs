//! `cargo xtask growth`: seconds, memory and errors of the default method as tables get wider and longer. One table per cell, one after the other, so that each has the
//! machine for itself.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::judged::json;
use crate::shell::{Program, cargo, oslow, root, target};
use crate::{Command, number};

pub const COMMAND: Command = Command {
    name: "growth",
    summary: "seconds, memory, CBC and SHD of `exact` as columns and rows grow, with a limit per cell (OUT [SECONDS [SEED [MOST_COLUMNS [MOST_ROWS]]]])",
    run,
};

/// How often the memory of a running program is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Threads of each run.
const THREADS: &str = "2";

/// A table that is drawn.
struct Cell {
    columns: usize,
    rows: usize,
    edges: usize,
    mechanism: &'static [&'static str],
}

const SINUSOID: &[&str] = &["--mechanism", "sinusoid"];
const PROCESS: &[&str] = &["--mechanism", "gaussian-process", "--additive"];

const fn sinusoid(columns: usize, rows: usize) -> Cell {
    Cell { columns, rows, edges: columns * 3 / 2, mechanism: SINUSOID }
}

const CELLS: &[Cell] = &[
    sinusoid(10, 1000),
    sinusoid(20, 1000),
    sinusoid(25, 1000),
    sinusoid(26, 1000),
    sinusoid(50, 1000),
    Cell { columns: 50, rows: 1000, edges: 50, mechanism: PROCESS },
    sinusoid(100, 1000),
    sinusoid(200, 1000),
    sinusoid(300, 1000),
    sinusoid(1000, 1000),
    sinusoid(10, 10_000),
    sinusoid(10, 100_000),
    sinusoid(100, 10_000),
    sinusoid(20, 1_000_000),
];

/// What a run took and found.
struct Outcome {
    /// What the answer says, and how it compares with the truth.
    found: Value,
    judged: Value,
    cpu_seconds: f64,
    megabytes: f64,
}

fn run(arguments: &[String]) -> Result<(), String> {
    let out = root().join(arguments.first().ok_or("name a folder for the results")?);
    let (seconds, seed) = (number(arguments, 1, 3600)?, number(arguments, 2, 86_000)?);
    let (most_columns, most_rows) = (number(arguments, 3, 1000)?, number(arguments, 4, 1_000_000)?);
    Program::new(cargo(), &["build", "--release", "--package=oslow-cli"]).run()?;
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let mut table = format!(
        "# Growth\n\n`cargo xtask growth OUT {seconds} {seed} {most_columns} {most_rows}`: one table per row, {THREADS} threads, at most {seconds} seconds.\n\n\
         | data | columns | rows | true edges | seconds | CPU seconds | MB | CBC | SHD | gap, nats per row | finished |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for cell in
        CELLS.iter().filter(|cell| cell.columns as u64 <= most_columns && cell.rows as u64 <= most_rows)
    {
        let line = cell.line(&cell.run(seconds, seed)?);
        eprint!("{line}");
        table.push_str(&line);
        std::fs::write(out.join("growth.md"), &table).map_err(|e| e.to_string())?;
    }
    Ok(())
}

impl Cell {
    fn run(&self, seconds: u64, seed: u64) -> Result<Outcome, String> {
        let folder = target().join("growth");
        let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let (columns, rows) = (self.columns.to_string(), self.rows.to_string());
        let (edges, seed) = (format!("expected_edges={}", self.edges), seed.to_string());
        let out = folder.to_string_lossy().into_owned();
        let mut draw =
            vec!["simulate", "--graph", "erdos-renyi", "--nodes", &columns, "--rows", &rows, "--seed", &seed];
        draw.extend(self.mechanism.iter().chain(&["--set", &edges, "--out", &out]));
        oslow(&draw)?;
        let (data, run, budget) = (file("data.csv"), file("run"), format!("{seconds}s"));
        let learn = [
            "discover",
            &data,
            "--out",
            &run,
            "--force",
            "--json",
            "--quiet",
            "--threads",
            THREADS,
            "--budget",
            &budget,
        ];
        let answer = std::fs::File::create(file("answer.json")).map_err(|e| e.to_string())?;
        let child = Process::new(target().join("release/oslow"))
            .args(learn)
            .stdout(answer)
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|e| e.to_string())?;
        let (cpu_seconds, megabytes) = watch(child)?;
        let found = json(&std::fs::read_to_string(file("answer.json")).map_err(|e| e.to_string())?)?;
        let judged = json(&oslow(&["evaluate", "--truth", &file("truth.csv"), "--run", &run, "--json"])?)?;
        std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Outcome { found, judged, cpu_seconds, megabytes })
    }

    fn line(&self, outcome: &Outcome) -> String {
        let Outcome { found, judged, cpu_seconds, megabytes } = outcome;
        let shown = |value: &Value, digits: usize| {
            value.as_f64().map_or("–".into(), |value| format!("{value:.digits$}"))
        };
        let finished = if found["stopped"] == Value::Bool(true) { "no" } else { "yes" };
        let mut line =
            format!("| {} | {} | {} | {} ", self.mechanism[1], self.columns, self.rows, self.edges);
        let _ = writeln!(
            line,
            "| {} | {cpu_seconds:.0} | {megabytes:.0} | {} | {} | {} | {finished} |",
            shown(&found["seconds"], 0),
            shown(&judged["cbc"], 3),
            shown(&judged["shd"], 0),
            shown(&found["gap"], 4),
        );
        line
    }
}

/// Waits for a program: the processor time that it took, and the most memory that it held, in megabytes. Linux tells both while it runs.
fn watch(mut child: Child) -> Result<(f64, f64), String> {
    let folder = format!("/proc/{}", child.id());
    let (mut cpu, mut most) = (0.0_f64, 0.0_f64);
    loop {
        if let Some(ended) = child.try_wait().map_err(|e| e.to_string())? {
            return if ended.success() { Ok((cpu, most)) } else { Err(format!("oslow ended with {ended}")) };
        }
        cpu = cpu_seconds(Path::new(&folder)).unwrap_or(cpu);
        most = peak_megabytes(Path::new(&folder)).unwrap_or(most);
        std::thread::sleep(LOOK_EVERY);
    }
}

/// User and system time of a process; the fields of `stat` are counted after the name, which may hold spaces, in hundredths of seconds.
fn cpu_seconds(folder: &Path) -> Option<f64> {
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

fn peak_megabytes(folder: &Path) -> Option<f64> {
    let status = std::fs::read_to_string(folder.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? / 1024.0)
}
