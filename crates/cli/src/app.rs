//! `oslow app`.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use oslow::Result;
use oslow_app::{App, Options};
use serde_json::json;

use crate::arguments::Common;
use crate::stop::on_ctrl_c;
use crate::{output, printed};

/// The folder that is taken where none is named.
const FOLDER: &str = "oslow-app";
/// How often Ctrl-C is looked for.
const MOMENT: Duration = Duration::from_millis(50);

/// Where to work, and how to be reached.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow app
  oslow app study --port 8080

Prints a link that works once; after each use, another. Only this computer can reach the page.
From another computer: ssh -L 8080:127.0.0.1:8080 HOST, and --port 8080.
Runs are folders in FOLDER/runs, as `oslow discover --out` writes them. Ctrl-C stops and keeps the run that works.")]
pub struct AppArguments {
    /// Folder of tables and runs [default: oslow-app]
    folder: Option<PathBuf>,
    /// Port to listen on [default: one that is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the link only
    #[arg(long)]
    no_browser: bool,
}

pub fn run(arguments: &AppArguments, common: &Common) -> Result<()> {
    let asked = on_ctrl_c()?;
    let folder = arguments.folder.as_deref().unwrap_or(Path::new(FOLDER));
    let json = common.json;
    let options = Options {
        port: arguments.port.unwrap_or(0),
        threads: common.threads,
        words: printed::discovery,
        next_link: Box::new(move |link| {
            // A terminal that is gone reads no links.
            let _ = print(link, json);
        }),
    };
    let app = App::open(folder, options)?;
    print(&app.link(), json)?;
    common.note(format_args!("working in `{}`; Ctrl-C ends it", app.folder().display()));
    if !arguments.no_browser
        && let Err(error) = app.show()
    {
        common.note(format_args!("no browser was opened ({error}); open the link yourself"));
    }
    while !asked.load(Ordering::SeqCst) {
        std::thread::sleep(MOMENT);
    }
    Ok(())
}

fn print(link: &str, json: bool) -> Result<()> {
    if json { output::print_json(&json!({ "link": link })) } else { output::print(format!("{link}\n")) }
}
