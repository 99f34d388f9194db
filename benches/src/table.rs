//! A table of costs and their ratios.

use crate::timing::Cost;

/// Prints rows as they come, under one heading.
pub struct Table {
    worst_spread: f64,
}

impl Table {
    /// Begins a table and prints its heading.
    pub fn begin(ours: &str, model: &str) -> Self {
        println!(
            "{:<44} {:>12} {:>12} {:>14} {:>7}",
            "operation", ours, model, "ratio", "spread"
        );
        Table { worst_spread: 0.0 }
    }

    /// Prints a row: what ours costs, what the model costs, and how many times as much that is.
    pub fn row(&mut self, operation: &str, ours: Cost, model: Cost) {
        let spread = ours.spread.max(model.spread);
        self.worst_spread = self.worst_spread.max(spread);
        println!(
            "{operation:<44} {:>12} {:>12} {:>14} {:>6.0}%",
            duration(ours.nanos),
            duration(model.nanos),
            ratio(model.nanos / ours.nanos),
            spread * 100.0
        );
    }

    /// Ends the table and says how quiet the machine was.
    pub fn end(self) {
        println!(
            "\nMedians of turns within this run; the widest spread between quartiles was {:.0} %.",
            self.worst_spread * 100.0
        );
    }
}

/// A time in the unit that suits it.
pub fn duration(nanos: f64) -> String {
    match nanos {
        ..1e3 => format!("{nanos:.1} ns"),
        ..1e6 => format!("{:.2} µs", nanos / 1e3),
        _ => format!("{:.2} ms", nanos / 1e6),
    }
}

/// How many times as much, in words that cannot be read the wrong way round.
fn ratio(model_by_ours: f64) -> String {
    if model_by_ours >= 1.0 {
        format!("{model_by_ours:.1}x faster")
    } else {
        format!("{:.1}x slower", 1.0 / model_by_ours)
    }
}
