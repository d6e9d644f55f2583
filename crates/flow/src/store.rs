//! A fitted flow on disk: one safetensors file that says everything about itself.

use std::collections::HashMap;
use std::path::Path;

use oslow_core::{Call, Error, Knowledge, Ordering, Remedy, Result, Standardizer};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::{FittedFlow, FlowConfig, Layout};

/// The name of the only tensor: the parameters, in the order of [`Layout`].
const THETA: &str = "theta";
/// The metadata key under which the description stands.
const KEY: &str = "oslow";
/// Raised when a file of before can no longer be read.
const FORMAT: u32 = 1;

/// What the file says besides the parameters.
#[derive(Serialize, Deserialize)]
struct Description {
    format: u32,
    config: FlowConfig,
    names: Vec<String>,
    order: Vec<String>,
    forbidden: Vec<(usize, usize)>,
    scaling: Standardizer,
    observed: Vec<(f64, f64)>,
    nll: Option<f64>,
}

impl FittedFlow {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let d = self.names.len();
        let allowed = |from: usize, to: usize| self.knowledge.allows(from, to);
        let description = Description {
            format: FORMAT,
            config: self.layout.config.clone(),
            names: self.names.clone(),
            order: self.order.names(&self.names).into_iter().map(String::from).collect(),
            forbidden: (0..d * d)
                .map(|k| (k / d, k % d))
                .filter(|&(i, j)| i != j && !allowed(i, j))
                .collect(),
            scaling: self.scaling.clone(),
            observed: self.observed.clone(),
            nll: self.nll,
        };
        let text = serde_json::to_string(&description)
            .map_err(|e| Error::internal(format!("the model cannot be written: {e}")))?;
        let bytes: Vec<u8> = self.theta.iter().flat_map(|p| p.to_le_bytes()).collect();
        let tensor = TensorView::new(Dtype::F32, vec![self.theta.len()], &bytes);
        let tensor = tensor.map_err(|e| Error::internal(format!("the model cannot be written: {e}")))?;
        safetensors::serialize([(THETA, tensor)], Some(HashMap::from([(KEY.to_string(), text)])))
            .map_err(|e| Error::internal(format!("the model cannot be written: {e}")))
    }

    /// Reads what [`FittedFlow::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let refuse = |why: String| {
            Error::input(format!("not a model of oslow: {why}"))
                .with_hint(Remedy::from("models are made by ").and(Call::FitModel))
        };
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| refuse(e.to_string()))?;
        let text = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let text = text.ok_or_else(|| refuse("it has no description".into()))?;
        let about: Description = serde_json::from_str(text).map_err(|e| refuse(e.to_string()))?;
        if about.format != FORMAT {
            return Err(refuse(format!("its format is {}, this version reads {FORMAT}", about.format)));
        }
        about.config.check()?;
        let d = about.names.len();
        let tensors = SafeTensors::deserialize(bytes).map_err(|e| refuse(e.to_string()))?;
        let theta = tensors.tensor(THETA).map_err(|e| refuse(e.to_string()))?;
        let theta: Vec<f32> =
            theta.data().as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        // A file may speak of more layers than memory can name.
        if Layout::parameters(d, &about.config) != theta.len() as f64 {
            return Err(refuse("its parts do not fit together".into()));
        }
        let layout = Layout::new(d, &about.config);
        let sizes = [about.scaling.mean.len(), about.scaling.scale.len(), about.observed.len()];
        if theta.len() != layout.len || sizes != [d; 3] {
            return Err(refuse("its parts do not fit together".into()));
        }
        let order: Vec<&str> = about.order.iter().map(String::as_str).collect();
        let order = Ordering::from_names(&order, &about.names)?;
        let knowledge = Knowledge::new(&about.names, &[], &[], &about.forbidden, &[], &[])?;
        Ok(Self {
            layout,
            theta,
            order,
            knowledge,
            names: about.names,
            scaling: about.scaling,
            observed: about.observed,
            nll: about.nll,
        })
    }

    /// Loads a saved flow.
    pub fn load(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(Error::input(format!("there is no file `{}`", path.display()))
                .with_hint(Remedy::from("make a model with ").and(Call::FitModel)));
        }
        let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, e))?;
        Self::from_bytes(&bytes).map_err(|e| e.at(path.display()))
    }
}
