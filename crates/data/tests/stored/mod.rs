//! Tables stored in files, for the tests of all formats.

use std::path::PathBuf;

use oslow_data::{ReadOptions, Result, Sample, Table, read_table, write_csv};

/// A file in a folder of its own.
pub struct Stored {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Stored {
    pub fn new(name: &str, contents: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, contents).unwrap();
        Self { _folder: folder, path }
    }

    pub fn read(&self, options: &ReadOptions) -> Result<Table> {
        read_table(&self.path, options)
    }
}

/// Reads a file of this name and content.
pub fn read(name: &str, contents: &[u8]) -> Result<Table> {
    Stored::new(name, contents).read(&ReadOptions::default())
}

/// The sample as `.csv`.
pub fn csv_bytes(sample: &Sample) -> Vec<u8> {
    let mut text = Vec::new();
    write_csv(sample.names(), sample.values(), &mut text).unwrap();
    text
}

/// The sample as `.npy`.
pub fn npy_bytes(sample: &Sample) -> Vec<u8> {
    use npyz::WriterBuilder;
    let mut bytes = Vec::new();
    let shape = [sample.rows() as u64, sample.columns() as u64];
    let mut writer =
        npyz::WriteOptions::new().default_dtype().shape(&shape).writer(&mut bytes).begin_nd().unwrap();
    writer.extend(sample.values().iter().copied()).unwrap();
    writer.finish().unwrap();
    bytes
}

/// An irregular table.
pub fn sample() -> Sample {
    let names = ["X0", "X1", "X2"].map(String::from).to_vec();
    let values = (0..300).map(|k| ((k * k) as f64 * 0.37).sin() / 3.0).collect();
    Sample::new(names, values).unwrap()
}
