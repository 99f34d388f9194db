//! Rows of the book in Prometheus' text format, which needs no library: a line with what a metric means, one
//! with its kind, and one for each number.
//!
//! Families are sorted by name and labels by theirs, so that two pages are alike where their numbers are.

use std::fmt::Write;

use foretell_journal::numbers::table::MetricKind;
use foretell_journal::numbers::{NumberRow, NumberSample, SampleValue};

/// The content type of the format.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4";

/// The page of some rows. A row without a number is left out.
pub(super) fn page(mut rows: Vec<NumberRow>) -> String {
    rows.sort_by_key(|row| row.metric.name);
    let mut page = String::new();
    for row in rows.iter().filter(|row| !row.samples.is_empty()) {
        let kind = match row.metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        let (name, help) = (row.metric.name, row.metric.help);
        // Writing to a text does not fail.
        let _ = writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}");
        let mut samples: Vec<(Vec<(&str, &str)>, &SampleValue)> = row
            .samples
            .iter()
            .map(|it| (labels(row, it), &it.value))
            .collect();
        samples.sort_by(|one, other| one.0.cmp(&other.0));
        for (labels, value) in samples {
            write_sample(&mut page, name, &labels, value);
        }
    }
    page
}

/// The labels of a number with their values, sorted by name.
fn labels<'a>(row: &'a NumberRow, sample: &'a NumberSample) -> Vec<(&'a str, &'a str)> {
    let names = row.metric.labels.iter().map(|it| it.name);
    let values = sample.labels.iter().map(|it| &**it);
    let mut labels: Vec<_> = names.zip(values).collect();
    labels.sort_unstable();
    labels
}

fn write_sample(page: &mut String, name: &str, labels: &[(&str, &str)], value: &SampleValue) {
    // Writing to a text does not fail.
    match value {
        SampleValue::Number(number) => {
            let _ = writeln!(page, "{name}{} {number}", braced(labels));
        }
        SampleValue::Durations(histogram) => {
            let bounds = histogram.cumulative();
            let bounds = bounds.map(|(bound, count)| (bound.to_string(), count));
            let all = ("+Inf".to_owned(), histogram.count());
            for (bound, count) in bounds.chain([all]) {
                let labels = [labels, &[("le", bound.as_str())]].concat();
                let _ = writeln!(page, "{name}_bucket{} {count}", braced(&labels));
            }
            let labels = braced(labels);
            let _ = writeln!(page, "{name}_sum{labels} {}", histogram.sum());
            let _ = writeln!(page, "{name}_count{labels} {}", histogram.count());
        }
    }
}

/// `{lane="fim",reason="timed-out"}`, or nothing. No value has a quote in it: the table lists them all, but
/// for versions.
fn braced(labels: &[(&str, &str)]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let all = labels
        .iter()
        .map(|(name, value)| format!("{name}=\"{value}\""));
    format!("{{{}}}", all.collect::<Vec<_>>().join(","))
}
