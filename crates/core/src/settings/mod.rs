//! Settings: a plain struct per method, filled from TOML with unknown keys refused.

mod range;
mod wrong_value;

use serde::{Serialize, de::DeserializeOwned};

use crate::{Call, Error, Remedy, Result};
pub use range::{layers, positive, within};
use wrong_value::wrong_value;

/// Keys and values as the user gave them (`--set key=value`, a config file, Python keywords).
pub type Settings = toml::Table;

/// The configuration with the given settings over its defaults; tables within are merged key by key.
pub fn configure<C: Serialize + DeserializeOwned + Default>(settings: &Settings) -> Result<C> {
    configure_from(&C::default(), settings)
}

/// The same over other defaults than the type's own.
pub fn configure_from<C: Serialize + DeserializeOwned>(defaults: &C, settings: &Settings) -> Result<C> {
    let defaults = describe(defaults)?;
    let mut table = defaults.clone();
    merge(&mut table, settings, "")?;
    table.try_into::<C>().map_err(|e| {
        let wrong = wrong_value::<C>(&defaults, settings);
        Error::input(wrong.unwrap_or_else(|| format!("settings: {}", e.message())))
            .with_hint(Remedy::from(Call::ListSettings).and(" shows every setting with its default"))
    })
}

fn merge(table: &mut Settings, settings: &Settings, place: &str) -> Result<()> {
    for (key, value) in settings {
        let Some(default) = table.get_mut(key) else {
            let hint = match inside(table, key) {
                Some(path) => format!("did you mean `{place}{path}`?"),
                None => crate::suggestion(key, table.keys().map(String::as_str)),
            };
            return Err(Error::input(format!("unknown setting `{place}{key}`")).with_hint(hint));
        };
        match (default, value) {
            (toml::Value::Table(default), toml::Value::Table(value)) => {
                merge(default, value, &format!("{place}{key}."))?;
            }
            // `rate = 1` means 1.0 where a fraction is expected.
            (default @ toml::Value::Float(_), toml::Value::Integer(whole)) => {
                *default = toml::Value::Float(*whole as f64);
            }
            (default, value) => *default = value.clone(),
        }
    }
    Ok(())
}

/// Where a key is in the tables within a table.
fn inside(table: &Settings, key: &str) -> Option<String> {
    table.iter().find_map(|(name, value)| {
        let within = value.as_table()?;
        let path = if within.contains_key(key) { Some(key.to_string()) } else { inside(within, key) };
        path.map(|path| format!("{name}.{path}"))
    })
}

/// Every setting of a configuration.
pub fn describe<C: Serialize>(configuration: &C) -> Result<Settings> {
    Settings::try_from(configuration).map_err(|e| Error::internal(format!("settings cannot be written: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, Default, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Config {
        steps: usize,
        rate: f64,
    }

    #[derive(serde::Serialize, serde::Deserialize, Default, Debug)]
    struct Outer {
        inner: Config,
    }

    fn set(text: &str) -> Result<Config> {
        configure(&text.parse::<Settings>().unwrap())
    }

    #[test]
    fn settings_override_defaults_and_unknown_ones_are_refused() {
        assert_eq!(set("rate = 2").unwrap(), Config { steps: 0, rate: 2.0 });
        let error = set("stesp = 2").unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.hint().as_deref()),
            ("unknown setting `stesp`", Some("did you mean `steps`?"))
        );
        let nested: Result<Outer> = configure(&"inner.rat = 1".parse().unwrap());
        assert_eq!(nested.unwrap_err().to_string(), "unknown setting `inner.rat`");
        let misplaced: Result<Outer> = configure(&"rate = 1".parse().unwrap());
        assert_eq!(misplaced.unwrap_err().hint().as_deref(), Some("did you mean `inner.rate`?"));
        let nested: Outer = configure(&"inner.rate = 1".parse().unwrap()).unwrap();
        assert_eq!(nested.inner, Config { steps: 0, rate: 1.0 });
        assert_eq!(
            set("steps = 'many'").unwrap_err().to_string(),
            "`steps` must be a whole number, got `many`"
        );
    }
}
