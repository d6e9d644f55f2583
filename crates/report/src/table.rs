//! Tables for people: one content, written as Markdown, HTML or LaTeX.

use std::fmt::Write;

use crate::markup::escape;

/// A table whose first column names its rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Stands above.
    pub title: String,
    /// One name a column, that of the first column included.
    pub header: Vec<String>,
    /// Rows that belong together, with a name.
    pub groups: Vec<RowGroup>,
    /// Remarks, below.
    pub notes: Vec<String>,
}

/// Rows that belong together.
#[derive(Clone, Debug, Default)]
pub struct RowGroup {
    /// What the rows have in common; may be empty.
    pub name: String,
    /// The cells, as many in each row as the header has.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// As Markdown (with the table extension).
    pub fn to_markdown(&self) -> String {
        let mut text = format!("## {}\n\n{}", self.title, markdown_row(&self.header));
        text += &markdown_row(&vec!["---".to_string(); self.header.len()]);
        for group in self.groups.iter().filter(|group| !group.rows.is_empty()) {
            if !group.name.is_empty() {
                let mut cells = vec![String::new(); self.header.len()];
                cells[0] = format!("*{}*", group.name);
                text += &markdown_row(&cells);
            }
            group.rows.iter().for_each(|row| text += &markdown_row(row));
        }
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "- {note}");
        }
        text
    }

    /// As a part of an HTML page.
    pub fn to_html(&self) -> String {
        let cells = |row: &[String], tag: &str| -> String {
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", html_text(cell))).collect()
        };
        let mut text = format!(
            "<h2>{}</h2>\n<table>\n<thead><tr>{}</tr></thead>\n",
            escape(&self.title),
            cells(&self.header, "th")
        );
        for group in self.groups.iter().filter(|group| !group.rows.is_empty()) {
            text += "<tbody>\n";
            if !group.name.is_empty() {
                let (width, name) = (self.header.len(), escape(&group.name));
                let _ = writeln!(text, "<tr class=\"group\"><th colspan=\"{width}\">{name}</th></tr>");
            }
            for row in &group.rows {
                let _ = writeln!(text, "<tr>{}</tr>", cells(row, "td"));
            }
            text += "</tbody>\n";
        }
        text += "</table>\n<ul>\n";
        for note in &self.notes {
            let _ = writeln!(text, "<li>{}</li>", html_text(note));
        }
        text + "</ul>\n"
    }

    /// As a LaTeX table for the package `booktabs`.
    pub fn to_tex(&self) -> String {
        let row = |cells: &[String]| cells.iter().map(|c| escape_tex(c)).collect::<Vec<_>>().join(" & ");
        let columns = "c".repeat(self.header.len().saturating_sub(1));
        let mut text = format!(
            "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{l{columns}}}\n\\toprule\n{} \\\\\n",
            escape_tex(&self.title),
            row(&self.header)
        );
        for group in self.groups.iter().filter(|group| !group.rows.is_empty()) {
            text += "\\midrule\n";
            for cells in &group.rows {
                let _ = writeln!(text, "{} \\\\", row(cells));
            }
        }
        text += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
        for note in &self.notes {
            let _ = writeln!(text, "% {}", note.replace('\n', " "));
        }
        text
    }
}

/// One self-contained HTML page around parts made by [`Table::to_html`] and the like.
pub fn html_page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{CSS}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Text of a page: words between backquotes are code, line breaks are blanks.
pub fn html_text(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = words.split('`').map(escape).collect();
    let code = |(k, part): (usize, &String)| match k % 2 {
        0 => part.clone(),
        _ if k + 1 == parts.len() => format!("`{part}"),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(code).collect()
}

const CSS: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: .25rem .8rem; text-align: right; white-space: nowrap; }
thead th { white-space: normal; min-width: 4rem; max-width: 9rem; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid #808080; vertical-align: bottom; }
tr.group th { font-weight: normal; font-style: italic; padding-top: .8rem; text-align: left; }
tbody tr:not(.group):hover { background: #80808022; }
pre { overflow-x: auto; padding: .8rem; background: #80808022; }
";

fn escape_tex(text: &str) -> String {
    let escaped = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '±' => "$\\pm$".into(),
        '²' => "$^2$".into(),
        '–' => "--".into(),
        '\\' => "\\textbackslash{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '^' => "\\textasciicircum{}".into(),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}

fn markdown_row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |cells: [&str; 2]| cells.map(String::from).to_vec();
        Table {
            title: "A & B".into(),
            header: row(["method", "x|y"]),
            groups: vec![
                RowGroup { name: "ours".into(), rows: vec![row(["a_1", "0.1 ± 0.2"])] },
                RowGroup { name: "none of these".into(), rows: vec![] },
            ],
            notes: vec!["100 %".into()],
        }
    }

    #[test]
    fn markdown_escapes_bars_and_leaves_empty_groups_out() {
        assert_eq!(
            table().to_markdown(),
            "## A & B\n\n| method | x\\|y |\n| --- | --- |\n| *ours* |  |\n| a_1 | 0.1 ± 0.2 |\n\n- 100 %\n"
        );
    }

    #[test]
    fn html_and_tex_escape_their_own_signs() {
        let html = table().to_html();
        assert!(html.contains("<h2>A &amp; B</h2>") && html.contains("<td>0.1 ± 0.2</td>"), "{html}");
        assert!(html.contains("colspan=\"2\">ours<") && !html.contains("none of these"), "{html}");
        let tex = table().to_tex();
        assert!(tex.contains("a\\_1 & 0.1 $\\pm$ 0.2 \\\\"), "{tex}");
        assert!(tex.contains("\\caption{A \\& B}") && tex.contains("{lc}"), "{tex}");
        assert_eq!(html_text("a `b < c`\nd `e"), "a <code>b &lt; c</code> d `e");
        let page = html_page("T", &html);
        assert!(page.starts_with("<!doctype html>") && page.contains("<h1>T</h1>"));
    }
}
