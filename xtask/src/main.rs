//! The project's own commands, run as `cargo xtask NAME`: one file each, listed in [`COMMANDS`].

#![forbid(unsafe_code)]

mod accept;
mod bench;
mod bench_cam;
mod bench_fits;
mod bench_kci;
mod bench_local;
mod bench_python;
mod bench_score;
mod bench_sid;
mod browser_tests;
mod ci;
mod classes;
mod dist;
mod docs;
mod effects_coverage;
mod fmt;
mod folder;
mod forecasts;
mod fuzz;
mod generated;
mod golden;
mod growth;
mod in_parallel;
mod interventional;
mod judged;
mod messy;
mod metadata;
mod oldest_rust;
mod oracles;
mod python;
mod python_tests;
mod quick;
mod reference;
mod reliability;
mod shell;
mod splitmix;
mod temporary;
mod unsafe_code;

use std::process::ExitCode;

/// A command of the project.
struct Command {
    name: &'static str,
    summary: &'static str,
    /// Takes the arguments after the name; an error is what went wrong, in a line or two.
    run: fn(&[String]) -> Result<(), String>,
}

const COMMANDS: &[Command] = &[
    ci::COMMAND,
    quick::COMMAND,
    fmt::COMMAND,
    reference::COMMAND,
    classes::COMMAND,
    golden::COMMAND,
    python_tests::COMMAND,
    browser_tests::COMMAND,
    docs::COMMAND,
    dist::COMMAND,
    oracles::COMMAND,
    bench::COMMAND,
    bench_sid::COMMAND,
    bench_cam::COMMAND,
    bench_kci::COMMAND,
    bench_fits::COMMAND,
    bench_local::COMMAND,
    bench_score::COMMAND,
    bench_python::COMMAND,
    fuzz::COMMAND,
    accept::COMMAND,
    reliability::COMMAND,
    effects_coverage::COMMAND,
    interventional::COMMAND,
    messy::COMMAND,
    growth::COMMAND,
    forecasts::COMMAND,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprint!("{}", help());
        return ExitCode::from(2);
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("there is no command `{name}`\n\n{}", help());
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let line = |command: &Command| format!("  {:<13} {}\n", command.name, command.summary);
    format!("cargo xtask COMMAND\n\n{}", COMMANDS.iter().map(line).collect::<String>())
}

/// The k-th argument, a number.
fn number(arguments: &[String], k: usize, otherwise: u64) -> Result<u64, String> {
    match arguments.get(k) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number")),
        None => Ok(otherwise),
    }
}

/// Refuses arguments that a command does not know.
fn expect_only(known: &[&str], arguments: &[String]) -> Result<(), String> {
    match arguments.iter().find(|argument| !known.contains(&argument.as_str())) {
        None => Ok(()),
        Some(argument) if known.is_empty() => Err(format!("`{argument}`: this command takes no arguments")),
        Some(argument) => Err(format!("`{argument}` is not one of {}", known.join(", "))),
    }
}
