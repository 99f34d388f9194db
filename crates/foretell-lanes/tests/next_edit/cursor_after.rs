//! Where a model says that the cursor goes once its suggestion is accepted.

use foretell_testkit::lane_requests::{MARK, SECRET};

use crate::answers::{says, sum};
use crate::desk::Desk;

/// The formats whose models say it.
const SAYING: [&str; 2] = ["zeta-2.1", "zeta-2"];
const TOKEN: &str = "<|user_cursor|>";

/// The text after each suggestion, with `‸` where the cursor goes.
fn led_to(desk: &Desk, format: &str, was: &str, becomes: &str) -> Vec<String> {
    let told = desk.question(format).unwrap().told;
    assert!(told.contains(was), "{format}: {told}");
    let new = told.replacen(was, becomes, 1);
    desk.led_to(format, &says(format, desk, &new))
}

#[test]
fn it_goes_where_the_token_is() {
    let desk = sum();
    for format in SAYING {
        let becomes = "item.price(<|user_cursor|>);";
        let [after] = &led_to(&desk, format, "item.price;", becomes)[..] else {
            panic!("{format}");
        };
        assert!(after.contains("sum += item.price(‸);\n    }\n"), "{after}");
    }
}

#[test]
fn it_may_go_to_a_line_that_stays() {
    let desk = sum();
    for format in SAYING {
        let becomes = "item.cost;\n    }\n    sum<|user_cursor|>\n}";
        let after = led_to(&desk, format, "item.price;\n    }\n    sum\n}", becomes);
        assert_eq!(after.len(), 1, "{format}");
        assert!(
            after[0].contains("item.cost;\n    }\n    sum‸\n}"),
            "{after:?}"
        );
    }
}

#[test]
fn it_may_go_to_a_blank_line_that_is_put_in() {
    let desk = sum();
    for format in SAYING {
        let becomes = "item.price;\n\n        <|user_cursor|>\n        log(item);";
        let after = led_to(&desk, format, "item.price;", becomes);
        let expected = "item.price;\n\n        ‸\n        log(item);\n";
        assert!(after[0].contains(expected), "{format}: {after:?}");
    }
}

#[test]
fn of_equal_lines_it_goes_to_the_one_that_is_meant() {
    let desk = Desk::at(
        "a.rs",
        "fn f() {\n    x();\n    y();\n    x();‸\n    z();\n}\n",
    );
    for format in SAYING {
        let becomes = "    y();\n    x(<|user_cursor|>);\n    z(1);";
        let after = led_to(&desk, format, "    y();\n    x();\n    z();", becomes);
        assert_eq!(
            after,
            ["fn f() {\n    x();\n    y();\n    x(‸);\n    z(1);\n}\n"],
            "{format}"
        );
    }
}

#[test]
fn of_several_suggestions_the_nearest_leads_there() {
    let desk = sum();
    for format in SAYING {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("mut sum = 0", "mut sum = 0_u32", 1);
        let new = new.replacen("    sum\n}", "    sum\n} // total<|user_cursor|>", 1);
        let after = desk.led_to(format, &says(format, &desk, &new));
        assert_eq!(after.len(), 2, "{format}");
        assert!(!after[0].contains('‸'), "{after:?}");
        // The other one is not accepted with it.
        assert!(
            after[1].contains("mut sum = 0;") && after[1].contains("} // total‸\n"),
            "{after:?}"
        );
    }
}

#[test]
fn a_suggestion_further_up_that_adds_lines_does_not_move_it() {
    let desk = sum();
    for format in SAYING {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen(
            "    let mut sum = 0;",
            "    log();\n    log();\n    let mut sum = 0;",
            1,
        );
        let new = new.replacen("    sum\n}", "    sum // total<|user_cursor|>\n}", 1);
        let after = desk.led_to(format, &says(format, &desk, &new));
        let last = after.iter().find(|it| it.contains("total‸")).unwrap();
        assert!(last.contains("    sum // total‸\n}"), "{format}: {last}");
    }
}

#[test]
fn line_ends_of_windows_and_emoji_do_not_move_it() {
    let desk = Desk::at("a.rs", "fn f() {\r\n    let 😀 = 1;\r\n    g(😀)‸\r\n}\r\n");
    for format in SAYING {
        let becomes = "    let é = 2;\n    g(é, <|user_cursor|>😀)";
        let after = led_to(&desk, format, "    g(😀)", becomes);
        assert_eq!(
            after,
            ["fn f() {\r\n    let 😀 = 1;\r\n    let é = 2;\r\n    g(é, ‸😀)\r\n}\r\n"],
            "{format}"
        );
    }
}

#[test]
fn it_stays_where_it_is_meant_when_a_secret_comes_back() {
    let desk = Desk::at("a.rs", &format!("let key = \"{SECRET}\";\nlet n = 1;‸\n"));
    for format in SAYING {
        let told = desk.question(format).unwrap().told;
        assert!(told.contains(MARK), "{told}");
        let new = told.replacen("let n = 1;", "let n = 2;\nuse_of(<|user_cursor|>n);", 1);
        let after = desk.led_to(format, &says(format, &desk, &new));
        assert!(
            after[0].ends_with("let n = 2;\nuse_of(‸n);\n"),
            "{format}: {after:?}"
        );
    }
}

#[test]
fn markers_on_lines_of_their_own_do_not_move_it() {
    let desk = sum();
    let told = desk.question("zeta-2.1").unwrap().told;
    let new = told.replacen("item.price;", "item.cost(<|user_cursor|>);", 1);
    let after = desk.led_to("zeta-2.1", &format!("<|marker_1|>\n{new}\n<|marker_2|>\n"));
    assert!(after[0].contains("item.cost(‸);\n"), "{after:?}");
}

#[test]
fn beside_a_marker_on_an_empty_line_nobody_says_where_it_goes() {
    let desk = sum();
    let told = desk.question("zeta-2.1").unwrap().told;
    let new = told.replacen("item.price;", "item.cost();", 1);
    let after = desk.led_to(
        "zeta-2.1",
        &format!("<|marker_1|>{TOKEN}\n{new}\n<|marker_2|>\n"),
    );
    assert!(!after.concat().contains('‸'), "{after:?}");
}

#[test]
fn fences_and_remarks_do_not_move_it() {
    let desk = sum();
    let told = desk.question("zeta-2").unwrap().told;
    let new = told.replacen("item.price;", "item.cost(<|user_cursor|>);", 1);
    let after = desk.led_to("zeta-2", &format!("```rust\n{new}\n```\n"));
    assert!(after[0].contains("item.cost(‸);\n"), "{after:?}");
}

#[test]
fn a_token_that_comes_twice_says_nothing() {
    let desk = sum();
    for format in SAYING {
        let becomes = format!("item.{TOKEN}cost({TOKEN});");
        let after = led_to(&desk, format, "item.price;", &becomes);
        assert!(after[0].contains("item.cost();"), "{format}: {after:?}");
        assert!(!after[0].contains('‸'), "{format}: {after:?}");
    }
}

#[test]
fn no_other_model_says_it() {
    let desk = sum();
    for format in ["sweep-v2", "mercury"] {
        let after = led_to(&desk, format, "item.price;", "item.cost(<|cursor|>);");
        assert!(after[0].contains("item.cost();"), "{format}: {after:?}");
        assert!(!after[0].contains('‸'), "{format}: {after:?}");
    }
}
