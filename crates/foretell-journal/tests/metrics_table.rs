//! The table of metrics: its names, and the page for people that is made from it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use foretell_journal::metrics_reference;
use foretell_journal::numbers::table::{METRICS, MetricKind};

#[test]
fn names_are_those_that_prometheus_wants() {
    let mut names = BTreeSet::new();
    for metric in METRICS {
        let name = metric.name;
        assert!(names.insert(name), "{name} twice");
        let is_counter = metric.kind == MetricKind::Counter;
        assert_eq!(name.ends_with("_total"), is_counter, "{name}");
        if metric.kind == MetricKind::Histogram {
            assert!(name.ends_with("_seconds"), "{name}: in base units");
        }
        let is_ours = name.starts_with("foretell_") || name.starts_with("process_");
        assert!(is_ours, "{name}");
        assert!(!metric.help.ends_with('.'), "{name}");
        assert!(
            !metric.help.contains(['|', '\n']),
            "{name}: it is in a table"
        );
    }
}

/// Whether the page is to be written instead of compared.
const WRITE: &str = "TEST_FORETELL_WRITE";
const BEGINS: &str = "<!-- The tables begin. -->\n\n";
const ENDS: &str = "\n<!-- The tables end. -->";

#[test]
fn the_page_for_people_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    let written = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = written.split_once(BEGINS).unwrap();
    let (tables, after) = rest.split_once(ENDS).unwrap();
    let expected = metrics_reference();
    if std::env::var_os(WRITE).is_some() {
        let page = [before, BEGINS, &expected, ENDS, after].concat();
        return fs::write(&path, page).unwrap();
    }
    assert!(
        tables == expected,
        "docs/metrics.md is not what the table says; make it anew with \
         {WRITE}=1 cargo test -p foretell-journal --test metrics_table"
    );
}
