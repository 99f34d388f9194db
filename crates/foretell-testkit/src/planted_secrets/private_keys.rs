//! Private keys, in the blocks and the disguises that they are kept in.
//!
//! Bodies are random letters of the right length, with the bytes that each kind begins with. What is
//! secret is the body; the lines that say what it is are not.

use super::encoding::base64;
use super::random::SeededRandom;
use super::secret_shape::{BEGIN, END};

/// A kind of key: what it is called, its language, and what makes it.
pub(super) type KeyKind = (&'static str, &'static str, fn(&mut SeededRandom) -> String);

#[rustfmt::skip]
/// All of them.
pub(super) const KEYS: &[KeyKind] = &[
    ("rsa block", "pem", |random| block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, "\n", random)),
    ("pkcs8 block", "pem", |random| block("PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ", 1624, "\n", random)),
    ("ec block", "pem", |random| block("EC PRIVATE KEY", "MHcCAQEEI", 164, "\n", random)),
    ("encrypted block", "pem", |random| block("ENCRYPTED PRIVATE KEY", "MIIFHDBOBgkqhkiG9w0BBQ0w", 1720, "\n", random)),
    ("openssh block", "pem", |random| block("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA", 380, "\n", random)),
    ("dsa block", "pem", |random| block("DSA PRIVATE KEY", "MIIBugIBAAKBgQ", 600, "\n", random)),
    ("ed25519 block", "pem", |random| block("PRIVATE KEY", "MC4CAQAwBQYDK2VwBCIEI", 64, "\n", random)),
    ("pgp block", "pem", |random| {
        let text = block("PGP PRIVATE KEY BLOCK", "lQOYBF", 1500, "\n", random);
        text.replacen("-----\n", "-----\nVersion: GnuPG v2\n\n", 1)
    }),
    ("old encrypted block with headers", "pem", |random| {
        let text = block("RSA PRIVATE KEY", "", 1592, "\n", random);
        let headers = "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n";
        text.replacen("-----\n", headers, 1)
    }),
    ("key of 131 lines", "pem", |random| block("RSA PRIVATE KEY", "MIIYkgIBAAKCBQEA", 8250, "\n", random)),
    ("ssh2 block", "pem", |random| {
        let body = body("P2/56wAAA", 900, "\n", random);
        format!("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"deploy\"\n{body}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n")
    }),
    ("putty file", "ppk", |random| {
        let public = random.letters(LETTERS, 64);
        let body = body("AAAA", 600, "\n", random);
        format!("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: deploy\nPublic-Lines: 1\n{public}\nPrivate-Lines: 10\n{body}\nPrivate-MAC: 0123456789abcdef\n")
    }),
    ("one line with escapes", "javascript", |random| {
        format!("const pem = \"{}\\n\";\n", block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\\n", random))
    }),
    ("google service account", "json", |random| {
        let key = block("PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEF", 1624, "\\n", random);
        format!("{{\n  \"type\": \"service_account\",\n  \"project_id\": \"acme\",\n  \"private_key\": \"{key}\\n\",\n  \"client_email\": \"web@acme.iam.gserviceaccount.com\"\n}}\n")
    }),
    ("yaml block", "yaml", |random| {
        let key = block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, "\n    ", random);
        format!("tls:\n  cert: web.crt\n  data: |\n    {key}\n  port: 443\n")
    }),
    ("pieces by line", "java", |random| {
        let key = block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\\n\"\n        + \"", random);
        format!("        String pem = \"{key}\";\n")
    }),
    ("adjacent pieces", "c", |random| {
        let key = block("EC PRIVATE KEY", "MHcCAQEEI", 164, "\\n\"\n    \"", random);
        format!("static const char server_pem[] =\n    \"{key}\\n\";\n")
    }),
    ("python triple quoted", "python", |random| {
        let key = block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, "\n", random);
        format!("PEM = \"\"\"{key}\"\"\"\n")
    }),
    ("raw string", "go", |random| {
        format!("var pem = []byte(`{}`)\n", block("EC PRIVATE KEY", "MHcCAQEEI", 164, "\n", random))
    }),
    ("base64 of a block", "yaml", |random| format!("  value: {}\n", wrapped(random))),
    ("kubernetes tls key", "kubernetes", |random| {
        format!("kind: Secret\ntype: kubernetes.io/tls\ndata:\n  tls.key: {}\n", wrapped(random))
    }),
    ("kubeconfig client key", "kubernetes", |random| {
        format!("users:\n- name: admin\n  user:\n    client-key-data: {}\n", wrapped(random))
    }),
    ("json web key", "json", |random| {
        let (d, x) = (random.letters(URL_LETTERS, 43), random.letters(URL_LETTERS, 43));
        format!("{{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"{x}\",\"d\":\"{BEGIN}{d}{END}\",\"kid\":\"web\"}}\n")
    }),
    ("rsa json web key", "json", |random| {
        let (n, d) = (random.letters(URL_LETTERS, 342), random.letters(URL_LETTERS, 342));
        format!("  {{\n    \"kty\": \"RSA\",\n    \"e\": \"AQAB\",\n    \"n\": \"{n}\",\n    \"d\": \"{BEGIN}{d}{END}\"\n  }}\n")
    }),
    ("indented block", "yaml", |random| {
        format!("        {}\n", block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\n        ", random))
    }),
    ("block with carriage returns", "pem", |random| block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, "\r\n", random)),
    ("commented block", "python", |random| {
        format!("# {}\n", block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, "\n# ", random))
    }),
    ("starred comment", "java", |random| {
        format!("/*\n * {}\n */\n", block("EC PRIVATE KEY", "MHcCAQEEI", 164, "\n * ", random))
    }),
    ("one line without breaks", "env", |random| {
        format!("PEM=\"{}\"\n", block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "", random))
    }),
    ("one line with blanks", "env", |random| {
        format!("PEM=\"{}\"\n", block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, " ", random))
    }),
    ("twice escaped", "json", |random| {
        format!("  \"env\": \"PEM=\\\"{}\\\"\",\n", block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\\\\n", random))
    }),
    ("array of lines", "javascript", |random| {
        let key = block("EC PRIVATE KEY", "MHcCAQEEI", 164, "',\n  '", random);
        format!("const pem = [\n  '{key}',\n].join('\\n');\n")
    }),
    ("heredoc", "shell", |random| {
        format!("cat > key.pem <<'EOF'\n{}\nEOF\n", block("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA", 380, "\n", random))
    }),
    ("terraform heredoc", "terraform", |random| {
        format!("  pem = <<-EOT\n    {}\n  EOT\n", block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\n    ", random))
    }),
    ("xml element", "xml", |random| {
        format!("<ds:Key>\n{}\n</ds:Key>\n", block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\n", random))
    }),
    ("block cut at its end", "pem", |random| {
        let text = block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592, "\n", random);
        text.split("-----END").next().unwrap_or_default().to_owned()
    }),
];

pub(super) const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(super) const URL_LETTERS: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The body of a key, in lines of 64 letters that something stands between.
pub(super) fn body(first: &str, count: usize, between: &str, random: &mut SeededRandom) -> String {
    let all = first.to_owned() + &random.letters(LETTERS, count - first.len());
    let lines: Vec<_> = all
        .as_bytes()
        .chunks(64)
        .map(|line| format!("{BEGIN}{}{END}", String::from_utf8_lossy(line)))
        .collect();
    lines.join(between)
}

/// A key in a block.
pub(super) fn block(
    label: &str,
    first: &str,
    count: usize,
    between: &str,
    random: &mut SeededRandom,
) -> String {
    let body = body(first, count, between, random);
    let dashes = "-----";
    format!("{dashes}BEGIN {label}{dashes}{between}{body}{between}{dashes}END {label}{dashes}")
}

/// A block in base64.
fn wrapped(random: &mut SeededRandom) -> String {
    let plain = block("PRIVATE KEY", "MIIEvQIBADANBgkq", 1624, "\n", random);
    let plain: String = plain
        .chars()
        .filter(|c| ![BEGIN, END].contains(c))
        .collect();
    format!("{BEGIN}{}{END}", base64(plain.as_bytes()))
}
