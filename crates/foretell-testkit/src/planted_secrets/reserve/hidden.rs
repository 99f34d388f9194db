//! Secrets that nothing names and secrets that are encoded, in the reserve.

use crate::planted_secrets::encoding::{base64, base64_url, hex};
use crate::planted_secrets::hidden::{EncodedKind, WORD, hidden, pair, strong};

/// Unnamed strings of 32 letters and more: kind, shape.
#[rustfmt::skip]
pub(super) const UNNAMED: &[(&str, &str)] = &[
    ("base62 of 34", "[w]{34}"),
    ("base62 of 56", "[w]{56}"),
    ("base62 of 80", "[w]{80}"),
    ("base64 of 40 bytes", "[b]{54}=="),
    ("base64 of 96 bytes", "[b]{128}"),
    ("base64url of 86", "[s]{86}"),
    ("lower case and digits of 50", "[L]{50}"),
    ("upper case and digits of 36", "[U]{36}"),
    ("base32 of 52", "[2]{52}"),
    ("base58 of 88", "[5]{88}"),
    ("versioned", "v2.[s]{22}.[s]{44}"),
    ("identifier and base62", "[L]{8}_[w]{40}"),
    ("groups of upper case", "[U]{8}-[U]{8}-[U]{8}-[U]{8}"),
    ("letters only of 48", "[a]{48}"),
];

/// Hexadecimal digits that nothing names.
pub(super) const UNNAMED_HEX: &[(&str, &str)] = &[
    ("hex of 48", "[x]{48}"),
    ("hex of 96", "[x]{96}"),
    ("hex of 128", "[x]{128}"),
];

/// Encoded ones.
#[rustfmt::skip]
pub(super) const ENCODED: &[EncodedKind] = &[
    ("base64 twice", "shell", |random| {
        let twice = base64(base64(pair(random).as_bytes()).as_bytes());
        format!("echo {} | base64 -d | base64 -d > credentials\n", hidden(&twice))
    }),
    ("base64 decoded by a shell", "shell", |random| {
        format!("DB_PASSWORD=$(echo {} | base64 --decode)\n", hidden(&base64(strong(random).as_bytes())))
    }),
    ("powershell encoded command", "batch", |random| {
        let command = format!("Connect-Service -User deploy -Password '{}'", strong(random));
        let wide: Vec<u8> = command.bytes().flat_map(|byte| [byte, 0]).collect();
        format!("powershell.exe -NoProfile -EncodedCommand {}\n", hidden(&base64(&wide)))
    }),
    ("character codes", "javascript", |random| {
        let codes: Vec<_> = strong(random).bytes().map(|byte| byte.to_string()).collect();
        format!("const password = String.fromCharCode({});\n", hidden(&codes.join(", ")))
    }),
    ("characters put together", "vbnet", |random| {
        let codes: Vec<_> = strong(random).bytes().map(|byte| format!("Chr({byte})")).collect();
        format!("        password = {}\n", hidden(&codes.join(" & ")))
    }),
    ("docker configuration of a cluster", "kubernetes", |random| {
        let auth = base64(pair(random).as_bytes());
        let inside = format!("{{\"auths\":{{\"registry.example.com\":{{\"auth\":\"{auth}\"}}}}}}");
        format!("kind: Secret\ntype: kubernetes.io/dockerconfigjson\ndata:\n  .dockerconfigjson: {}\n", hidden(&base64(inside.as_bytes())))
    }),
    ("cloud-init file", "yaml", |random| {
        let inside = format!("[client]\nuser=deploy\npassword={}\n", strong(random));
        format!("write_files:\n  - path: /root/.my.cnf\n    encoding: b64\n    content: {}\n", hidden(&base64(inside.as_bytes())))
    }),
    ("filezilla site", "xml", |random| {
        format!("      <User>deploy</User>\n      <Pass encoding=\"base64\">{}</Pass>\n", hidden(&base64(strong(random).as_bytes())))
    }),
    ("group policy password", "xml", |random| {
        let bytes = random.bytes(32);
        format!("    <Properties userName=\"deploy\" cpassword=\"{}\" changeLogon=\"0\"/>\n", hidden(base64(&bytes).trim_end_matches('=')))
    }),
    ("ansi-c quoted", "shell", |random| {
        let escaped: String = strong(random).bytes().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("export API_SECRET=$'{}'\n", hidden(&escaped))
    }),
    ("packed numbers", "ruby", |random| {
        let codes: Vec<_> = strong(random).bytes().map(|byte| byte.to_string()).collect();
        format!("secret = [{}].pack(\"c*\")\n", hidden(&codes.join(", ")))
    }),
    ("reversed", "python", |random| {
        let backwards: String = format!("gh{}_{}", "p", random.letters(WORD, 36)).chars().rev().collect();
        format!("token = \"{}\"[::-1]\n", hidden(&backwards))
    }),
    ("postgres bytes", "sql", |random| {
        format!("INSERT INTO vault (name, secret) VALUES ('web', '\\x{}');\n", hidden(&hex(strong(random).as_bytes())))
    }),
    ("address with a password in base64url", "go", |random| {
        let inside = format!("postgres://deploy:{}@db1/app", strong(random));
        format!("\tdsn, _ := base64.RawURLEncoding.DecodeString(\"{}\")\n", hidden(&base64_url(inside.as_bytes())))
    }),
];
