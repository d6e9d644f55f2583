//! The exact engine.

mod search;
