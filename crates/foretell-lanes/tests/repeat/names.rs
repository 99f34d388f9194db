//! A name that becomes another: where it is the same name, and where it is another's.

use crate::story::Story;

#[test]
fn a_name_is_not_changed_inside_a_longer_one() {
    let text = "let size = 1;\nlet size_of = 2;\nuse_it(resize, size_of);\n";
    assert_eq!(
        Story::open("a.rs", text).change("size", "length").next(),
        "nothing"
    );
}

#[test]
fn a_change_in_code_is_none_in_a_string_or_a_comment() {
    let text = "let count = 1;\n// The count is small.\nlog(\"count\");\nsend(count);\n";
    let story = Story::open("a.rs", text).change("count", "number");
    assert_eq!(story.next(), "4: send(number);");
}

#[test]
fn a_change_in_a_string_is_one_in_another() {
    let text = "let a = get(\"user_name\");\nlet user_name = 1;\nset(\"user_name\", a);\n";
    let story = Story::open("a.rs", text).change("user_name", "login_name");
    assert_eq!(story.next(), "3: set(\"login_name\", a);");
}

#[test]
fn a_name_that_was_changed_in_two_ways_is_left_alone() {
    let text = "a(total);\nb(total);\nc(total);\n";
    let story = Story::open("a.rs", text)
        .change("total", "gross")
        .change("total", "net");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_second_variable_of_the_same_name_is_another() {
    let text = "let words = read();\nlet words = words.sorted();\nshow(words);\n";
    let story = Story::open("a.rs", text).change("words", "lines");
    assert_eq!(story.next(), "2: let words = lines.sorted();");
    assert_eq!(story.candidates().len(), 1);
}

#[test]
fn a_variable_is_known_in_its_block() {
    let text = "fn a() {\n    let total = 1;\n}\n\nfn b(total: u8) {\n    show(total);\n}\n";
    let story = Story::open("a.rs", text).change("total", "amount");
    assert_eq!(story.next(), "nothing");
    let text = "fn b(total: u8) {\n    show(total);\n}\n\nfn a() {\n    let total = 1;\n    log(total);\n}\n";
    let story = Story::open("a.rs", text).change("let ‸total", "amount");
    assert_eq!(story.next(), "7: log(amount);");
    assert_eq!(story.candidates().len(), 1);
}

#[test]
fn the_same_name_in_another_spelling_follows() {
    let text =
        "let flag = arg(\"next-abi\");\n\nlet next_abi = matches(\"next-abi\");\nset(next_abi);\n";
    let story = Story::open("a.rs", text).change("next", "prev");
    let next = "3: let prev_abi = matches(\"prev-abi\"); | 4: set(prev_abi);";
    assert_eq!(story.next(), next);
}

/// Two functions that both have a name, and what is offered after each step of its change in the
/// first: at its declaration, and then at its use.
fn steps(file: &str, text: &str, old: &str) -> [String; 2] {
    let one = Story::open(file, text).change(old, "renamed");
    let first = one.next();
    let two = one.change(old, "renamed");
    [first, two.next()]
}

#[test]
fn a_variable_is_known_in_its_block_at_every_step_of_its_change() {
    let text = "fn a() {\n    let count = one();\n    emit(count);\n}\n\nfn b() {\n    let count = two();\n    emit(count);\n}\n";
    assert_eq!(
        steps("a.rs", text, "count"),
        ["3: emit(renamed);", "nothing"]
    );
    let text = text.replace("fn", "function").replace("let", "const");
    assert_eq!(
        steps("a.ts", &text, "count"),
        ["3: emit(renamed);", "nothing"]
    );
    // However many steps there are.
    let text = "fn a() {\n    let count = 1;\n    one(count);\n    x();\n    two(count);\n    x();\n    three(count);\n}\n\nfn b(count: u8) {\n    emit(count);\n}\n";
    let mut story = Story::open("a.rs", text);
    for _ in 0..4 {
        story = story.change("count", "total");
    }
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_parameter_is_known_in_its_function() {
    let text = "function area(value: number) {\n  return value + 2;\n}\n\nfunction cube(value: number) {\n  return value + 3;\n}\n";
    assert_eq!(
        steps("a.ts", text, "value"),
        ["2: return renamed + 2;", "nothing"]
    );
    let text = "class Shape {\n  area(value: number): number {\n    return value + 2;\n  }\n\n  cube(value: number): number {\n    return value + 3;\n  }\n}\n";
    assert_eq!(
        steps("a.ts", text, "value"),
        ["3: return renamed + 2;", "nothing"]
    );
    let text = "def area(\n    value,\n):\n    return value + 2\n\n\ndef cube(value):\n    return value + 3\n";
    assert_eq!(
        steps("a.py", text, "value"),
        ["4: return renamed + 2", "nothing"]
    );
    let text = "fn area(value: u32) -> u32 {\n    value + 2\n}\n\nfn cube(value: u32) -> u32 {\n    value + 3\n}\n";
    assert_eq!(steps("a.rs", text, "value"), ["2: renamed + 2", "nothing"]);
    let text = "int area(int value)\n{\n    return value + 2;\n}\n\nint cube(int value)\n{\n    return value + 3;\n}\n";
    assert_eq!(
        steps("a.c", text, "value"),
        ["3: return renamed + 2;", "nothing"]
    );
}

#[test]
fn a_variable_that_no_word_declares_is_known_in_its_function() {
    let text = "def area(v):\n    if v:\n        result = v * 2\n    return result\n\n\ndef cube(v):\n    result = v * 3\n    return result\n";
    assert_eq!(
        steps("a.py", text, "result"),
        ["4: return renamed", "nothing"]
    );
    let text = "func a() {\n\tresp := get()\n\tuse(resp)\n}\n\nfunc b() {\n\tresp := post()\n\tuse(resp)\n}\n";
    assert_eq!(steps("a.go", text, "resp"), ["3: use(renamed)", "nothing"]);
    let text = "int a(void) {\n    int count = 0;\n    return count;\n}\n\nint b(void) {\n    int count = 1;\n    return count;\n}\n";
    assert_eq!(
        steps("a.c", text, "count"),
        ["3: return renamed;", "nothing"]
    );
}

#[test]
fn a_variable_of_a_loop_is_known_in_the_loop() {
    let text = "fn a() {\n    for item in list {\n        use_it(item);\n    }\n    for item in others {\n        use_it(item);\n    }\n}\n";
    assert_eq!(
        steps("a.rs", text, "item"),
        ["3: use_it(renamed);", "nothing"]
    );
}

#[test]
fn what_a_type_is_called_is_known_beyond_the_function_that_takes_it() {
    let text = "fn area(shape: Square) {\n    shape.one();\n}\n\nfn cube(shape: Square) {\n    shape.two();\n}\n";
    let story = Story::open("a.rs", text).change("Square", "Rectangle");
    assert_eq!(story.next(), "5: fn cube(shape: Rectangle) {");
}

#[test]
fn a_variable_that_nobody_is_told_of_is_known_in_its_document() {
    let other = "export function other(data: Foo) {\n  return data.length;\n}\n";
    let story = Story::open("a.ts", "const data = load();\nuse(data);\n").also("b.ts", other);
    let story = story.change("data", "payload").change("data", "payload");
    assert_eq!(story.next(), "nothing");
    let text = "import * as tools from 'tools';\ntools.run();\n";
    let story = Story::open("a.ts", text).also("b.ts", "import * as tools from 'tools';\n");
    let story = story.change("tools", "kit").change("tools.run", "kit.run");
    assert_eq!(story.next(), "nothing");
    let text = "export const data = load();\nuse(data);\n";
    let story = Story::open("a.ts", text).also("b.ts", "import { data } from './a';\nuse(data);\n");
    let story = story.change("data", "payload").change("data", "payload");
    assert_eq!(
        story.next(),
        "b.ts 1: import { payload } from './a'; | 2: use(payload);"
    );
}

#[test]
fn a_member_a_key_and_a_shorthand_are_no_variable() {
    let text = "const width = 1;\nconst o = { width: 3, height: 2 };\nconst p = { width };\nfoo.width = 2;\nbar(width);\n";
    let story = Story::open("a.ts", text).change("width", "size");
    assert_eq!(story.next(), "5: bar(size);");
    assert_eq!(story.candidates().len(), 1);
}

#[test]
fn a_pattern_and_the_text_between_tags_are_no_code() {
    let text =
        "const user = 1;\nlog(`hello user ${user} user`);\nconst r = /user/;\nx = <b>user</b>;\n";
    let story = Story::open("a.ts", text).change("user", "person");
    assert_eq!(story.next(), "2: log(`hello user ${person} user`);");
    assert_eq!(story.candidates().len(), 1);
}

#[test]
fn a_variable_does_not_take_a_name_that_is_in_use() {
    let text = "const alpha = 1;\nconst z = alpha + beta;\nlog(alpha);\n";
    let story = Story::open("a.ts", text).change("alpha", "beta");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_tag_is_no_name() {
    let text = "x = <h1>One</h1>;\ny();\nz = <h1>Two</h1>;\n";
    let story = Story::open("a.ts", text).change("<h1>One</h1>", "<h2>One</h2>");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_name_is_known_beyond_a_prototype() {
    let text = "extern \"C\" {\n    fn name(\n        id: u32,\n    ) -> u8;\n    fn value(\n        id: u32,\n    ) -> u8;\n}\n";
    let story = Story::open("a.rs", text).change("id:", "index:");
    assert_eq!(story.next(), "6: index: u32,");
}

#[test]
fn a_parameter_is_changed_beside_operators_too() {
    let text = "func check(args []string, min int) error {\n\tif len(args) < min || min > 9 {\n\t\treturn fail(min)\n\t}\n\treturn nil\n}\n";
    let story = Story::open("a.go", text).change("‸min", "least");
    assert_eq!(
        story.next(),
        "2: if len(args) < least || least > 9 { | 3: return fail(least)"
    );
    let text = "fn a(min: u8, b: u8) -> bool {\n    b<min && b > min\n}\n";
    let story = Story::open("a.rs", text).change("‸min", "least");
    assert_eq!(story.next(), "2: b<least && b > least");
}

#[test]
fn a_parameter_of_one_letter_is_changed_in_its_function_and_nowhere_else() {
    let text =
        "fn a(n: u8) -> u8 {\n    let m = 2;\n    m + n\n}\n\nfn b(n: u8) -> u8 {\n    1 + n\n}\n";
    let story = Story::open("a.rs", text).change("‸n: u8", "count: u8");
    assert_eq!(story.next(), "3: m + count");
    assert_eq!(story.candidates().len(), 1);
}
