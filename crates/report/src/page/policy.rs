//! What a page may do.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The Content Security Policy of a page with one script: it runs and nothing else does, nothing is loaded, nothing sent.
pub(super) fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::policy;

    #[test]
    fn the_hash_is_the_one_that_browsers_compute() {
        // printf 'abc' | openssl dgst -sha256 -binary | base64
        assert!(policy("abc").contains("'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"));
    }
}
