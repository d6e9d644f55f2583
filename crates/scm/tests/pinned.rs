//! Data of fixed seeds stays what it was: numbers of the version before mixes, outputs of a registry, hidden columns and
//! ways of seeing were added.

use oslow_core::Seed;
use oslow_scm::{Spec, simulate};

/// Mechanism, noise, output, and a weighted sum of all values of 50 rows with 4 nodes, seed 7.
const BEFORE: [(&str, &str, &str, f64); 20] = [
    ("linear", "gaussian", "identity", 8.187253381816742),
    ("linear", "laplace", "asinh", -13.105331765012064),
    ("linear", "uniform", "hinge", 9.447808603537078),
    ("linear", "student-t", "cube", 1.7225617413088428),
    ("sinusoid", "gaussian", "identity", 8.524402090603884),
    ("sinusoid", "laplace", "asinh", -13.634718839052345),
    ("sinusoid", "uniform", "hinge", 7.122788149864905),
    ("sinusoid", "student-t", "cube", 2.6271205492591254),
    ("polynomial", "gaussian", "identity", 20.307841799797092),
    ("polynomial", "laplace", "asinh", -15.082622684993366),
    ("polynomial", "uniform", "hinge", 7.0781400275180335),
    ("polynomial", "student-t", "cube", 11.94507301696286),
    ("gaussian-process", "gaussian", "identity", 9.746967878138667),
    ("gaussian-process", "laplace", "asinh", -9.488967039644395),
    ("gaussian-process", "uniform", "hinge", 8.978664374979715),
    ("gaussian-process", "student-t", "cube", 0.22827282243778824),
    ("intervention", "gaussian", "identity", 8.99922801702201),
    ("intervention", "laplace", "asinh", -17.57214371970584),
    ("intervention", "uniform", "hinge", 9.00006829910624),
    ("intervention", "student-t", "cube", -2.0867435672714564e19),
];

#[test]
fn draws_of_earlier_families_are_unchanged() {
    for (mechanism, noise, output, expected) in BEFORE {
        let spec = Spec {
            nodes: 4,
            mechanism: mechanism.into(),
            noise: noise.into(),
            output: output.into(),
            ..Spec::default()
        };
        let simulated = simulate(&spec, 50, Seed(7)).unwrap();
        let values = simulated.sample.values().iter().enumerate();
        let sum: f64 = values.map(|(k, x)| x * (1.0 + k as f64 * 0.37).cos()).sum();
        assert!((sum - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{spec:?}: {sum}, {expected}");
        assert_eq!(simulated.dag.edges().len(), 2);
    }
}
