//! The screen that people read who ask how it is going, and the data behind it.

use foretell_core::RequestCause;
use foretell_text::LaneKind;
use serde_json::{Value, json};

use super::*;
use crate::stage::JournalStage;

const CODE: &str = "const x = 1\nconst y = \n";
const HERE: usize = 22;

fn status_of(stage: &JournalStage, surroundings: StatusSurroundings<'_>) -> StatusReport {
    stage.around(|journal, around| status(journal, around, surroundings))
}

#[track_caller]
fn assert_reads(told: &StatusReport, expected: &str) {
    assert_eq!(told.text, expected, "\n{}", told.text);
}

fn bare() -> StatusSurroundings<'static> {
    StatusSurroundings {
        version: "0.1.0",
        protocol: 1,
        address: &|_, settings| {
            let url = settings.url.as_ref().map_or("", |it| it.as_str());
            let host = url.split('/').take(3).collect::<Vec<_>>();
            Ok(host.join("/"))
        },
        index: Vec::new(),
        settings_files: Vec::new(),
        usage_unkept: None,
        memory_bytes: None,
    }
}

#[test]
fn at_the_beginning_there_is_nothing_to_tell() {
    let stage = JournalStage::with("", CODE);
    let told = status_of(&stage, bare());
    assert_reads(
        &told,
        "Foretell 0.1.0 (protocol 1)\n\
         \n\
         Lanes\n\
         \x20 fim        embedded; 0 calls\n\
         \x20 next-edit  off, set in config.toml:9:1\n\
         \x20 fix        off, set in config.toml:11:1\n\
         \n\
         Index\n\
         \x20 no folder is open\n\
         \n\
         Since the start\n\
         \x20 0 of 0 requests answered with something, 0 of them carried along\n\
         \x20 0 shown, 0 accepted, 0 rejected, 0 went away\n\
         \x20 0 triggers\n\
         \x20 spared by the gate: nothing yet\n\
         \x20 rejected of shown: nothing yet\n\
         \x20 triggers rejected within 2 s: nothing yet\n\
         \x20 trigger to suggestion: nothing yet (aim: under 1 s)\n\
         \x20 editor asks to suggestion: nothing yet\n\
         \n\
         Settings\n\
         \x20 no file\n",
    );
}

#[test]
fn what_is_wrong_comes_first() {
    let server = "[lanes.fim]\nkind = \"openai\"\nurl = \"http://127.0.0.1:8080/sk-path/v1\"\n\
        model = \"qwen2.5-coder\"\nahead = \"never\"\nrequestsPerDay = 4\napiKeyEnv = \"SOME_KEY\"";
    let mut stage = JournalStage::with(server, CODE);
    // A trigger, and a suggestion that is rejected at once.
    stage.at(1_000).type_at(HERE, "2");
    stage.move_to(HERE + 1);
    stage.at(1_010);
    let request = stage.ask(HERE + 1);
    stage.at(1_310);
    stage.lane_suggests(request, LaneKind::Fim, Some((HERE + 1, "3")));
    stage.show(request);
    stage.at(2_000).reject(request);
    // And failures.
    for number in 0..3 {
        stage.at(10_000 + number * 1_000).type_at(HERE, "2");
        let request = stage.request(HERE + 1, RequestCause::Explicit);
        stage.lane_fails(request, LaneKind::Fim, "nobody listens there");
    }
    stage.at(13_000);
    let file = "/home/me/.config/foretell/config.toml";
    let surroundings = StatusSurroundings {
        index: vec![IndexLine {
            folder: "/home/me/shop".to_owned(),
            state: "ready".to_owned(),
            files: 120,
            chunks: 900,
            bytes: 2_560_000,
        }],
        settings_files: vec![SettingsFileLine {
            path: file.to_owned(),
            faults: vec![format!(
                "{file}:3:1: there is no setting lanes.fin; did you mean lanes.fim?"
            )],
        }],
        usage_unkept: Some("limits by the day are kept for this process alone".to_owned()),
        memory_bytes: Some(14_400_000),
        ..bare()
    };
    let told = status_of(&stage, surroundings);
    assert_reads(
        &told,
        "Foretell 0.1.0 (protocol 1)\n\
         \n\
         ! fim failed, and rests for another 9 s: nobody listens there\n\
         \x20 Look into it with foretell doctor\n\
         ! fim has reached its limit of 4 requests a day\n\
         ! limits by the day are kept for this process alone\n\
         ! /home/me/.config/foretell/config.toml:3:1: there is no setting lanes.fin; did you mean lanes.fim?\n\
         \n\
         Lanes\n\
         \x20 fim        openai at http://127.0.0.1:8080, qwen2.5-coder, set in config.toml:3:1; 4 calls; 3 failed; half within 300 ms, 95 % within 300 ms; won 1 of 1; 4 of 4 requests today\n\
         \x20 next-edit  off, set in config.toml:15:1\n\
         \x20 fix        off, set in config.toml:17:1\n\
         \n\
         Index\n\
         \x20 /home/me/shop: ready; 120 files, 900 chunks, 2.5 MB\n\
         \n\
         Since the start\n\
         \x20 1 of 4 requests answered with something, 0 of them carried along\n\
         \x20 1 shown, 0 accepted, 1 rejected, 0 went away\n\
         \x20 1 trigger\n\
         \x20 spared by the gate: 0 %\n\
         \x20 rejected of shown: 100 %\n\
         \x20 triggers rejected within 2 s: 100 %\n\
         \x20 trigger to suggestion: half within 310 ms, 95 % within 310 ms (aim: under 1 s)\n\
         \x20 editor asks to suggestion: nothing yet\n\
         \x20 memory: 14 MB\n\
         \n\
         Settings\n\
         \x20 /home/me/.config/foretell/config.toml: 1 fault\n",
    );
    let data = serde_json::to_value(&told).unwrap();
    assert!(!data.to_string().contains("sk-path"), "{data}");
    let lane = &data["lanes"][0];
    let expected = json!({
        "lane": "fim", "enabled": true, "kind": "openai", "host": "http://127.0.0.1:8080",
        "model": "qwen2.5-coder", "setBy": "user file", "restsMs": lane["restsMs"],
        "fault": { "kind": "refused", "words": "nobody listens there" },
        "calls": 4, "answers": 1, "failures": 3, "late": 0,
        "durations": { "count": 1, "p50Ms": 300, "p95Ms": 300, "p99Ms": 300 },
        "raced": 1, "wins": 1,
        "used": {
            "requestsLastMinute": 4, "requestsToday": 4, "tokensToday": 110, "requestsPerDay": 4,
        },
    });
    assert_eq!(*lane, expected);
    assert_eq!(data["rates"]["rejectedWithin2s"], json!(1.0));
    assert_eq!(data["measures"]["triggerToSuggestion"]["p50Ms"], json!(310));
    assert_eq!(data["measures"]["editorToSuggestion"]["p50Ms"], Value::Null);
}

#[test]
fn a_suggestion_that_is_rejected_later_was_not_unwelcome_at_once() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000).type_at(HERE, "2");
    stage.move_to(HERE + 1);
    let request = stage.ask(HERE + 1);
    stage.lane_suggests(request, LaneKind::Fim, Some((HERE + 1, "3")));
    stage.show(request);
    stage.at(3_001).reject(request);
    let told = status_of(&stage, bare());
    assert_eq!(told.rates.rejected_within2s, Some(0.0));
    assert_eq!(told.rates.rejection, Some(1.0));
}

#[test]
fn requests_are_counted_by_what_they_were_answered_with() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000);
    let request = stage.ask(HERE);
    stage.at(1_200);
    stage.lane_suggests(request, LaneKind::Fim, Some((HERE, "42;")));
    // Typed into, so that it is carried along; then out of its way.
    stage.at(1_300).type_at(HERE, "4");
    stage.ask(HERE + 1);
    stage.type_at(HERE + 1, "x");
    // One takes the place of the other, and nothing comes of that in time.
    stage.ask(HERE + 2);
    stage.ask(HERE + 1);
    stage.at(9_000);
    let told = status_of(&stage, bare()).measures;
    let counts = [told.carried, told.lane, told.withheld, told.repeated].map(|it| it.count);
    assert_eq!(counts, [1, 1, 1, 0], "what was superseded is none");
    assert_eq!(
        (told.lane.p50_ms, told.carried.p50_ms),
        (Some(200), Some(0))
    );
    assert_eq!(told.editor_to_suggestion.count, 2);
    assert_eq!(told.trigger_to_suggestion.count, 0);
}
