//! What the program says of itself: its version, its manual pages, its instructions.

use crate::home::{Home, outcome};

#[test]
fn the_version_names_commit_features_and_instructions() {
    let home = Home::new();
    let text = home.succeed("--version");
    assert_eq!(home.succeed("-V"), text);
    let inside = text.strip_prefix(concat!("oslow ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let parts: Vec<&str> = inside.strip_suffix(")\n").unwrap().split(", ").collect();
    let [commit, app, _] = parts[..] else { panic!("{text}") };
    let short = commit.len() >= 7 && commit.chars().all(|c| c.is_ascii_hexdigit());
    assert!(short || commit == "unknown commit", "{text}");
    assert_eq!(app, if cfg!(feature = "app") { "app" } else { "no app" });
    let plain = outcome(&home.command("--version").env("OSLOW_SIMD", "scalar").output().unwrap()).1;
    assert!(plain.ends_with(", scalar)\n"), "{plain}");
}

#[test]
fn instructions_that_the_processor_lacks_are_refused() {
    let home = Home::new();
    let refused = outcome(&home.command("list methods").env("OSLOW_SIMD", "mmx").output().unwrap());
    assert_eq!((refused.0, refused.1.as_str()), (2, ""));
    assert!(refused.2.contains("OSLOW_SIMD must be one of") && refused.2.contains("hint: "), "{}", refused.2);
}

#[test]
fn every_command_has_a_manual_page() {
    let home = Home::new();
    home.succeed("man --out pages --quiet");
    let help = home.succeed("--help");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"discover") && commands.contains(&"man"));
    for command in commands.into_iter().filter(|command| *command != "help") {
        let page = home.read(&format!("pages/oslow-{command}.1"));
        assert!(
            page.contains(&format!("oslow {command}")) || page.contains(&format!("oslow\\-{command}")),
            "{page}"
        );
        assert!(page.contains("\n.SH OPTIONS\n"), "{page}");
    }
    let (code, _, err) = home.run("man --out data.csv");
    assert_eq!((code, err.contains("`data.csv` is a file")), (2, true), "{err}");
}
