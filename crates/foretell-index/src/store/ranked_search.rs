//! Searching the store: words in, the chunks that they mean best out.
//!
//! BM25 over the words of chunks, with the words of a chunk's name counting [`NAME_BOOST`] times: a
//! definition is found before its uses; and with the first words of a question counting more than the
//! last, since a question begins with what matters ([`QueryWord`]). A question is a list of words and
//! never a query language, so that no text a person writes means anything but its words.
//!
//! Some files are hidden. It is not known which before one of their chunks is found; from then on the
//! question leaves out all of that file, so that a large one costs no more than a small one.
//!
//! How rare words are in the whole store ([`WordRarity`]) is told to the code that scores chunks that are not
//! in it, so that both can be put in one order ([`in_order`]).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use foretell_text::{CodeChunk, FilePath};
use tantivy::collector::{Collector, TopDocs};
use tantivy::query::{
    Bm25StatisticsProvider, BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyDocument, Term};

use super::store_schema::SchemaFields;
use super::{IndexStore, StoreError, guarded};

/// How much more a word counts in a name than in a text.
pub(crate) const NAME_BOOST: f32 = 2.0;

/// How many times words may occur in chunks to be asked for, all together. Those that tell most come
/// first, so that what is left out tells little; and a search takes as long in a large workspace as
/// in a small one.
const MOST_OCCURRENCES: u64 = 50_000;

/// A word that is asked for, and how much it counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QueryWord {
    pub(crate) word: String,
    pub(crate) weight: f32,
}

/// A chunk, and how well it answers.
pub(crate) type ScoredChunk = (f32, CodeChunk);

/// The rarity of words.
pub(crate) struct WordRarity {
    /// For each word that was asked for: what it is worth in a text, and in a name.
    pub(crate) worth: Vec<(f32, f32)>,
    /// How many words a text and a name have on average.
    pub(crate) average: (f32, f32),
}

impl IndexStore {
    /// The chunks that answer best, the best first, of files that are not hidden; nothing, if it was
    /// told to stop.
    pub(crate) fn search(
        &self,
        searcher: &Searcher,
        words: &[QueryWord],
        most: usize,
        is_hidden: &dyn Fn(&FilePath) -> bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<ScoredChunk>>, StoreError> {
        let mut hidden = BTreeSet::new();
        let mut limit = most;
        'asking: loop {
            let query = self.query(words, &hidden);
            let search = || best(searcher, &query, limit, is_stopped);
            let Some(found) = guarded(search)? else {
                return Ok(None);
            };
            let is_all = found.len() < limit;
            let mut chunks = Vec::with_capacity(most);
            let mut in_vain = 0;
            for (score, address) in found {
                if is_stopped() {
                    return Ok(None);
                }
                let document = guarded(|| searcher.doc::<TantivyDocument>(address))?;
                let Some(chunk) = self.fields.to_chunk(&document) else {
                    continue;
                };
                if hidden.contains(&chunk.file) {
                    in_vain += 1;
                    if in_vain > most {
                        // It is faster to ask without that file.
                        continue 'asking;
                    }
                    continue;
                }
                if is_hidden(&chunk.file) {
                    hidden.insert(chunk.file);
                    continue;
                }
                chunks.push((score, chunk));
                if chunks.len() >= most {
                    return Ok(Some(chunks));
                }
            }
            if is_all {
                return Ok(Some(chunks));
            }
            // So many were hidden that more have to be looked at.
            limit = limit.saturating_mul(4);
        }
    }

    /// How many files there are, or a few more: some may have been forgotten a moment ago.
    pub(crate) fn files_at_most(&self) -> Result<usize, StoreError> {
        let searcher = self.searcher()?;
        guarded(|| {
            let mut files = 0;
            for segment in searcher.segment_readers() {
                files += segment
                    .inverted_index(self.fields.file)?
                    .terms()
                    .num_terms();
            }
            Ok(files)
        })
    }

    /// The words that are worth asking for: at least one, and others as long as they are not found
    /// too often.
    pub(crate) fn telling(
        &self,
        searcher: &Searcher,
        words: Vec<QueryWord>,
    ) -> Result<Vec<QueryWord>, StoreError> {
        let mut counted = Vec::with_capacity(words.len());
        let all = searcher.num_docs() as f32;
        for asked in words {
            let term = Term::from_field_text(self.fields.text, &asked.word);
            let count = guarded(|| searcher.doc_freq(&term))?;
            let tells = asked.weight * (1.0 + all / (1.0 + count as f32)).ln();
            counted.push((tells, count, asked));
        }
        counted.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut occurrences = 0;
        let mut is_worth_it = |number: usize, count: u64| {
            let fits = occurrences + count <= MOST_OCCURRENCES;
            occurrences += if fits { count } else { 0 };
            fits || number == 0
        };
        let telling = counted.into_iter().enumerate();
        let telling = telling.filter(|(number, (_, count, _))| is_worth_it(*number, *count));
        Ok(telling.map(|(_, (_, _, asked))| asked).collect())
    }

    /// How rare words are.
    pub(crate) fn rarity(
        &self,
        searcher: &Searcher,
        words: &[QueryWord],
    ) -> Result<WordRarity, StoreError> {
        let SchemaFields { text, name, .. } = self.fields;
        guarded(|| {
            let documents = searcher.total_num_docs()? as f32;
            let average = |field: Field| -> tantivy::Result<f32> {
                let words = searcher.total_num_tokens(field)? as f32;
                Ok(words / documents.max(1.0))
            };
            let worth = |field: Field, word: &str| -> tantivy::Result<f32> {
                let having = searcher.doc_freq(&Term::from_field_text(field, word))? as f32;
                let lacking = (documents - having).max(0.0);
                Ok((1.0 + (lacking + 0.5) / (having + 0.5)).ln())
            };
            let worth = |QueryWord { word, weight }: &QueryWord| {
                let (in_text, in_name) = (worth(text, word)?, worth(name, word)?);
                Ok((in_text * weight, in_name * weight * NAME_BOOST))
            };
            Ok(WordRarity {
                worth: words.iter().map(worth).collect::<tantivy::Result<_>>()?,
                average: (average(text)?, average(name)?),
            })
        })
    }

    fn query(&self, words: &[QueryWord], hidden: &BTreeSet<FilePath>) -> BooleanQuery {
        let mut parts: Vec<(Occur, Box<dyn Query>)> = Vec::with_capacity(words.len() * 2);
        for file in hidden {
            let term = Term::from_field_text(self.fields.path, file.as_str());
            let term = TermQuery::new(term, IndexRecordOption::Basic);
            parts.push((Occur::MustNot, Box::new(term)));
        }
        for QueryWord { word, weight } in words {
            let mut ask = |field, weight| {
                let term = Term::from_field_text(field, word);
                let term = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
                let part = Box::new(BoostQuery::new(term, weight));
                parts.push((Occur::Should, part));
            };
            ask(self.fields.text, *weight);
            ask(self.fields.name, weight * NAME_BOOST);
        }
        BooleanQuery::new(parts)
    }
}

/// The better one first; of equals, the one whose file and line come first.
pub(crate) fn in_order(
    score: f32,
    chunk: &CodeChunk,
    other_score: f32,
    other: &CodeChunk,
) -> Ordering {
    let by_score = other_score.total_cmp(&score);
    let by_file = by_score.then_with(|| chunk.file.cmp(&other.file));
    by_file.then_with(|| chunk.lines.start().cmp(other.lines.start()))
}

type RankedDocuments = Vec<(f32, tantivy::DocAddress)>;

/// Searches segment by segment, so that it can be stopped in between.
fn best(
    searcher: &Searcher,
    query: &BooleanQuery,
    limit: usize,
    is_stopped: &dyn Fn() -> bool,
) -> tantivy::Result<Option<RankedDocuments>> {
    let collector = TopDocs::with_limit(limit.max(1)).order_by_score();
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let mut found = Vec::new();
    for (number, segment) in searcher.segment_readers().iter().enumerate() {
        if is_stopped() {
            return Ok(None);
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        found.push(collector.collect_segment(weight.as_ref(), number, segment)?);
    }
    Ok(Some(collector.merge_fruits(found)?))
}
