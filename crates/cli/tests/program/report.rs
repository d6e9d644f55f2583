//! `oslow report`.

use crate::home::Home;

#[test]
fn a_run_has_a_page_and_can_be_given_one_again() {
    let home = Home::new();
    home.succeed("discover data.csv --method r2-sort --prune cam --out run --quiet");
    let page = home.read("run/report.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<h1>data.csv</h1>"));
    home.succeed("report run --out page.html --quiet");
    assert_eq!(home.read("page.html"), page);
    let (code, _, err) = home.run("report run --out page.html");
    assert_eq!(code, 2);
    assert!(err.contains("already exists") && err.contains("--force"), "{err}");
    home.succeed("report run --out page.html --force --quiet");
    home.write("run/report.html", "");
    home.succeed("report run --quiet");
    assert_eq!(home.read("run/report.html"), page);
}

#[test]
fn an_older_run_has_a_page_that_says_what_is_missing() {
    let home = Home::new();
    home.succeed("discover data.csv --method r2-sort --prune cam --out run --quiet");
    std::fs::remove_file(home.path("run/evidence.json")).unwrap();
    let (code, _, err) = home.run("report run");
    assert_eq!(code, 0);
    assert!(err.contains("no evidence.json"), "{err}");
    assert!(home.read("run/report.html").contains("\"evidence\":null"));
}

#[test]
fn what_is_no_run_is_refused() {
    let home = Home::new();
    let (code, _, err) = home.run("report nowhere");
    assert_eq!(code, 2);
    assert!(err.contains("there is no folder `nowhere`") && err.contains("hint:"), "{err}");
    home.succeed("discover data.csv --method r2-sort --prune cam --out run --quiet");
    home.write("run/evidence.json", "{}");
    let (code, _, err) = home.run("report run");
    assert_eq!(code, 2);
    assert!(err.contains("evidence.json") && err.contains("hint:"), "{err}");
}
