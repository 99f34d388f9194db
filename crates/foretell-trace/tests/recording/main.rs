//! What is recorded replays to the same decisions, with its words and without them.

mod anything;
mod compare;
mod looked_ahead;
mod looked_elsewhere;
mod real;
mod session;
mod shapes;
mod words;
