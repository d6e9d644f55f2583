//! What cargo knows about the packages: ours and those that they are built from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::shell::{Program, cargo};

/// A package from outside.
pub struct Package {
    pub name: String,
    pub version: String,
    /// The licence expression of its manifest.
    pub license: String,
    pub authors: Vec<String>,
    /// The oldest Rust that it says it builds with.
    pub rust_version: Option<String>,
    /// The folder of its sources.
    pub folder: PathBuf,
}

/// What `cargo metadata` says of a build for this target.
pub struct Metadata(Value);

impl Metadata {
    pub fn read(target: &str) -> Result<Self, String> {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", target];
        let text = Program::new(cargo(), &arguments).output()?;
        serde_json::from_str(&text).map(Self).map_err(|e| format!("cargo metadata: {e}"))
    }

    /// The packages from outside that are linked into one of ours, by name and version.
    pub fn linked_into(&self, package: &str) -> Result<Vec<Package>, String> {
        let nodes = list(&self.0["resolve"]["nodes"]);
        let node_of: BTreeMap<&str, &Value> = nodes.iter().map(|node| (word(&node["id"]), node)).collect();
        let start = list(&self.0["packages"]).iter().find(|known| known["name"] == package);
        let start = start.ok_or_else(|| format!("cargo metadata does not know `{package}`"))?;
        let mut next = vec![word(&start["id"])];
        let mut seen = Vec::new();
        while let Some(id) = next.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            for dependency in node_of.get(id).map_or(&[][..], |node| list(&node["deps"])) {
                // What tests and build scripts need has a kind; what is linked has none.
                if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                    next.push(word(&dependency["pkg"]));
                }
            }
        }
        Ok(self.outside(|known| seen.contains(&word(&known["id"]))))
    }

    /// All packages from outside.
    pub fn all(&self) -> Vec<Package> {
        self.outside(|_| true)
    }

    fn outside(&self, wanted: impl Fn(&Value) -> bool) -> Vec<Package> {
        let known = list(&self.0["packages"]).iter();
        let mut packages: Vec<Package> =
            known.filter(|known| !known["source"].is_null() && wanted(known)).map(package).collect();
        packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        packages
    }
}

fn package(known: &Value) -> Package {
    let manifest = PathBuf::from(word(&known["manifest_path"]));
    Package {
        name: word(&known["name"]).into(),
        version: word(&known["version"]).into(),
        license: word(&known["license"]).into(),
        authors: list(&known["authors"]).iter().map(|author| word(author).into()).collect(),
        rust_version: known["rust_version"].as_str().map(String::from),
        folder: manifest.parent().map(Into::into).unwrap_or_default(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The target that this machine builds for.
pub fn host() -> Result<String, String> {
    let text = Program::new("rustc", &["--version", "--verbose"]).output()?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(String::from).ok_or_else(|| "rustc does not say what it builds for".into())
}
