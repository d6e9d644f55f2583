//! What a run will need, said beforehand where it is much.

use oslow::Forecast;

/// A run that takes longer than this is long, in seconds …
const LONG: f64 = 10.0;
/// … and one that takes more memory than this is large, in bytes.
const LARGE: u64 = 200_000_000;

/// `about 40 s on 2 threads, 300 MB`; `None` for a run that is neither long nor large.
pub fn line(needs: &Forecast, threads: usize) -> Option<String> {
    let long = needs.seconds.filter(|seconds| *seconds > LONG);
    let large = needs.bytes.filter(|bytes| *bytes > LARGE);
    if long.is_none() && large.is_none() {
        return None;
    }
    let on = if threads == 1 { "1 thread".into() } else { format!("{threads} threads") };
    let time = needs.seconds.map(|seconds| format!("{} on {on}", time(seconds)));
    Some(format!("about {}", [time, large.map(memory)].into_iter().flatten().collect::<Vec<_>>().join(", ")))
}

/// Two digits of the largest unit that fits.
fn time(seconds: f64) -> String {
    let (amount, unit) = match seconds {
        s if s < 90.0 => (s, "s"),
        s if s < 90.0 * 60.0 => (s / 60.0, "min"),
        s if s < 48.0 * 3600.0 => (s / 3600.0, "h"),
        s => (s / 86400.0, "days"),
    };
    match amount {
        few if few < 10.0 => format!("{} {unit}", (few * 10.0).round() / 10.0),
        _ => format!("{amount:.0} {unit}"),
    }
}

fn memory(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        megabytes if megabytes < 1000.0 => format!("{megabytes:.0} MB"),
        megabytes => format!("{:.1} GB", megabytes / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_much_is_said() {
        let said = |seconds, bytes, threads| line(&Forecast { seconds, bytes }, threads);
        assert_eq!(said(Some(9.0), Some(1_000_000), 2), None);
        assert_eq!(said(None, None, 2), None);
        assert_eq!(said(Some(40.2), Some(300_000_000), 2).unwrap(), "about 40 s on 2 threads, 300 MB");
        assert_eq!(said(Some(40.2), Some(3_000), 1).unwrap(), "about 40 s on 1 thread");
        assert_eq!(said(Some(2.0), Some(2_500_000_000), 4).unwrap(), "about 2 s on 4 threads, 2.5 GB");
        assert_eq!(said(None, Some(300_000_000), 4).unwrap(), "about 300 MB");
        let times = [89.0, 95.0, 3000.0, 5400.0, 100_000.0, 1e6].map(time);
        assert_eq!(times, ["89 s", "1.6 min", "50 min", "1.5 h", "28 h", "12 days"]);
    }
}
