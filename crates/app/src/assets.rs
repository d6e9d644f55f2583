//! The page, which is part of the program.

use std::sync::LazyLock;

use oslow::report::{LOOK, MAKING};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The functions that the report's pages have, too, as a module.
static MAKING_MODULE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{MAKING}\nexport {{ element, shape, paragraph, note, number, probability, count, plot, band, curve, shortened }};\n"
    )
});

/// The modules of the page.
const MODULES: [(&str, &str); 15] = [
    ("main.js", include_str!("page/script/main.js")),
    ("server.js", include_str!("page/script/server.js")),
    ("draft.js", include_str!("page/script/draft.js")),
    ("message.js", include_str!("page/script/message.js")),
    ("fields.js", include_str!("page/script/fields.js")),
    ("redraw.js", include_str!("page/script/redraw.js")),
    ("tables.js", include_str!("page/script/tables.js")),
    ("reading.js", include_str!("page/script/reading.js")),
    ("columns.js", include_str!("page/script/columns.js")),
    ("knowledge.js", include_str!("page/script/knowledge.js")),
    ("settings.js", include_str!("page/script/settings.js")),
    ("runs.js", include_str!("page/script/runs.js")),
    ("opened.js", include_str!("page/script/opened.js")),
    ("what_if.js", include_str!("page/script/what_if.js")),
    ("compare.js", include_str!("page/script/compare.js")),
];

/// The type and the content of a file of the page.
pub fn asset(path: &str) -> Option<(&'static str, &'static str)> {
    match path {
        "/" => Some((HTML, include_str!("page/index.html"))),
        "/page/look.css" => Some((CSS, LOOK)),
        "/page/app.css" => Some((CSS, include_str!("page/app.css"))),
        "/page/making.js" => Some((SCRIPT, &MAKING_MODULE)),
        _ => {
            let name = path.strip_prefix("/page/")?;
            let found = MODULES.iter().find(|(module, _)| *module == name);
            found.map(|(_, content)| (SCRIPT, *content))
        }
    }
}
