//! Questions to the client that it has not answered yet.
//!
//! A client may never answer, so that nothing waits for it, and only so many questions are kept.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lsp_server::RequestId as MessageId;

/// How many questions are kept; an older one is taken as never answered.
const MOST: usize = 256;

/// Something the client was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClientQuestion {
    /// For its settings.
    Configuration,
    /// To tell of something from now on.
    Registration,
    /// To show how far an index is.
    Progress {
        /// Of which folder.
        folder: PathBuf,
        /// Its name, for people.
        name: String,
        /// By which name.
        token: String,
    },
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct ClientQuestions {
    waiting: BTreeMap<i32, ClientQuestion>,
    numbered: i32,
}

impl ClientQuestions {
    /// Takes a question, and gives it a name.
    pub(crate) fn put(&mut self, question: ClientQuestion) -> MessageId {
        self.numbered = self.numbered.wrapping_add(1);
        self.waiting.insert(self.numbered, question);
        if self.waiting.len() > MOST {
            self.waiting.pop_first();
        }
        MessageId::from(self.numbered)
    }

    /// Takes the question that an answer belongs to. Unknown ids are ignored.
    pub(crate) fn take(&mut self, id: &MessageId) -> Option<ClientQuestion> {
        let mut numbers = self.waiting.keys().copied();
        let number = numbers.find(|number| MessageId::from(*number) == *id)?;
        self.waiting.remove(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_to_one_question_once() {
        let mut questions = ClientQuestions::default();
        let first = questions.put(ClientQuestion::Configuration);
        let second = questions.put(ClientQuestion::Registration);
        assert_eq!(questions.take(&second), Some(ClientQuestion::Registration));
        assert_eq!(questions.take(&second), None);
        assert_eq!(questions.take(&MessageId::from("1".to_owned())), None);
        assert_eq!(questions.take(&first), Some(ClientQuestion::Configuration));
    }

    #[test]
    fn what_is_never_answered_is_forgotten() {
        let mut questions = ClientQuestions::default();
        let first = questions.put(ClientQuestion::Configuration);
        for _ in 0..1_000 {
            questions.put(ClientQuestion::Registration);
        }
        assert_eq!(questions.take(&first), None);
        assert_eq!(questions.waiting.len(), MOST);
    }
}
