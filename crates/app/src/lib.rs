//! A local page on which a table becomes a graph.
//!
//! [`App::open`] takes up a folder of tables and runs, and listens on 127.0.0.1. Whoever has the [link](App::link) may use the page. It does
//! nothing that the command line cannot do, by the same functions, and every run is a run folder.

#![forbid(unsafe_code)]

mod archive;
mod assets;
mod browser;
mod guard;
mod home;
mod http;
mod look;
mod progress;
mod remedy;
mod routes;
mod runs;
mod secret;
mod what_if;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use oslow::{Discovery, Result};

use guard::Guard;
use home::Home;
use http::{Limits, Server};
use routes::Routes;
use runs::Runs;
use worker::How;

/// How the app is to work.
pub struct Options {
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Threads per run; `None`: one per core.
    pub threads: Option<usize>,
    /// The answer in words: what the command line shows of a finished run.
    pub words: fn(&Discovery) -> String,
    /// Told of the new link whenever one was used.
    pub next_link: Box<dyn Fn(&str) + Send + Sync>,
}

/// The server and its runs, until it is dropped: then the run that works is stopped and kept.
pub struct App {
    server: Option<Server>,
    routes: Arc<Routes>,
    working: Option<JoinHandle<()>>,
}

impl App {
    /// Takes up a folder and begins to listen.
    pub fn open(folder: &Path, options: Options) -> Result<Self> {
        let home = Home::open(folder)?;
        let door = browser::Door::of(home.path());
        // One that a killed program left leads nowhere.
        door.remove();
        let runs = Arc::new(Runs::of(home)?);
        let how = How { words: options.words, threads: options.threads };
        let routes = Routes {
            guard: Guard::new()?,
            runs: Arc::clone(&runs),
            how,
            used: Box::new(move |link| {
                door.remove();
                (options.next_link)(link);
            }),
            effects: Mutex::new(()),
        };
        let routes = Arc::new(routes);
        let answering = Arc::clone(&routes);
        let server = Server::listen(options.port, Limits::default(), move |request, port| {
            answering.answer(request, port)
        })?;
        Ok(Self { server: Some(server), routes, working: Some(worker::work(runs, how)) })
    }

    /// The address that lets a browser in, once.
    pub fn link(&self) -> String {
        self.routes.guard.link(self.port())
    }

    /// Opens the page in the user's browser.
    pub fn show(&self) -> Result<()> {
        self.door().open(&self.link())
    }

    fn door(&self) -> browser::Door {
        browser::Door::of(self.routes.runs.home.path())
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.server.as_ref().map_or(0, Server::port)
    }

    /// The folder.
    pub fn folder(&self) -> PathBuf {
        self.routes.runs.home.path().into()
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.server = None;
        self.door().remove();
        self.routes.runs.close();
        if let Some(working) = self.working.take() {
            // A thread that panicked has told so itself.
            let _ = working.join();
        }
    }
}
