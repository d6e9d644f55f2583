//! What `exact` is forecast to take on tables of many kinds, and the processor time that it takes on one thread: one line per table.
//!
//! `cargo run --release --example forecasts -p oslow -- 21`: the seed of the simulated tables, and names of tables where not all are wanted.
//! `cargo xtask forecasts` runs it. Processor time is read where Linux tells it; elsewhere the seconds of a clock stand in its place.

use std::time::Instant;

use oslow::prelude::*;
use oslow::scm::{Spec, simulate};

/// Simulated tables: a name, columns, rows and settings of a `Spec`.
const SIMULATED: &[(&str, usize, usize, &str)] = &[
    ("sinusoids-5", 5, 200, "mechanism = 'sinusoid'"),
    ("linear-6", 6, 20_000, "mechanism = 'linear'; noise = 'laplace'"),
    ("any-7", 7, 1000, "family = 'any'"),
    ("mixed-8", 8, 1000, "family = 'mixed-lognormal'"),
    ("sinusoids-10", 10, 1000, "mechanism = 'sinusoid'"),
    ("steps-10", 10, 5000, "mechanism = 'steps'"),
    ("mixed-12", 12, 400, "family = 'mixed-linear'"),
    ("processes-20", 20, 1000, "mechanism = 'gaussian-process'; additive = true; expected_edges = 20"),
    ("steps-34", 34, 500, "mechanism = 'steps'; expected_edges = 51"),
    ("sinusoids-50", 50, 1000, "mechanism = 'sinusoid'; expected_edges = 75"),
    ("processes-100", 100, 500, "mechanism = 'gaussian-process'; additive = true; expected_edges = 100"),
];
const REAL: [&str; 2] = ["sachs", "sachs-conditions"];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (seed, names) = match arguments.split_first() {
        Some((seed, names)) => (seed.parse().map_err(|_| usage())?, names),
        None => return Err(usage()),
    };
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    println!("| table | rows | columns | forecast, s | taken, s | ratio |\n|---|---|---|---|---|---|");
    for &(name, nodes, rows, settings) in SIMULATED.iter().filter(|(name, ..)| wanted(name)) {
        let settings = format!("nodes = {nodes}\n{}", settings.replace("; ", "\n"));
        let settings: Settings = settings.parse().map_err(|e| Error::input(format!("{name}: {e}")))?;
        compare(name, &simulate(&Spec::from_settings(&settings)?, rows, Seed(seed))?.sample)?;
    }
    for name in REAL.into_iter().filter(|name| wanted(name)) {
        compare(name, &oslow::data::load(name)?.sample)?;
    }
    Ok(())
}

fn compare(name: &str, sample: &Sample) -> Result<()> {
    let options = DiscoverOptions { threads: Some(1), ..DiscoverOptions::default() };
    let told = oslow::forecast(sample, &options)?.and_then(|(needs, _)| needs.seconds);
    let forecast = told.ok_or_else(|| Error::internal("`exact` tells how long it takes"))?;
    let (start, before) = (Instant::now(), processor_seconds());
    discover(sample, &options, &mut Silent, &mut ForgetfulCheckpoint)?;
    let taken = processor_seconds().zip(before).map(|(after, before)| after - before);
    let taken = taken.unwrap_or_else(|| start.elapsed().as_secs_f64());
    let (rows, columns, ratio) = (sample.rows(), sample.columns(), forecast / taken);
    println!("| {name} | {rows} | {columns} | {forecast:.1} | {taken:.1} | {ratio:.2} |");
    Ok(())
}

/// User and system time of this process: the fields of `stat` are counted after the name, in hundredths of seconds.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

fn usage() -> Error {
    Error::input("give a seed, and names of tables where not all are wanted")
}
