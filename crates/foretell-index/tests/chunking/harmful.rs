//! Texts that were made to do harm: nested without end, broken, or endless in another way.
//!
//! The tests see to it that none of them does; the benchmark says what they cost.

/// Texts that were made to do harm, each of about so many bytes.
pub(crate) fn texts(size: usize) -> Vec<String> {
    let nested = [
        "(",
        "[",
        "{",
        "<",
        "((x)",
        "[[",
        "{\n",
        "if (x) {\n",
        "mod m {\n",
        "#if X\n",
    ];
    let nested = nested
        .into_iter()
        .chain(["class A {\n", "fn f() {\n", "namespace n {\n", "a<b<"]);
    let broken = [
        "\0", "\0\n", "fn ", "\"", "'", "`${", "/*", "/* */ ", "\r", "@", "r#\"", "\t\n", ";\n",
    ];
    let broken =
        broken
            .into_iter()
            .chain(["def f(\n", "else\n", "🦀", "template <", "=> ", "x.y."]);
    let parts = nested.chain(broken);
    // A text of one line is not even parsed, so all of it in lines besides.
    let endless = parts.flat_map(|part| {
        let line = part.repeat(80 / part.len()) + "\n";
        [
            part.repeat(size / part.len()),
            line.repeat(size / line.len()),
        ]
    });
    let indented = (0..size / 100).map(|depth| format!("{}if x:\n", " ".repeat(depth % 200)));
    let closed = |open: &str, close: &str| open.repeat(size / 2) + &close.repeat(size / 2);
    endless
        .chain([
            indented.collect(),
            closed("(", ")"),
            closed("{\n", "}\n"),
            closed("[", "]"),
        ])
        .collect()
}
