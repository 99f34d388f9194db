//! How fast the servers of lanes are with a prompt of real size, and how long to wait for them.
//!
//! Each server is measured once for each of its models, one after the other, so that they do not slow each other
//! down. A server on this machine costs nothing but time. Any other may bill what it is told, and is measured
//! only if the person says so; that is said instead.
//!
//! Absent on purpose: the measuring, which knows what servers say, and whether a server answers at all.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foretell_journal::spoken::{and, span, with_commas};
use foretell_lanes::LaneFault;
use foretell_lanes::model::speed_probe::{ServerMeasure, measure};
use foretell_settings::settings;
use foretell_text::LaneKind;

use super::doctor_report::{DoctorFinding, FindingVerdict};

/// A speed beyond this one is not told exactly: it is that of the way there.
const FAST: u32 = 10_000;

/// Which servers are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeasuredServers {
    /// Those on this machine.
    Local,
    /// All of them.
    All,
}

/// A lane whose server answers.
pub(super) struct AnsweringLane<'l> {
    pub(super) lane: LaneKind,
    pub(super) about: String,
    pub(super) settings: &'l settings::LaneSettings,
}

/// How fast the servers of some lanes are.
pub(super) async fn findings(
    lanes: Vec<AnsweringLane<'_>>,
    which: MeasuredServers,
) -> Vec<DoctorFinding> {
    let mut known = BTreeSet::new();
    let mut findings = Vec::new();
    for lane in lanes {
        let settings = lane.settings;
        let server = settings.url.as_ref().map(|url| url.as_str().to_owned());
        if !known.insert((server, settings.model.clone())) {
            continue;
        }
        if which == MeasuredServers::Local && !settings.is_on_this_machine() {
            let says = "speed not measured: the server is not on this machine, and may bill about \
                        3,000 tokens for it; foretell doctor --measure does";
            findings.push(DoctorFinding::new(FindingVerdict::Plain, lane.about, says));
            continue;
        }
        let measured = measure(lane.lane, settings, number()).await;
        findings.extend(finding(lane.about, measured));
    }
    findings
}

/// Another one each time.
fn number() -> u64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    let passed = passed.unwrap_or_default().as_millis();
    u64::try_from(passed % 100_000_000).unwrap_or_default()
}

/// What was measured, as far as anything was.
fn finding(about: String, measured: Result<ServerMeasure, LaneFault>) -> Option<DoctorFinding> {
    let measured = match measured {
        Ok(measured) => measured,
        Err(fault) => {
            let says = format!("a prompt of real size: {fault}");
            let finding = DoctorFinding::new(FindingVerdict::Wrong, about, says);
            return Some(finding.with("failure", fault.failure.kind.name()));
        }
    };
    let words = words(&measured);
    let says = (!words.is_empty()).then(|| words.join("; "))?;
    let speed = measured.speed.in_whole_numbers();
    let millis = |wait: Duration| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    let facts = [
        ("promptTokens", measured.prompt_tokens),
        ("readsPerSecond", speed.read.map(u64::from)),
        ("writesPerSecond", speed.written.map(u64::from)),
        ("slots", measured.slots.map(|it| it as u64)),
        ("batch", measured.batch),
        ("contextTokens", measured.context_tokens.map(|it| it as u64)),
        ("coldMs", measured.cold.map(|(wait, _)| millis(wait))),
        ("coldTokens", measured.cold.map(|(_, tokens)| tokens)),
        ("warmMs", measured.warm.map(millis)),
    ];
    let known = facts.into_iter().filter_map(|(name, it)| Some((name, it?)));
    let finding = DoctorFinding::new(FindingVerdict::Plain, about, says);
    Some(known.fold(finding, |finding, (name, it)| finding.with(name, it)))
}

/// What is known, in words.
fn words(measured: &ServerMeasure) -> Vec<String> {
    let mut words = Vec::new();
    let speed = measured.speed.in_whole_numbers();
    let of = |what: &str, speed: u32| {
        if speed > FAST {
            format!("{what} over {}", with_commas(FAST.into()))
        } else {
            format!("{what} {}", with_commas(speed.into()))
        }
    };
    let speeds = [
        speed.read.map(|speed| of("reads", speed)),
        speed.written.map(|speed| of("writes", speed)),
    ];
    let speeds: Vec<String> = speeds.into_iter().flatten().collect();
    if !speeds.is_empty() {
        let prompt = measured.prompt_tokens.map(|tokens| {
            let tokens = with_commas(tokens);
            format!(", measured with a prompt of {tokens}")
        });
        let prompt = prompt.unwrap_or_default();
        words.push(format!("{} tokens a second{prompt}", and(&speeds)));
    }
    let facts = [
        measured.slots.map(|slots| match slots {
            1 => "one slot".to_owned(),
            slots => format!("{slots} slots"),
        }),
        measured
            .batch
            .map(|batch| format!("reads {} tokens at once", with_commas(batch))),
        measured
            .context_tokens
            .map(|tokens| format!("a context of {} tokens", with_commas(tokens as u64))),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if !facts.is_empty() {
        words.push(facts.join(", "));
    }
    let wait = |wait: Duration| span(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    let cold = measured.cold.map(|(cold, tokens)| {
        let tokens = with_commas(tokens);
        format!("about {} at a new place ({tokens} tokens)", wait(cold))
    });
    let warm = measured
        .warm
        .map(|warm| format!("{} while you type there", wait(warm)));
    let waits: Vec<String> = cold.into_iter().chain(warm).collect();
    if !waits.is_empty() {
        words.push(format!("expect the first word after {}", and(&waits)));
    }
    words
}

#[cfg(test)]
mod tests {
    use foretell_lanes::model::server_speed::ServerSpeed;
    use foretell_settings::{BackEnd, Settings};

    use super::*;

    #[test]
    fn a_server_elsewhere_is_not_billed_for_anything_unless_the_person_says_so() {
        let mut settings = Settings::default().lanes.fim;
        settings.kind = BackEnd::OpenAi;
        settings.url = Some("https://models.example.com".into());
        let lane = AnsweringLane {
            lane: LaneKind::Fim,
            about: "fim".to_owned(),
            settings: &settings,
        };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.build().expect("it needs no more than a thread");
        let found = runtime.block_on(findings(vec![lane], MeasuredServers::Local));
        let says: Vec<&str> = found.iter().map(|it| it.says.as_str()).collect();
        assert_eq!(
            says,
            [
                "speed not measured: the server is not on this machine, and may bill about 3,000 tokens \
              for it; foretell doctor --measure does"
            ]
        );
    }

    #[test]
    fn what_is_known_is_said_and_nothing_else() {
        let known = ServerMeasure {
            prompt_tokens: Some(1_240),
            speed: ServerSpeed {
                read: Some(149.6),
                written: Some(20.1),
            },
            slots: Some(4),
            batch: Some(512),
            context_tokens: Some(8_192),
            cold: Some((Duration::from_millis(2_000), 300)),
            warm: Some(Duration::from_millis(320)),
        };
        assert_eq!(
            words(&known).join("; "),
            "reads 150 and writes 20 tokens a second, measured with a prompt of 1,240; 4 slots, reads 512 \
             tokens at once, a context of 8,192 tokens; expect the first word after about 2 s at a new \
             place (300 tokens) and 320 ms while you type there"
        );
        let little = ServerMeasure {
            warm: Some(Duration::from_millis(40)),
            ..ServerMeasure::default()
        };
        let expected = "expect the first word after 40 ms while you type there";
        assert_eq!(words(&little).join("; "), expected);
        assert!(words(&ServerMeasure::default()).is_empty());
    }
}
