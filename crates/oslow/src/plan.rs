//! Options checked and looked up: whatever is wrong with a call is said before work starts.

use oslow_core::{
    Capabilities, Choice, Error, Knowledge, Learner, Method, Pruner, PrunerEntry, Remedy, Result, Sample,
    Settings, find,
};

use crate::{DiscoverOptions, methods, pruners};

/// What is assumed of conditions.
const ASSIGNED: &str = "conditions were assigned from outside: no column influenced them";

/// Everything that the options name, found.
pub(crate) struct Plan {
    pub method: &'static Method,
    pub learner: Box<dyn Learner>,
    pub pruner_entry: &'static PrunerEntry,
    pub pruner: Box<dyn Pruner>,
    /// Whether the pruner's settings are its defaults.
    pub pruner_by_default: bool,
    pub knowledge: Knowledge,
}

impl Plan {
    pub fn new(columns: &[String], options: &DiscoverOptions) -> Result<Self> {
        let method = find("method", &options.method, methods())?;
        let pruner_entry = find("pruner", &options.prune, pruners())?;
        Ok(Self {
            method,
            learner: (method.build)(&options.settings)?,
            pruner_entry,
            pruner_by_default: (pruner_entry.resolve)(&options.prune_settings)?
                == (pruner_entry.resolve)(&Settings::new())?,
            pruner: (pruner_entry.build)(&options.prune_settings)?,
            knowledge: read_knowledge(&options.knowledge, columns)?,
        })
    }

    /// The same for a table, which method and pruner must be able to take.
    pub fn of(sample: &Sample, options: &DiscoverOptions) -> Result<Self> {
        let plan = Self::new(sample.names(), options)?;
        let methods: Vec<&str> = methods()
            .filter(|other| other.takes == Capabilities::EVERYTHING)
            .map(|other| other.name)
            .collect();
        let pruners: Vec<&str> = pruners()
            .filter(|other| other.takes == Capabilities::EVERYTHING)
            .map(|other| other.name)
            .collect();
        plan.method.takes.check(sample, &format!("`{}`", plan.method.name), &methods)?;
        plan.pruner_entry.takes.check(sample, &format!("`{}`", plan.pruner_entry.name), &pruners)?;
        let known = plan.knowledge.actions().keys().next();
        match (sample.conditions(), known) {
            (Some(conditions), _) => drop(conditions.actions(sample.names(), &plan.knowledge)?),
            (None, Some(condition)) => {
                return Err(Error::input(format!(
                    "knowledge: nothing says which rows were observed under the condition `{condition}`"
                ))
                .with_hint(Remedy::from("name the column that does with ").and(Choice::Condition)));
            }
            (None, None) => {}
        }
        if options.fit {
            Capabilities::NUMBERS.check(sample, "a fitted flow", &[])?;
        }
        Ok(plan)
    }

    /// What must hold for the answer about a table to be right, each thing once.
    pub fn assumptions(&self, sample: &Sample) -> Vec<&'static str> {
        let mut all = self.method.assumes.to_vec();
        all.extend(self.pruner_entry.assumes.iter().filter(|assumed| !self.method.assumes.contains(assumed)));
        all.extend(sample.conditions().map(|_| ASSIGNED));
        all
    }
}

/// Knowledge by column name, with the keys of a knowledge file.
pub(crate) fn read_knowledge(written: &Settings, columns: &[String]) -> Result<Knowledge> {
    if written.is_empty() {
        return Ok(Knowledge::none(columns.len()));
    }
    let text = toml::to_string(written)
        .map_err(|e| Error::internal(format!("the knowledge cannot be written: {e}")))?;
    Knowledge::from_toml(&text, columns).map_err(|e| e.at("knowledge"))
}
