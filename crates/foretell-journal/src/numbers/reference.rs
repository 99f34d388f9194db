//! The table for people: the part of `docs/metrics.md` that a test compares with this.

use std::fmt::Write;

use super::table::{METRICS, MetricKind, MetricLabel};

/// Every metric, and every value of every label, as two tables.
pub fn metrics_reference() -> String {
    let mut page =
        "| metric | kind | labels | what it is |\n| --- | --- | --- | --- |\n".to_owned();
    for metric in METRICS {
        let kind = match metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        let labels = metric.labels.iter().map(|it| format!("`{}`", it.name));
        let labels = labels.collect::<Vec<_>>().join(", ");
        let (name, help) = (metric.name, metric.help);
        // Writing to a text cannot fail.
        let _ = writeln!(page, "| `{name}` | {kind} | {labels} | {help} |");
    }
    page.push_str("\n| label | its values |\n| --- | --- |\n");
    let mut told: Vec<(&str, &str)> = Vec::new();
    for MetricLabel { name, of, values } in METRICS.iter().flat_map(|it| it.labels) {
        if told.contains(&(*name, *of)) {
            continue;
        }
        told.push((name, of));
        let which = if of.is_empty() {
            format!("`{name}`")
        } else {
            format!("`{name}` {of}")
        };
        let values: Vec<String> = values().iter().map(|it| format!("`{it}`")).collect();
        let values = if values.is_empty() {
            "a number of this program".to_owned()
        } else {
            values.join(", ")
        };
        let _ = writeln!(page, "| {which} | {values} |");
    }
    page
}
