//! What is recorded replays to the same decisions, with its words and without them.

mod anything;
mod compare;
mod real;
mod session;
mod shapes;
mod words;
