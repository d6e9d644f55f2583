//! What a cell finds does not depend on the cells before it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::collections::BTreeMap;
use std::path::Path;

use oslow::Silent;
use oslow_bench::{BenchOptions, Experiment, Part, Shard, run};

/// A table of more columns than all sets are scored of, pruned along several orders: the pruner keeps what it found for the next one.
const EXPERIMENT: &str = "
    title = 'Cells alone and together'
    metrics = ['shd']
    seed = 2
    sets = 1
    rows = 60
    nodes = [8]
    prune = ['likelihood']
    methods = [{ name = 'random' }, { name = 'r2-sort' }]

    [[problems]]
    column = 'smooth'
    simulate = { mechanism = 'gaussian-process' }
    graphs = ['erdos-renyi']
";
/// Two methods, R²-sort reversed, the true order and the empty graph.
const CELLS: usize = 5;

/// What each cell found, but for the time that it took.
fn found(folder: &Path, shard: Option<Shard>) -> BTreeMap<String, Vec<String>> {
    let options = BenchOptions {
        out: folder.to_path_buf(),
        resume: false,
        retry_failed: false,
        part: shard.map_or(Part::All, Part::Shard),
        threads: Some(1),
        folders: BTreeMap::new(),
        command: String::new(),
    };
    run(&Experiment::parse(EXPERIMENT, None).unwrap(), &options, &mut Silent).unwrap();
    let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|end| end == "csv")).unwrap();
    let mut table = csv::Reader::from_path(file).unwrap();
    let header = table.headers().unwrap().clone();
    let lasting = |(name, _): &(&str, &str)| !name.ends_with("seconds");
    let fields = |record: csv::StringRecord| -> Vec<String> {
        header.iter().zip(&record).filter(lasting).map(|(_, value)| value.to_string()).collect()
    };
    table.records().map(|record| fields(record.unwrap())).map(|row| (row[0].clone(), row)).collect()
}

#[test]
fn a_cell_alone_finds_what_it_finds_after_others() {
    let folder = tempfile::tempdir().unwrap();
    let together = found(&folder.path().join("together"), None);
    assert_eq!(together.len(), CELLS);
    for index in 1..=CELLS {
        let shard = Shard { index, of: CELLS };
        for (cell, row) in found(&folder.path().join(index.to_string()), Some(shard)) {
            assert_eq!(row, together[&cell], "cell {index}");
        }
    }
}
