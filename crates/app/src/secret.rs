//! Secrets that nobody can guess.

use oslow::{Error, Result};

/// 256 bits from the operating system, as text.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    pub fn new() -> Result<Self> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes)
            .map_err(|e| Error::internal(format!("the operating system gives no random numbers: {e}")))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The text, to be handed to whoever may know it.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether somebody knows it. Takes equally long wherever the first difference is.
    pub fn is(&self, given: &str) -> bool {
        let different = self.0.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        given.len() == self.0.len() && different == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn only_the_whole_text_is_the_secret() {
        let [one, other] = [0, 1].map(|_| Secret::new().unwrap());
        assert!(one.is(one.text()) && one.text().len() == 64);
        for wrong in [other.text(), "", &one.text()[1..], &format!("{}0", one.text())] {
            assert!(!one.is(wrong), "{wrong}");
        }
    }
}
