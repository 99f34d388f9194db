//! Which nodes of which grammar are what, and where their names are: one table per language.
//!
//! A table names kinds of nodes as their grammar does. It is looked up once, when a [`Grammar`] is
//! made; after that a node's role is found by its number. A kind that is in no table is nothing to
//! look for: its lines are gathered with their neighbours'.

use tree_sitter::{Language, Node};

use self::NodeRole::{Before, Binding, Function, Item, Method, Module, Open, Type, Wrapper};
use foretell_text::language::LanguageGrammar;

/// The role of a node. Where there is a text, it is the field that leads to the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeRole {
    /// A function, or a method if it is in a type.
    Function(&'static str),
    /// A function of a type, wherever it stands.
    Method(&'static str),
    /// A type, with its members in `body` if it has any.
    Type(&'static str),
    /// Something else that has a name.
    Item(&'static str),
    /// A name that is given to a value, which may be a function or a type: both fields.
    Binding(&'static str, &'static str),
    /// Has items in its `body`, and a name of its own.
    Module(&'static str),
    /// Has items right in it, which are as if they stood beside it.
    Open,
    /// Is what the first of its children is that is anything.
    Wrapper,
    /// Belongs to what follows.
    Before,
}

/// A grammar, and what its nodes are.
pub(super) struct Grammar {
    language: Language,
    /// By the number of a kind.
    roles: Vec<Option<NodeRole>>,
}

impl Grammar {
    /// The grammar of that name, if there is one.
    pub(super) fn of(name: LanguageGrammar) -> Option<Self> {
        let language = language(name)?;
        let mut roles = vec![None; language.node_kind_count()];
        for (kind, role) in tables(name).iter().copied().flatten() {
            let id = usize::from(language.id_for_node_kind(kind, true));
            // Grammars share tables; number 0 is a kind that this one does not have.
            if let Some(slot) = roles.get_mut(id).filter(|_| id > 0) {
                *slot = Some(*role);
            }
        }
        Some(Grammar { language, roles })
    }

    /// The grammar itself.
    pub(super) fn language(&self) -> &Language {
        &self.language
    }

    /// The role of a node, if it has one.
    pub(super) fn role(&self, node: Node<'_>) -> Option<NodeRole> {
        if node.is_error() {
            return Some(Open);
        }
        self.roles
            .get(usize::from(node.kind_id()))
            .copied()
            .flatten()
    }
}

fn language(name: LanguageGrammar) -> Option<Language> {
    let language = match name {
        LanguageGrammar::Rust => tree_sitter_rust::LANGUAGE,
        LanguageGrammar::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        LanguageGrammar::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
        LanguageGrammar::JavaScript => tree_sitter_javascript::LANGUAGE,
        LanguageGrammar::Python => tree_sitter_python::LANGUAGE,
        LanguageGrammar::Go => tree_sitter_go::LANGUAGE,
        LanguageGrammar::Java => tree_sitter_java::LANGUAGE,
        LanguageGrammar::C => tree_sitter_c::LANGUAGE,
        LanguageGrammar::Cpp => tree_sitter_cpp::LANGUAGE,
        LanguageGrammar::Unparsed => return None,
    };
    Some(language.into())
}

/// Kinds of nodes and what they are.
type Table = [(&'static str, NodeRole)];

fn tables(name: LanguageGrammar) -> &'static [&'static Table] {
    match name {
        LanguageGrammar::Rust => &[RUST],
        LanguageGrammar::TypeScript | LanguageGrammar::Tsx | LanguageGrammar::JavaScript => {
            &[SCRIPT]
        }
        LanguageGrammar::Python => &[PYTHON],
        LanguageGrammar::Go => &[GO],
        LanguageGrammar::Java => &[JAVA],
        LanguageGrammar::C => &[C],
        LanguageGrammar::Cpp => &[C, CPP],
        LanguageGrammar::Unparsed => &[],
    }
}

const RUST: &Table = &[
    ("attribute_item", Before),
    ("block_comment", Before),
    ("const_item", Item("name")),
    ("enum_item", Type("name")),
    ("foreign_mod_item", Module("body")),
    ("function_item", Function("name")),
    ("impl_item", Type("type")),
    ("line_comment", Before),
    ("macro_definition", Item("name")),
    ("mod_item", Module("name")),
    ("static_item", Item("name")),
    ("struct_item", Type("name")),
    ("trait_item", Type("name")),
    ("type_item", Type("name")),
    ("union_item", Type("name")),
];

/// JavaScript, and TypeScript with and without tags.
const SCRIPT: &Table = &[
    ("abstract_class_declaration", Type("name")),
    ("ambient_declaration", Wrapper),
    ("arrow_function", Function("name")),
    ("assignment_expression", Binding("left", "right")),
    ("class", Type("name")),
    ("class_declaration", Type("name")),
    ("comment", Before),
    ("decorator", Before),
    ("enum_declaration", Type("name")),
    ("export_statement", Wrapper),
    ("expression_statement", Wrapper),
    ("field_definition", Binding("property", "value")),
    ("function_declaration", Function("name")),
    ("function_expression", Function("name")),
    ("function_signature", Item("name")),
    ("generator_function", Function("name")),
    ("generator_function_declaration", Function("name")),
    ("interface_declaration", Type("name")),
    ("internal_module", Module("name")),
    ("lexical_declaration", Wrapper),
    ("method_definition", Function("name")),
    ("module", Module("name")),
    ("public_field_definition", Binding("name", "value")),
    ("type_alias_declaration", Type("name")),
    ("variable_declaration", Wrapper),
    ("variable_declarator", Binding("name", "value")),
];

const PYTHON: &Table = &[
    ("assignment", Item("left")),
    ("class_definition", Type("name")),
    ("comment", Before),
    ("decorated_definition", Wrapper),
    ("expression_statement", Wrapper),
    ("function_definition", Function("name")),
];

const GO: &Table = &[
    ("comment", Before),
    ("const_declaration", Wrapper),
    ("const_spec", Item("name")),
    ("function_declaration", Function("name")),
    ("method_declaration", Method("name")),
    ("type_alias", Type("name")),
    ("type_declaration", Wrapper),
    ("type_spec", Type("name")),
    ("var_declaration", Wrapper),
    ("var_spec", Item("name")),
    ("var_spec_list", Wrapper),
];

const JAVA: &Table = &[
    ("annotation_type_declaration", Type("name")),
    ("block_comment", Before),
    ("class_declaration", Type("name")),
    ("compact_constructor_declaration", Function("name")),
    ("constructor_declaration", Function("name")),
    ("enum_body_declarations", Open),
    ("enum_declaration", Type("name")),
    ("interface_declaration", Type("name")),
    ("line_comment", Before),
    ("method_declaration", Function("name")),
    ("record_declaration", Type("name")),
];

const C: &Table = &[
    ("comment", Before),
    ("declaration", Item("declarator")),
    ("enum_specifier", Type("name")),
    ("function_definition", Function("declarator")),
    ("linkage_specification", Module("body")),
    ("preproc_def", Item("name")),
    ("preproc_elif", Open),
    ("preproc_else", Open),
    ("preproc_function_def", Item("name")),
    ("preproc_if", Open),
    ("preproc_ifdef", Open),
    ("struct_specifier", Type("name")),
    ("type_definition", Type("declarator")),
    ("union_specifier", Type("name")),
];

/// The rows that C++ has besides.
const CPP: &Table = &[
    ("alias_declaration", Type("name")),
    ("class_specifier", Type("name")),
    ("concept_definition", Item("name")),
    ("namespace_definition", Module("name")),
    ("template_declaration", Wrapper),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grammar_can_be_loaded() {
        for name in LanguageGrammar::PARSED {
            let grammar = Grammar::of(name).unwrap();
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(grammar.language()).unwrap();
        }
        assert!(Grammar::of(LanguageGrammar::Unparsed).is_none());
    }

    #[test]
    fn every_kind_and_field_of_a_table_is_in_a_grammar_it_is_for() {
        let tables = LanguageGrammar::PARSED.map(|name| (name, tables(name)));
        for (kind, role) in tables
            .iter()
            .flat_map(|(_, tables)| tables.iter().copied().flatten())
        {
            let fields: &[&str] = match role {
                Function(name) | Method(name) | Type(name) | Item(name) | Module(name) => &[name],
                Binding(name, value) => &[name, value],
                Open | Wrapper | Before => &[],
            };
            let has_all = |language: Language| {
                let has_fields = fields
                    .iter()
                    .all(|it| language.field_id_for_name(it).is_some());
                language.id_for_node_kind(kind, true) > 0 && has_fields
            };
            let with_it = tables.iter().filter(|(_, tables)| {
                tables
                    .iter()
                    .copied()
                    .flatten()
                    .any(|(other, _)| other == kind)
            });
            let mut languages = with_it.filter_map(|(name, _)| language(*name));
            assert!(languages.any(has_all), "{kind}");
        }
    }
}
