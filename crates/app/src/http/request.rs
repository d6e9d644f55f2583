//! What a browser asks for.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Response;

/// The head of a request is smaller.
const MOST_HEAD: usize = 16 * 1024;
/// A request has fewer headers.
const MOST_HEADERS: usize = 64;

/// What may be asked for: to see something, or to do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// To see something.
    Get,
    /// To do something.
    Post,
}

/// The head of a request, and the connection that its body comes from.
pub struct Request {
    pub method: Method,
    /// What comes before the question mark.
    pub path: String,
    /// What comes after it.
    pub query: String,
    headers: Vec<(String, String)>,
    /// What was read beyond the head.
    begun: Vec<u8>,
    pub(super) stream: TcpStream,
    /// How long the connection may be silent.
    patience: Duration,
}

impl Request {
    /// Reads a head, all of it within `patience`. What is no request is answered by the error; `None` if nothing came at all.
    pub(super) fn read(
        mut stream: TcpStream,
        patience: Duration,
    ) -> Result<Self, Option<(TcpStream, Response)>> {
        let deadline = Instant::now() + patience;
        let mut bytes = Vec::new();
        let head = loop {
            match parsed(&bytes) {
                Ok(Some(head)) => break head,
                Ok(None) if bytes.len() < MOST_HEAD => {}
                Ok(None) => {
                    return Err(Some((
                        stream,
                        Response::refusal(431, "The head of the request is too long."),
                    )));
                }
                Err(refusal) => return Err(Some((stream, refusal))),
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let mut part = [0; 4096];
            let read = match left.is_zero() {
                true => Err(ErrorKind::TimedOut.into()),
                false => stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut part)),
            };
            match read {
                Ok(0) => return Err(None),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(_) if bytes.is_empty() => return Err(None),
                Err(e) if is_silence(&e) => {
                    return Err(Some((stream, Response::refusal(408, "The request took too long."))));
                }
                Err(_) => return Err(None),
            }
        };
        let Head { method, path, query, headers, length } = head;
        let begun = bytes.split_off(length);
        Ok(Self { method, path, query, headers, begun, stream, patience })
    }

    /// The value of a header that is there once; an error if it is there more often.
    pub fn header(&self, name: &str) -> Result<Option<&str>, Response> {
        let mut values =
            self.headers.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(Response::refusal(400, "A header is there twice.")),
        }
    }

    /// The whole body, which must say how long it is.
    pub fn body(&mut self, most: u64) -> Result<Vec<u8>, Response> {
        let mut bytes = Vec::new();
        self.copy_body(most, &mut |part| {
            bytes.extend_from_slice(part);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Hands over the body part by part. Nothing is read of one that is too long.
    pub fn copy_body(
        &mut self,
        most: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Response>,
    ) -> Result<(), Response> {
        let length = self.length()?;
        if length > most {
            return Err(Response::refusal(413, &format!("It is larger than {} MB.", most / 1_000_000)));
        }
        let expects = self.header("expect")?.is_some_and(|value| value.eq_ignore_ascii_case("100-continue"));
        let broken = |_| Response::refusal(400, "The connection broke off.");
        if expects {
            self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").map_err(broken)?;
        }
        self.stream.set_read_timeout(Some(self.patience)).map_err(broken)?;
        let begun = std::mem::take(&mut self.begun);
        let mut left = length;
        let first = begun.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        take(&begun[..first])?;
        left -= first as u64;
        let mut part = vec![0; 64 * 1024];
        while left > 0 {
            let room = part.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            match self.stream.read(&mut part[..room]) {
                Ok(0) => return Err(Response::refusal(400, "The connection broke off.")),
                Ok(count) => {
                    take(&part[..count])?;
                    left -= count as u64;
                }
                Err(e) if is_silence(&e) => return Err(Response::refusal(408, "The request took too long.")),
                Err(e) => return Err(broken(e)),
            }
        }
        Ok(())
    }

    fn length(&self) -> Result<u64, Response> {
        if self.header("transfer-encoding")?.is_some() {
            return Err(Response::refusal(411, "The request must say how long it is."));
        }
        let length = self.header("content-length")?;
        let length = length.ok_or_else(|| Response::refusal(411, "The request must say how long it is."))?;
        let digits = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .then(|| length.parse().ok())
            .flatten()
            .ok_or_else(|| Response::refusal(400, "The length is not a number."))
    }
}

/// Whether nothing came for too long.
fn is_silence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// A head that was read to its end.
#[derive(Debug)]
struct Head {
    method: Method,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    /// How many bytes it has.
    length: usize,
}

/// The head at the beginning of some bytes; `None` if its end is not there yet.
fn parsed(bytes: &[u8]) -> Result<Option<Head>, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let no_http = || Response::refusal(400, "This is not HTTP.");
    let length = match request.parse(bytes).map_err(|_| no_http())? {
        httparse::Status::Complete(length) => length,
        httparse::Status::Partial => return Ok(None),
    };
    let method = match request.method {
        Some("GET") => Method::Get,
        Some("POST") => Method::Post,
        _ => return Err(Response::refusal(405, "Only GET and POST are answered.")),
    };
    let target = request.path.filter(|path| path.starts_with('/')).ok_or_else(no_http)?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = request.headers.iter().map(|header| {
        let value = std::str::from_utf8(header.value).map_err(|_| no_http())?;
        Ok((header.name.to_ascii_lowercase(), value.trim().to_string()))
    });
    let headers = headers.collect::<Result<_, Response>>()?;
    Ok(Some(Head { method, path: path.into(), query: query.into(), headers, length }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_to_its_end() {
        let text = b"POST /a/b?c=d HTTP/1.1\r\nHost: x\r\nA: 1 \r\n\r\nbody";
        for end in 0..text.len() - 4 {
            assert!(parsed(&text[..end]).unwrap().is_none(), "{end}");
        }
        let head = parsed(text).unwrap().unwrap();
        assert_eq!((head.method, head.path.as_str(), head.query.as_str()), (Method::Post, "/a/b", "c=d"));
        assert_eq!(head.headers[1], ("a".into(), "1".into()));
        assert_eq!(&text[head.length..], b"body");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let status = |text: &[u8]| parsed(text).unwrap_err().status();
        assert_eq!(status(b"PUT / HTTP/1.1\r\n\r\n"), 405);
        assert_eq!(status(b"GET http://a/ HTTP/1.1\r\n\r\n"), 400);
        assert_eq!(status(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"), 400);
        assert_eq!(status(b"GET / HTTP/1.1\r\nA: \xff\r\n\r\n"), 400);
    }
}
