//! A body in lines, each a payload, or as one payload where its first line is not one.
//!
//! Not every server that sends lines says so, and not every one that sends a single payload sends it
//! on a single line: where the content type leaves it open, a first line that is JSON by itself is the
//! first of several, or all there is.

use bytes::{Buf, BytesMut};
use serde::de::IgnoredAny;

use super::body::ResponseBody;
use crate::lane::LaneFault;

/// A mark of the byte order, which some put ahead of every text.
const ORDER: &[u8] = b"\xef\xbb\xbf";

/// A body in lines, or as one payload where its first line is not one.
pub(super) struct BodyLines {
    body: ResponseBody,
    /// Bytes that are not a whole line yet.
    begun: BytesMut,
    /// How much of that is known to have no end of a line.
    searched: usize,
    kind: LinesKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LinesKind {
    /// The first line will tell.
    Unknown,
    Lines,
    Whole,
}

impl BodyLines {
    /// The lines of a body that says it has lines, or of one that may.
    pub(super) fn new(body: ResponseBody, is_lines: bool) -> Self {
        BodyLines {
            body,
            begun: BytesMut::new(),
            searched: 0,
            kind: if is_lines {
                LinesKind::Lines
            } else {
                LinesKind::Unknown
            },
        }
    }

    /// The next payload, without the space around it; nothing at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<u8>>, LaneFault> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            let Some(chunk) = self.body.chunk().await? else {
                let rest = std::mem::take(&mut self.begun);
                self.searched = 0;
                return Ok(said(&rest).map(<[u8]>::to_vec));
            };
            self.begun.extend_from_slice(&chunk);
        }
    }

    /// The next line that says something, if all of it is there.
    fn take_line(&mut self) -> Option<Vec<u8>> {
        while self.kind != LinesKind::Whole {
            let Some(end) = memchr::memchr(b'\n', &self.begun[self.searched..]) else {
                self.searched = self.begun.len();
                return None;
            };
            let end = self.searched + end;
            let line = said(&self.begun[..end]);
            if let (LinesKind::Unknown, Some(line)) = (self.kind, line) {
                self.kind = match serde_json::from_slice::<IgnoredAny>(line) {
                    Ok(_) => LinesKind::Lines,
                    Err(_) => LinesKind::Whole,
                };
                continue;
            }
            let line = line.map(<[u8]>::to_vec);
            self.begun.advance(end + 1);
            self.searched = 0;
            if line.is_some() {
                return line;
            }
        }
        None
    }
}

/// A line without the space around it and a byte order mark; nothing if that is all.
fn said(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    let line = line.strip_prefix(ORDER).unwrap_or(line).trim_ascii();
    (!line.is_empty()).then_some(line)
}
