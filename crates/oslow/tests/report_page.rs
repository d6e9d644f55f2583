//! The page of a run: what is in it, whatever the run.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow::prelude::*;
use oslow::{ReadConfig, RunConfig, RunFiles, TableEvidence, report_page};
use serde_json::Value;

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>";

fn table(rows: usize, names: [&str; 4]) -> Sample {
    let spec = oslow::scm::Spec { nodes: 4, ..oslow::scm::Spec::default() };
    let drawn = oslow::scm::simulate(&spec, rows, Seed(5)).unwrap().sample;
    Sample::new(names.map(String::from).to_vec(), drawn.values().to_vec()).unwrap()
}

fn plain() -> Sample {
    table(150, ["a", "b", "c", "d"])
}

fn options(method: &str, prune: &str) -> DiscoverOptions {
    DiscoverOptions {
        method: method.into(),
        prune: prune.into(),
        threads: Some(1),
        ..DiscoverOptions::default()
    }
}

fn files(sample: &Sample, options: &DiscoverOptions, observer: &mut dyn Observer) -> RunFiles {
    let found = discover(sample, options, observer, &mut ForgetfulCheckpoint).unwrap();
    let config = RunConfig::resolved(&found, options, &ReadConfig::default()).unwrap();
    let evidence = TableEvidence::new(sample, &found, options).unwrap();
    RunFiles::new(&found, &config).unwrap().with_evidence(&evidence).unwrap()
}

/// What the script of a page is told.
fn told(page: &str) -> Value {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..end]).unwrap()
}

#[test]
fn the_default_method_fills_every_part() {
    let sample = plain();
    let files = files(&sample, &options("exact", "likelihood"), &mut Silent);
    let page = report_page(&files).unwrap();
    let told = told(&page);
    let edges = told["run"]["edges"].as_array().unwrap();
    assert!(!edges.is_empty() && told["evidence"]["edges"].as_array().unwrap().len() == edges.len());
    for (edge, seen) in edges.iter().zip(told["evidence"]["edges"].as_array().unwrap()) {
        assert_eq!(seen["picture"]["as"], "curve", "{edge}");
        assert_eq!(edge["from"], sample.names()[seen["from"].as_u64().unwrap() as usize].as_str());
    }
    assert_eq!(page.matches("<g data-node=").count(), 4);
    assert_eq!(page.matches("<g data-from=").count(), edges.len());
    assert!(!page.contains("stopped before"));
}

#[test]
fn evidence_is_read_back_as_it_was_and_does_not_depend_on_threads() {
    let (sample, one) = (plain(), options("exact", "likelihood"));
    let two = DiscoverOptions { threads: Some(2), ..one.clone() };
    let written = |options: &DiscoverOptions| {
        let files = files(&sample, options, &mut Silent);
        files.get("evidence.json").unwrap().to_vec()
    };
    let text = written(&one);
    assert_eq!(TableEvidence::from_json(&text).unwrap().to_json().unwrap(), text);
    assert_eq!(written(&two), text);
}

#[test]
fn names_cannot_become_markup() {
    let sample = table(150, [HOSTILE, "b\"<b>", "c&\u{2028}", "__proto__"]);
    let page = report_page(&files(&sample, &options("r2-sort", "none"), &mut Silent)).unwrap();
    assert!(!page.contains("<img") && !page.contains("<b>"));
    assert_eq!(told(&page)["run"]["columns"][0], HOSTILE);
}

#[test]
fn a_stopped_run_says_so_first() {
    struct Impatient;
    impl Observer for Impatient {
        fn on_event(&mut self, _: &Event<'_>) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Break(())
        }
    }
    let page = report_page(&files(&plain(), &options("exact", "likelihood"), &mut Impatient)).unwrap();
    let loud = page.find("This run was stopped before it was finished").unwrap();
    assert!(loud < page.find("class=\"summary\"").unwrap());
}

#[test]
fn methods_without_confidences_and_runs_without_evidence_have_a_page() {
    let sample = plain();
    let options = options("random", "none");
    let found = discover(&sample, &options, &mut Silent, &mut ForgetfulCheckpoint).unwrap();
    let config = RunConfig::resolved(&found, &options, &ReadConfig::default()).unwrap();
    let page = report_page(&RunFiles::new(&found, &config).unwrap()).unwrap();
    let told = told(&page);
    assert!(told["evidence"].is_null() && told["run"]["edges"][0]["confidence"].is_null());
    assert!(page.contains("oslow learned a causal order"));
}

#[test]
fn a_fitted_model_gives_curves_of_its_interventions() {
    let options = DiscoverOptions { fit: true, ..options("exact", "likelihood") };
    let page = report_page(&files(&plain(), &options, &mut Silent)).unwrap();
    let told = told(&page);
    let effects = told["effects"].as_array().unwrap();
    assert_eq!(effects.len(), told["run"]["edges"].as_array().unwrap().len());
    for effect in effects {
        let [at, low, mean, high] = ["at", "low", "mean", "high"].map(|key| {
            effect[key].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(at.len(), 9);
        assert!(at.windows(2).all(|two| two[0] < two[1]));
        assert!((0..9).all(|k| low[k] < mean[k] && mean[k] < high[k]));
    }
}

#[test]
fn discrete_columns_have_boxes_and_shares() {
    let sample = table(300, ["a", "b", "c", "d"]);
    // Halves of the first column, and thirds of the last.
    let cut = |value: f64, at: &[f64]| at.iter().filter(|at| value > **at).count() as f64;
    let values = (0..300)
        .flat_map(|i| {
            let row = sample.row(i);
            [cut(row[0], &[0.0]), row[1] + cut(row[0], &[0.0]), row[2], cut(row[3] + row[1], &[-0.5, 0.5])]
        })
        .collect();
    let mixed = Sample::new(sample.names().to_vec(), values).unwrap();
    let mixed = mixed.with_labels(0, vec!["no".into(), "<yes>".into()], false);
    let told = told(&report_page(&files(&mixed, &options("random", "none"), &mut Silent)).unwrap());
    let columns = told["evidence"]["columns"].as_array().unwrap();
    assert_eq!(columns[0]["labels"][1], "<yes>");
    assert_eq!(columns[0]["histogram"]["of"], "values");
    for seen in told["evidence"]["edges"].as_array().unwrap() {
        let ends = ["from", "to"].map(|end| seen[end].as_u64().unwrap());
        let expected = match ends {
            [_, 0 | 3] => "shares",
            [0 | 3, _] => "boxes",
            _ => "curve",
        };
        assert_eq!(seen["picture"]["as"], expected, "{seen}");
        if let Some(parts) = seen["picture"]["parts"].as_array() {
            let all = parts.iter().flat_map(|part| part["counts"].as_array().unwrap());
            assert_eq!(all.map(|count| count.as_u64().unwrap()).sum::<u64>(), 300);
        }
    }
}

#[test]
fn the_page_of_sachs_is_small() {
    let sample = oslow::data::load("sachs").unwrap().sample;
    let page = report_page(&files(&sample, &options("r2-sort", "cam"), &mut Silent)).unwrap();
    assert!(page.len() < 1_500_000, "{}", page.len());
}
