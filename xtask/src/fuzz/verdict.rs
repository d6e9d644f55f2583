//! Whether a call ended as it promises to.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A call that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);
/// Done, another failure, a mistake in the input.
const CODES: [i32; 3] = [0, 1, 2];

/// What is wrong with how the call ended, if anything is.
pub fn verdict(program: &Path, home: &Path, line: &str) -> Result<Option<String>, String> {
    let mut child = Command::new(program)
        .args(line.split_whitespace())
        .current_dir(home)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot start `{}`: {e}", program.display()))?;
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let Some(code) = ended(&mut child)? else {
        return Ok(Some(format!("still running after {} s", PATIENCE.as_secs())));
    };
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    Ok(judge(code, &String::from_utf8_lossy(&out), &String::from_utf8_lossy(&err)))
}

/// Reads a stream on a thread of its own, so that no pipe is full.
fn reader(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read was not said.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        bytes
    })
}

/// The exit code, if it ends in time; −1 where a signal ended it.
fn ended(child: &mut Child) -> Result<Option<i32>, String> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().and_then(|()| child.wait()).map_err(|e| e.to_string())?;
    Ok(None)
}

fn judge(code: i32, out: &str, err: &str) -> Option<String> {
    let first = err.lines().next().unwrap_or_default();
    if !CODES.contains(&code) {
        return Some(format!("exit code {code}: {first}"));
    }
    if err.contains("panicked at") {
        return Some(format!("a panic: {first}"));
    }
    if code == 0 {
        // JSON has no NaN and no infinity: a number that is none would not be read.
        return serde_json::from_str::<serde_json::Value>(out).err().map(|e| format!("not JSON: {e}"));
    }
    (!err.contains("error: ")).then(|| format!("exit code {code} without a word"))
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn only_promised_ends_are_fine() {
        assert_eq!(judge(0, "{\"a\": 1}", ""), None);
        assert_eq!(judge(2, "", "error: no\n"), None);
        for (code, out, err) in [
            (101, "", "error: x"),
            (-1, "", ""),
            (2, "", ""),
            (0, "{\"a\": NaN}", ""),
            (0, "[1e999]", ""),
            (2, "", "thread panicked at x\nerror: y"),
        ] {
            assert!(judge(code, out, err).is_some(), "{code} {out} {err}");
        }
    }
}
