//! Listening on this machine, a thread for each connection.

use std::io::Read;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use oslow::{Error, Result};

use super::{Request, Response};

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// How long a head may take, and how long a body may be silent.
    pub patience: Duration,
    /// How much longer a refused body is read before the connection is cut: many clients do not look at an answer before they have sent
    /// everything.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, patience: Duration::from_secs(20), farewell: Duration::from_secs(2) }
    }
}

/// A server that listens until it is dropped.
pub struct Server {
    port: u16,
    closing: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on 127.0.0.1; port 0 is any that is free. `answer` is given the port.
    pub fn listen(
        port: u16,
        limits: Limits,
        answer: impl Fn(&mut Request, u16) -> Response + Send + Sync + 'static,
    ) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| taken(port, e))?;
        let port = listener.local_addr().map_err(|e| taken(port, e))?.port();
        let closing = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&closing);
        let answer = Arc::new(move |request: &mut Request| answer(request, port));
        let listening = std::thread::spawn(move || accept(&listener, limits, &closed, &answer));
        Ok(Self { port, closing, listening: Some(listening) })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::SeqCst);
        // Whoever waits for a connection is given one; if there is none to be had, nobody waits any more.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        if let Some(listening) = self.listening.take() {
            // A thread that panicked has told so itself.
            let _ = listening.join();
        }
    }
}

fn taken(port: u16, error: std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => Error::input(format!("the port {port} is in use"))
            .with_hint("name another port, or none to take one that is free"),
        std::io::ErrorKind::PermissionDenied => {
            Error::input(format!("the port {port} may not be used")).with_hint("name a port above 1023")
        }
        _ => Error::io("listen on", format!("127.0.0.1:{port}"), error),
    }
}

type Answer = dyn Fn(&mut Request) -> Response + Send + Sync;

fn accept(
    listener: &TcpListener,
    limits: Limits,
    closing: &AtomicBool,
    answer: &Arc<impl Fn(&mut Request) -> Response + Send + Sync + 'static>,
) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if closing.load(Ordering::SeqCst) {
            return;
        }
        // A connection that broke before it was there.
        let Ok(stream) = stream else { continue };
        let place = Place::taken(&open);
        let answer = Arc::clone(answer) as Arc<Answer>;
        if place.number > limits.connections {
            farewell(stream, &Response::refusal(503, "Too many connections."), Duration::ZERO);
            continue;
        }
        std::thread::spawn(move || {
            serve(stream, limits, &*answer);
            drop(place);
        });
    }
}

/// One of the connections that are open.
struct Place {
    open: Arc<AtomicUsize>,
    number: usize,
}

impl Place {
    fn taken(open: &Arc<AtomicUsize>) -> Self {
        Self { number: open.fetch_add(1, Ordering::SeqCst) + 1, open: Arc::clone(open) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve(stream: TcpStream, limits: Limits, answer: &Answer) {
    // Without it a client that does not read would hold its thread for good.
    if stream.set_write_timeout(Some(limits.patience)).is_err() {
        return;
    }
    match Request::read(stream, limits.patience) {
        Ok(mut request) => {
            let response = answer(&mut request);
            farewell(request.stream, &response, limits.farewell);
        }
        Err(Some((stream, refusal))) => farewell(stream, &refusal, limits.farewell),
        Err(None) => {}
    }
}

/// Answers, and reads on for a while: a connection that is closed while bytes come in is reset, and the answer lost.
fn farewell(mut stream: TcpStream, response: &Response, how_long: Duration) {
    let answered = response.write(&mut stream).and_then(|()| stream.shutdown(Shutdown::Write));
    let until = Instant::now() + how_long;
    let mut rest = [0; 64 * 1024];
    // A client that is gone needs no answer.
    while answered.is_ok() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut rest) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn server(connections: usize) -> Server {
        let patience = Duration::from_millis(200);
        let limits = Limits { connections, patience, ..Limits::default() };
        let echo = |request: &mut Request, _| match request.body(100) {
            Ok(body) => Response::new("text/plain", body),
            Err(refusal) => refusal,
        };
        Server::listen(0, limits, echo).unwrap()
    }

    fn connected(server: &Server, send: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port())).unwrap();
        stream.write_all(send).unwrap();
        stream
    }

    fn answer(mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_slow_client_is_sent_away() {
        let server = server(10);
        let whole = connected(&server, b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
        assert!(answer(whole).ends_with("\r\n\r\nab"));
        for begun in ["POST / HT", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\na"] {
            let stream = connected(&server, begun.as_bytes());
            assert!(answer(stream).starts_with("HTTP/1.1 408 "), "{begun}");
        }
        // Who says nothing is told nothing.
        assert_eq!(answer(connected(&server, b"")), "");
    }

    #[test]
    fn there_are_only_so_many_connections() {
        let server = server(1);
        let first = connected(&server, b"POST / HTTP/1.1\r\n");
        let second = connected(&server, b"");
        assert!(answer(second).starts_with("HTTP/1.1 503 "));
        assert!(answer(first).starts_with("HTTP/1.1 408 "));
    }
}
