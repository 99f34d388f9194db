//! The places of a document of which something was said that has a fix.
//!
//! Compilers and linters say all that they have to say again after every edit. Only what they had not said
//! of a line is news, and gives that line another turn. A place is kept apart from what was said,
//! since that is about the text as it was then, and a place moves with the text.
//!
//! Absent on purpose: fixes. Two that say the same of a line are one here, whatever they would do.

use foretell_text::{
    ByteRange, Diagnostic, DiagnosticSeverity, Edit, FixStanding, PositionEncoding, Text,
};

/// What was said last, and where that is now.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiagnosedPlaces {
    places: Vec<DiagnosedPlace>,
}

#[derive(Clone, Debug)]
struct DiagnosedPlace {
    message: String,
    range: ByteRange,
}

impl DiagnosedPlaces {
    /// Follows an edit of the text.
    pub(crate) fn follow(&mut self, edit: &Edit) {
        for place in &mut self.places {
            place.range = edit.map_range(place.range);
        }
    }

    /// Takes the place of what was said before. Returns the lines of which something new is said.
    pub(crate) fn renew(&mut self, text: &Text, diagnostics: &[Diagnostic]) -> Vec<u32> {
        let line = |range: ByteRange| {
            let place = text.position_of(range.start(), PositionEncoding::Utf8);
            place.ok().map(|place| place.line)
        };
        let known = self.places.iter();
        let known: Vec<_> = known.map(|it| (line(it.range), &it.message)).collect();
        let with_fix = diagnostics.iter().filter(|it| has_remedy(it));
        let said = with_fix.clone().map(|it| (line(it.range), &it.message));
        let new = said.filter(|it| !known.contains(it));
        let new = new.filter_map(|(line, _)| line).collect();
        let places = with_fix.map(|it| DiagnosedPlace {
            message: it.message.clone(),
            range: it.range,
        });
        self.places = places.collect();
        new
    }
}

/// Whether a diagnostic is about a fault that some fix would mend.
fn has_remedy(diagnostic: &Diagnostic) -> bool {
    let mut fixes = diagnostic.fixes.iter();
    diagnostic.severity == DiagnosticSeverity::Error
        && fixes.any(|fix| fix.standing != FixStanding::Cosmetic && !fix.edit.is_nothing())
}
