//! What was asked, what may be answered to it, and what was.
//!
//! A client that is in disorder uses a name twice, even while the first has no answer. So answers are
//! not matched as they come: in the end there must be a way to give each answer to one request of its
//! name that may be answered like this, with nothing left over on either side.

use std::collections::BTreeMap;

use lsp_server::{Message, RequestId, Response};
use serde_json::Value;

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// `null`.
    Nothing,
    /// An object that has this.
    With(&'static str),
    /// A word.
    Word,
    /// An error with this code.
    Error(i32),
}

pub(crate) const CANCELLED: Outcome = Outcome::Error(-32800);
pub(crate) const UNKNOWN: Outcome = Outcome::Error(-32601);
pub(crate) const MALFORMED: Outcome = Outcome::Error(-32602);
pub(crate) const INVALID: Outcome = Outcome::Error(-32600);
pub(crate) const TOO_EARLY: Outcome = Outcome::Error(-32002);

impl Outcome {
    fn is(self, answer: &Result<Value, i32>) -> bool {
        match (self, answer) {
            (Outcome::Nothing, Ok(result)) => result.is_null(),
            (Outcome::With(field), Ok(result)) => result.get(field).is_some(),
            (Outcome::Word, Ok(result)) => result.is_string(),
            (Outcome::Error(code), Err(answered)) => code == *answered,
            _ => false,
        }
    }
}

/// Suggestions for a document, of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) document: String,
    pub(crate) kind: &'static str,
}

/// A request.
#[derive(Clone, Debug)]
struct Asked {
    may_be: Vec<Outcome>,
    /// Which document it wants suggestions for, and which kind of them.
    about: Option<About>,
}

impl Asked {
    /// Whether it may be answered with an error though nobody took it back. Suggestions that clients of
    /// Copilot's ask for are an empty list then.
    fn may_fail(&self) -> bool {
        let about = self.about.as_ref();
        about.is_none_or(|it| it.kind == "textDocument/inlineCompletion")
    }

    /// Whether both want suggestions for a document, of two kinds.
    fn is_of_another_kind(&self, other: &Asked) -> bool {
        let both = self.about.as_ref().zip(other.about.as_ref());
        both.is_some_and(|(it, other)| it.document == other.document && it.kind != other.kind)
    }
}

/// All requests, and all answers.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    asked: BTreeMap<RequestId, Vec<Asked>>,
    answered: BTreeMap<RequestId, Vec<Result<Value, i32>>>,
}

impl Ledger {
    /// Something is asked. Suggestions for a document may supersede those asked for before, of any kind,
    /// because they share lanes. One of another kind that was asked for before may still wait for the
    /// person to pause, and take a lane when it no longer does.
    pub(crate) fn ask(&mut self, id: &RequestId, may_be: &[Outcome], about: Option<About>) {
        let may_be = may_be.to_vec();
        if let Some(about) = &about {
            let is_same = |it: &Asked| {
                let it = it.about.as_ref();
                it.filter(|it| it.document == about.document).is_some()
            };
            self.excuse(|_, asked| is_same(asked) && asked.may_fail());
        }
        let mut asked = Asked { may_be, about };
        let mut before = self.asked.values().flatten();
        if asked.may_fail() && before.any(|it| it.is_of_another_kind(&asked)) {
            asked.may_be.push(CANCELLED);
        }
        self.asked.entry(id.clone()).or_default().push(asked);
    }

    /// A request is taken back, or all of a name.
    pub(crate) fn cancel(&mut self, id: &RequestId) {
        self.excuse(|asked, _| asked == id);
    }

    /// Whatever is not answered yet need not be any more.
    pub(crate) fn end(&mut self) {
        self.excuse(|_, asked| asked.may_fail());
    }

    /// Those that take time may be answered with a word that nobody works on them any more.
    fn excuse(&mut self, is_it: impl Fn(&RequestId, &Asked) -> bool) {
        for (id, asked) in &mut self.asked {
            let takes_time = |it: &&mut Asked| {
                let may_be = &it.may_be;
                may_be.iter().any(|it| matches!(it, Outcome::With(_)))
            };
            for asked in asked.iter_mut().filter(takes_time) {
                if is_it(id, asked) && !asked.may_be.contains(&CANCELLED) {
                    asked.may_be.push(CANCELLED);
                }
            }
        }
    }

    /// An answer has come.
    pub(crate) fn hear(&mut self, response: Response) {
        let answer = response.response_result.map_err(|error| error.code);
        self.answered.entry(response.id).or_default().push(answer);
    }

    /// Keeps the answer that a message is; gives back what is none.
    pub(crate) fn sort(&mut self, message: Message) -> Option<Message> {
        match message {
            Message::Response(response) => {
                self.hear(response);
                None
            }
            other => Some(other),
        }
    }

    /// How many requests have no answer.
    pub(crate) fn open(&self) -> usize {
        let count = |asked: usize, (id, of): (&RequestId, &Vec<Asked>)| {
            let answered = self.answered.get(id).map_or(0, Vec::len);
            asked + of.len().saturating_sub(answered)
        };
        self.asked.iter().fold(0, count)
    }

    /// That each has one answer, that fits.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (id, answered) in &self.answered {
            if !self.asked.contains_key(id) {
                return Err(format!("nobody asked {id}: {answered:?}"));
            }
        }
        for (id, asked) in &self.asked {
            let answered = self.answered.get(id).map_or(&[][..], Vec::as_slice);
            if answered.len() != asked.len() || !fit(asked, answered) {
                return Err(format!("{id}: asked {asked:?}, answered {answered:?}"));
            }
        }
        Ok(())
    }
}

/// Whether there is a way to give each answer to one request.
fn fit(asked: &[Asked], answered: &[Result<Value, i32>]) -> bool {
    let Some((first, rest)) = asked.split_first() else {
        return answered.is_empty();
    };
    let fits = |at: &usize| first.may_be.iter().any(|it| it.is(&answered[*at]));
    (0..answered.len()).filter(fits).any(|at| {
        let mut others = answered.to_vec();
        drop(others.remove(at));
        fit(rest, &others)
    })
}
