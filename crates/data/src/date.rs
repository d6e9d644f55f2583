//! Dates as numbers of days.

/// The days from 1970-01-01 to a date such as `2024-02-29`, `2024-02-29 13:30:00` or `29.02.2024`; a time of the day counts as a part of a day.
pub(crate) fn days(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', ' ']).map_or((text, None), |(date, time)| (date, Some(time)));
    let numbers = |text: &str, sign: char| -> Option<[i64; 3]> {
        let parts: Vec<&str> = text.split(sign).collect();
        let digits =
            |part: &&str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
        let parts = parts.iter().all(digits).then_some(parts)?;
        let numbers: Vec<i64> = parts.iter().filter_map(|part| part.parse().ok()).collect();
        numbers.try_into().ok()
    };
    let [year, month, day] = match numbers(date, '-') {
        Some(found) => found,
        None => numbers(date, '.').map(|[day, month, year]| [year, month, day])?,
    };
    let of_day = match time {
        None => 0.0,
        Some(time) => {
            let mut parts = time.trim_end_matches('Z').split(':').map(|part| part.parse::<f64>().ok());
            let [hours, minutes] = [parts.next()??, parts.next()??];
            let seconds = parts.next().unwrap_or(Some(0.0))?;
            (hours + (minutes + seconds / 60.0) / 60.0) / 24.0
        }
    };
    let valid = (1000..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=length(year, month)).contains(&day);
    valid.then(|| day_number(year, month, day) as f64 + of_day)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn length(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400;
    let months: i64 = (1..month).map(|month| length(year, month)).sum();
    // 719,162 days lie before 1970.
    years + months + day - 1 - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        // Python: (date(2024, 2, 29) - date(1970, 1, 1)).days = 19782.
        assert_eq!(days("1970-01-01"), Some(0.0));
        assert_eq!(days("2024-02-29"), Some(19_782.0));
        assert_eq!(days("29.2.2024"), Some(19_782.0));
        assert_eq!(days("1900-03-01"), Some(-25_508.0));
        assert_eq!(days("2024-02-29T12:00:00Z"), Some(19_782.5));
        for wrong in ["2023-02-29", "2024-13-01", "12-3", "a-b-c", "1.5.2", "2024-02-29 noon"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }
}
