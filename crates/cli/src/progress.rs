//! Who watches a run for the user: a bar, a time budget and Ctrl-C.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use oslow::{Error, Event, Observer, Result, Stop};

use crate::arguments::Common;
use crate::forecast;
use crate::stderr::say;
use crate::stop::on_ctrl_c;
use crate::visible::in_one_line;

/// Shows progress on a terminal and stops the run when time is up or the user wishes so.
pub struct Watcher {
    bar: ProgressBar,
    names: Vec<String>,
    quiet: bool,
    asked: Arc<AtomicBool>,
    stop: Stop,
    steps: (u64, u64),
}

impl Watcher {
    /// A watcher of a run over these columns. Bars are drawn only if stderr is a terminal.
    pub fn new(names: &[String], budget: Option<Duration>, common: &Common) -> Result<Self> {
        let target = if common.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{prefix} {bar:16} {pos}/{len}, {eta} left  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("█▉▊▋▌▍▎▏ "));
        let asked = on_ctrl_c()?;
        Ok(Self {
            bar,
            names: names.to_vec(),
            quiet: common.quiet,
            stop: Stop::new(Arc::clone(&asked), budget),
            asked,
            steps: (0, 0),
        })
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Why a run ended early.
    pub fn reason(&self) -> &'static str {
        match self.asked.load(Ordering::SeqCst) {
            true => "stopped early (as you asked)",
            false => "stopped early (the time was up)",
        }
    }

    /// Why a run ended early, and how far it had come.
    pub fn reason_and_steps(&self) -> String {
        let (done, total) = self.steps;
        format!("{} after {done} of {total} steps", self.reason())
    }
}

impl Observer for Watcher {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Progress { stage, done, total, loss, best } => {
                self.steps = (*done, *total);
                self.bar.set_prefix(stage.to_string());
                self.bar.set_length(*total);
                self.bar.set_position(*done);
                let loss = loss.map(|loss| format!("loss {loss:.3}")).unwrap_or_default();
                let best = best.map(|order| order.names(&self.names).join(" → ")).unwrap_or_default();
                self.bar.set_message(in_one_line(&format!("{loss}  {best}")));
            }
            Event::Warning(text) if !self.quiet => self.bar.suspend(|| say(format_args!("warning: {text}"))),
            Event::Forecast { needs, threads } if !self.quiet => {
                if let Some(line) = forecast::line(needs, *threads) {
                    self.bar.suspend(|| say(line));
                }
            }
            Event::Warning(_) | Event::Forecast { .. } => {}
        }
        if self.stop.is_due() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

/// `90`, `90s`, `1.5m`, `2h`, `500ms`.
pub fn parse_budget(text: &str) -> Result<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => Some(0.001),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let seconds = digits.trim().parse::<f64>().ok().zip(unit).map(|(number, unit)| number * unit);
    seconds.filter(|s| *s > 0.0).and_then(|s| Duration::try_from_secs_f64(s).ok()).ok_or_else(|| {
        Error::input(format!("budget: `{text}` is not a time"))
            .with_hint("for example `--budget 60s`, `5m` or `1.5h`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let seconds = |text: &str| parse_budget(text).unwrap().as_secs_f64();
        assert_eq!(["90", "90s", "1.5m", "2h", "500ms"].map(seconds), [90.0, 90.0, 90.0, 7200.0, 0.5]);
        for wrong in ["", "s", "-3s", "0", "3 weeks", "inf", "1e400s"] {
            assert!(parse_budget(wrong).unwrap_err().is_input(), "{wrong}");
        }
    }
}
