//! Ordinary code of each language, for secrets to stand in.
//!
//! A table of pieces that are put one after another. `$noun`, `$verb` and `$number` are filled in, so that no
//! two files are alike. The whole need not compile; a person would take it for what it is.

use super::random::SeededRandom;

/// So many lines of ordinary code.
pub(super) fn lines(language: &str, count: usize, random: &mut SeededRandom) -> String {
    let pieces = pieces(language);
    let mut text = String::new();
    while text.lines().count() < count {
        let piece = random
            .one_of(pieces)
            .replace("$noun", random.one_of::<&str>(NOUNS))
            .replace("$Noun", random.one_of::<&str>(CAPITAL_NOUNS))
            .replace("$verb", random.one_of::<&str>(VERBS))
            .replace("$number", &random.between(2, 9_000).to_string());
        text += &piece;
        text += "\n";
    }
    text
}

const NOUNS: &[&str] = &[
    "order", "invoice", "customer", "basket", "report", "widget", "page", "queue", "worker",
    "event", "record", "cursor", "buffer", "shape", "layer", "theme", "branch", "commit", "packet",
    "frame",
];
const CAPITAL_NOUNS: &[&str] = &[
    "Order", "Invoice", "Customer", "Basket", "Report", "Widget", "Page", "Queue", "Worker",
    "Event",
];
const VERBS: &[&str] = &[
    "load", "store", "render", "update", "merge", "count", "collect", "parse", "format", "resolve",
];

/// The pieces that a language's files are made of.
#[rustfmt::skip]
fn pieces(language: &str) -> &'static [&'static str] {
    match language {
        "python" => &[
            "import logging\nfrom collections import defaultdict\n", "logger = logging.getLogger(__name__)\n",
            "def $verb_$noun($noun, limit=$number):\n    \"\"\"Returns what is left of the $noun.\"\"\"\n    if not $noun:\n        return None\n    return [$noun[i] for i in range(min(limit, len($noun)))]\n",
            "class $Noun:\n    def __init__(self, name, size=$number):\n        self.name = name\n        self.size = size\n\n    def $verb(self):\n        return f\"{self.name}: {self.size}\"\n",
            "for $noun in sorted(items, key=lambda one: one.created_at):\n    total += $noun.amount\n    counts[$noun.kind] += 1\n",
            "try:\n    result = $verb($noun)\nexcept ValueError as error:\n    logger.warning(\"cannot $verb: %s\", error)\n",
            "DEFAULT_TIMEOUT = $number\nRETRIES = 3\n", "@pytest.fixture\ndef $noun(tmp_path):\n    return $Noun(tmp_path / \"$noun.json\")\n",
            "with open(path, encoding=\"utf-8\") as file:\n    rows = list(csv.DictReader(file))\n",
        ],
        "javascript" => &[
            "const express = require(\"express\");\nconst path = require('path');\n",
            "function $verb$Noun($noun, limit = $number) {\n  if (!$noun) {\n    return null;\n  }\n  return $noun.items.slice(0, limit);\n}\n",
            "app.get('/$noun/:id', async (req, res) => {\n  const found = await $Noun.findById(req.params.id);\n  res.json(found);\n});\n",
            "export class $Noun extends Component {\n  render() {\n    return <div className=\"$noun-list\">{this.props.title}</div>;\n  }\n}\n",
            "items.forEach((item) => {\n  total += item.amount * $number;\n});\n",
            "module.exports = { $verb$Noun, timeout: $number };\n", "console.log(`${name} took ${Date.now() - start} ms`);\n",
            "describe(\"$noun\", () => {\n  it(\"can $verb\", () => {\n    expect($verb($number)).toBe(true);\n  });\n});\n",
        ],
        "typescript" => &[
            "import { Injectable } from \"@angular/core\";\nimport type { $Noun } from \"./$noun\";\n",
            "export interface $Noun {\n  id: number;\n  name: string;\n  createdAt: Date;\n}\n",
            "export async function $verb$Noun(id: number): Promise<$Noun | undefined> {\n  const found = await repository.findOne({ where: { id } });\n  return found ?? undefined;\n}\n",
            "type State = \"idle\" | \"loading\" | \"done\";\n", "const limit: number = $number;\n",
            "  constructor(private readonly http: HttpClient) {}\n", "export const initial: State = \"idle\";\n",
            "@Component({ selector: \"app-$noun\", templateUrl: \"./$noun.html\" })\nexport class $NounComponent {}\n",
        ],
        "rust" => &[
            "use std::collections::BTreeMap;\nuse std::path::Path;\n",
            "/// What is left of a $noun.\npub fn $verb_$noun($noun: &$Noun, limit: usize) -> Option<usize> {\n    let left = $noun.size.checked_sub(limit)?;\n    Some(left * $number)\n}\n",
            "#[derive(Clone, Debug)]\npub struct $Noun {\n    name: String,\n    size: usize,\n}\n",
            "impl $Noun {\n    pub fn new(name: &str) -> Self {\n        Self { name: name.to_owned(), size: $number }\n    }\n}\n",
            "    for $noun in items.iter().filter(|one| one.size > $number) {\n        total += $noun.size;\n    }\n",
            "#[test]\nfn a_$noun_is_kept() {\n    assert_eq!($verb(&$Noun::new(\"a\")), Some($number));\n}\n",
            "    let $noun = $verb(path)?;\n",
        ],
        "go" => &[
            "package $noun\n\nimport (\n\t\"context\"\n\t\"fmt\"\n)\n",
            "// $verb$Noun returns what is left.\nfunc $verb$Noun(ctx context.Context, limit int) (int, error) {\n\tif limit > $number {\n\t\treturn 0, fmt.Errorf(\"limit %d is too large\", limit)\n\t}\n\treturn limit, nil\n}\n",
            "type $Noun struct {\n\tName string `json:\"name\"`\n\tSize int    `json:\"size\"`\n}\n",
            "\tfor _, $noun := range items {\n\t\ttotal += $noun.Size\n\t}\n", "\tif err != nil {\n\t\treturn nil, err\n\t}\n",
            "func Test$Noun(t *testing.T) {\n\tgot := $verb($number)\n\tif got != 1 {\n\t\tt.Fatalf(\"got %d\", got)\n\t}\n}\n",
        ],
        "java" | "scala" | "groovy" => &[
            "package com.acme.$noun;\n\nimport java.util.List;\nimport java.util.Map;\n",
            "    public List<$Noun> $verb$Noun(int limit) {\n        return repository.findAll().stream().limit(limit).toList();\n    }\n",
            "@Service\npublic class $NounService {\n    private final $NounRepository repository;\n    private int size = $number;\n",
            "    @Test\n    void ${noun}IsKept() {\n        assertEquals($number, service.$verb(1));\n    }\n",
            "    @Override\n    public String toString() {\n        return \"$Noun{\" + name + '}';\n    }\n",
            "        for ($Noun one : items) {\n            total += one.getAmount();\n        }\n",
        ],
        "c" => &[
            "#include <stdio.h>\n#include <stdlib.h>\n#include \"$noun.h\"\n",
            "static int $verb_$noun(struct $noun *$noun, size_t limit)\n{\n    if (!$noun || limit > $number)\n        return -1;\n    return (int)($noun->size - limit);\n}\n",
            "struct $noun {\n    const char *name;\n    size_t size;\n    struct $noun *next;\n};\n",
            "#define MAX_$number 64\n", "    for (i = 0; i < count; i++)\n        total += items[i].size;\n",
            "    fprintf(stderr, \"cannot $verb %s: %d\\n\", name, errno);\n", "    free($noun);\n",
        ],
        "cpp" => &[
            "#include <string>\n#include <vector>\n\nnamespace acme {\n",
            "class $Noun {\npublic:\n    explicit $Noun(std::string name) : name_(std::move(name)) {}\n    size_t size() const { return $number; }\n\nprivate:\n    std::string name_;\n};\n",
            "template <typename T>\nT $verb(const std::vector<T>& items) {\n    T total{};\n    for (const auto& item : items) total += item;\n    return total;\n}\n",
            "TEST($NounTest, $verb) {\n    EXPECT_EQ($verb({1, 2}), $number);\n}\n", "    auto $noun = std::make_unique<$Noun>(\"a\");\n",
        ],
        "csharp" | "vb" => &[
            "using System;\nusing System.Collections.Generic;\n\nnamespace Acme.$Noun;\n",
            "public class $Noun\n{\n    public int Id { get; set; }\n    public string Name { get; set; } = string.Empty;\n}\n",
            "    public async Task<$Noun?> $verbAsync(int id) =>\n        await context.Items.FirstOrDefaultAsync(one => one.Id == id);\n",
            "    [Fact]\n    public void Is_kept()\n    {\n        Assert.Equal($number, service.Count());\n    }\n", "        foreach (var one in items) total += one.Amount;\n",
        ],
        "ruby" | "elixir" => &[
            "require \"json\"\nrequire_relative \"$noun\"\n",
            "class $Noun < ApplicationRecord\n  belongs_to :customer\n  validates :name, presence: true\n\n  def $verb(limit = $number)\n    items.first(limit)\n  end\nend\n",
            "describe $Noun do\n  it \"can $verb\" do\n    expect(subject.size).to eq($number)\n  end\nend\n", "items.each { |one| total += one.amount }\n",
        ],
        "php" | "perl" => &[
            "<?php\n\nnamespace App\\$Noun;\n\nuse Illuminate\\Http\\Request;\n",
            "    public function $verb(Request $request): array\n    {\n        return $this->items->take($number)->toArray();\n    }\n",
            "class $NounController extends Controller\n{\n", "        foreach ($items as $one) {\n            $total += $one->amount;\n        }\n",
        ],
        "kotlin" | "dart" => &[
            "package com.acme.$noun\n\nimport kotlinx.coroutines.flow.Flow\n",
            "data class $Noun(val id: Long, val name: String, val size: Int = $number)\n",
            "fun List<$Noun>.$verb(limit: Int): Int = take(limit).sumOf { it.size }\n",
            "    @Test\n    fun `is kept`() {\n        assertEquals($number, service.$verb())\n    }\n",
        ],
        "swift" => &[
            "import Foundation\nimport SwiftUI\n", "struct $Noun: Codable {\n    let id: Int\n    var name: String\n}\n",
            "    func $verb(limit: Int = $number) -> [$Noun] {\n        Array(items.prefix(limit))\n    }\n", "        guard let $noun else { return nil }\n",
        ],
        "shell" => &[
            "set -euo pipefail\n", "cd \"$(dirname \"$0\")\"\n", "$verb_$noun() {\n    local file=$1\n    wc -l <\"$file\"\n}\n",
            "for file in build/*.tar.gz; do\n    tar -xzf \"$file\" -C /srv/$noun\ndone\n", "if [ ! -d /srv/$noun ]; then\n    mkdir -p /srv/$noun\nfi\n",
            "echo \"$noun: $number\"\n", "PORT=$number\n",
        ],
        "powershell" => &["$ErrorActionPreference = \"Stop\"\n", "Get-ChildItem -Path build | ForEach-Object { $_.Name }\n", "function Get-$Noun {\n    param([int]$Limit = $number)\n    return $Limit\n}\n"],
        "sql" => &[
            "CREATE TABLE $noun (\n    id BIGINT PRIMARY KEY,\n    name VARCHAR(200) NOT NULL,\n    size INTEGER DEFAULT $number\n);\n",
            "SELECT name, count(*) FROM $noun WHERE size > $number GROUP BY name;\n", "CREATE INDEX idx_$noun_name ON $noun (name);\n",
        ],
        "yaml" | "compose" => &[
            "$noun:\n  enabled: true\n  replicas: $number\n  labels:\n    app: web\n", "jobs:\n  - name: $verb\n    schedule: \"0 4 * * *\"\n    steps: [checkout, build, test]\n",
            "services:\n  $noun:\n    image: acme/$noun:1.4\n    ports:\n      - \"8080:80\"\n", "# How often to $verb.\ninterval: $number\n",
        ],
        "kubernetes" => &[
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: $noun\nspec:\n  replicas: 2\n", "      containers:\n        - name: $noun\n          image: acme/$noun:1.4\n          ports:\n            - containerPort: $number\n",
        ],
        "toml" => &["[package]\nname = \"$noun\"\nversion = \"0.1.0\"\n", "[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n", "[$noun]\nlimit = $number\nenabled = true\n"],
        "json" | "ecs" => &[
            "  \"name\": \"$noun\",\n  \"version\": \"1.4.$number\",\n  \"private\": true,", "  \"scripts\": {\n    \"build\": \"tsc -p .\",\n    \"test\": \"jest\"\n  },",
            "  \"limits\": { \"$noun\": $number, \"depth\": 4 },", "  \"files\": [\"dist\", \"README.md\"],",
        ],
        "xml" => &["<$noun id=\"$number\">\n  <name>first</name>\n</$noun>\n", "  <bean id=\"$noun\" class=\"com.acme.$Noun\">\n    <property name=\"size\" value=\"$number\"/>\n  </bean>\n"],
        "html" => &["<ul class=\"$noun-list\">\n  <li><a href=\"/$noun/$number\">$Noun</a></li>\n</ul>\n", "<p>There are $number of them.</p>\n", "<script src=\"/js/$noun.js\"></script>\n"],
        "ini" | "properties" => &["[$noun]\nenabled = true\nlimit = $number\n", "; how often to $verb\ninterval = $number\n", "log.level=info\nlog.file=/var/log/$noun.log\n"],
        "env" => &["NODE_ENV=production\nPORT=$number\n", "LOG_LEVEL=info\n", "# where the $noun is kept\nDATA_DIR=/srv/$noun\n"],
        "dockerfile" => &["FROM debian:bookworm-slim\nRUN apt-get update && apt-get install -y curl\n", "WORKDIR /srv/$noun\nCOPY . .\n", "EXPOSE $number\nCMD [\"./$noun\", \"--verbose\"]\n"],
        "terraform" | "nix" => &["resource \"aws_instance\" \"$noun\" {\n  ami           = \"ami-0abcd\"\n  instance_type = \"t3.small\"\n}\n", "variable \"region\" {\n  default = \"eu-west-1\"\n}\n", "output \"$noun\" {\n  value = aws_instance.$noun.id\n}\n"],
        "make" => &["build: $noun.o\n\tcc -o $noun $noun.o\n", ".PHONY: clean\nclean:\n\trm -rf build\n", "CFLAGS ?= -O2 -Wall\n"],
        "log" => &["2026-03-04T12:00:00Z INFO started $noun in $number ms\n", "2026-03-04T12:00:02Z WARN slow: $verb took $number ms\n"],
        "http" => &["HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: $number\n", "GET /$noun HTTP/1.1\nHost: example.com\nAccept: */*\n"],
        _ => super::reserve::pieces(language).unwrap_or(&[
            "The $noun is kept for $number days, and can be had again.\n", "## How to $verb a $noun\n\nType `make $noun`, and wait.\n", "- $verb the $noun\n- look at the report\n",
        ]),
    }
}
