//! How fast a machine reads and writes, as the proxy plays it.

use std::time::{Duration, Instant};

/// A machine's speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speed {
    /// A model of 1.5 billion parameters on a laptop's processor.
    Laptop,
    /// The same on a graphics card.
    Gpu,
    /// What this machine can do.
    Full,
    /// So many tokens a second, read and written.
    Of { read: u32, written: u32 },
}

impl Speed {
    /// By its name: `laptop`, `gpu`, `full`, or `READ/WRITTEN` in tokens a second.
    pub(crate) fn from_name(name: &str) -> Option<Speed> {
        match name {
            "laptop" => Some(Speed::Laptop),
            "gpu" => Some(Speed::Gpu),
            "full" => Some(Speed::Full),
            _ => {
                let (read, written) = name.split_once('/')?;
                let positive = |it: &str| it.parse().ok().filter(|it| *it > 0);
                Some(Speed::Of {
                    read: positive(read)?,
                    written: positive(written)?,
                })
            }
        }
    }

    pub(crate) fn name(self) -> String {
        match self {
            Speed::Laptop => "laptop".to_owned(),
            Speed::Gpu => "gpu".to_owned(),
            Speed::Full => "full".to_owned(),
            Speed::Of { read, written } => format!("{read}/{written}"),
        }
    }

    /// Tokens a second, read and written.
    pub(crate) fn tokens_a_second(self) -> Option<(f64, f64)> {
        match self {
            Speed::Laptop => Some((150.0, 20.0)),
            Speed::Gpu => Some((1500.0, 80.0)),
            Speed::Full => None,
            Speed::Of { read, written } => Some((read.into(), written.into())),
        }
    }

    /// How long so many tokens are read.
    pub(crate) fn reading(self, tokens: usize) -> Duration {
        self.tokens_a_second().map_or(Duration::ZERO, |(read, _)| {
            Duration::from_secs_f64(tokens as f64 / read)
        })
    }

    /// How long so many tokens are written, the first of which is there when the prompt has been read.
    pub(crate) fn writing(self, tokens: usize) -> Duration {
        self.tokens_a_second()
            .map_or(Duration::ZERO, |(_, written)| {
                Duration::from_secs_f64(tokens.saturating_sub(1) as f64 / written)
            })
    }

    /// How many tokens of a prompt are read when a machine stops that was told to now: it finishes the
    /// batch that it is at.
    pub(crate) fn read_by(self, began: Instant, now: Instant, all: usize, batch: usize) -> usize {
        let Some((read, _)) = self.tokens_a_second() else {
            return all;
        };
        let so_far = (now - began).as_secs_f64() * read;
        let batches = (so_far / batch as f64).ceil().max(1.0);
        all.min(batches as usize * batch)
    }
}
