//! Prometheus' text format, read more strictly than Prometheus does: whatever is odd fails the test.

use std::collections::{BTreeMap, BTreeSet};

/// A page of metrics that is as it should be.
pub(crate) struct Scrape {
    families: BTreeMap<String, Family>,
}

#[derive(Default)]
struct Family {
    kind: String,
    samples: Vec<Sample>,
}

/// A line with a number.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    name: String,
    labels: BTreeMap<String, String>,
    number: f64,
}

impl Scrape {
    pub(crate) fn read(page: &str) -> Self {
        assert!(page.ends_with('\n'), "the last line ends, too");
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        let mut described = None;
        let mut current: Option<(String, Family)> = None;
        for line in page.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                families.extend(current.take());
                let (name, help) = rest.split_once(' ').expect("a name and a text");
                assert!(!help.trim().is_empty(), "{line}");
                assert_eq!(described.replace(name.to_owned()), None, "{line}");
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').expect("a name and a type");
                assert!(is_name(name), "{line}");
                let described = described.take();
                assert_eq!(described.as_deref(), Some(name), "HELP comes first: {line}");
                assert!(!families.contains_key(name), "{name} comes twice");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                let kind = kind.to_owned();
                let samples = Vec::new();
                current = Some((name.to_owned(), Family { kind, samples }));
            } else {
                let (name, family) = current.as_mut().expect("a number belongs to a metric");
                let sample = sample(line);
                let rest = sample.name.strip_prefix(name.as_str());
                let is_of_it = match (family.kind.as_str(), rest) {
                    ("histogram", Some(rest)) => ["_bucket", "_sum", "_count"].contains(&rest),
                    (_, rest) => rest == Some(""),
                };
                assert!(is_of_it, "{line} is not of {name}");
                family.samples.push(sample);
            }
        }
        families.extend(current);
        let scrape = Scrape { families };
        scrape.check();
        scrape
    }

    fn check(&self) {
        for (name, family) in &self.families {
            assert!(!family.samples.is_empty(), "{name} has no number");
            let mut seen = BTreeSet::new();
            for sample in &family.samples {
                let series = format!("{} {:?}", sample.name, sample.labels);
                assert!(seen.insert(series), "{sample:?} comes twice");
                assert!(sample.number.is_finite(), "{sample:?}");
            }
            match family.kind.as_str() {
                "counter" => {
                    let is_counted = |it: &Sample| it.number >= 0.0;
                    assert!(family.samples.iter().all(is_counted), "{name}");
                    assert!(name.ends_with("_total"), "{name}");
                }
                "histogram" => check_histogram(name, family),
                _ => {}
            }
        }
    }

    /// The number of one series; 0 if there is none.
    pub(crate) fn number(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.of(name, &labels.iter().map(own).collect())
    }

    fn of(&self, name: &str, labels: &BTreeMap<String, String>) -> f64 {
        let mut samples = self.families.values().flat_map(|it| &it.samples);
        let found = samples.find(|it| it.name == name && it.labels == *labels);
        found.map_or(0.0, |it| it.number)
    }

    /// So much has been added to each of these series, which are written as on a page.
    pub(crate) fn assert_since(&self, before: &Scrape, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|it| !it.is_empty()) {
            let Sample {
                name,
                labels,
                number,
            } = sample(line);
            let since = self.of(&name, &labels) - before.of(&name, &labels);
            assert_eq!(since, number, "{line}");
        }
    }

    /// The sum over all labels.
    pub(crate) fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let samples = self.families.values().flat_map(|it| &it.samples);
        let is_it = |it: &&Sample| {
            let has =
                |(name, value): &(&str, &str)| it.labels.get(*name).is_some_and(|it| it == value);
            it.name == name && labels.iter().all(has)
        };
        samples.filter(is_it).map(|it| it.number).sum()
    }

    /// Every metric by name, each with its labels and their values.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.families.iter().flat_map(|(name, family)| {
            let labels = family.samples.iter().flat_map(|it| &it.labels);
            labels.map(move |(label, value)| (name.as_str(), label.as_str(), value.as_str()))
        })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.families.keys()
    }

    /// Nothing that only grows has become less since another page.
    pub(crate) fn assert_grown(&self, before: &Scrape) {
        for (name, family) in &before.families {
            if family.kind == "gauge" {
                continue;
            }
            let now = &self
                .families
                .get(name)
                .expect("a metric does not go away")
                .samples;
            for sample in &family.samples {
                let same = |it: &&Sample| it.name == sample.name && it.labels == sample.labels;
                let now = now.iter().find(same).expect("nor does a series");
                assert!(now.number >= sample.number, "{sample:?} became {now:?}");
            }
        }
    }
}

fn check_histogram(name: &str, family: &Family) {
    type Labels = BTreeMap<String, String>;
    let mut series: BTreeMap<Labels, Vec<&Sample>> = BTreeMap::new();
    for sample in &family.samples {
        let mut labels = sample.labels.clone();
        let is_bucket = sample.name.ends_with("_bucket");
        assert_eq!(labels.remove("le").is_some(), is_bucket, "{sample:?}");
        series.entry(labels).or_default().push(sample);
    }
    for (labels, samples) in series {
        let of = |ending: &str| {
            let full = format!("{name}{ending}");
            let all = samples.iter().filter(move |it| it.name == full);
            all.map(|it| (it.labels.get("le"), it.number))
                .collect::<Vec<_>>()
        };
        let (buckets, sums, counts) = (of("_bucket"), of("_sum"), of("_count"));
        assert_eq!((sums.len(), counts.len()), (1, 1), "{name} {labels:?}");
        assert!(sums[0].1 >= 0.0, "{name} {labels:?}");
        let bound = |le: Option<&String>| -> f64 {
            let le = le.expect("a bucket has a bound");
            le.replace("+Inf", "inf").parse().expect("a number")
        };
        let ascend = buckets
            .windows(2)
            .all(|pair| bound(pair[0].0) < bound(pair[1].0) && pair[0].1 <= pair[1].1);
        assert!(ascend, "{name} {labels:?}");
        let last = buckets.last().expect("a histogram has buckets");
        assert_eq!(last.0.map(String::as_str), Some("+Inf"), "{name}");
        assert_eq!(last.1, counts[0].1, "{name} {labels:?}");
    }
}

fn sample(line: &str) -> Sample {
    let (series, number) = line.rsplit_once(' ').expect("a series and a number");
    let (name, labels) = match series.split_once('{') {
        None => (series, ""),
        Some((name, labels)) => (name, labels.strip_suffix('}').expect("a bracket")),
    };
    assert!(is_name(name), "{line}");
    let mut found = BTreeMap::new();
    for label in labels.split(',').filter(|it| !it.is_empty()) {
        let (label, value) = label.split_once('=').expect("a label has a value");
        assert!(is_name(label) && !label.contains(':'), "{line}");
        let value = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        let value = value.expect("a value is quoted");
        // Closed sets need nothing that would have to be escaped.
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "-.+".contains(it);
        assert!(value.chars().all(is_plain), "{line}");
        let before = found.insert(label.to_owned(), value.to_owned());
        assert_eq!(before, None, "{line}");
    }
    Sample {
        name: name.to_owned(),
        labels: found,
        number: number.parse().expect("a number"),
    }
}

fn is_name(name: &str) -> bool {
    let begins = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    begins
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '_')
}
