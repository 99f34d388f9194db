//! Names that people give secrets, and what they choose for secrets.
//!
//! Tables. A name is its words, which a form writes as its language does (`db password` becomes
//! `dbPassword`, `DB_PASSWORD` …). Names that hold what a person chose are apart from those that hold
//! what a machine made: nobody takes `sunshine` for a token.

#[rustfmt::skip]
/// Names of what people choose.
pub(super) const OF_PEOPLE: &[&str] = &[
    "password", "passwd", "pwd", "pw", "pass", "passphrase", "pass phrase", "secret",
    "db password", "db pass", "database password", "user password", "admin password", "root password",
    "login password", "smtp password", "mail password", "email password", "ftp password",
    "ssh password", "proxy password", "redis password", "postgres password", "mysql root password",
    "mongo password", "rabbitmq default pass", "keystore password", "trust store password",
    "key passphrase", "bind password", "ldap password", "default password", "initial password",
    "test password", "old password", "new password", "password confirmation", "wifi password", "master password",
    "vault password", "become pass", "basic auth password", "client secret", "app secret", "shared secret",
    "api secret", "session secret", "cookie secret", "webhook secret", "encryption password",
    "backup password", "service account password", "my pwd", "oauth client secret", "jwt secret",
    "signing secret", "zip password", "sudo pass", "account pin password", "user pass",
];

#[rustfmt::skip]
/// Names of what machines make.
pub(super) const OF_MACHINES: &[&str] = &[
    "api key", "apikey", "api token", "token", "access token", "auth token", "refresh token",
    "bearer token", "id token", "session token", "secret key", "private key", "access key",
    "secret access key", "encryption key", "signing key", "master key", "license key", "service key",
    "auth key", "deploy key", "deploy token", "bot token", "personal access token", "webhook token",
    "credentials", "credential", "auth secret", "csrf secret", "app key", "account key", "storage key",
    "client token", "admin token", "internal api key", "prod api key", "hmac key", "secret token",
];

#[rustfmt::skip]
/// Words for a password in the languages people write comments in.
pub(super) const OF_LANGUAGES: &[(&str, &str)] = &[
    ("german passwort", "passwort"), ("german kennwort", "kennwort"), ("german losungswort", "datenbank passwort"),
    ("spanish contraseña", "contraseña"), ("spanish contrasena", "contrasena"), ("spanish clave", "clave acceso"),
    ("portuguese senha", "senha"), ("french mot de passe", "mot de passe"), ("french motdepasse", "motdepasse"),
    ("french mdp", "mdp"), ("italian parola", "parola d ordine"), ("romanian parola", "parola"),
    ("polish hasło", "hasło"), ("polish haslo", "haslo"), ("dutch wachtwoord", "wachtwoord"),
    ("swedish lösenord", "lösenord"), ("swedish losenord", "losenord"), ("danish adgangskode", "adgangskode"),
    ("norwegian passord", "passord"), ("finnish salasana", "salasana"), ("czech heslo", "heslo"),
    ("hungarian jelszó", "jelszó"), ("hungarian jelszo", "jelszo"), ("russian пароль", "пароль"),
    ("russian parol", "parol"), ("ukrainian пароль", "пароль бази"), ("greek κωδικός", "κωδικός"),
    ("turkish şifre", "şifre"), ("turkish sifre", "sifre"), ("turkish parola", "yönetici parolası"),
    ("chinese 密码", "密码"), ("chinese 口令", "口令"), ("chinese mima", "mima"), ("japanese パスワード", "パスワード"),
    ("korean 비밀번호", "비밀번호"), ("korean 암호", "암호"), ("hindi पासवर्ड", "पासवर्ड"), ("arabic كلمة المرور", "كلمة المرور"),
    ("hebrew סיסמה", "סיסמה"), ("vietnamese mật khẩu", "mật khẩu"), ("vietnamese mat khau", "mat khau"),
    ("indonesian kata sandi", "kata sandi"), ("catalan contrasenya", "contrasenya"), ("croatian lozinka", "lozinka"),
    ("slovenian geslo", "geslo"), ("estonian parool", "parool"), ("lithuanian slaptažodis", "slaptažodis"),
    ("bulgarian парола", "парола"), ("thai รหัสผ่าน", "รหัสผ่าน"),
];

#[rustfmt::skip]
/// Passwords that people choose, of one word.
pub(super) const CHOSEN: &[&str] = &[
    "BlueMonkey", "correcthorsebatterystaple", "john.smith1", "sunshine", "Summer2024!", "hunter2",
    "dragonfly", "letmein99", "Tr0ub4dor&3", "iloveyou", "qwerty123", "P@ssw0rd!", "princess", "monkey",
    "football", "baseball1", "Winter2023", "welcome1", "Passw0rd", "starwars", "whatever", "trustno1",
    "Liverpool", "charlie", "michael", "superman", "ashley77", "bailey", "shadow", "master1", "jordan23",
    "harley", "ranger", "buster", "soccer", "killer", "george", "pepper", "zxcvbnm", "asdfgh1", "1q2w3e4r",
    "qazwsx", "mustang", "access14", "flower", "freedom", "computer1", "Corvette", "ginger", "butterfly",
    "purple-rain", "blink182", "naruto", "samantha", "cookie!", "cheese", "banana7", "Orange.County",
    "mySecretPlace", "GoldenEagle", "RedDragon77", "silverSurfer", "MidnightSun", "lakers24", "arsenal",
    "chelsea", "rockyou", "barcelona", "nirvana", "metallica", "jessica", "thunder", "phoenix", "mercedes",
    "ferrari", "porsche911", "kawasaki", "snowball", "tigger", "scooter", "maverick", "yankees", "dallas",
    "austin", "london", "paris2019", "berlin!", "Sommer2023!", "Hallo123", "schatzi", "bonjour", "soleil",
    "marseille", "amor", "tequiero", "estrella", "carlos", "futbol", "benfica", "corinthians", "zaq12wsx",
    "januari", "welkom01", "ajax", "feyenoord", "sommar", "hemligt", "perkele", "kissa", "matrix", "gandalf",
    "Frodo.Baggins", "hogwarts", "dumbledore", "skywalker", "enterprise-d", "klingon", "tardis10", "sherlock",
    "moriarty", "watson", "bigdog", "redsox", "steelers", "packers", "cowboys", "eagles", "jazzman",
    "guitar", "drummer", "pianoman", "coffee4me", "teatime", "pizzahut", "burrito", "sushi-roll", "spaghetti",
];

#[rustfmt::skip]
/// Passwords that people choose, with blanks.
pub(super) const PHRASES: &[&str] = &[
    "correct horse battery staple", "the quick brown fox 7", "my dog ate 3 shoes", "purple rain over berlin",
    "open up for the cleaners", "four green apples!", "never gonna give", "one ring to rule them",
];
