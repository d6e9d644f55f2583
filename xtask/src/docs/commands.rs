//! The commands in blocks and help texts.

use super::blocks::Block;

/// A command that a document tells its reader to type.
#[derive(Debug, PartialEq)]
pub struct Typed {
    /// The line of the document.
    pub line: usize,
    pub command: String,
    /// Whether the document says that it fails: then its comment begins with that word.
    pub fails: bool,
}

/// What in front of a line of a transcript tells commands from what they print.
const PROMPT: &str = "$ ";

/// The commands of a block of shell (`sh`) or of a transcript (`console`).
pub fn commands(block: &Block) -> Vec<Typed> {
    let mut found: Vec<Typed> = Vec::new();
    let mut goes_on = false;
    for (line, text) in (block.line..).zip(block.text.lines()) {
        let text = match text.strip_prefix(PROMPT) {
            Some(text) => text,
            None if block.language == "console" && !goes_on => continue,
            None => text,
        };
        let (command, comment) = split_comment(text);
        let (command, more) = match command.strip_suffix('\\') {
            Some(command) => (command.trim(), true),
            None => (command.trim(), false),
        };
        match found.last_mut() {
            Some(last) if goes_on => last.command = format!("{} {command}", last.command),
            _ if command.is_empty() => {}
            _ => found.push(Typed { line, command: command.into(), fails: comment.starts_with("fails") }),
        }
        goes_on = more;
    }
    found
}

/// A line of shell without its comment, and the comment.
fn split_comment(line: &str) -> (&str, &str) {
    let (mut quote, mut before) = (None, ' ');
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => {}
            None if letter == '\'' || letter == '"' => quote = Some(letter),
            None if letter == '#' && before.is_whitespace() => return (&line[..at], line[at + 1..].trim()),
            None => {}
        }
        before = letter;
    }
    (line, "")
}

/// The commands under `Examples:` of a help text: indented, and what they do after two spaces or more.
pub fn examples(help: &str) -> Vec<Typed> {
    section(help, "Examples:")
        .map(|(line, text)| {
            let (command, remark) = text.split_once("  ").unwrap_or((text, ""));
            Typed { line, command: command.into(), fails: remark.trim_start().starts_with("fails") }
        })
        .collect()
}

/// The names under `Commands:` of a help text, but for `help` itself.
pub fn subcommands(help: &str) -> Vec<&str> {
    let names = section(help, "Commands:").filter_map(|(_, text)| text.split_whitespace().next());
    names.filter(|&name| name != "help").collect()
}

/// The lines of a section, which ends with an empty line, and their numbers from 1.
fn section<'a>(help: &'a str, title: &str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = (1..).zip(help.lines()).skip_while(move |(_, text)| *text != title).skip(1);
    lines.map_while(|(line, text)| Some((line, text.strip_prefix("  ")?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(language: &str, text: &str) -> Vec<(usize, String, bool)> {
        let block = Block { line: 10, language: language.into(), text: text.into() };
        commands(&block).into_iter().map(|typed| (typed.line, typed.command, typed.fails)).collect()
    }

    #[test]
    fn comments_and_what_is_printed_are_no_commands() {
        let text = "oslow a --set 'b=[#1]'   # c\n\n# d\noslow e#f \\\n  --g   # fails: h\n";
        let expected = [(10, "oslow a --set 'b=[#1]'".into(), false), (13, "oslow e#f --g".into(), false)];
        assert_eq!(typed("sh", text), expected);
        let text = "$ oslow a  # fails: b\nerror: b\n$ oslow c \\\n    --d\nd\n";
        assert_eq!(typed("console", text), [(10, "oslow a".into(), true), (12, "oslow c --d".into(), false)]);
    }

    #[test]
    fn help_has_examples_and_commands() {
        let help = "Commands:\n  fit   Fits\n  help  Helps\n\nExamples:\n  oslow fit a --b    it fits\n  oslow d\n\nEnd";
        let commands: Vec<(usize, String)> =
            examples(help).into_iter().map(|e| (e.line, e.command)).collect();
        assert_eq!(commands, [(6, "oslow fit a --b".into()), (7, "oslow d".into())]);
        assert_eq!(subcommands(help), ["fit"]);
        assert!(examples("no examples").is_empty());
    }
}
