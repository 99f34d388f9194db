//! A tree becomes pieces.
//!
//! Only the top level, modules and long types are looked at: the inside of a function costs nothing
//! here. Unrecognised lines are not lost: the lines between two items are cut at blank ones and
//! belong to the owner of the level: the type, the module, or none.
//!
//! Where a parser found errors, what it recognised inside them counts as if it stood beside them. If
//! most of a text is neither, the tree says nothing of it, and there are no pieces by syntax.
//!
//! Two items on one line are one piece, the first of them: pieces are whole lines.

use std::ops::Range;

use foretell_text::ChunkKind;
use tree_sitter::{Node, Tree};

use super::grammar::{Grammar, NodeRole};
use super::line_starts::LineStarts;
use super::{LONGEST_TYPE, TextPiece, blank_line_blocks};

/// How deep levels are looked at: a method in a class in a class in `#if` in a namespace and so on.
const DEEPEST: usize = 12;
/// How many wrappers one in the other an item may have, and how many steps lead to its name.
const MOST_STEPS: usize = 12;
/// How long a name may be, in bytes.
const LONGEST_NAME: usize = 100;
/// Types and other items that have fewer lines are gathered with their neighbours.
const SMALL: usize = 3;
/// How many bytes a line may have that is in no piece if it is alone between two items.
const SCRAP: usize = 40;
/// How many lines the head of a type or of a module may have that goes with the first item in it: by
/// itself `impl Thing {` would be found for its name and say nothing.
const SHORT_HEAD_OF_TYPE: usize = 2;
const SHORT_HEAD_OF_MODULE: usize = 4;

/// The pieces of a text that was parsed, unless the tree says too little of it.
pub(super) fn pieces(
    tree: &Tree,
    grammar: &Grammar,
    lines: &LineStarts<'_>,
) -> Option<Vec<TextPiece>> {
    let mut walk = SyntaxWalk {
        grammar,
        lines,
        pieces: Vec::new(),
        lost: 0,
    };
    let root = tree.root_node();
    let nobody = LineOwner {
        kind: ChunkKind::Block,
        name: None,
        is_error: root.is_error(),
    };
    walk.level(root, 0..lines.count(), nobody, 0);
    (walk.lost * 2 <= lines.count()).then_some(walk.pieces)
}

struct SyntaxWalk<'a> {
    grammar: &'a Grammar,
    lines: &'a LineStarts<'a>,
    pieces: Vec<TextPiece>,
    /// How many lines of errors were not recognised.
    lost: usize,
}

/// The item that lines between items belong to.
#[derive(Clone, Copy)]
struct LineOwner<'a> {
    kind: ChunkKind,
    name: Option<&'a str>,
    is_error: bool,
}

/// A node with its kind and name.
struct ClassifiedNode<'a, 'tree> {
    sort: NodeSort<'tree>,
    name: Option<&'a str>,
}

enum NodeSort<'tree> {
    Function,
    Method,
    Item,
    Type { body: Option<Node<'tree>> },
    Module { body: Node<'tree> },
    Open { inside: Node<'tree> },
}

/// Small items that are gathered with what lies around them.
#[derive(Default)]
struct SmallItems<'a> {
    count: usize,
    lines: usize,
    /// The last one's.
    name: Option<&'a str>,
}

impl<'a> SyntaxWalk<'a> {
    /// Makes pieces of some lines, which a node's children are on.
    fn level(&mut self, parent: Node<'_>, range: Range<usize>, owner: LineOwner<'a>, depth: usize) {
        // The first line that is in no piece yet.
        let mut free = range.start;
        let mut before: Option<Range<usize>> = None;
        let mut gathered = SmallItems::default();
        let mut cursor = parent.walk();
        let mut is_there = cursor.goto_first_child();
        while is_there {
            let node = cursor.node();
            is_there = cursor.goto_next_sibling();
            let role = self.grammar.role(node);
            if role.is_none() && !node.is_named() {
                continue;
            }
            let own = self.lines.around(node.byte_range());
            let waiting = before.take().filter(|it| it.end >= own.start);
            if role == Some(NodeRole::Before) {
                let is_alone = own.start >= free && self.lines.is_first(node.start_byte());
                let start = waiting.map_or(own.start, |it| it.start);
                before = is_alone.then_some(start..own.end);
                continue;
            }
            let Some(found) = self.resolve(node) else {
                continue;
            };
            let start = waiting.map_or(own.start, |it| it.start).max(free);
            let mut item = start..own.end.min(range.end);
            if item.is_empty() {
                continue;
            }
            if matches!(found.sort, NodeSort::Item) && node.has_error() {
                // Its kind can hardly be known: a sentence looks like a declaration.
                self.lost += item.len();
                continue;
            }
            let is_plain = matches!(found.sort, NodeSort::Type { .. } | NodeSort::Item);
            if is_plain && item.len() < SMALL {
                gathered.count += 1;
                gathered.lines += item.len();
                gathered.name = found.name;
                continue;
            }
            if free == range.start && depth > 0 && self.is_short_head(free..start, owner) {
                item.start = free;
            }
            let is_head = free == range.start;
            let gathered = std::mem::take(&mut gathered);
            self.fill(free..item.start, owner, gathered, is_head);
            free = item.end;
            self.take(found, item, owner, depth);
        }
        self.fill(free..range.end, owner, gathered, free == range.start);
    }

    /// Makes pieces of the lines of an item.
    fn take(
        &mut self,
        found: ClassifiedNode<'a, '_>,
        item: Range<usize>,
        owner: LineOwner<'a>,
        depth: usize,
    ) {
        let ClassifiedNode { sort, name } = found;
        let is_shallow = depth < DEEPEST;
        let within = |kind: ChunkKind, name: Option<&'a str>| LineOwner {
            kind,
            name,
            is_error: false,
        };
        let kind = match sort {
            NodeSort::Open { inside } if is_shallow => {
                let is_error = owner.is_error || inside.is_error();
                let owner = LineOwner { is_error, ..owner };
                return self.level(inside, item, owner, depth + 1);
            }
            NodeSort::Module { body } if is_shallow => {
                let owner = within(ChunkKind::Item, name);
                return self.level(body, item, owner, depth + 1);
            }
            NodeSort::Type { body: Some(body) } if is_shallow && item.len() > LONGEST_TYPE => {
                let owner = within(ChunkKind::Type, name);
                return self.level(body, item, owner, depth + 1);
            }
            NodeSort::Function if owner.kind == ChunkKind::Type => ChunkKind::Method,
            NodeSort::Function => ChunkKind::Function,
            NodeSort::Method => ChunkKind::Method,
            NodeSort::Type { .. } => ChunkKind::Type,
            NodeSort::Item | NodeSort::Module { .. } | NodeSort::Open { .. } => ChunkKind::Item,
        };
        blank_line_blocks::push(self.lines, item, kind, name, &mut self.pieces);
    }

    /// Gives lines between items to the owner of their level.
    fn fill(
        &mut self,
        range: Range<usize>,
        owner: LineOwner<'a>,
        small: SmallItems<'a>,
        is_head: bool,
    ) {
        if owner.is_error {
            self.lost += range.len();
        }
        let is_all = range.len() == self.lines.count();
        if small.count == 0 && !is_all && self.is_scrap(range.clone()) {
            return;
        }
        let said = range.clone().filter(|line| !self.lines.is_blank(*line));
        let said = said.count();
        // A name on much else, or the type's on a line or two, would say too little.
        let (kind, name) = match owner.kind {
            ChunkKind::Type if is_head || said >= SMALL => (ChunkKind::Type, owner.name),
            _ if small.count == 1 && said <= small.lines + 1 => (ChunkKind::Item, small.name),
            ChunkKind::Block if small.count > 0 => (ChunkKind::Item, None),
            kind => (kind, None),
        };
        blank_line_blocks::cut(self.lines, range, kind, name, &mut self.pieces);
    }

    /// Whether lines are but a short one, such as `#endif` or the brace that ends a namespace.
    fn is_scrap(&self, range: Range<usize>) -> bool {
        let said = self.lines.text().get(self.lines.bytes(range));
        let said = said.unwrap_or_default().trim();
        said.len() <= SCRAP && !said.contains(['\n', '\r'])
    }

    fn is_short_head(&self, head: Range<usize>, owner: LineOwner<'a>) -> bool {
        let most = match owner.kind {
            ChunkKind::Type => SHORT_HEAD_OF_TYPE,
            ChunkKind::Item => SHORT_HEAD_OF_MODULE,
            _ => 0,
        };
        // Blank lines are few: those that are not end the count.
        let said = head.filter(|line| !self.lines.is_blank(*line));
        said.take(most + 1).count() <= most
    }

    /// Classifies a node, through anything that is wrapped around it.
    fn resolve<'tree>(&self, node: Node<'tree>) -> Option<ClassifiedNode<'a, 'tree>> {
        let mut node = node;
        for _ in 0..MOST_STEPS {
            let body = || node.child_by_field_name("body");
            let (sort, field) = match self.grammar.role(node)? {
                NodeRole::Before => return None,
                NodeRole::Wrapper => {
                    node = self.wrapped(node)?;
                    continue;
                }
                NodeRole::Module(name) => {
                    let body = body()?;
                    // `extern "C"` may stand before one function as well as before many.
                    if self.grammar.role(body).is_some() {
                        node = body;
                        continue;
                    }
                    (NodeSort::Module { body }, name)
                }
                NodeRole::Open => {
                    let sort = NodeSort::Open { inside: node };
                    return Some(ClassifiedNode { sort, name: None });
                }
                NodeRole::Binding(name, value) => {
                    let value = node.child_by_field_name(value);
                    let role = value.and_then(|value| self.grammar.role(value));
                    let sort = match role {
                        Some(NodeRole::Function(_)) => NodeSort::Function,
                        Some(NodeRole::Type(_)) => NodeSort::Type {
                            body: value.and_then(|value| value.child_by_field_name("body")),
                        },
                        _ => NodeSort::Item,
                    };
                    (sort, name)
                }
                NodeRole::Type(name) => (NodeSort::Type { body: body() }, name),
                NodeRole::Function(name) => (NodeSort::Function, name),
                NodeRole::Method(name) => (NodeSort::Method, name),
                NodeRole::Item(name) => (NodeSort::Item, name),
            };
            let (name, is_qualified) = self.name(node, field);
            let sort = match sort {
                NodeSort::Function if is_qualified => NodeSort::Method,
                sort => sort,
            };
            return Some(ClassifiedNode { sort, name });
        }
        None
    }

    /// The first child that is anything.
    fn wrapped<'tree>(&self, node: Node<'tree>) -> Option<Node<'tree>> {
        let mut cursor = node.walk();
        let mut is_there = cursor.goto_first_child();
        while is_there {
            let child = cursor.node();
            let role = self.grammar.role(child);
            if role.is_some_and(|role| role != NodeRole::Before) {
                return Some(child);
            }
            is_there = cursor.goto_next_sibling();
        }
        None
    }

    /// The name of an item, and whether it names something it is in, as in `Thing::run`.
    fn name(&self, node: Node<'_>, field: &str) -> (Option<&'a str>, bool) {
        let Some(mut at) = node.child_by_field_name(field) else {
            return (None, false);
        };
        let mut is_qualified = false;
        for _ in 0..MOST_STEPS {
            let mut fields = ["name", "declarator", "property", "type"].into_iter();
            let next = fields.find_map(|field| at.child_by_field_name(field));
            let next = next.or_else(|| match at.kind() {
                "reference_declarator" | "parenthesized_declarator" => at.named_child(0),
                _ => None,
            });
            let Some(next) = next else {
                break;
            };
            is_qualified |= at.kind() == "qualified_identifier";
            at = next;
        }
        let name = self.lines.text().get(at.byte_range());
        let name = name.map(|name| name.trim_matches(['"', '\'']));
        let is_name = |name: &&str| {
            let is_short = !name.is_empty() && name.len() <= LONGEST_NAME;
            is_short && !name.contains(['{', '\n', '\r'])
        };
        (name.filter(is_name), is_qualified)
    }
}
