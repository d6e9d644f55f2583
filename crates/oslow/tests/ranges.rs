//! Every number that a user can set has a range, and a refusal says what was given.

use oslow::prelude::*;
use oslow::{FitOptions, Settings, fit, fit_settings, methods, pruners};
use toml::Value;

/// What nobody means, in place of a number.
fn absurd(value: &Value) -> Option<Value> {
    match value {
        Value::Integer(_) => Some(Value::Integer(i64::MAX)),
        Value::Float(_) => Some(Value::Float(1e300)),
        Value::Array(values) => Some(Value::Array(vec![absurd(values.first()?)?])),
        _ => None,
    }
}

/// Each number of some settings in its turn, by its key, with the settings that have it alone absurd.
fn each_absurd(all: &Settings) -> Vec<(String, Settings)> {
    let alone = |key: &String, value: Value| Settings::from_iter([(key.clone(), value)]);
    let of = |(key, value): (&String, &Value)| match value {
        Value::Table(inner) => {
            let inside = each_absurd(inner).into_iter();
            inside.map(|(name, inner)| (name, alone(key, Value::Table(inner)))).collect()
        }
        value => absurd(value).map(|value| (key.clone(), alone(key, value))).into_iter().collect::<Vec<_>>(),
    };
    all.iter().flat_map(of).collect()
}

fn refused(who: &str, resolved: &Settings, mut take: impl FnMut(&Settings) -> Option<Error>) -> usize {
    let all = each_absurd(resolved);
    for (key, settings) in &all {
        let error = take(settings).unwrap_or_else(|| panic!("{who} takes {settings:?}"));
        let said = error.to_string();
        assert!(error.is_input() && said.contains(key.as_str()) && said.contains("must be"), "{who}: {said}");
    }
    all.len()
}

#[test]
fn absurd_settings_are_refused_by_name_with_their_range() {
    let none = Settings::new();
    let mut settings = 0;
    for method in methods() {
        settings += refused(method.name, &(method.resolve)(&none).unwrap(), |it| (method.build)(it).err());
    }
    for pruner in pruners() {
        settings += refused(pruner.name, &(pruner.resolve)(&none).unwrap(), |it| (pruner.build)(it).err());
    }
    let spec = oslow::scm::Spec { nodes: 2, ..Default::default() };
    let sample = oslow::scm::simulate(&spec, 50, Seed(0)).unwrap().sample;
    settings += refused("fit", &fit_settings(&none).unwrap(), |it| {
        let options = FitOptions { settings: it.clone(), ..FitOptions::new(Ordering::identity(2)) };
        fit(&sample, &options, &mut Silent).err()
    });
    assert!(settings > 100, "{settings} numbers were found");
}

#[test]
fn what_no_memory_holds_is_refused_before_it_is_allocated() {
    let refusal = |error: Error| {
        assert!(error.is_input() && error.hint().is_some(), "{error}");
        error.to_string()
    };
    let spec = oslow::scm::Spec { nodes: 2, graph: "path".into(), ..Default::default() };
    for rows in [1 << 40, usize::MAX] {
        let error = oslow::scm::simulate(&spec, rows, Seed(0)).unwrap_err();
        assert!(refusal(error).contains("memory"));
        let error = oslow::scm::simulate_problem("pairwise-counterexample", rows, Seed(0)).err();
        let Some(error) = error else { panic!("a problem of {rows} rows") };
        assert!(error.is_input(), "{error}");
    }
    let huge = oslow::scm::Spec { nodes: 1 << 40, ..spec.clone() };
    assert_eq!(
        oslow::scm::simulate(&huge, 10, Seed(0)).unwrap_err().to_string(),
        "nodes = 1099511627776: it must be 0 to 10000"
    );
    let simulated = oslow::scm::simulate(&spec, 50, Seed(0)).unwrap();
    let options = FitOptions {
        settings: "epochs = 1".parse().unwrap(),
        ..FitOptions::new(simulated.dag.topological_order())
    };
    let flow = fit(&simulated.sample, &options, &mut Silent).unwrap().flow;
    for rows in [1 << 40, usize::MAX] {
        let drawn = [
            flow.draw(rows, &[], &mut Seed(0).stream("test")),
            simulated.scm.draw(rows, &[], &mut Seed(0).stream("test")),
        ];
        for drawn in drawn {
            assert!(refusal(drawn.unwrap_err()).contains("memory"));
        }
    }
}
