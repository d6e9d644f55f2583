//! Which setting has a value that it cannot have, and what it can.

use serde::de::DeserializeOwned;
use toml::Value;

use super::{Settings, merge};

/// What is wrong with settings that make no configuration over the defaults: the first whose value alone is refused, `None` if each
/// alone would do.
pub(super) fn wrong_value<C: DeserializeOwned>(defaults: &Settings, settings: &Settings) -> Option<String> {
    leaves(defaults, settings).into_iter().find_map(|Leaf { path, default, value }| {
        refusal::<C>(defaults, &path, value)?;
        let expected = expected(default, value, || {
            let any_word = Value::String(String::new());
            refusal::<C>(defaults, &path, &any_word)
        });
        let given = value.as_str().map_or_else(|| value.to_string(), String::from);
        Some(format!("`{}` must be {expected}, got `{given}`", path.join(".")))
    })
}

/// A setting that has no settings within.
struct Leaf<'a> {
    path: Vec<&'a str>,
    default: &'a Value,
    value: &'a Value,
}

fn leaves<'a>(defaults: &'a Settings, settings: &'a Settings) -> Vec<Leaf<'a>> {
    let mut all = Vec::new();
    for (key, value) in settings {
        match (defaults.get(key), value) {
            (Some(Value::Table(defaults)), Value::Table(within)) => {
                for mut leaf in leaves(defaults, within) {
                    leaf.path.insert(0, key);
                    all.push(leaf);
                }
            }
            (Some(default), value) => all.push(Leaf { path: vec![key], default, value }),
            (None, _) => {}
        }
    }
    all
}

/// Why a value is refused at this place, if it is.
fn refusal<C: DeserializeOwned>(defaults: &Settings, path: &[&str], value: &Value) -> Option<String> {
    let within = |value: Value, key: &&str| Value::Table(Settings::from_iter([(key.to_string(), value)]));
    let Value::Table(alone) = path.iter().rev().fold(value.clone(), within) else { return None };
    let mut table = defaults.clone();
    merge(&mut table, &alone, "").ok()?;
    table.try_into::<C>().err().map(|refused| refused.message().to_string())
}

/// What a setting with this default can be; `refused_word` is said of a word that no setting knows.
fn expected(default: &Value, value: &Value, refused_word: impl Fn() -> Option<String>) -> String {
    match (default, value) {
        (Value::Integer(_), Value::Integer(given)) if *given < 0 => "a whole number, 0 or more".into(),
        (Value::Integer(_), Value::Integer(_)) => "a smaller whole number".into(),
        (Value::Integer(_), _) => "a whole number".into(),
        (Value::Float(_), _) => "a number".into(),
        (Value::Boolean(_), _) => "true or false".into(),
        (Value::Table(settings), _) => {
            let keys: Vec<&str> = settings.keys().map(String::as_str).collect();
            format!("a group of settings ({})", keys.join(", "))
        }
        (Value::String(word), _) => {
            let refused = refused_word().unwrap_or_default();
            let words = refused.split_once("expected ").map(|(_, words)| words.to_string());
            // Names of types in the code stand in no quotes.
            words
                .filter(|words| words.contains(['`', '"']))
                .unwrap_or_else(|| format!("a value like `{word}`"))
        }
        (Value::Array(_) | Value::Datetime(_), _) => format!("a value like {default}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Error, configure};

    #[derive(serde::Serialize, serde::Deserialize, Default, Debug)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        folds: usize,
        rate: f64,
        skip: bool,
        hidden: Vec<usize>,
        noise: Noise,
        base: Base,
    }

    #[derive(serde::Serialize, serde::Deserialize, Default, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Noise {
        #[default]
        Gaussian,
        Laplace,
        Any,
    }

    #[derive(serde::Serialize, serde::Deserialize, Default, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Base {
        #[default]
        Normal,
        Uniform,
    }

    #[derive(serde::Serialize, serde::Deserialize, Default, Debug)]
    struct Config {
        local: Inner,
        steps: u32,
    }

    fn refusal(text: &str) -> Error {
        configure::<Config>(&text.parse().unwrap()).unwrap_err()
    }

    #[test]
    fn a_wrong_value_is_named_with_what_would_be_right() {
        for (text, message) in [
            ("local.folds = 'abc'", "`local.folds` must be a whole number, got `abc`"),
            ("local.folds = 2.5", "`local.folds` must be a whole number, got `2.5`"),
            ("local.folds = -1", "`local.folds` must be a whole number, 0 or more, got `-1`"),
            ("steps = 5000000000", "`steps` must be a smaller whole number, got `5000000000`"),
            ("local.rate = 'fast'", "`local.rate` must be a number, got `fast`"),
            ("local.skip = 1", "`local.skip` must be true or false, got `1`"),
            ("local.noise = 'none'", "`local.noise` must be one of `gaussian`, `laplace`, `any`, got `none`"),
            ("local.noise = 3", "`local.noise` must be one of `gaussian`, `laplace`, `any`, got `3`"),
            ("local.base = 'x'", "`local.base` must be `normal` or `uniform`, got `x`"),
            ("local.hidden = 'a'", "`local.hidden` must be a value like [], got `a`"),
            (
                "local = 3",
                "`local` must be a group of settings (base, folds, hidden, noise, rate, skip), got `3`",
            ),
        ] {
            assert_eq!(refusal(text).to_string(), message);
        }
        let second = refusal("steps = 3\nlocal.rate = 1\nlocal.folds = 'abc'");
        assert_eq!(second.to_string(), "`local.folds` must be a whole number, got `abc`");
    }
}
