//! Protein signalling in human T cells (Sachs et al. 2005), all nine conditions.

use super::Dataset;

pub(super) const SACHS_CONDITIONS: Dataset = Dataset {
    name: "sachs-conditions",
    summary: "11 proteins and phospholipids in 7466 human T cells, flow cytometry, nine conditions",
    source: "PyPI cdt 0.6.0, cdt/data/resources/cyto_full_data.csv, columns renamed; sizes of the conditions from Debian's r-cran-gss 2.2-3",
    csv: include_str!("../../data/sachs_conditions.csv"),
    condition: Some("condition"),
    ..super::sachs::SACHS
};

#[cfg(test)]
mod tests {
    use super::SACHS_CONDITIONS;
    use crate::ReadOptions;
    use crate::datasets::sachs::SACHS;

    #[test]
    fn its_first_rows_are_the_observational_ones_and_nine_conditions_are_told_apart() {
        let read = |set: &super::Dataset| set.read(&ReadOptions::default()).unwrap().sample;
        let (all, observational) = (read(&SACHS_CONDITIONS), read(&SACHS));
        assert_eq!((all.rows(), all.names()), (7466, observational.names()));
        assert_eq!(all.values()[..853 * 11], *observational.values());
        let conditions = all.conditions().unwrap();
        assert_eq!(conditions.names().len(), 9);
        let first = conditions.of_row()[0];
        assert_eq!((conditions.names()[first].as_str(), conditions.rows_of(first)), ("cd3cd28", 853));
        assert!(conditions.of_row()[..853].iter().all(|&condition| condition == first));
    }

    #[test]
    fn columns_are_chosen_and_conditions_stay() {
        let columns = Some(vec!["Mek".to_string(), "Raf".to_string()]);
        let sample =
            SACHS_CONDITIONS.read(&ReadOptions { columns, ..ReadOptions::default() }).unwrap().sample;
        assert_eq!(sample.names(), ["Mek", "Raf"]);
        assert!(sample.conditions().is_some());
    }
}
