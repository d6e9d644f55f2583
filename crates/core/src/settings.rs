//! Settings: a plain struct per method, filled from TOML with unknown keys refused.

use serde::{Serialize, de::DeserializeOwned};

use crate::{Error, Result};

/// Keys and values as the user gave them (`--set key=value`, a config file, Python keywords).
pub type Settings = toml::Table;

/// The configuration with the given settings over its defaults.
pub fn configure<C: Serialize + DeserializeOwned + Default>(settings: &Settings) -> Result<C> {
    let mut table = describe(&C::default())?;
    for (key, value) in settings {
        let Some(default) = table.get(key) else {
            return Err(Error::input(format!("unknown setting `{key}`"))
                .with_hint(crate::suggestion(key, table.keys().map(String::as_str))));
        };
        // `lr = 1` means 1.0 where a fraction is expected.
        let value = match (default, value) {
            (toml::Value::Float(_), toml::Value::Integer(whole)) => toml::Value::Float(*whole as f64),
            _ => value.clone(),
        };
        table.insert(key.clone(), value);
    }
    table.try_into::<C>().map_err(|e| {
        Error::input(format!("settings: {}", e.message()))
            .with_hint("`oslow list methods --json` shows every setting with its default")
    })
}

/// Every setting of a configuration.
pub fn describe<C: Serialize>(configuration: &C) -> Result<Settings> {
    Settings::try_from(configuration).map_err(|e| Error::input(format!("settings: {e}")))
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

    fn set(text: &str) -> Result<Config> {
        configure(&text.parse::<Settings>().unwrap())
    }

    #[test]
    fn settings_override_defaults_and_unknown_ones_are_refused() {
        assert_eq!(set("rate = 2").unwrap(), Config { steps: 0, rate: 2.0 });
        let error = set("stesp = 2").unwrap_err();
        assert_eq!((error.to_string().as_str(), error.hint()), ("unknown setting `stesp`", Some("did you mean `steps`?")));
        assert!(set("steps = 'many'").unwrap_err().to_string().starts_with("settings: invalid type"));
    }
}
