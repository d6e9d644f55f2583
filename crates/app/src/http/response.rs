//! What a browser is answered.

use std::io::Write;

use serde::Serialize;

/// What a page of the app may do: show what this server sends, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// An answer.
#[derive(Debug)]
pub struct Response {
    status: u16,
    kind: &'static str,
    policy: &'static str,
    cookie: Option<String>,
    body: Vec<u8>,
}

impl Response {
    /// A file of this type.
    pub fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, policy: POLICY, cookie: None, body: body.into() }
    }

    /// A value as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self::new("application/json", body),
            Err(e) => Self::failure(500, &e.to_string(), None),
        }
    }

    /// A refusal in a sentence.
    pub fn refusal(status: u16, why: &str) -> Self {
        Self::failure(status, why, None)
    }

    /// What is wrong, and what to do about it.
    pub fn failure(status: u16, error: &str, hint: Option<&str>) -> Self {
        let told = serde_json::json!({ "error": error, "hint": hint });
        Self { status, ..Self::new("application/json", told.to_string()) }
    }

    /// The same with another policy.
    pub fn with_policy(self, policy: &'static str) -> Self {
        Self { policy, ..self }
    }

    /// The same, and the browser keeps this cookie.
    pub fn with_cookie(self, cookie: String) -> Self {
        Self { cookie: Some(cookie), ..self }
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Writes it as the only answer of a connection.
    pub(super) fn write(&self, to: &mut impl Write) -> std::io::Result<()> {
        let Self { status, kind, policy, cookie, body } = self;
        let cookie = cookie.as_ref().map(|cookie| format!("Set-Cookie: {cookie}\r\n")).unwrap_or_default();
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nContent-Security-Policy: {policy}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\nConnection: close\r\n{cookie}\r\n",
            phrase(*status),
            body.len(),
        );
        to.write_all(head.as_bytes())?;
        to.write_all(body)?;
        to.flush()
    }
}

/// What a status is called.
fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
