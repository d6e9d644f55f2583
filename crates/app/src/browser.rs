//! Opening the page in the user's browser.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oslow::{Error, Result};

/// A file that leads the browser to the page. Only its owner can read it. The link itself, on a command line, could be seen by everybody
/// who is logged in.
pub struct Door(PathBuf);

impl Door {
    /// In this folder.
    pub fn of(folder: &Path) -> Self {
        Self(folder.join("open.html"))
    }

    /// Writes the file and has it opened.
    pub fn open(&self, link: &str) -> Result<()> {
        self.remove();
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0;url={link}\"><title>oslow</title><p><a href=\"{link}\">Open oslow</a></p></html>"
        );
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(&self.0).and_then(|mut file| file.write_all(page.as_bytes()));
        written.map_err(|e| Error::io("write", &self.0, e))?;
        let (program, arguments) = opener();
        let mut command = Command::new(program);
        command.args(arguments).arg(&self.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| Error::io("start", program, e))?;
        // It is waited for, so that nothing is left of it in the list of processes; how it ended shows on the screen.
        std::thread::spawn(move || drop(child.wait()));
        Ok(())
    }

    /// Takes the file away.
    pub fn remove(&self) {
        // That it may not be there does not matter.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What opens a file as its user would.
fn opener() -> (&'static str, &'static [&'static str]) {
    match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    }
}
