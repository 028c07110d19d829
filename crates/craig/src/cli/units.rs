//! Durations (`500ms`, `60s`, `2m`, `1h`) and sizes (`512M`, `4G`) as people write them.

use std::time::Duration;

/// Reads a duration; a bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; write a duration like 500ms, 60s, 2m or 1h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "the duration is too long".to_string())
}

/// Reads a size in bytes, with binary prefixes; a bare number is bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text)?;
    let unit = unit.to_ascii_uppercase();
    let exponent = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(format!("unknown unit '{unit}'; write a size like 512M or 4G")),
    };
    let bytes = number * 1024f64.powi(exponent);
    if bytes < 1.0 || bytes >= u64::MAX as f64 {
        return Err("the size is out of range".to_string());
    }
    if exponent == 0 && bytes < 1e6 {
        return Err(format!("{number} bytes are too few for anything; for megabytes write {number}M"));
    }
    Ok(bytes as u64)
}

/// Writes a duration so that [`parse_duration`] reads the same one.
pub fn format_duration(duration: Duration) -> String {
    if duration.subsec_millis() == 0 {
        format!("{}s", duration.as_secs())
    } else {
        format!("{}ms", duration.as_millis())
    }
}

/// Writes a size so that [`parse_size`] reads the same one.
pub fn format_size(bytes: u64) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    match units.iter().find(|(unit, _)| bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{}{name}", bytes / unit),
        None => bytes.to_string(),
    }
}

fn split_unit(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    match number.parse::<f64>() {
        Ok(number) => Ok((number, unit.trim())),
        Err(_) => Err(format!("'{text}' does not start with a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, milliseconds) in
            [("500ms", 500), ("60s", 60_000), ("60", 60_000), ("2m", 120_000), ("1.5h", 5_400_000), ("0", 0)]
        {
            let duration = parse_duration(text).expect(text);
            assert_eq!(duration.as_millis(), milliseconds, "{text}");
            assert_eq!(parse_duration(&format_duration(duration)), Ok(duration), "{text}");
        }
        for text in ["", "s", "1d", "-1s", "1e3", "99999999999999999999h", "1.2.3s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("4G", 4 << 30),
            ("512M", 512 << 20),
            ("0.5g", 512 << 20),
            ("1GiB", 1 << 30),
            ("10kb", 10 << 10),
            ("77000000", 77_000_000),
        ] {
            let size = parse_size(text).expect(text);
            assert_eq!(size, bytes, "{text}");
            assert_eq!(parse_size(&format_size(size)), Ok(size), "{text}");
        }
        for text in ["", "G", "4X", "0", "2000", "-4G", "99999999999999999999T"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
