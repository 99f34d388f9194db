//! Private keys of the reserve: other files and other wrappings than in `private_keys`.

use crate::planted_secrets::encoding::{base64, hex, percent};
use crate::planted_secrets::private_keys::{KeyKind, LETTERS, block, body};
use crate::planted_secrets::secret_shape::{BEGIN, END};

#[rustfmt::skip]
pub(super) const KEYS: &[KeyKind] = &[
    ("openvpn static key", "conf", |random| {
        let lines: Vec<_> = (0..16).map(|_| marked(&hex(&random.bytes(16)))).collect();
        let dashes = "-----";
        format!("<tls-auth>\n{dashes}BEGIN OpenVPN Static key V1{dashes}\n{}\n{dashes}END OpenVPN Static key V1{dashes}\n</tls-auth>\n", lines.join("\n"))
    }),
    ("dotnet xml key", "xml", |random| {
        let (modulus, d) = (random.letters(LETTERS, 344), random.letters(LETTERS, 344));
        format!("<RSAKeyValue><Modulus>{modulus}</Modulus><Exponent>AQAB</Exponent><D>{}</D></RSAKeyValue>\n", marked(&d))
    }),
    ("dnssec private file", "conf", |random| {
        let key = base64(&random.bytes(32));
        format!("Private-key-format: v1.3\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: {}\nCreated: 20260304120000\n", marked(&key))
    }),
    ("minisign secret key", "conf", |random| {
        let key = format!("RWRTY0Iy{}", random.letters(LETTERS, 204));
        format!("untrusted comment: minisign encrypted secret key\n{}\n", marked(&key))
    }),
    ("pkcs12 in code", "csharp", |random| {
        let key = format!("MIIJ{}==", random.letters(LETTERS, 1_502));
        format!("        var certificate = new X509Certificate2(Convert.FromBase64String(\"{}\"));\n", marked(&key))
    }),
    ("der in hex", "go", |random| {
        let key = format!("30770201010420{}a00a06082a8648ce3d030107", marked(&hex(&random.bytes(32))));
        format!("\tder, _ := hex.DecodeString(\"{key}\")\n\tprivateKey, err := x509.ParseECPrivateKey(der)\n")
    }),
    ("percent-encoded block", "env", |random| {
        let plain = body("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEH", 184, "\n", random).replace([BEGIN, END], "");
        let (begin, end) = (percent("-----BEGIN PRIVATE KEY-----\n"), percent("\n-----END PRIVATE KEY-----\n"));
        format!("SIGNING_PEM={begin}{}{end}\n", marked(&percent(&plain)))
    }),
    ("cloud-init host key", "yaml", |random| {
        let key = block("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA", 380, "\n    ", random);
        format!("ssh_keys:\n  ed25519_private: |\n    {key}\n  ed25519_public: ssh-ed25519 AAAAC3Nz deploy@web\n")
    }),
    ("body without its block", "properties", |random| {
        let key = body("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ", 1624, "", random);
        format!("app.privateKey={key}\n")
    }),
    ("symmetric json web key", "json", |random| {
        let key = random.letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 43);
        format!("{{\"keys\":[{{\"kty\":\"oct\",\"alg\":\"HS256\",\"use\":\"sig\",\"k\":\"{}\"}}]}}\n", marked(&key))
    }),
    ("pgp block in code", "pl", |random| {
        let key = block("PGP PRIVATE KEY BLOCK", "lQVYBG", 1500, "\n", random);
        format!("my $armored = <<'END';\n{key}\nEND\n")
    }),
];

fn marked(text: &str) -> String {
    format!("{BEGIN}{text}{END}")
}
