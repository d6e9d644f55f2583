//! Protein signalling in human T cells (Sachs et al. 2005), the observational condition.

use super::Dataset;

pub(super) const SACHS: Dataset = Dataset {
    name: "sachs",
    summary: "11 proteins and phospholipids in 853 human T cells, flow cytometry, observational",
    citation: "Sachs, Perez, Pe'er, Lauffenburger, Nolan: Causal protein-signaling networks derived from \
               multiparameter single-cell data. Science 308:523-529, 2005",
    source: "PyPI cdt 0.6.0, cdt/data/resources/cyto_full_data.csv, first 853 rows, columns renamed",
    licence: "cdt is MIT-licensed (its metadata says Apache 2.0); terms of the original supplement not checked",
    csv: include_str!("../../data/sachs.csv"),
    condition: None,
    edges: Some(include_str!("../../data/sachs_edges.csv")),
};

#[cfg(test)]
mod tests {
    use super::SACHS;
    use crate::{ReadOptions, read_table};
    use std::path::Path;

    #[test]
    fn it_has_the_published_shape() {
        let sample = SACHS.read(&ReadOptions::default()).unwrap().sample;
        assert_eq!((sample.rows(), sample.columns()), (853, 11));
        let names = ["Raf", "Mek", "Plcg", "PIP2", "PIP3", "Erk", "Akt", "PKA", "PKC", "P38", "Jnk"];
        assert_eq!(sample.names(), names);
        let truth = SACHS.truth().unwrap();
        assert_eq!((truth.len(), truth[0], truth[16]), (17, ("Raf", "Mek"), ("PKC", "Jnk")));
    }

    #[test]
    fn it_equals_the_copy_of_the_paper_s_repository() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/sachs"));
        if !folder.is_dir() {
            println!("skipped: the shared data folder is not here");
            return;
        }
        let copy =
            read_table(&folder.join("sachs_observational_853x11.csv"), &ReadOptions::default()).unwrap();
        assert_eq!(SACHS.read(&ReadOptions::default()).unwrap(), copy);
        let edges = std::fs::read_to_string(folder.join("edges_consensus_17.csv")).unwrap();
        let edges: Vec<_> = edges.lines().skip(1).filter_map(|line| line.split_once(',')).collect();
        assert_eq!(SACHS.truth().unwrap(), edges);
    }
}
