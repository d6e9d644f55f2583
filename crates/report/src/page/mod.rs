//! A run as one HTML page that needs no network: style, script, picture and data are in it.
//!
//! The script makes everything from the data by text nodes, so that no name can become markup. The policy of the page lets nothing else run.

mod embedded_json;
mod policy;

use std::fmt::Write;

use crate::markup::escape;
use embedded_json::embedded_json;
use policy::policy;

/// Colours, letters and controls, for every page of oslow.
pub const LOOK: &str = include_str!("look.css");
/// The functions that make elements, write numbers and draw plots, for every page of oslow.
pub const MAKING: &str = concat!(
    include_str!("script/elements.js"),
    include_str!("script/numbers.js"),
    include_str!("script/plot.js")
);

/// What looks the page has.
const STYLE: &str = concat!(include_str!("look.css"), include_str!("page.css"));
/// What it does: one file for each thing, run as one program.
const SCRIPT: &str = concat!(
    include_str!("script/elements.js"),
    include_str!("script/numbers.js"),
    include_str!("script/run.js"),
    include_str!("script/plot.js"),
    include_str!("script/evidence.js"),
    include_str!("script/histogram.js"),
    include_str!("script/viewport.js"),
    include_str!("script/graph.js"),
    include_str!("script/panel.js"),
    include_str!("script/links.js"),
    include_str!("script/doubts.js"),
    include_str!("script/columns.js"),
    include_str!("script/conditions.js"),
    include_str!("script/order.js"),
    include_str!("script/checks.js"),
    include_str!("script/effects.js"),
    include_str!("script/how.js"),
    include_str!("script/downloads.js"),
    include_str!("script/main.js"),
);

/// The parts of the page in their order: what they are called in it, and their headings.
const SECTIONS: [(&str, &str); 9] = [
    ("graph", "The graph"),
    ("links", "The links"),
    ("doubts", "What the data do not tell"),
    ("columns", "The columns"),
    ("order", "The causal order"),
    ("checks", "Assumptions"),
    ("effects", "What would happen if"),
    ("how", "How it was done"),
    ("downloads", "Take it with you"),
];

/// A page about a run.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What the page is about.
    pub title: String,
    /// The answer in a few sentences.
    pub summary: Vec<String>,
    /// What must not be overlooked.
    pub warnings: Vec<String>,
    /// The graph as SVG, as [`GraphPicture`](crate::GraphPicture) draws it.
    pub picture: String,
    /// Everything else as JSON.
    pub data: String,
}

impl Page {
    /// The HTML document.
    ///
    /// ```
    /// let page = oslow_report::Page { title: "a < b".into(), data: "{}".into(), ..Default::default() };
    /// assert!(page.to_html().contains("<h1>a &lt; b</h1>"));
    /// ```
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} · oslow</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}<main>\n{}{}</main>\n\
             <script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            policy(SCRIPT),
            contents(),
            self.head(&title),
            self.sections(),
            embedded_json(&self.data),
        )
    }

    /// The answer, and what must not be overlooked.
    fn head(&self, title: &str) -> String {
        let mut html = format!("<header>\n<p class=\"kind\">Causal discovery</p>\n<h1>{title}</h1>\n");
        for warning in &self.warnings {
            let _ = writeln!(html, "<p class=\"warning\" role=\"note\">{}</p>", escape(warning));
        }
        for sentence in &self.summary {
            let _ = writeln!(html, "<p class=\"summary\">{}</p>", escape(sentence));
        }
        html + "<noscript><p class=\"warning\">Everything but the graph needs JavaScript, which is switched off here.</p></noscript>\n</header>\n"
    }

    fn sections(&self) -> String {
        let mut html = String::new();
        for (name, heading) in SECTIONS {
            let inside = if name == "graph" { self.picture.as_str() } else { "" };
            let _ = writeln!(
                html,
                "<section id=\"{name}\" aria-labelledby=\"{name}-heading\">\n<h2 id=\"{name}-heading\">{heading}</h2>\n\
                 <div class=\"body\">{inside}</div>\n</section>"
            );
        }
        html
    }
}

/// Links to the parts.
fn contents() -> String {
    let link = |(name, heading): (&str, &str)| format!("<a href=\"#{name}\">{heading}</a>\n");
    format!("<nav aria-label=\"Parts of this page\">\n{}</nav>\n", SECTIONS.map(link).concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        let hostile = "</script><img src=x onerror=alert(1)>";
        let page = Page {
            title: hostile.into(),
            summary: vec![hostile.into()],
            warnings: vec![hostile.into()],
            picture: "<svg></svg>".into(),
            data: format!("[\"{hostile}\"]"),
        };
        let html = page.to_html();
        assert!(!html.contains("<img") && html.contains("&lt;img"), "{html}");
        assert_eq!(html.matches("</script>").count(), 2, "that of the data and that of the program");
    }

    #[test]
    fn the_page_itself_is_small_and_asks_for_nothing() {
        let html = Page::default().to_html();
        assert!(html.len() < 100_000, "{}", html.len());
        for asked in ["src=", "http://", "https://", "@import", "url(", "fetch(", "innerHTML", "eval("] {
            let found = html.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(asked), "{asked}");
        }
    }
}
