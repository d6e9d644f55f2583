//! What is answered to what is asked.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use oslow::data::datasets;
use oslow::{Error, Result, RunConfig, RunFiles, Settings, VERSION, methods, pruners};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::archive::archive;
use crate::assets::asset;
use crate::guard::Guard;
use crate::home::plain_name;
use crate::http::{Method, Request, Response};
use crate::remedy::Told;
use crate::runs::Runs;
use crate::worker::How;
use crate::{look, what_if};

/// A table that comes in through the page is smaller.
const MOST_TABLE: u64 = 256_000_000;
/// Everything else is smaller.
const MOST_JSON: u64 = 2_000_000;
/// What a report may do in its frame: run its own script, and offer files. It has no origin, so it cannot ask this server for anything.
const REPORT_POLICY: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// Everything that answers are made of.
pub struct Routes {
    pub guard: Guard,
    pub runs: Arc<Runs>,
    pub how: How,
    /// Told when the link was used, and there is another.
    pub used: Box<dyn Fn(&str) + Send + Sync>,
    /// Effects take all threads: one at a time.
    pub effects: Mutex<()>,
}

/// Why there is no answer.
enum Failure {
    Refused(Response),
    Wrong(Error),
}

impl From<Response> for Failure {
    fn from(response: Response) -> Self {
        Self::Refused(response)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Wrong(error)
    }
}

type Answered = std::result::Result<Response, Failure>;

impl Routes {
    /// Answers a request.
    pub fn answer(&self, request: &mut Request, port: u16) -> Response {
        match self.admitted(request, port) {
            Ok(response) | Err(Failure::Refused(response)) => response,
            Err(Failure::Wrong(error)) => refused(&error),
        }
    }

    fn admitted(&self, request: &mut Request, port: u16) -> Answered {
        if let Some(admitted) = self.guard.admit(request, port)? {
            (self.used)(&self.guard.link(port));
            return Ok(admitted);
        }
        self.guard.check(request, port)?;
        let path = request.path.clone();
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match (request.method, &parts[..]) {
            (Method::Get, ["api", "state"]) => self.state(),
            (Method::Get, ["api", "choices"]) => Ok(choices(self.runs.home.path().display().to_string())),
            (Method::Get, ["api", "draft"]) => {
                let draft = self.runs.home.draft()?.unwrap_or_else(|| b"null".to_vec());
                Ok(Response::new("application/json", draft))
            }
            (Method::Post, ["api", "draft"]) => {
                let draft: Value = json_of(request)?;
                self.runs.home.keep_draft(draft.to_string().as_bytes())?;
                Ok(Response::json(&json!({})))
            }
            (Method::Post, ["api", "look"]) => {
                let asked: look::Asked = json_of(request)?;
                Ok(Response::json(&asked.look(&self.runs.home)?))
            }
            (Method::Post, ["api", "tables"]) => self.take_table(request),
            (Method::Post, ["api", "runs"]) => {
                let config: Settings = json_of(request)?;
                let id = self.runs.add(RunConfig::from_toml(&config.to_string())?)?;
                Ok(Response::json(&json!({ "id": id })))
            }
            (Method::Post, ["api", "runs", id, "stop"]) => {
                let _: Nothing = json_of(request)?;
                self.runs.stop(number(id)?)?;
                Ok(Response::json(&json!({})))
            }
            (Method::Post, ["api", "runs", id, "resume"]) => {
                let _: Nothing = json_of(request)?;
                self.runs.resume(number(id)?)?;
                Ok(Response::json(&json!({})))
            }
            (Method::Post, ["api", "runs", id, "remove"]) => {
                let _: Nothing = json_of(request)?;
                self.runs.remove(number(id)?)?;
                Ok(Response::json(&json!({})))
            }
            (Method::Post, ["api", "runs", id, "effect"]) => {
                let asked: what_if::Asked = json_of(request)?;
                let _one = self.effects.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(Response::json(&asked.answer(&self.runs.home, number(id)?, self.how.threads)?))
            }
            (Method::Get, ["runs", id, "report.html"]) => {
                let page = self.file(number(id)?, "report.html")?;
                Ok(Response::new("text/html; charset=utf-8", page).with_policy(REPORT_POLICY))
            }
            (Method::Get, ["runs", id, name @ ("run.json" | "evidence.json")]) => {
                Ok(Response::new("application/json", self.file(number(id)?, name)?))
            }
            (Method::Get, ["runs", id, "run.zip"]) => self.packed(number(id)?),
            (Method::Get, _) => match asset(&path) {
                Some((kind, content)) => Ok(Response::new(kind, content)),
                None => Err(nothing().into()),
            },
            (Method::Post, _) => Err(nothing().into()),
        }
    }

    fn state(&self) -> Answered {
        let tables = self.runs.home.tables()?;
        Ok(Response::json(&json!({ "tables": tables, "runs": self.runs.shown() })))
    }

    fn file(&self, run: u32, name: &str) -> std::result::Result<Vec<u8>, Failure> {
        let files = RunFiles::read(&self.runs.home.run_folder(run))?;
        files.get(name).map(<[u8]>::to_vec).ok_or_else(|| nothing().into())
    }

    /// The folder of a run as one file.
    fn packed(&self, run: u32) -> Answered {
        let folder = self.runs.home.run_folder(run);
        if !folder.is_dir() {
            return Err(nothing().into());
        }
        Ok(Response::new("application/zip", archive(&folder, &format!("run-{run}"))?))
    }

    /// Keeps a table under a name like its own. It is there whole or not at all.
    fn take_table(&self, request: &mut Request) -> Answered {
        expect_type(request, "application/octet-stream")?;
        let name = request.query.strip_prefix("name=").and_then(decoded);
        let name = name.ok_or_else(|| Response::refusal(400, "The table has no name."))?;
        plain_name(&name)?;
        let home = &self.runs.home;
        let unfinished = home.unfinished_table(&random_name()?);
        let not_written = |e| Error::io("write", &unfinished, e);
        let mut file = File::create_new(&unfinished).map_err(not_written)?;
        let copied = request
            .copy_body(MOST_TABLE, &mut |part| file.write_all(part).map_err(|e| refused(&not_written(e))));
        let kept = match copied {
            Ok(()) => home.keep_table(&name, &unfinished).map_err(Failure::from),
            Err(refusal) => Err(self.with_way_around(refusal).into()),
        };
        if kept.is_err() {
            // Whatever came of it is of no use; that it may not be there does not matter.
            let _ = std::fs::remove_file(&unfinished);
        }
        kept.map(|data| Response::json(&json!({ "data": data })))
    }

    /// A table that is too large for the page can be put where the page finds it.
    fn with_way_around(&self, refusal: Response) -> Response {
        match refusal.status() {
            413 => {
                let hint =
                    format!("copy the file into {} and reload this page", self.runs.home.path().display());
                Response::failure(
                    413,
                    &format!("The page takes tables of up to {} MB.", MOST_TABLE / 1_000_000),
                    Some(&hint),
                )
            }
            _ => refusal,
        }
    }
}

/// What does not change while the program runs.
fn choices(folder: String) -> Response {
    let sets: Vec<&str> = datasets().iter().map(|set| set.name).collect();
    let methods: Vec<Value> =
        methods().map(|one| json!({ "name": one.name, "summary": one.summary })).collect();
    let pruners: Vec<Value> =
        pruners().map(|one| json!({ "name": one.name, "summary": one.summary })).collect();
    Response::json(&json!({
        "version": VERSION, "folder": folder, "built_in": sets, "methods": methods, "pruners": pruners, "most_bytes": MOST_TABLE,
    }))
}

/// A body that says nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn json_of<T: DeserializeOwned>(request: &mut Request) -> std::result::Result<T, Response> {
    expect_type(request, "application/json")?;
    let body = request.body(MOST_JSON)?;
    serde_json::from_slice(&body).map_err(|e| Response::refusal(400, &e.to_string()))
}

/// A form of another page cannot send these types.
fn expect_type(request: &Request, wanted: &str) -> std::result::Result<(), Response> {
    match request.header("content-type")? {
        Some(kind) if kind == wanted => Ok(()),
        _ => Err(Response::refusal(415, &format!("The request must be of the type {wanted}."))),
    }
}

fn refused(error: &Error) -> Response {
    let Told { error: text, hint } = Told::from(error);
    Response::failure(if error.is_input() { 400 } else { 500 }, &text, hint.as_deref())
}

fn nothing() -> Response {
    Response::refusal(404, "There is nothing here.")
}

fn number(text: &str) -> std::result::Result<u32, Response> {
    text.parse().map_err(|_| nothing())
}

/// A name that two uploads at a time do not share.
fn random_name() -> Result<String> {
    Ok(crate::secret::Secret::new()?.text()[..16].to_string())
}

/// Text in which bytes are written as `%41`; `None` if it is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits)
            .ok()
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn names_are_decoded() {
        assert_eq!(decoded("a%20b%C3%A4.csv").as_deref(), Some("a bä.csv"));
        for wrong in ["%", "%4", "%zz", "%+4", "%ff"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }
}
