//! The words that call a value a secret: a value beside one of them may be one.
//!
//! The list is apart because rules, names and stand-ins all ask for it. Three other lists are about the
//! value instead, and are shorter, since a word too many there gives a secret away:
//!
//! - `NAMES` in `joined_words`: parts of words that no person makes a password of. `key` and `pass` are not
//!   among them, because `monkey` and `compass` have them.
//! - `NAMES` in `stand_in`: parts of a value that says what it is, such as `myNewToken`. It has `pass`, and
//!   takes out the words that have that by chance.
//! - `WORDS` in `stand_in`: values that stand in for a secret. Of the words here, it has those that people
//!   really write there.

/// A password in English.
pub(super) const PASSWORD: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pswd",
    "pass",
    "psk",
];

/// A password of a network, which is called a key.
pub(super) const SHARED_KEY: &[&str] = &["pre-shared-key", "pre_shared_key", "presharedkey"];

/// Shorter words for a password, which other words have in them.
pub(super) const SHORT_PASSWORD: &[&str] = &["pw", "psw"];

/// A password in the languages that people write comments in.
#[rustfmt::skip]
pub(super) const PASSWORD_ABROAD: &[&str] = &[
    "passwort", "kennwort", "contraseña", "contrasena", "contrasenya", "senha", "palavra_passe",
    "mot_de_passe", "motdepasse", "mot de passe", "mot-de-passe", "wachtwoord", "lösenord",
    "losenord", "salasana", "adgangskode", "pasahitza", "contrasinal", "wagwoord", "lykilorð",
    "lykilord", "kata_laluan", "katalaluan", "kata laluan", "პაროლი", "գաղտնաբառ", "құпиясөз",
    "құпия сөз", "parolă", "fjalëkalimi", "fjalekalimi", "salasõna", "salasona", "nenosiri",
    "nywila", "cyfrinair", "pasvorto", "пароли", "паролі", "gesloto", "গোপনশব্দ", "পাসওয়ার্ড",
    "கடவுச்சொல்", "పాస్‌వర్డ్", "رمز عبور", "رمز_عبور", "گذرواژه", "סיסמא", "كلمةالمرور", "passord",
    "jelszó", "jelszo", "şifre", "lozinka", "zaporka", "slaptazodis", "slaptažodis", "пароль",
    "Пароль", "ПАРОЛЬ", "пароля", "парола", "лозинка", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호",
    "암호", "סיסמה", "سيسما", "كلمة_المرور", "كلمة المرور", "كلمة-المرور", "كلمة_السر", "पासवर्ड",
    "รหัสผ่าน", "mật_khẩu", "mật khẩu", "mậtkhẩu", "mat_khau", "matkhau", "kata_sandi", "katasandi",
    "kata sandi", "κωδικός", "κωδικος", "κωδικός πρόσβασης", "κωδικος προσβασης",
];

/// Shorter words for it in those languages.
pub(super) const SHORT_PASSWORD_ABROAD: &[&str] = &[
    "clave", "parola", "parole", "hasło", "haslo", "heslo", "sifre", "geslo", "parool", "mdp",
    "mima", "parol",
];

/// A secret that a machine made.
pub(super) const SECRET: &[&str] = &["secret", "credential", "credentials", "key-data"];

/// A token.
pub(super) const TOKEN: &[&str] = &["token"];

/// A key, of which most open nothing.
pub(super) const KEY: &[&str] = &["key", "key_base"];

/// A salt that is as secret.
pub(super) const SALT: &[&str] = &[
    "signing_salt",
    "encryption_salt",
    "signingsalt",
    "secret_salt",
    "hash_salt",
    "auth_salt",
    "session_salt",
    "cookie_salt",
    "salt_secret",
    "erlang_cookie",
];

/// A secret key in other languages.
#[rustfmt::skip]
pub(super) const KEY_ABROAD: &[&str] = &[
    "geheime_sleutel", "geheimesleutel", "geheimer_schluessel", "geheimschluessel", "cle_secrete",
    "clesecrete", "cle_api", "clé_secrète", "clave_secreta", "clavesecreta", "clave_api",
    "chave_secreta", "chave_api", "chiave_segreta", "chiave_api", "hemlig_nyckel", "tajny_klucz",
    "klucz_api", "tajny_klic", "gizli_anahtar", "salainen_avain", "секретный_ключ",
    "секретний_ключ", "密钥", "密鑰", "秘密鍵", "비밀키",
];

/// A token of a service that keeps code.
pub(super) const ACCESS_TOKEN: &[&str] = &[
    "github_pat",
    "gitlab_pat",
    "devops_pat",
    "azure_pat",
    "-pat",
    "devopspat",
    "githubpat",
    "gitlabpat",
];

/// The words for a password, in all languages that are known.
pub(super) fn password_words() -> impl Iterator<Item = &'static str> {
    let lists = [
        PASSWORD,
        SHARED_KEY,
        SHORT_PASSWORD,
        PASSWORD_ABROAD,
        SHORT_PASSWORD_ABROAD,
    ];
    lists.into_iter().flatten().copied()
}

/// Whether a word in small letters is an English one of the list, to which no ending is joined.
pub(super) fn is_english(word: &str) -> bool {
    let lists = [PASSWORD, SHORT_PASSWORD, SECRET, TOKEN, KEY];
    lists.iter().any(|list| list.contains(&word))
}
