//! What is damaged, and the command that reads it.

/// A file, and the call that reads its damaged copy.
pub struct Target {
    /// The valid file.
    pub file: &'static str,
    /// The call; the damaged file lies in the folder `damaged`, under the same name.
    pub line: &'static str,
    /// What is done to the damaged bytes before they are written.
    pub packed: Packed,
}

/// How damaged bytes become a file: what is damaged after it was packed is mostly refused by a checksum.
#[derive(Clone, Copy, PartialEq)]
pub enum Packed {
    /// As they are.
    Not,
    /// By gzip.
    Gzip,
    /// As the first sheet of the workbook.
    Workbook,
}

impl Target {
    /// Where the damaged file lies.
    pub fn damaged(&self) -> String {
        match self.packed {
            Packed::Not => format!("damaged/{}", self.file),
            Packed::Gzip => format!("damaged/{}.gz", self.file),
            Packed::Workbook => format!("damaged/{}", self.file.replace(".xml", ".xlsx")),
        }
    }
}

/// The calls that make the valid files.
pub const PREPARE: &[&str] = &[
    "simulate --nodes 3 --rows 40 --graph path --out s --quiet",
    "fit s/data.csv --order X0,X1,X2 --set epochs=1 --set flow.hidden=[4] --out model.safetensors --quiet",
    "discover s/data.csv --method r2-sort --prune none --out run --quiet",
];

/// What is known beforehand of the simulated table.
pub const KNOWN: &str =
    "tiers = [[\"X0\"], [\"X1\", \"X2\"]]\nrequired = [[\"X0\", \"X1\"]]\nleaves = [\"X2\"]\n";

pub const TARGETS: &[Target] = &[
    Target {
        file: "s/data.csv",
        line: "discover damaged/s/data.csv --method r2-sort --prune none --json",
        packed: Packed::Not,
    },
    Target {
        file: "values.npy",
        line: "discover damaged/values.npy --method r2-sort --prune none --json",
        packed: Packed::Not,
    },
    Target {
        file: "s/data.csv",
        line: "discover damaged/s/data.csv --method random --prune none --standardize none --missing drop-rows --json",
        packed: Packed::Not,
    },
    Target {
        file: "s/truth.csv",
        line: "evaluate --truth damaged/s/truth.csv --order X0,X1,X2 --json",
        packed: Packed::Not,
    },
    Target {
        file: "model.safetensors",
        line: "sample damaged/model.safetensors --rows 5 --json",
        packed: Packed::Not,
    },
    Target {
        file: "model.safetensors",
        line: "intervene damaged/model.safetensors --do X0=1 --rows 20 --json",
        packed: Packed::Not,
    },
    Target {
        file: "known.toml",
        line: "discover s/data.csv --method random --prune none --knowledge damaged/known.toml --json",
        packed: Packed::Not,
    },
    Target {
        file: "run/config.toml",
        line: "discover s/data.csv --config damaged/run/config.toml --json",
        packed: Packed::Not,
    },
    Target {
        file: "run/run.json",
        line: "evaluate --truth s/truth.csv --run damaged/run --json",
        packed: Packed::Not,
    },
    Target {
        file: "clinic.xlsx",
        line: "discover damaged/clinic.xlsx --method random --prune none --missing impute --json",
        packed: Packed::Not,
    },
    Target {
        file: "sheet1.xml",
        line: "discover damaged/sheet1.xlsx --method random --prune none --missing impute --json",
        packed: Packed::Workbook,
    },
    Target {
        file: "s/data.csv",
        line: "discover damaged/s/data.csv.gz --method r2-sort --prune none --json",
        packed: Packed::Gzip,
    },
    Target {
        file: "data.csv.gz",
        line: "discover damaged/data.csv.gz --method r2-sort --prune none --json",
        packed: Packed::Not,
    },
];

/// A NumPy file of 40 rows and 3 columns.
pub fn array() -> Vec<u8> {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (40, 3), }";
    let padded = format!("{header:<117}\n");
    let value = |k: u32| (f64::from(k * 37 % 101) * 0.1).sin() + f64::from(k % 7);
    let values = (0..120).flat_map(|k| value(k).to_le_bytes());
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((padded.len() as u16).to_le_bytes());
    bytes.extend(padded.as_bytes());
    bytes.extend(values);
    bytes
}
