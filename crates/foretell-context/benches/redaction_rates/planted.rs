//! Planted secrets: how many are caught, by class and by kind.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use foretell_context::Redactor;
use foretell_testkit::planted_secrets::{
    CaseHalf, PlantedCase, SecretClass, SecretFate, cases, kinds, reserve_cases, reserve_kinds,
};

use crate::{RatesRequest, outside};

/// The halves of the open cases, as tables call them.
const HALVES: [(&str, CaseHalf); 2] = [
    ("tuning", CaseHalf::Tuning),
    ("held out", CaseHalf::HeldOut),
];

/// What became of the cases of a class or a kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    cases: usize,
    whole: usize,
    remainders: usize,
}

impl Tally {
    fn add(&mut self, fate: SecretFate) {
        self.cases += 1;
        match fate {
            SecretFate::Whole => self.whole += 1,
            SecretFate::Remainder => self.remainders += 1,
            SecretFate::Left => {}
        }
    }

    fn caught(self) -> usize {
        self.whole + self.remainders
    }

    fn percent(self) -> f64 {
        self.caught() as f64 * 100.0 / self.cases.max(1) as f64
    }
}

/// Counts and prints.
pub(crate) fn measure(request: &RatesRequest) {
    let redactor = Redactor::new();
    let is_reserve = request.shown == CaseHalf::Reserve;
    let (cases, kinds) = if let Some(path) = &request.from {
        let cases = outside::cases(path);
        let kinds: BTreeSet<_> = cases.iter().map(|case| &case.kind).collect();
        let kinds = kinds.len();
        (cases, kinds)
    } else if is_reserve {
        (reserve_cases(request.seed, request.cases), reserve_kinds())
    } else {
        (cases(request.seed, request.cases), kinds())
    };
    println!(
        "seed {}, {} cases of {kinds} kinds, and {} stand-ins",
        request.seed,
        cases.iter().filter(|case| is_secret(case)).count(),
        cases.iter().filter(|case| !is_secret(case)).count()
    );
    let fates: Vec<(&PlantedCase, SecretFate)> = cases
        .iter()
        .map(|case| (case, fate(&redactor, case)))
        .collect();
    if is_reserve {
        by_class(&fates, &[]);
    } else {
        by_class(&fates, &HALVES);
        by_groups(&fates);
    }
    false_marks(&redactor, &cases, request);
    misses(&redactor, &fates, request);
}

/// Rates by everything a case has, of the tuning half.
fn by_groups(fates: &[(&PlantedCase, SecretFate)]) {
    by_group("kind", fates, |case| case.kind.clone());
    by_group("form", fates, |case| case.form.clone());
    by_group("place", fates, |case| case.place.to_owned());
    by_group("disguise", fates, |case| case.disguise.to_owned());
}

fn is_secret(case: &PlantedCase) -> bool {
    case.class != SecretClass::NotASecret
}

fn marks(redactor: &Redactor, text: &str) -> Vec<Range<usize>> {
    let range = |secret: &foretell_context::SecretRange| {
        secret.range.start().get()..secret.range.end().get()
    };
    redactor.secrets(text).iter().map(range).collect()
}

/// What is left of a secret: by the ranges, and in the text that is told.
fn fate(redactor: &Redactor, case: &PlantedCase) -> SecretFate {
    let fate = case.fate(&marks(redactor, &case.text));
    let mut redaction = redactor.begin();
    let told = redaction.redact(&case.text);
    let is_told = |range: &Range<usize>| {
        let secret = case.text.get(range.clone()).unwrap_or_default();
        // A shorter one may be a word of the file, too.
        secret.len() >= 20 && told.contains(secret)
    };
    if case.secrets.iter().any(is_told) {
        return SecretFate::Left;
    }
    fate
}

/// Rates by class, over all and of each half.
fn by_class(fates: &[(&PlantedCase, SecretFate)], halves: &[(&str, CaseHalf)]) {
    let titles: String = halves
        .iter()
        .map(|(name, _)| format!(" {name:>16}"))
        .collect();
    println!("\n{:<26} {:>16}{titles}  left at an end", "class", "all");
    for (class, _) in SecretClass::SHARES {
        if class == SecretClass::NotASecret {
            continue;
        }
        let tally = |half: Option<CaseHalf>| {
            let mut tally = Tally::default();
            for (case, fate) in fates {
                if case.class == class && half.is_none_or(|half| half == case.half) {
                    tally.add(*fate);
                }
            }
            tally
        };
        let shown = |tally: Tally| {
            let of = format!("{}/{}", tally.caught(), tally.cases);
            format!(" {of:>9} {:>5.1}%", tally.percent())
        };
        let all = tally(None);
        let (mut columns, mut fields) = (String::new(), String::new());
        for (name, half) in halves {
            let tally = tally(Some(*half));
            columns += &shown(tally);
            fields += &format!(" {}={:.4}", name.replace(' ', "-"), tally.percent() / 100.0);
        }
        println!(
            "{:<26}{}{columns}  {}",
            class.label(),
            shown(all),
            all.remainders
        );
        println!(
            "class: {} caught={} cases={} rate={:.4}{fields}",
            class.label().replace(' ', "-"),
            all.caught(),
            all.cases,
            all.percent() / 100.0
        );
    }
}

/// Rates by something of a case, worst first. What is held out is counted without its name.
fn by_group(
    title: &str,
    fates: &[(&PlantedCase, SecretFate)],
    group: impl Fn(&PlantedCase) -> String,
) {
    let mut groups: BTreeMap<(SecretClass, String), Tally> = BTreeMap::new();
    for (case, fate) in fates {
        if is_secret(case) && case.half == CaseHalf::Tuning {
            let key = (case.class, group(case));
            groups.entry(key).or_default().add(*fate);
        }
    }
    let mut rows: Vec<_> = groups.into_iter().collect();
    rows.sort_by(|a, b| a.1.percent().total_cmp(&b.1.percent()));
    let whole = rows
        .iter()
        .filter(|(_, tally)| tally.whole == tally.cases)
        .count();
    println!(
        "\nby {title}, tuning half, worst first ({whole} of {} whole):",
        rows.len()
    );
    for ((class, name), tally) in rows.iter().filter(|(_, tally)| tally.whole < tally.cases) {
        println!(
            "  {:>5.1}% {:>4}/{:<4} {:<26} {name}",
            tally.percent(),
            tally.caught(),
            tally.cases,
            class.label()
        );
    }
}

fn false_marks(redactor: &Redactor, cases: &[PlantedCase], request: &RatesRequest) {
    let mut tallies = [(0, 0); 2];
    let mut shown = Vec::new();
    for case in cases.iter().filter(|case| !is_secret(case)) {
        let marked = redactor.secrets(&case.text);
        let mut redaction = redactor.begin();
        let is_changed = redaction.redact(&case.text) != case.text;
        let tally = &mut tallies[usize::from(case.half == CaseHalf::HeldOut)];
        tally.0 += 1;
        tally.1 += usize::from(is_changed);
        if let Some(first) = marked.first().filter(|_| case.half == request.shown) {
            let inside = case
                .text
                .get(first.range.start().get()..first.range.end().get());
            let inside: String = inside.unwrap_or_default().chars().take(60).collect();
            shown.push((case.kind.clone(), case.language, first.kind, inside));
        }
    }
    let [tuning, held_out] = tallies;
    let (cases, marked) = (tuning.0 + held_out.0, tuning.1 + held_out.1);
    let percent = marked as f64 * 100.0 / cases.max(1) as f64;
    print!("\nstand-ins marked: {marked} of {cases} ({percent:.1}%)");
    if request.shown == CaseHalf::Reserve {
        println!();
    } else {
        println!(
            ", tuning {} of {}, held out {} of {}",
            tuning.1, tuning.0, held_out.1, held_out.0
        );
    }
    println!(
        "class: not-a-secret marked={marked} cases={cases} rate={:.4}",
        percent / 100.0
    );
    shown.sort();
    shown.dedup_by(|a, b| a.0 == b.0 && a.1 == b.1);
    for (kind, language, rule, inside) in shown.iter().take(request.misses) {
        println!("  {kind} ({language}) [{rule}] {inside:?}");
    }
}

/// Prints what was missed, with the text around it.
fn misses(redactor: &Redactor, fates: &[(&PlantedCase, SecretFate)], request: &RatesRequest) {
    let is_wanted = |case: &PlantedCase| {
        let about = format!(
            "{} {} {} {}",
            case.class.label(),
            case.kind,
            case.form,
            case.disguise
        );
        case.half == request.shown && about.contains(&request.kind)
    };
    let missed: Vec<_> = fates
        .iter()
        .filter(|(case, fate)| *fate == SecretFate::Left && is_wanted(case))
        .collect();
    let of_them = if request.misses == 0 {
        ""
    } else {
        "; of them:"
    };
    println!("\n{} missed{of_them}", missed.len());
    let every = (missed.len() / request.misses.max(1)).max(1);
    for (case, _) in missed.iter().step_by(every).take(request.misses) {
        let Some(first) = case.secrets.first() else {
            continue;
        };
        let (before, after) = (
            case.text.get(..first.start).unwrap_or_default(),
            case.text.get(first.start..).unwrap_or_default(),
        );
        let begin = before
            .rmatch_indices('\n')
            .nth(2)
            .map_or(0, |(at, _)| at + 1);
        let begin = begin.max(floor_boundary(&case.text, first.start.saturating_sub(300)));
        let end = after
            .match_indices('\n')
            .nth(1)
            .map_or(after.len(), |(at, _)| at);
        let end = floor_boundary(&case.text, first.start + end.min(400));
        println!(
            "--- {} | {} | {} | {} | {} | marks {:?}",
            case.class.label(),
            case.kind,
            case.form,
            case.place,
            case.disguise,
            redactor
                .secrets(&case.text)
                .iter()
                .map(|mark| mark.kind)
                .collect::<Vec<_>>()
        );
        println!("{}", case.text.get(begin..end).unwrap_or_default());
    }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
