//! Names of the reserve, and what people choose there.
//!
//! The last names of each table are usual ones, because most people do call it `password`, however odd the
//! form is that they write it in.

/// Names of what people choose.
#[rustfmt::skip]
pub(super) const OF_PEOPLE: &[&str] = &[
    "passcode", "pass code", "pin code", "unlock code", "wpa psk", "pre shared key", "sa password", "pfx password",
    "p12 password", "keychain password", "sftp pass", "imap password", "pop3 passwd", "snmp community",
    "replication password", "superuser password", "certificate password", "key store pass", "gpg passphrase",
    "luks passphrase", "bot password", "logon password", "db pwd", "usr pwd", "jmx password", "grafana admin password",
    "enable secret", "recovery code", "kerberos passwd", "svc passwd", "archive pass", "consumer secret",
    "password", "secret", "db password", "admin password", "passphrase", "client secret", "passwd", "pass",
];

/// Names of what machines make.
#[rustfmt::skip]
pub(super) const OF_MACHINES: &[&str] = &[
    "subscription key", "function key", "ingest token", "sas token", "join token", "registration token",
    "user token", "job token", "vapid private key", "fernet key", "cookie key", "totp secret", "aes key",
    "hmac secret", "jwt signing key", "sso secret", "scim token", "app token", "data encryption key", "nextauth secret",
    "pepper", "server key", "api key", "token", "access token", "secret key", "auth token", "private key",
];

/// Words for a password in languages that the open table does not have.
#[rustfmt::skip]
pub(super) const OF_LANGUAGES: &[(&str, &str)] = &[
    ("basque pasahitza", "pasahitza"), ("galician contrasinal", "contrasinal"), ("afrikaans wagwoord", "wagwoord"),
    ("swahili nenosiri", "nenosiri"), ("malay kata laluan", "kata laluan"), ("portuguese palavra passe", "palavra passe"),
    ("welsh cyfrinair", "cyfrinair"), ("icelandic lykilorð", "lykilorð"), ("macedonian лозинка", "лозинка"),
    ("traditional chinese 密碼", "密碼"), ("persian رمز عبور", "رمز عبور"), ("georgian პაროლი", "პაროლი"),
];

/// Passwords that people choose, of one word.
#[rustfmt::skip]
pub(super) const CHOSEN: &[&str] = &[
    "Rumpelstilzchen", "BuddyHolly59", "sesame-street", "Ladybug22", "tulip.garden", "Kilimanjaro", "greenbay12",
    "OldTrafford", "moonlight8", "Peanut2015", "sailorMoon", "FluffyBunny", "wonderwall", "Bismarck1871", "mickeymouse",
    "crocodile", "Autumn2025", "Herbst24", "Spring-2026", "Password2025", "Admin2024", "Welcome.2023", "Company01",
    "Acme2026!", "letmeinnow", "opensesame", "abcd1234", "a1b2c3d4", "987654321", "11223344", "q1w2e3r4t5", "poiuytrewq",
    "zaqxswcde", "1qaz2wsx3edc", "Pa55word", "S3cret01", "Adm1nistrator", "r00tbeer", "toor99", "M@ggie2012", "J@nuary31",
    "Br0ncos!", "ilovemydog", "mylittlepony", "grandma1948", "Oliver+Emma", "thomas.mueller", "sarahjane", "niklas03",
    "valentina", "Giuseppe63", "katarzyna", "Dortmund09", "juventus1897", "flamengo", "galatasaray", "zlatan10", "ronaldo7",
    "guinness", "jackdaniels", "Espresso_3", "caramel.latte", "pumpkin", "strawberry5", "raspberry", "hummingbird",
    "wolfpack", "blackbird", "Yellowstone", "Sequoia_42", "montblanc", "Reykjavik", "timbuktu", "vegas-baby", "Deathstar",
    "Millennium.Falcon", "rivendell", "Sauron666", "winterfell", "Pikachu025", "zelda1986", "tetrisking", "bohemian",
    "ziggy.stardust", "Stairway2Heaven", "hotelcalifornia", "toyota", "Volkswagen", "harley-davidson", "ducati916",
];

/// Passwords that people choose, with blanks.
#[rustfmt::skip]
pub(super) const PHRASES: &[&str] = &[
    "seven lazy cats on a roof", "grandma makes the best soup", "blue bicycle under the bridge", "Nobody knows this 99",
    "to the moon and back", "rain again in march", "our boat is called Luise", "eleven sleepy owls!",
];
