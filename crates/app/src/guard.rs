//! Who is let in.
//!
//! Other programs and pages on this machine can reach the port. A page of another origin can send requests, under another name that leads here even
//! such whose answers it may read. So every request is checked: that it names this server, that it comes from its own page, and that it
//! knows the secret, which the browser got by a link that works once.

use std::sync::{Mutex, PoisonError};

use oslow::Result;

use crate::http::{Method, Request, Response};
use crate::secret::Secret;

/// What passed, or a refusal.
type Checked<T> = std::result::Result<T, Response>;

/// What the link is asked by.
const ONCE: &str = "once=";
/// The page after the link: it leads on by itself, so that the browser counts the next request as one of this server's own, and sends the cookie.
const LEAD_ON: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\">\
     <meta http-equiv=\"refresh\" content=\"0;url=/\">\
     <title>oslow</title><p><a href=\"/\">Go on to oslow</a></p></html>";

/// The secrets of a server.
pub struct Guard {
    secret: Secret,
    /// What the next link has.
    once: Mutex<Secret>,
}

impl Guard {
    /// With new secrets.
    pub fn new() -> Result<Self> {
        Ok(Self { secret: Secret::new()?, once: Mutex::new(Secret::new()?) })
    }

    /// The link that works once.
    pub fn link(&self, port: u16) -> String {
        let once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        format!("http://127.0.0.1:{port}/?{ONCE}{}", once.text())
    }

    /// Refuses whoever may not be answered.
    pub fn check(&self, request: &Request, port: u16) -> Checked<()> {
        check_names(request, port)?;
        let name = cookie_name(port);
        let cookies = request.header("cookie")?.unwrap_or_default();
        let given = cookies.split(';').find_map(|part| part.trim().strip_prefix(&name)?.strip_prefix('='));
        match given {
            Some(given) if self.secret.is(given) => Ok(()),
            _ => Err(forbidden("open the link that the terminal shows")),
        }
    }

    /// What whoever comes with the link is answered; `None` for everybody else. Afterwards there is another link.
    pub fn admit(&self, request: &Request, port: u16) -> Checked<Option<Response>> {
        let Some(given) = request.query.strip_prefix(ONCE).filter(|_| request.path == "/") else {
            return Ok(None);
        };
        if request.method != Method::Get {
            return Ok(None);
        }
        check_host(request, port)?;
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        if !once.is(given) {
            return Err(forbidden("this link was used before; open the last one that the terminal shows"));
        }
        *once = Secret::new().map_err(|e| Response::refusal(500, &e.to_string()))?;
        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000",
            cookie_name(port),
            self.secret.text()
        );
        Ok(Some(Response::new("text/html; charset=utf-8", LEAD_ON).with_cookie(cookie)))
    }
}

/// Cookies do not belong to a port, so their names tell the servers of a machine apart.
fn cookie_name(port: u16) -> String {
    format!("oslow_{port}")
}

/// Whether the request names this server, and comes from nobody else's page.
fn check_names(request: &Request, port: u16) -> Checked<()> {
    check_host(request, port)?;
    if let Some(origin) = request.header("origin")? {
        let own = request.header("host")?.map(|host| format!("http://{host}"));
        if own.as_deref() != Some(origin) {
            return Err(forbidden("the request comes from another page"));
        }
    }
    match request.header("sec-fetch-site")? {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(forbidden("the request comes from another page")),
    }
}

fn check_host(request: &Request, port: u16) -> Checked<()> {
    let known = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    match request.header("host")? {
        Some(host) if known.iter().any(|known| known == host) => Ok(()),
        _ => Err(forbidden("the request is for another server")),
    }
}

fn forbidden(why: &str) -> Response {
    Response::failure(403, "This request is not answered.", Some(why))
}
