//! [`SuccessorTable`]: which tokens came after a context, how often, and which was the last.
//!
//! Open addressing over contexts, and one list of tokens for each, the latest first, in one arena. What
//! is taken out is free for what comes in. Most contexts have had one token, once: that stands in the
//! slot itself.
//!
//! A context keeps the [`MOST_KEPT`] tokens that came last, so that one behind which anything may come,
//! as a quote in a table of hashes, costs no more than another. What falls out of a list is not counted
//! any more, and taking it back changes nothing, or makes a later count of the same token too small.
//!
//! Kept: a table never says more than it was told and was not taken back: what is forgotten is gone.
//! Counting a token or taking it back costs [`MOST_KEPT`] steps at most. Memory is bounded by what was put
//! in and by [`MOST_CONTEXTS`]; nothing depends on where in memory anything is.

use crate::token_vocabulary::TokenId;

/// How many contexts a table has room for. Beyond that, new ones are not learned.
const MOST_CONTEXTS: usize = 1 << 21;
/// How many tokens of a context are looked at.
pub(crate) const MOST_SUCCESSORS: usize = 40;
/// How many are kept: a few more, so that there are others when some of them are taken back.
const MOST_KEPT: usize = 48;

const NONE: u32 = u32::MAX;
/// The mark of a slot whose context has had one token, once: the rest of the number is the token.
const SINGLE: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct ContextSlot {
    context: u32,
    /// Where its list begins, or its only token; [`NONE`], if nothing came after it.
    head: u32,
}

impl ContextSlot {
    const FREE: ContextSlot = ContextSlot {
        context: 0,
        head: NONE,
    };

    fn single(self) -> Option<TokenId> {
        (self.head != NONE && self.head & SINGLE != 0).then_some(TokenId(self.head & !SINGLE))
    }
}

#[derive(Clone, Copy, Debug)]
struct SuccessorNode {
    token: TokenId,
    count: u32,
    next: u32,
}

/// Which tokens came after a context.
#[derive(Clone, Debug)]
pub(crate) struct SuccessorTable {
    slots: Vec<ContextSlot>,
    used: usize,
    nodes: Vec<SuccessorNode>,
    free: u32,
}

impl SuccessorTable {
    pub(crate) fn new() -> Self {
        SuccessorTable {
            slots: vec![ContextSlot::FREE; 1 << 4],
            used: 0,
            nodes: Vec::new(),
            free: NONE,
        }
    }

    /// Counts a token that came after a context.
    pub(crate) fn add(&mut self, context: u32, token: TokenId) {
        let Some(slot) = self.slot_for(context) else {
            return;
        };
        if self.slots[slot].head == NONE {
            self.slots[slot].head = SINGLE | token.0;
            return;
        }
        if let Some(single) = self.slots[slot].single() {
            let is_same = single == token;
            let node = SuccessorNode {
                token: single,
                count: 1 + u32::from(is_same),
                next: NONE,
            };
            self.slots[slot].head = self.put(node);
            if is_same {
                return;
            }
        }
        let head = self.slots[slot].head;
        let (mut before, mut at) = (NONE, head);
        let mut kept = 0;
        while at != NONE {
            let node = self.nodes[at as usize];
            kept += 1;
            let is_same = node.token == token;
            if is_same || kept == MOST_KEPT {
                // It goes to the front, or makes room for the one that does.
                let count = if is_same { node.count } else { 0 };
                if before != NONE {
                    self.nodes[before as usize].next = node.next;
                    self.nodes[at as usize].next = head;
                    self.slots[slot].head = at;
                }
                self.nodes[at as usize].token = token;
                self.nodes[at as usize].count = count.saturating_add(1);
                return;
            }
            before = at;
            at = node.next;
        }
        self.slots[slot].head = self.put(SuccessorNode {
            token,
            count: 1,
            next: head,
        });
    }

    /// Takes back what was counted.
    pub(crate) fn remove(&mut self, context: u32, token: TokenId) {
        let Some(slot) = self.find(context) else {
            return;
        };
        if let Some(single) = self.slots[slot].single() {
            if single == token {
                self.slots[slot].head = NONE;
            }
            return;
        }
        let mut before = NONE;
        let mut at = self.slots[slot].head;
        while at != NONE {
            let node = self.nodes[at as usize];
            if node.token != token {
                before = at;
                at = node.next;
                continue;
            }
            if node.count > 1 {
                self.nodes[at as usize].count -= 1;
                return;
            }
            if before == NONE {
                self.slots[slot].head = node.next;
            } else {
                self.nodes[before as usize].next = node.next;
            }
            self.nodes[at as usize].next = self.free;
            self.free = at;
            return;
        }
    }

    /// The tokens that came after a context, the latest first, with their counts.
    pub(crate) fn successors(&self, context: u32) -> impl Iterator<Item = (TokenId, u32)> {
        let slot = self
            .find(context)
            .map_or(ContextSlot::FREE, |slot| self.slots[slot]);
        let single = slot.single().map(|token| (token, 1));
        let mut at = if single.is_some() { NONE } else { slot.head };
        let all = std::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            at = node.next;
            Some((node.token, node.count))
        });
        single.into_iter().chain(all).take(MOST_SUCCESSORS)
    }

    /// Every token that is counted.
    #[cfg(test)]
    pub(crate) fn all_tokens(&self) -> impl Iterator<Item = TokenId> {
        let contexts = self.slots.iter().filter(|slot| slot.context != 0);
        contexts.flat_map(|slot| self.successors(slot.context).map(|(token, _)| token))
    }

    fn put(&mut self, node: SuccessorNode) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            return (self.nodes.len() - 1) as u32;
        }
        let at = self.free;
        self.free = self.nodes[at as usize].next;
        self.nodes[at as usize] = node;
        at
    }

    fn find(&self, context: u32) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = place(context, mask);
        while self.slots[at].context != 0 {
            if self.slots[at].context == context {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
        None
    }

    fn slot_for(&mut self, context: u32) -> Option<usize> {
        if let Some(slot) = self.find(context) {
            return Some(slot);
        }
        if (self.used + 1) * 3 > self.slots.len() * 2 {
            self.make_room();
        }
        if self.used >= MOST_CONTEXTS {
            return None;
        }
        self.used += 1;
        let mask = self.slots.len() - 1;
        let mut at = place(context, mask);
        while self.slots[at].context != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at].context = context;
        Some(at)
    }

    /// Forgets the contexts that nothing comes after any more, and grows if that is not enough.
    fn make_room(&mut self) {
        let alive = self.slots.iter().filter(|slot| slot.head != NONE).count();
        let mut size = self.slots.len();
        if alive * 2 > size {
            size *= 2;
        }
        let old = std::mem::replace(&mut self.slots, vec![ContextSlot::FREE; size]);
        let mask = size - 1;
        self.used = alive;
        for slot in old.into_iter().filter(|slot| slot.head != NONE) {
            let mut at = place(slot.context, mask);
            while self.slots[at].context != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

fn place(context: u32, mask: usize) -> usize {
    (context.wrapping_mul(0x9e37_79b1) >> 7) as usize & mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_context_behind_which_anything_came_keeps_what_came_last() {
        let mut table = SuccessorTable::new();
        for number in 10..30_010 {
            table.add(7, TokenId(number));
        }
        assert_eq!(table.nodes.len(), MOST_KEPT);
        let latest: Vec<_> = table.successors(7).map(|(token, _)| token.0).collect();
        let right: Vec<u32> = (30_010 - MOST_SUCCESSORS as u32..30_010).rev().collect();
        assert_eq!(latest, right);
        for number in 10..30_010 {
            table.remove(7, TokenId(number));
        }
        assert_eq!(table.successors(7).count(), 0);
    }

    #[test]
    fn what_came_once_behind_a_context_costs_a_slot_and_nothing_else() {
        let mut table = SuccessorTable::new();
        for context in 1..300 {
            table.add(context, TokenId(10));
        }
        assert!(table.nodes.is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_table_never_says_more_than_it_was_told(
            steps in prop::collection::vec((any::<bool>(), 1_u32..4, 10_u32..200), 0..2_000)
        ) {
            let mut table = SuccessorTable::new();
            let mut map = BTreeMap::<(u32, u32), u32>::new();
            for (adds, context, token) in steps {
                let count = map.entry((context, token)).or_default();
                if adds {
                    *count += 1;
                    table.add(context, TokenId(token));
                    prop_assert_eq!(table.successors(context).next().map(|it| it.0), Some(TokenId(token)));
                } else if *count > 0 {
                    *count -= 1;
                    table.remove(context, TokenId(token));
                }
                for (known, said) in table.successors(context) {
                    prop_assert!(said > 0 && said <= map[&(context, known.0)]);
                }
            }
            for ((context, token), count) in map {
                for _ in 0..count {
                    table.remove(context, TokenId(token));
                }
            }
            for context in 1..4 {
                prop_assert_eq!(table.successors(context).count(), 0);
            }
        }

        #[test]
        fn a_table_counts_as_a_map_does(
            steps in prop::collection::vec((any::<bool>(), 1_u32..60, 10_u32..20), 0..400)
        ) {
            let mut table = SuccessorTable::new();
            let mut map = BTreeMap::<(u32, u32), u32>::new();
            for (adds, context, token) in steps {
                let count = map.entry((context, token)).or_default();
                if adds {
                    *count += 1;
                    table.add(context, TokenId(token));
                    prop_assert_eq!(table.successors(context).next(), Some((TokenId(token), *count)));
                } else {
                    *count = count.saturating_sub(1);
                    table.remove(context, TokenId(token));
                }
            }
            for context in 1..60 {
                let mut said: Vec<_> = table.successors(context).map(|(it, n)| (it.0, n)).collect();
                said.sort_unstable();
                let right = map.range((context, 0)..(context + 1, 0)).filter(|(_, n)| **n > 0);
                let right: Vec<_> = right.map(|((_, token), n)| (*token, *n)).collect();
                prop_assert_eq!(said, right);
            }
        }
    }
}
