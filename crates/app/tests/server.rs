//! The server as a client on this machine meets it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::fmt::Write as _;
use std::io::{Cursor, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oslow_app::{App, Options};
use serde_json::{Value, json};
use zip::ZipArchive;

/// A page that is open, and the folder it works in.
struct Client {
    app: App,
    cookie: String,
    links: Arc<Mutex<Vec<String>>>,
}

/// What a server answered.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }
}

impl Client {
    fn new(folder: &Path) -> Self {
        let links = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&links);
        let app = loop {
            let told = Arc::clone(&told);
            let options = Options {
                port: 0,
                threads: Some(1),
                words: |found| format!("{} edges\n", found.edges.len()),
                next_link: Box::new(move |link| told.lock().unwrap().push(link.into())),
            };
            match App::open(folder, options) {
                // The connections of an app that has just ended are not all closed.
                Err(e) if e.to_string().starts_with("another oslow works") => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                opened => break opened.unwrap(),
            }
        };
        let mut client = Self { app, cookie: String::new(), links };
        client.cookie = client.enter(&client.app.link()).unwrap();
        client
    }

    /// The cookie that a link gives.
    fn enter(&self, link: &str) -> Option<String> {
        let path = link.split_once(&self.host()).unwrap().1;
        let answer = self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host()));
        let line = answer.head.lines().find_map(|line| line.strip_prefix("Set-Cookie: "))?;
        assert!(line.contains("; HttpOnly; SameSite=Strict; Path=/"), "{line}");
        Some(line.split(';').next().unwrap().into())
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.app.port())
    }

    fn raw(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        read(stream)
    }

    fn get(&self, path: &str) -> Answer {
        self.raw(&self.question(path))
    }

    /// The bytes of a file.
    fn file(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.write_all(self.question(path).as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        assert!(bytes.starts_with(b"HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\n"));
        let head = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        bytes.split_off(head + 4)
    }

    fn question(&self, path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", self.host(), self.cookie)
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> Answer {
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            self.host(),
            self.cookie,
            body.len()
        ))
    }

    fn tell(&self, path: &str, body: &Value) -> Answer {
        self.post(path, "application/json", &body.to_string())
    }

    fn upload(&self, name: &str, text: &str) -> Answer {
        self.post(&format!("/api/tables?name={name}"), "application/octet-stream", text)
    }

    /// The stages of all runs, the first one first.
    fn stages(&self) -> Vec<String> {
        let state = self.get("/api/state").json();
        let mut stages: Vec<String> = state["runs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["stage"].as_str().unwrap().into())
            .collect();
        stages.reverse();
        stages
    }

    fn wait_for(&self, wanted: &[&str]) {
        let until = Instant::now() + Duration::from_secs(120);
        while self.stages() != wanted {
            assert!(Instant::now() < until, "{:?} and not {wanted:?}", self.get("/api/state").body);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn read(mut stream: TcpStream) -> Answer {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.into(), body: body.into() }
}

/// Columns that cause each other in turn.
fn table(rows: usize) -> String {
    let noise = |i: usize, j: usize| ((i * 37 + j * 101 + i * i * (7 + j)) % 89) as f64 / 89.0 - 0.5;
    let mut text = "a,b,c\n".to_string();
    for i in 0..rows {
        let a = noise(i, 0);
        let b = (3.0 * a).sin() + 0.3 * noise(i, 1);
        writeln!(text, "{a},{b},{}", b * b + 0.3 * noise(i, 2)).unwrap();
    }
    text
}

/// A run of many short rounds, whose state is saved.
fn long_run() -> Value {
    json!({ "data": "tables/data.csv", "method": "r2-sort", "prune": "cam", "bootstrap": 100_000 })
}

fn short_run(seed: u64) -> Value {
    json!({ "data": "tables/data.csv", "method": "r2-sort", "prune": "cam", "seed": seed })
}

#[test]
fn only_the_page_of_this_server_with_its_secret_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    let (host, cookie) = (client.host(), client.cookie.clone());
    let port = client.app.port();
    let status = |headers: &str| client.raw(&format!("GET /api/state HTTP/1.1\r\n{headers}\r\n")).status;
    let good = format!("Host: {host}\r\nCookie: {cookie}\r\n");
    assert_eq!(status(&good), 200);
    assert_eq!(status(&format!("{good}Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n")), 200);
    assert_eq!(status(&format!("Host: localhost:{port}\r\nCookie: a=b; {cookie}\r\n")), 200);
    let (name, secret) = cookie.split_once('=').unwrap();
    let refused = [
        // No secret, a wrong one, a part of it, that of another server.
        format!("Host: {host}\r\n"),
        format!("Host: {host}\r\nCookie: {name}={}\r\n", "0".repeat(64)),
        format!("Host: {host}\r\nCookie: {name}={}\r\n", &secret[..63]),
        format!("Host: {host}\r\nCookie: oslow_1={secret}\r\n"),
        // The good secret, under the name of somebody who leads the name of his page here.
        format!("Host: evil.example:{port}\r\nCookie: {cookie}\r\n"),
        format!("Host: 127.0.0.1\r\nCookie: {cookie}\r\n"),
        format!("Cookie: {cookie}\r\n"),
        // The good secret, from other pages.
        format!("{good}Origin: http://evil.example\r\n"),
        format!("{good}Origin: null\r\n"),
        format!("{good}Origin: http://127.0.0.1:1\r\n"),
        format!("{good}Sec-Fetch-Site: cross-site\r\n"),
        format!("{good}Sec-Fetch-Site: same-site\r\n"),
    ];
    for headers in refused {
        assert_eq!(status(&headers), 403, "{headers}");
    }
    assert_eq!(status(&format!("{good}Host: {host}\r\n")), 400, "two hosts");
    for path in ["/", "/page/main.js", "/runs/1/report.html", "/runs/1/run.zip", "/api/nothing"] {
        assert_eq!(client.raw(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")).status, 403, "{path}");
    }
}

#[test]
fn a_link_works_once_and_the_next_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    let next = client.links.lock().unwrap().clone();
    assert_eq!(next, [client.app.link()]);
    assert_eq!(client.enter(&next[0]), Some(client.cookie.clone()));
    assert_eq!(client.enter(&next[0]), None, "used");
    let path = client.app.link().split_once(&client.host()).unwrap().1.to_string();
    let elsewhere = client.raw(&format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n"));
    assert_eq!(elsewhere.status, 403);
    assert_eq!(client.links.lock().unwrap().len(), 2, "a refused link is not used up");
}

#[test]
fn every_answer_forbids_what_the_page_does_not_need() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    for path in ["/", "/page/making.js", "/api/choices", "/nothing"] {
        let head = client.get(path).head;
        for header in [
            "Content-Security-Policy: default-src 'none'; script-src 'self'; ",
            "frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Opener-Policy: same-origin",
            "Cross-Origin-Resource-Policy: same-origin",
            "Cache-Control: no-store",
        ] {
            assert!(head.contains(header), "{path}: {header}\n{head}");
        }
        assert!(!head.contains("Access-Control"), "{head}");
    }
    let page = client.get("/").body;
    for outside in ["http:", "https:", "//", "onclick", "style="] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn what_is_too_large_too_slow_or_of_another_type_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    let head = |kind: &str, length: &str| {
        let (host, cookie) = (client.host(), &client.cookie);
        format!(
            "POST /api/tables?name=x.csv HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\n{length}\r\n\r\n"
        )
    };
    let octets = "application/octet-stream";
    // Two gigabytes are announced, and some of them sent.
    let mut stream = TcpStream::connect(client.host()).unwrap();
    stream.write_all(head(octets, "Content-Length: 2147483648").as_bytes()).unwrap();
    stream.write_all(&vec![b'1'; 3_000_000]).unwrap();
    let began = Instant::now();
    let large = read(stream);
    assert_eq!(large.status, 413);
    assert!(began.elapsed() < Duration::from_secs(10));
    let told = large.json();
    assert_eq!(told["error"], "The page takes tables of up to 256 MB.");
    assert!(told["hint"].as_str().unwrap().starts_with("copy the file into "), "{told}");
    assert_eq!(client.raw(&head(octets, "Transfer-Encoding: chunked")).status, 411);
    assert_eq!(client.raw(&head(octets, "A: b")).status, 411);
    assert_eq!(client.raw(&head(octets, "Content-Length: -1")).status, 400);
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        assert_eq!(client.raw(&head(kind, "Content-Length: 0")).status, 415, "{kind}");
        assert_eq!(client.post("/api/runs", kind, "{}").status, 415, "{kind}");
    }
    assert_eq!(client.upload("x.exe", "a").status, 400);
    assert_eq!(client.raw("PUT / HTTP/1.1\r\n\r\n").status, 405);
    assert_eq!(client.raw(&format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(20_000))).status, 431);
    // A body that breaks off.
    let mut stream = TcpStream::connect(client.host()).unwrap();
    stream.write_all((head(octets, "Content-Length: 10") + "a,b").as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(read(stream).status, 400);
    let left: Vec<_> = std::fs::read_dir(folder.path().join("tables")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("beside.csv"), table(50)).unwrap();
    let home = folder.path().join("home");
    let client = Client::new(&home);
    for path in [
        "/../beside.csv",
        "/page/../../beside.csv",
        "/page/%2e%2e/main.js",
        "/runs/../report.html",
        "/runs/1/../../x",
        "/runs/1/config.toml",
        "/runs/-1/run.json",
    ] {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
    for data in ["../beside.csv", "/etc/passwd", "tables/../../beside.csv", "-", ""] {
        let looked = client.tell("/api/look", &json!({ "data": data }));
        assert_eq!(looked.status, 400, "{data}");
        assert!(looked.json()["error"].as_str().unwrap().starts_with("there is no table"), "{data}");
        assert_eq!(client.tell("/api/runs", &json!({ "data": data })).status, 400, "{data}");
    }
    let up = client.upload("..%2F..%2Fescaped.csv", &table(50)).json();
    assert_eq!(up["data"], "tables/escaped.csv");
    assert!(home.join("tables/escaped.csv").is_file());
}

#[test]
fn a_wrong_run_is_refused_in_words_of_the_page_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    client.upload("data.csv", &(table(50) + "1,,2\n"));
    let refusal = |run: Value| {
        let answer = client.tell("/api/runs", &run);
        assert_eq!(answer.status, 400, "{answer:?}");
        answer.json()
    };
    let told = refusal(json!({ "data": "tables/data.csv" }));
    assert!(told["error"].as_str().unwrap().ends_with("column `b`: the value is missing"), "{told}");
    assert!(told["hint"].as_str().unwrap().contains("“Missing cells: auto”"), "{told}");
    let mut run = json!({ "data": "tables/data.csv", "read": { "missing": "auto" }, "metod": "exact" });
    assert_eq!(refusal(run.clone())["error"], "unknown key `metod`");
    run.as_object_mut().unwrap().remove("metod");
    run["knowledge"] = json!({ "tiers": [["a"], ["b"]], "required": [["b", "a"]] });
    assert_eq!(refusal(run)["error"], "knowledge: the required edge `b` → `a` goes against the tiers");
    assert_eq!(client.stages(), [""; 0]);
    assert_eq!(std::fs::read_dir(folder.path().join("runs")).unwrap().count(), 0);
}

#[test]
fn columns_are_seen_with_types_and_missing_cells() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    let row = |i: usize| {
        let gap = if i.is_multiple_of(7) { String::new() } else { format!("{}.5", i % 13) };
        let word = if i.is_multiple_of(2) { "<b>x</b>" } else { "y" };
        format!("{},{gap},{word}\n", i * i % 31)
    };
    let rows: String = (0..60).map(row).collect();
    client.upload("data.csv", &format!("<i>n</i>,__proto__,sex\n{rows}"));
    let seen = client.tell("/api/look", &json!({ "data": "tables/data.csv" })).json();
    assert_eq!(seen["rows"], 60);
    let columns = seen["columns"].as_array().unwrap();
    let names: Vec<&str> = columns.iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["<i>n</i>", "__proto__", "sex"]);
    assert_eq!((&columns[2]["kind"], &columns[2]["levels"]), (&json!("binary"), &json!(["<b>x</b>", "y"])));
    assert_eq!((&columns[0]["missing"], &columns[1]["missing"]), (&json!(0), &json!(9)));
    let read = json!({ "types": { "<i>n</i>": "categorical" } });
    let seen = client.tell("/api/look", &json!({ "data": "tables/data.csv", "read": read })).json();
    assert_eq!(seen["columns"][0]["kind"], "categorical");
}

#[test]
fn runs_queue_stop_go_on_and_outlive_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    client.upload("data.csv", &table(200));
    client.tell("/api/draft", &json!({ "data": "tables/data.csv" }));
    assert_eq!(client.tell("/api/runs", &long_run()).json()["id"], 1);
    client.wait_for(&["running"]);
    for seed in 0..3 {
        client.tell("/api/runs", &short_run(seed));
    }
    assert_eq!(client.stages(), ["running", "waiting", "waiting", "waiting"]);
    let before = |k: usize| client.get("/api/state").json()["runs"][k]["before"].clone();
    assert_eq!([before(0), before(1), before(2)], [3, 2, 1].map(|k| json!(k)));
    // One that never began is forgotten.
    assert_eq!(client.tell("/api/runs/3/stop", &json!({})).status, 200);
    assert_eq!(client.stages(), ["running", "waiting", "waiting"]);
    assert!(!folder.path().join("runs/3.toml").exists());

    // The program ends: what worked was stopped, what waited works.
    drop(client);
    let client = Client::new(folder.path());
    assert_eq!(client.get("/api/draft").json()["data"], "tables/data.csv");
    client.wait_for(&["stopped", "finished", "finished"]);
    let report = client.get("/runs/2/report.html");
    assert!(
        report
            .head
            .contains("Content-Security-Policy: sandbox allow-scripts allow-downloads; default-src 'none'")
    );
    assert!(report.body.starts_with("<!doctype html>"));

    // It goes on where it was, behind those that came before.
    assert!(folder.path().join("runs/1/checkpoint.bin").is_file());
    client.tell("/api/runs/1/resume", &json!({}));
    client.wait_for(&["running", "finished", "finished"]);
    let told = client.get("/api/state").json()["runs"][2]["progress"]["done"].clone();
    assert!(told.is_u64());
    assert_eq!(client.tell("/api/runs/2/resume", &json!({})).status, 400, "it is finished");
    client.tell("/api/runs/1/stop", &json!({}));
    client.wait_for(&["stopped", "finished", "finished"]);
    std::fs::create_dir(folder.path().join("runs/5")).unwrap();
    let id = client.tell("/api/runs", &short_run(9)).json()["id"].clone();
    assert_eq!(id, 6, "the folder 5 is somebody else's");
}

#[test]
fn a_run_is_taken_away_as_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    client.upload("data.csv", &table(100));
    client.tell("/api/runs", &short_run(1));
    client.wait_for(&["finished"]);
    let run = folder.path().join("runs/1");
    let names = || {
        let names =
            std::fs::read_dir(&run).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let wanted = names();
    assert!(wanted.iter().any(|name| name == "config.toml"), "{wanted:?}");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("tables/data.csv"), run.join("link.csv")).unwrap();
    let packed = client.file("/runs/1/run.zip");
    assert_eq!(packed, client.file("/runs/1/run.zip"));
    let mut zip = ZipArchive::new(Cursor::new(packed)).unwrap();
    assert_eq!(zip.len(), wanted.len());
    for name in wanted {
        let mut content = Vec::new();
        zip.by_name(&format!("run-1/{name}")).unwrap().read_to_end(&mut content).unwrap();
        assert_eq!(content, std::fs::read(run.join(&name)).unwrap(), "{name}");
    }
    for path in ["/runs/2/run.zip", "/runs/../run.zip", "/runs/x/run.zip"] {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_run_that_has_ended_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let client = Client::new(folder.path());
    client.upload("data.csv", &table(200));
    for run in [short_run(1), short_run(2), long_run(), short_run(3)] {
        client.tell("/api/runs", &run);
    }
    client.wait_for(&["finished", "finished", "running", "waiting"]);
    let remove = |id: &str| client.tell(&format!("/api/runs/{id}/remove"), &json!({})).status;
    assert_eq!([remove("3"), remove("4")], [400, 400], "they have not ended");
    assert_eq!(remove("1"), 200);
    assert_eq!(client.stages(), ["finished", "running", "waiting"]);
    assert!(!runs.join("1").exists() && !runs.join("1.toml").exists());
    assert_eq!(remove("1"), 400, "it is gone");
    assert_eq!(client.get("/runs/1/report.html").status, 400);
    // What is no run stays.
    std::fs::create_dir(runs.join("9")).unwrap();
    assert_eq!([remove("9"), remove(".."), remove("-1")], [400, 404, 404]);
    assert!(runs.join("9").is_dir());
    #[cfg(unix)]
    {
        // A link that somebody put in the place of a run goes, and what it leads to stays.
        let moved = folder.path().join("moved");
        std::fs::rename(runs.join("2"), &moved).unwrap();
        std::os::unix::fs::symlink(&moved, runs.join("2")).unwrap();
        assert_eq!(remove("2"), 200);
        assert!(runs.join("2").symlink_metadata().is_err());
        assert!(moved.join("run.json").is_file());
    }
    client.tell("/api/runs/4/stop", &json!({}));
    client.tell("/api/runs/3/stop", &json!({}));
    client.wait_for(if cfg!(unix) { &["stopped"] } else { &["finished", "stopped"] });
    assert_eq!(remove("3"), 200);
    drop(client);
    // Removed runs do not come back.
    assert!(!Client::new(folder.path()).stages().contains(&"stopped".into()));
}

#[test]
fn what_would_happen_is_answered_along_a_slider() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(folder.path());
    client.upload("data.csv", &table(120));
    client.tell("/api/runs", &json!({ "data": "tables/data.csv" }));
    client.wait_for(&["finished"]);
    let told = client.tell("/api/runs/1/effect", &json!({ "on": "a", "target": "b" }));
    assert_eq!(told.status, 200, "{told:?}");
    let curve = told.json()["effect"]["curve"].as_array().unwrap().clone();
    assert_eq!(curve.len(), 25);
    assert!(curve.iter().all(|point| point["low"].as_f64() <= point["high"].as_f64()));
    let rising = curve[24]["mean"].as_f64().unwrap() - curve[0]["mean"].as_f64().unwrap();
    assert!(rising > 0.5, "sin(3a) rises: {rising}");
    let refused = client.tell("/api/runs/1/effect", &json!({ "on": "a", "target": "a" }));
    assert_eq!(refused.json()["error"], "`a` is both set and the target");
    std::fs::write(folder.path().join("tables/data.csv"), table(100)).unwrap();
    let refused = client.tell("/api/runs/1/effect", &json!({ "on": "a", "target": "b" }));
    assert!(refused.json()["error"].as_str().unwrap().contains("has changed since"), "{refused:?}");
}
