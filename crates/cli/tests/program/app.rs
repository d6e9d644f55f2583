//! `oslow app`, without a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::home::Home;

/// A program that serves, and is ended whatever happens.
struct Served {
    child: Child,
    host: String,
    cookie: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(home: &Home) -> Self {
        let mut command = home.command("app study --no-browser --threads 1");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let (host, path) = link.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut served = Self { child, host: host.into(), cookie: String::new() };
        let answer = served.ask("GET", &format!("/{path}"), "");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("Set-Cookie: ")).unwrap();
        served.cookie = cookie.split(';').next().unwrap().into();
        served
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let kind =
            if path.starts_with("/api/tables") { "application/octet-stream" } else { "application/json" };
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, cookie) = (&self.host, &self.cookie);
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// The files of a run without the seconds that it took.
fn files(home: &Home, folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(home.path(folder)).unwrap();
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let bytes = std::fs::read(entry.path()).unwrap();
        let tells_time = ["run.json", "record.json", "report.html"].contains(&name.as_str());
        (name, if tells_time { timeless(&bytes) } else { bytes })
    };
    let mut files: Vec<_> = entries.map(read).collect();
    files.sort();
    files
}

/// Without the numbers in `"seconds": 1.5` and in `seed 0, 1.5 s`.
fn timeless(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    ["\"seconds\":", "seed 0, "]
        .iter()
        .fold(text, |text, begin| without_numbers_after(&text, begin))
        .into_bytes()
}

fn without_numbers_after(text: &str, begin: &str) -> String {
    let mut parts = text.split(begin);
    let first = parts.next().unwrap_or_default();
    let number = |c: char| c.is_ascii_digit() || ".e- ".contains(c);
    parts.fold(first.to_string(), |text, part| text + begin + part.trim_start_matches(number))
}

#[test]
fn a_run_of_the_page_is_a_run_of_the_command_line() {
    let home = Home::new();
    let served = Served::new(&home);
    served.ask("POST", "/api/tables?name=data.csv", &home.read("data.csv"));
    let run = r#"{ "data": "tables/data.csv", "knowledge": { "tiers": [["a"], ["b", "c"]] } }"#;
    assert!(served.ask("POST", "/api/runs", run).ends_with("{\"id\":1}"));
    let until = Instant::now() + Duration::from_secs(120);
    while !served.ask("GET", "/api/state", "").contains("\"stage\":\"finished\"") {
        assert!(Instant::now() < until, "{}", served.ask("GET", "/api/state", ""));
        std::thread::sleep(Duration::from_millis(50));
    }
    let study = home.path("study");
    for (config, out) in [("runs/1.toml", "first"), ("runs/1/config.toml", "second")] {
        let line = format!("discover --config {config} --out {out} --quiet");
        let done = home.command(&line).current_dir(&study).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        assert_eq!(files(&home, &format!("study/{out}")), files(&home, "study/runs/1"), "{config}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_and_a_folder_in_use_is_refused() {
    let home = Home::new();
    let mut served = Served::new(&home);
    let (code, _, err) = home.run("app study --no-browser");
    assert_eq!(code, 2);
    assert!(err.contains("another oslow works in") && err.contains("name another folder"), "{err}");
    let (code, _, err) =
        home.run(&format!("app other --no-browser --port {}", served.host.rsplit(':').next().unwrap()));
    assert_eq!(code, 2);
    assert!(err.contains("is in use") && err.contains("name another port"), "{err}");
    let interrupted =
        std::process::Command::new("kill").args(["-INT", &served.child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    assert!(served.child.wait().unwrap().success());
    assert!(!home.path("study/open.html").exists());
}
