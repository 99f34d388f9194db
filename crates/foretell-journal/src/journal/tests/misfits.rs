//! The words for events that do not fit the text that is held, or have no effect.

use foretell_core::{Event, RejectionId, RejectionReports, RequestCause, RequestId};
use foretell_text::{DocumentId, LaneKind, Version};

use super::{CODE, HERE, assert_reads};
use crate::stage::JournalStage;

#[test]
fn the_text_here_is_not_the_editors() {
    let mut stage = JournalStage::with("", CODE);
    let document = stage.document.clone();
    stage.at(1_000).tell(Event::DocumentLost { document });
    stage.ask(HERE);
    stage.at(1_500);
    assert_reads(
        &stage,
        "Nothing was shown: the text here differs from the editor's.\n\
         If that goes on, close the document and open it again.\n\
         \n\
         The latest decisions, newest first:\n\
         - 500 ms ago, cart.ts:2:11: the editor asked; nothing was shown: the text here differs from the editor's\n\
         - 500 ms ago, cart.ts: the editor was told to send the whole text again: the text here differs from the editor's\n\
         - 500 ms ago, cart.ts: a change that does not fit the text had no effect: the text here differs from the editor's\n",
    );
}

#[test]
fn a_place_or_a_version_that_is_not_held() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000).ask(usize::MAX);
    stage.at(1_200);
    assert_reads(
        &stage,
        "Nothing was shown: the cursor is not in the text that is held.\n\
         \n\
         The latest decisions, newest first:\n\
         - 200 ms ago, cart.ts: the editor asked; nothing was shown: the cursor is not in the text that is held\n",
    );
    let (document, version) = (stage.document.clone(), Some(Version::new(77)));
    stage.at(3_000).tell(Event::SelectionChanged {
        document: document.clone(),
        version,
        selections: Vec::new(),
    });
    stage.tell(Event::DiagnosticsChanged {
        document,
        version,
        diagnostics: Vec::new(),
    });
    let why = stage.why(2).text;
    assert_eq!(
        why,
        "Nothing was asked: the editor means another version of the text than the one that is held.\n\
         Ask again: a change may have been on its way.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts: what a compiler or linter said had no effect: the editor means another version of the text than the one that is held\n\
         - just now, cart.ts: the cursor moved, and nothing was asked: the editor means another version of the text than the one that is held\n",
        "\n{why}"
    );
}

#[test]
fn what_had_no_effect_is_named_and_saying_hello_is_not() {
    let mut stage = JournalStage::with("", CODE);
    let rejections = RejectionReports::Inferred;
    stage.tell(Event::ClientConnected {
        rejections,
        asks_when_told: false,
    });
    let all = |stage: &JournalStage| {
        stage
            .around(|journal, around| journal.why(None, 10, around))
            .text
    };
    assert_eq!(all(&stage), "Nothing has been asked so far.\n");
    stage.reject(RequestId::new(99));
    let rejection = RejectionId::new(7);
    stage.tell(Event::RejectionForgotten { rejection });
    let document = DocumentId::new("file:///src/other.ts");
    stage.tell(Event::DocumentClosed { document });
    // A lane's answer is not an event of the editor's.
    stage.at(1_000);
    stage.lane_suggests(RequestId::new(99), LaneKind::Fim, None);
    let text = all(&stage);
    assert_eq!(
        text,
        "Nothing has been asked so far, and closing it had no effect: no such document is open.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now: something that was said had no effect: nothing of that name is known\n\
         - 1 s ago, other.ts: closing it had no effect: no such document is open\n\
         - 1 s ago: forgetting a rejection had no effect: nothing of that name is known\n\
         - 1 s ago: rejecting a suggestion had no effect: nothing of that name is known\n",
        "\n{text}"
    );
}

#[test]
fn a_document_that_was_let_go_says_why() {
    let mut stage = JournalStage::with("", CODE);
    for number in 0..201 {
        stage.open(&format!("file:///src/{number}.ts"), CODE);
    }
    stage.document = DocumentId::new("file:///src/cart.ts");
    stage.at(1_000).request(HERE, RequestCause::Explicit);
    let why = stage.around(|journal, around| journal.why(None, 2, around));
    assert_eq!(
        why.text,
        "Nothing was shown: cart.ts was let go, since too many documents are open.\n\
         Close it and open it again to go on there.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts: the editor was told to send the whole text again: there is none here\n\
         - just now, cart.ts: you asked; nothing was shown: cart.ts was let go, since too many documents are open\n",
        "\n{}",
        why.text
    );
    // Closed by then, it is not open for another reason.
    let document = stage.document.clone();
    stage.at(2_000).tell(Event::DocumentClosed { document });
    stage.request(HERE, RequestCause::Explicit);
    let why = stage.around(|journal, around| journal.why(None, 1, around));
    let expected = "Nothing was shown: no such document is open.\n";
    assert!(why.text.starts_with(expected), "{}", why.text);
}
