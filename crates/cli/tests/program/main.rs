//! The program as a user meets it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod about;
#[cfg(feature = "app")]
mod app;
mod bad_input;
mod bench;
mod bootstrap;
mod check;
mod commands;
mod compatibility;
mod conditions;
mod deaf;
mod effects;
mod fit;
mod home;
#[cfg(unix)]
mod interrupt;
mod killed;
mod messy;
mod overwrite;
mod prune;
mod report;
mod unwritable;
