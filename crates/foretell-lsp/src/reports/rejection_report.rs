//! Rejections, there and back: `foretell/rejections`, `foretell/forget`, `foretell/restore`.
//!
//! The server keeps rejections in memory only; a client mirrors the list and gives it back after a
//! restart, exactly as it was given out. So what goes out is complete, and what comes in is not
//! trusted: each entry stands for itself, one that makes no sense is refused and counted, and all of
//! them together are bounded. The numbers of what comes in are not kept: it is numbered anew.
//!
//! Offsets are bytes in the text of the digest, for every client alike: they mean nothing to it, and
//! that text may not be there to convert them by. Quotes are the person's own text, and go to their
//! own editor only; `Debug` shows lengths.

mod preview;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use foretell_core::{Core, Event, RejectionId, StoredRejection, TextDigest};
use foretell_text::{ByteOffset, ByteRange, DocumentId, Edit, Replacement};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::malformed;
use foretell_journal::spoken::count;

/// How many entries are taken back. The memory holds fewer, whatever its settings.
const MOST: usize = 10_000;
/// How many places of a text one of them changes.
const MOST_REPLACEMENTS: usize = 1_000;
/// How long the name of its document may be, in bytes.
const LONGEST_URI: usize = 16 << 10;
/// How much text all of them together put in, in bytes.
const MOST_TEXT: usize = 16 << 20;

/// Everything that is rejected, the first first.
#[derive(Serialize)]
pub(crate) struct RejectionReport {
    pub(crate) rejections: Vec<RejectionTold>,
    /// All of it, for people.
    pub(crate) text: String,
}

/// A rejection as it is on the wire.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RejectionTold {
    id: u64,
    uri: String,
    edit: EditTold,
    /// The text it belongs to, if that is known.
    digest: Option<String>,
    awake: bool,
    /// Whether it was inferred from something else being typed there again and again. It is not
    /// read back.
    #[serde(default, skip_serializing_if = "is_false")]
    inferred: bool,
    /// The words for people. They are not read back.
    #[serde(default)]
    text: String,
}

/// An edit as it is on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct EditTold {
    replacements: Vec<ReplacementTold>,
}

/// A stretch of a text, in bytes, and what takes its place.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReplacementTold {
    start: usize,
    end: usize,
    new_text: String,
}

/// How many there are: what people type does not belong in a log.
impl fmt::Debug for RejectionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.rejections).finish()
    }
}

/// Which it is, and where.
impl fmt::Debug for RejectionTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RejectionTold { id, edit, .. } = self;
        write!(f, "{id}: {edit:?}")
    }
}

/// How long it is.
impl fmt::Debug for ReplacementTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.start, self.end);
        write!(f, "[{start}, {end}) -> {} bytes", self.new_text.len())
    }
}

/// Everything that is rejected now.
pub(crate) fn rejections(core: &Core) -> RejectionReport {
    let stored = core.rejections();
    let told: Vec<RejectionTold> = stored.iter().map(|it| told(it, core)).collect();
    // A suggestion that was typed into keeps its number for what is left of it.
    let mut listed: BTreeMap<u64, &RejectionTold> = BTreeMap::new();
    for it in &told {
        let one = listed.entry(it.id).or_insert(it);
        if it.awake {
            *one = it;
        }
    }
    let awake = listed.values().filter(|it| it.awake).count();
    let mut text = match listed.len() {
        0 => "Nothing is rejected.\n".to_owned(),
        all => format!(
            "{}, {awake} of them awake: what is awake is not shown again.\n",
            count(all as u64, "rejection", "rejections")
        ),
    };
    for it in listed.values() {
        let why = if it.inferred {
            "; you typed something else there, again and again"
        } else {
            ""
        };
        text.push_str(&format!("{:>4}  {}{why}\n", it.id, it.text));
    }
    RejectionReport {
        rejections: told,
        text,
    }
}

fn told(stored: &StoredRejection, core: &Core) -> RejectionTold {
    let replacements = stored.edit.replacements().iter();
    let replacements = replacements.map(|it| ReplacementTold {
        start: it.range().start().get(),
        end: it.range().end().get(),
        new_text: it.new_text().to_owned(),
    });
    RejectionTold {
        id: stored.id.get(),
        uri: stored.document.as_str().to_owned(),
        edit: EditTold {
            replacements: replacements.collect(),
        },
        digest: stored.text.map(|digest| digest.to_string()),
        awake: !stored.asleep,
        inferred: core.is_inferred(stored.id),
        text: preview::of(stored, core),
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Rejections that a client gives back after a restart.
#[derive(Debug)]
pub(crate) struct RestoredRejections {
    /// The event for the machine.
    pub(crate) event: Event,
    pub(crate) answer: RestoredTold,
}

/// The result of giving a list back.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RestoredTold {
    /// How many entries make sense. The machine may know some already, or have no room for all.
    pub(crate) taken: usize,
    pub(crate) refused: usize,
    /// Why the first of those, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// Why an entry, or a whole message, is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotRejections {
    #[error("there is no list in it: give back {{ \"rejections\": [...] }} as it was listed")]
    NoList,
    #[error("give {{ \"id\": number }} or {{ \"all\": true }}, and not both")]
    NotAChoice,
    #[error("an entry is not as it was listed: {0}")]
    Malformed(String),
    #[error("an entry's edit is not one: its places overlap or are reversed")]
    NotAnEdit,
    #[error("an entry's digest is not one")]
    NotADigest,
    #[error("an entry's edit reaches past the end of its text")]
    PastTheEnd,
    #[error("an entry is larger than any that is listed")]
    TooLarge,
    #[error("there are more entries, or more text in them, than are ever listed")]
    TooMany,
}

/// Takes back what was listed: `{ "rejections": [...] }`.
pub(crate) fn restore(params: Value) -> Result<RestoredRejections, NotRejections> {
    let list = match params {
        Value::Object(mut fields) => fields.remove("rejections"),
        _ => None,
    };
    let Some(Value::Array(list)) = list else {
        return Err(NotRejections::NoList);
    };
    let (mut taken, mut refused, mut why) = (Vec::new(), 0, None);
    let mut room = MOST_TEXT;
    for entry in list {
        match entry_of(entry, taken.len(), room) {
            Ok((stored, size)) => {
                room -= size;
                taken.push(stored);
            }
            Err(wrong) => {
                refused += 1;
                why = why.or(Some(wrong.to_string()));
            }
        }
    }
    let answer = RestoredTold {
        taken: taken.len(),
        refused,
        why,
    };
    let rejections: Arc<[StoredRejection]> = taken.into();
    let event = Event::RejectionsRestored { rejections };
    Ok(RestoredRejections { event, answer })
}

/// An entry and how much text it puts in.
fn entry_of(
    entry: Value,
    taken: usize,
    room: usize,
) -> Result<(StoredRejection, usize), NotRejections> {
    if taken >= MOST {
        return Err(NotRejections::TooMany);
    }
    let entry = RejectionTold::deserialize(entry);
    let told = entry.map_err(|error| NotRejections::Malformed(malformed::in_words(&error)))?;
    let size: usize = told
        .edit
        .replacements
        .iter()
        .map(|it| it.new_text.len())
        .sum();
    if told.uri.len() > LONGEST_URI || told.edit.replacements.len() > MOST_REPLACEMENTS {
        return Err(NotRejections::TooLarge);
    }
    if size > room {
        return Err(NotRejections::TooMany);
    }
    Ok((stored(told)?, size))
}

fn stored(told: RejectionTold) -> Result<StoredRejection, NotRejections> {
    let digest = told.digest.as_deref();
    let parsed = digest.map(|it| TextDigest::parse(it).ok_or(NotRejections::NotADigest));
    let text = parsed.transpose()?;
    let length = text.map_or(usize::MAX, |it| it.length());
    let replacements = told.edit.replacements.into_iter().map(|it| {
        let (start, end) = (ByteOffset::new(it.start), ByteOffset::new(it.end));
        let range = ByteRange::new(start, end).map_err(|_| NotRejections::NotAnEdit)?;
        if it.end > length {
            Err(NotRejections::PastTheEnd)
        } else {
            Ok(Replacement::new(range, it.new_text))
        }
    });
    let replacements = replacements.collect::<Result<Vec<_>, _>>()?;
    Ok(StoredRejection {
        id: RejectionId::new(told.id),
        document: DocumentId::new(told.uri),
        edit: Edit::new(replacements).map_err(|_| NotRejections::NotAnEdit)?,
        text,
        asleep: !told.awake,
    })
}

/// The rejections that the person wants forgotten: `{ "id": 3 }` or `{ "all": true }`.
pub(crate) fn forget(params: &Value) -> Result<Event, NotRejections> {
    let id = params.get("id").and_then(Value::as_u64);
    let is_all = params.get("all").and_then(Value::as_bool);
    match (id, is_all) {
        (Some(id), None | Some(false)) => Ok(Event::RejectionForgotten {
            rejection: RejectionId::new(id),
        }),
        (None, Some(true)) if params.get("id").is_none_or(Value::is_null) => {
            Ok(Event::RejectionsCleared)
        }
        _ => Err(NotRejections::NotAChoice),
    }
}
