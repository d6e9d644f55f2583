//! Whether there is memory for what is about to be allocated.
//!
//! A failed allocation ends the process without a word, and takes a notebook with it. So what grows with a number that the user gave, or with the square
//! of the rows, is refused before it is tried.

use crate::{Error, Result};

/// What is taken to be free where the system does not tell, in bytes.
const ASSUMED: u64 = 16 << 30;
/// Bytes of a gigabyte.
const GIGA: f64 = 1e9;

/// Refuses work whose numbers would not fit into the memory that is free. `numbers` is how many of eight bytes each are held at once.
pub fn room_for(work: &str, numbers: f64, remedy: &str) -> Result<()> {
    room_within(work, numbers, remedy, free_memory())
}

fn room_within(work: &str, numbers: f64, remedy: &str, free: u64) -> Result<()> {
    let bytes = 8.0 * numbers;
    if bytes <= free as f64 {
        return Ok(());
    }
    let (needed, free) = (gigabytes(bytes), gigabytes(free as f64));
    Err(Error::input(format!("{work} takes {needed} of memory, and {free} are free")).with_hint(remedy))
}

fn gigabytes(bytes: f64) -> String {
    let giga = bytes / GIGA;
    if giga < 1e6 { format!("{giga:.1} GB") } else { format!("{giga:.0e} GB") }
}

/// The memory that is free, in bytes: what Linux says of the machine and of the container, elsewhere [`ASSUMED`].
pub fn free_memory() -> u64 {
    let read = |path| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| available(&text)).unwrap_or(ASSUMED);
    let number = |path| read(path)?.trim().parse::<u64>().ok();
    let container = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    container.map_or(machine, |(most, used)| machine.min(most.saturating_sub(used)))
}

/// The line `MemAvailable` of `/proc/meminfo`, which is in kibibytes.
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_numbers_and_a_remedy() {
        room_within("a table", 1e9, "take fewer rows", 8_000_000_000).unwrap();
        let refusal = room_within("a table", 1e10, "take fewer rows", 8_000_000_000).unwrap_err();
        assert_eq!(refusal.to_string(), "a table takes 80.0 GB of memory, and 8.0 GB are free");
        assert_eq!(refusal.hint().as_deref(), Some("take fewer rows"));
        let absurd = room_for("a table", 1e300, "take fewer rows").unwrap_err().to_string();
        assert!(absurd.starts_with("a table takes 8e291 GB of memory"), "{absurd}");
    }

    #[test]
    fn what_linux_says_is_understood() {
        let text = "MemTotal:       16316412 kB\nMemAvailable:    1000 kB\nBuffers: 3 kB\n";
        assert_eq!((available(text), available("MemTotal: 3 kB")), (Some(1_024_000), None));
    }
}
