//! The command line and Python show the texts of the libraries: these name neither flags nor commands, but what they mean
//! ([`oslow::Remedy`]).

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::{Path, PathBuf};

/// The crates that the faces are made of.
const LIBRARIES: [&str; 14] = [
    "core", "math", "perm", "flow", "data", "scm", "exact", "order", "prune", "metrics", "report", "oslow",
    "app", "bench",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(of).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// The text between a program's quotation marks, without its comments; each with the line where it begins.
fn literals(program: &str) -> Vec<(usize, String)> {
    let (mut found, mut line, mut rest) = (Vec::new(), 1, program);
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(end) = character(rest) {
            end
        } else if let Some((text, end)) = string(rest) {
            found.push((line, text.to_string()));
            end
        } else {
            first.len_utf8()
        };
        line += rest[..taken].matches('\n').count();
        rest = &rest[taken..];
    }
    found
}

/// The length of a character in quotation marks at the beginning; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let mut letters = inside.char_indices();
    let (_, first) = letters.next()?;
    let end = if first == '\\' { inside[2..].find('\'')? + 2 } else { letters.next()?.0 };
    inside[end..].starts_with('\'').then_some(end + 2)
}

/// The string at the beginning, and how long it is with its quotation marks.
fn string(rest: &str) -> Option<(&str, usize)> {
    if let Some(raw) = rest.strip_prefix('r') {
        let fences = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw[fences..].strip_prefix('"')?;
        let end = inside.find(&format!("\"{}", "#".repeat(fences)))?;
        return Some((&inside[..end], 1 + fences + 1 + end + 1 + fences));
    }
    let inside = rest.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.find(|letter: char| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    })?;
    Some((&inside[..end], end + 2))
}

fn names_a_flag_or_command(text: &str) -> bool {
    let flag = |(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + 2..].chars().next();
        after.is_some_and(|letter| letter.is_ascii_lowercase()) && before.is_none_or(|c| !"-!".contains(c))
    };
    let command = |(at, _): (usize, &str)| text[at + 7..].starts_with(|c: char| c.is_ascii_lowercase());
    text.match_indices("--").any(flag) || text.match_indices("`oslow ").any(command)
}

#[test]
fn library_texts_name_no_flags() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut named = Vec::new();
    for library in LIBRARIES {
        for path in sources(&crates.join(library).join("src")) {
            let program = std::fs::read_to_string(&path).unwrap();
            let wrong = literals(&program).into_iter().filter(|(_, text)| names_a_flag_or_command(text));
            named.extend(wrong.map(|(line, text)| format!("{}:{line}: {text}", path.display())));
        }
    }
    assert!(named.is_empty(), "say it with a `Remedy`:\n{}", named.join("\n"));
}

#[test]
fn flags_are_found_where_they_stand() {
    let program = "// \"--no\"\nlet c = '\"';\nlet a: &'static str = \"x \\\" `--out`\"; r#\"a \"--b\" \"#";
    let texts: Vec<(usize, String)> = literals(program);
    assert_eq!(texts, [(3, "x \\\" `--out`".to_string()), (3, "a \"--b\" ".to_string())]);
    assert!(texts.iter().all(|(_, text)| names_a_flag_or_command(text)));
    assert!(names_a_flag_or_command("made by `oslow fit`") && !names_a_flag_or_command("2--3, <!--a, -- b"));
}
