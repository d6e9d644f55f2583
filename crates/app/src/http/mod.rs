//! As much of HTTP/1.1 as the page of one user on one machine needs: one request per connection, each within its time.

mod request;
mod response;
mod server;

pub use request::{Method, Request};
pub use response::Response;
pub use server::{Limits, Server};
