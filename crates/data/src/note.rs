//! What a user should know about a table that can be used.

use oslow_core::Remedy;

/// Something doubtful, and what to do about it where that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is doubtful.
    pub text: String,
    /// What to do about it.
    pub remedy: Option<Remedy>,
}

impl Note {
    /// Both in one sentence, the remedy in the words of a face.
    pub fn worded(&self, face: impl Fn(&Remedy) -> String) -> String {
        let remedy = self.remedy.as_ref().map(|remedy| format!("; {}", face(remedy)));
        self.text.clone() + &remedy.unwrap_or_default()
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self { text, remedy: None }
    }
}
