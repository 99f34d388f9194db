//! The table of secrets that something beside them calls one: names, headers, commands, calls.
//!
//! It is a table, and long: one row per way to say it. The words that call a value a secret are in
//! `secret_words`.

use super::secret_rule::SecretShape::{Around, Assignment, Pattern};
use super::secret_rule::{SecretRule, ValueStrictness, shaped, shaped_word};
use super::secret_words;

/// Rules whose literals are found in capitals or not.
pub(super) const NAMED: &[SecretRule] = &[
    shaped(
        "authorization",
        &["authorization"],
        Pattern(
            r#"(?i)^authorization[\\"'`\])]*\s*(?:[:=,]|=>)\s*[\\"'`]*(?:(?:bearer|basic|token|apikey|api-key|key|bot|negotiate|digest)[ \t]+)([A-Za-z0-9+/=._~:-]{8,})"#,
        ),
    ),
    shaped_word(
        "authorization",
        &["bearer "],
        Pattern(r"(?i)^bearer[ \t]+([A-Za-z0-9+/=._~-]{16,}|[A-Za-z0-9+/=._~-]{8,}<cut>)"),
    ),
    shaped_word(
        "authorization",
        &["token "],
        Pattern(r"(?i)^token[ \t]+([0-9a-f]{40})"),
    ),
    shaped_word(
        "authorization",
        &["basic "],
        Pattern(r"(?i)^basic[ \t]+([A-Za-z0-9+/]{8,}={0,2})"),
    ),
    // The second of two: `auth=("me", "…")`, `BasicAuth("me", "…")`. Lists in brackets are often those
    // of something else, such as the parts that a package is built with.
    shaped(
        "login pair",
        &[
            "auth=(",
            "auth = (",
            "auth: (",
            "auth' => [",
            "auth\" => [",
            "basicauth(",
            "basic_auth(",
            "digestauth(",
            "digest_auth(",
            "proxyauth(",
        ],
        Pattern(
            r#"^[A-Za-z_]{4,11}["']?(?: =>| ?=|:)? ?[(\[]\s{0,40}(?:[bru]?\\?["'][^"'\n]+["']|[A-Za-z0-9_.&]{1,60}),\s{0,40}(?:Some\(|[a-z_]{1,20} ?= ?)?[bru]?\\?["']((?:[^"'\\\n]|\\[^"'\n]|\\["'][A-Za-z0-9])+[^"'\\\n]{2,})\\?(?:["']|<cut>)"#,
        ),
    ),
    // The last of a login: `server.login("me", "…")`, `new PDO(address, "me", "…")`.
    shaped(
        "login pair",
        &[
            ".login(",
            "networkcredential(",
            "passwordauthentication(",
            "usernamepasswordcredentials(",
            "passwordcredential(",
            "plainauth(",
            ".authenticate(",
            "setcredentials(",
            "withcredentials(",
            "plaincredentials(",
            "basiccredentials(",
            "credentials::new(",
            "passwordtoken(",
            "setbasicauth(",
            "withbasicauth(",
            "httpbasic(",
            ".basic(",
            "setauthentication(",
            "setcredential(",
        ],
        Pattern(
            r#"^\.?[A-Za-z:]{5,28}\(\s{0,40}(?:"",\s{0,8})?["'][^"'\n]{1,80}["'](?:\.[a-z_]{4,9}\(\))?,\s{0,40}[bru]?["']((?:[^"'\\\n]|\\.){4,})(?:["']|<cut>)"#,
        ),
    ),
    shaped(
        "login pair",
        &[
            "new pdo(",
            "sequelize(",
            "create_superuser(",
            "createsuperuser(",
            " ftp(",
            " ftp_tls(",
            "ftplib.ftp(",
            "= database(",
            "mysqli(",
            "mysqli_connect(",
            "getconnection(",
            "pg_connect(",
            "mysql_connect(",
        ],
        Pattern(
            r#"^[A-Za-z_ .=]{4,18}\(\s{0,40}(?:["'][^"'\n]{0,160}["']|[$A-Za-z0-9_.>-]{1,60}),\s{0,40}["'][^"'\n]{0,80}["'],\s{0,40}["']([^"'\n]{4,})(?:["']|<cut>)"#,
        ),
    ),
    shaped_word(
        "login",
        &[
            "ldapsearch ",
            "ldapmodify ",
            "ldapadd ",
            "ldapwhoami ",
            "ldapdelete ",
            "ldappasswd ",
        ],
        Pattern(
            r#"^ldap[a-z]{3,8}[ \t](?:[^\n|;&]{0,160}?[ \t])?-w[ \t]*(?:"([^"${\n]{4,80})"|'([^'${\n]{4,80})'|([^\s"'${<-][^\s"'${<]{3,}))"#,
        ),
    ),
    shaped_word(
        "login",
        &["ldappasswd "],
        Pattern(
            r#"^ldappasswd[ \t](?:[^\n|;&]{0,160}?[ \t])?-s[ \t]*["']?([^\s"'${<-][^\s"'${<]{3,})"#,
        ),
    ),
    // `sqlplus user/…@host`.
    shaped_word(
        "login",
        &[
            "sqlplus ", "sqlldr ", "expdp ", "impdp ", "exp ", "imp ", "rman ",
        ],
        Pattern(
            r#"^[a-z]{3,7}[ \t]+(?:-[A-Za-z]{1,3}[ \t]+|target[ \t]+|userid=){0,3}["']?[A-Za-z][A-Za-z0-9_]{1,30}/["']?([^\s"'${<@/]{4,80})["']?@[A-Za-z0-9/]"#,
        ),
    ),
    shaped_word(
        "login",
        &["rootpw "],
        Pattern(
            r#"^rootpw[ \t]+(?:--(?:plaintext|lock|allow-ssh)[ \t]+){1,3}["']?([^\s"'${<-][^\s"'${<]{3,})"#,
        ),
    ),
    // Lines of `user:…` that a machine sets up its accounts from.
    shaped(
        "login",
        &["chpasswd:"],
        Pattern(
            r"^chpasswd:[ \t]{0,4}\r?\n(?:[ \t]{1,12}expire:[^\n]{1,16}\n)?[ \t]{1,12}list:[ \t]{0,4}[|>]?[^\n]{0,4}\n[ \t]{1,16}(?:- )?[A-Za-z0-9._-]{1,32}:([^\s${<]{4,80})(?:\s{1,20}(?:- )?[A-Za-z0-9._-]{1,32}:([^\s${<]{4,80}))?",
        ),
    ),
    // `[smtp.example.net]:587 user:…`, as a relay of mails has it.
    shaped(
        "login",
        &[
            "]:587",
            "]:465",
            "]:25",
            "]:submission",
            "[smtp.",
            "[mail.",
            "[relay.",
        ],
        Pattern(
            r"^(?:\[[A-Za-z0-9.-]{4,60})?\](?::[a-z0-9]{2,10})?[ \t]{1,20}[A-Za-z0-9._+@-]{1,60}:([^\s:${<]{4,80})(?:\s|\z)",
        ),
    ),
    shaped_word(
        "login",
        &["ipaddr = ", "ipaddr=", "ipv4addr = "],
        Pattern(
            r"^ip[v4]{0,2}addr ?= ?[^\s]{3,60}\s{1,40}(?:[a-z_]{2,24} ?= ?[^\s]{1,60}\s{1,40}){0,3}?secret ?= ?([^\s${<]{4,80})",
        ),
    ),
    shaped_word(
        "login",
        &["stats auth ", "auth-user-pass "],
        Pattern(r"^[a-z-]{5,14} ?(?:auth )?[^\s:]{1,40}:([^\s${<]{4,80})"),
    ),
    shaped_word(
        "login",
        &["requirepass ", "masterauth "],
        Pattern(r#"^[a-z]{10,11}[ \t]+["']?([^\s"'${<]{4,80})"#),
    ),
    // Routers and switches.
    shaped_word(
        "login",
        &[
            "enable secret ",
            "enable password ",
            "privilege 15 secret ",
            "privilege 15 password ",
            "key-string ",
            "tacacs-server key ",
            "radius-server key ",
            "isakmp key ",
            "password 0 ",
            "password 7 ",
            "secret 0 ",
            "secret 5 ",
        ],
        Pattern(
            r#"^[a-z0-9 -]{8,22} (?:[0579] )?["']?([^\s"'${<(]{4,80})["']?(?: address [^\n]{1,40})?[ \t]{0,4}(?:\r?\n|\z)"#,
        ),
    ),
    shaped(
        "login",
        &[": xauth \"", ": eap \"", ": psk \"", ": ntlm \""],
        Pattern(r#"^: [A-Za-z]{3,5} "([^"\n$]{4,120})""#),
    ),
    shaped_word(
        "login",
        &["snmpwalk ", "snmpget ", "snmpset ", "snmpbulkwalk "],
        Pattern(
            r#"^snmp[a-z]{3,8}[ \t](?:[^\n|;&]{0,100}?[ \t])?-c[ \t]*["']?([^\s"'${<-][^\s"'${<]{3,80})"#,
        ),
    ),
    shaped_word(
        "login",
        &["net user ", "schtasks ", "psexec "],
        Pattern(
            r#"(?i)^(?:net user [a-z0-9._-]{1,40}|(?:schtasks|psexec)[ \t](?u-i:[^\n|&]{0,160}?)[ \t](?:/rp|-p))[ \t]+["']?((?u-i:[^\s"'${<*/%-][^\s"'${<%]{3,80}))"#,
        ),
    ),
    // The password of a keystore, which takes its letters one by one.
    shaped(
        "login pair",
        &[
            ".load(",
            ".init(",
            ".getkey(",
            ".setkeyentry(",
            ".store(",
            "passwordprotection(",
            ".loadkeymaterial(",
            ".loadtrustmaterial(",
        ],
        Pattern(r#"^\.?[A-Za-z]{4,20}\([^;\n]{0,100}?"([^"\n]{4,80})"\.toCharArray\(\)"#),
    ),
    shaped_word(
        "login pair",
        &[
            "creds = (",
            "creds = [",
            "credentials = (",
            "credentials = [",
            "login = (",
            "account = (",
        ],
        Pattern(
            r#"^[A-Za-z]{5,11} = [\[(]\s{0,20}["'][A-Za-z0-9._@-]{1,60}["'],\s{0,20}["']([^"'\n]{4,80})["']\s{0,20},?[\])]"#,
        ),
    ),
    // `login: me / …`.
    shaped_word(
        "password of a map",
        &[
            "login: ",
            "credentials: ",
            "creds: ",
            "account: ",
            "logins: ",
        ],
        Pattern(
            r"^[A-Za-z]{5,11}: [A-Za-z0-9._@-]{2,40} ?[/:] ?([^\s/]{4,80})[ \t]{0,4}(?:\r?\n|\z)",
        ),
    ),
    shaped(
        "login pair",
        &["cookiesession({"],
        Pattern(r#"^[A-Za-z]{13}\(\{[^{}]{0,160}?keys:\s{0,4}\[\s{0,20}["']([^"'\n]{4,120})["']"#),
    ),
    // A program types this when it is asked for a password.
    shaped(
        "login pair",
        &[
            "assword:",
            "assword: ",
            "assword\"",
            "assword'",
            "assword for",
        ],
        Pattern(
            r#"^assword[^"'\n]{0,24}["'][^"'\n]{0,12}\n?[^"'\n]{0,40}?(?:send|sendline|send_line|sendLine|write|writeln|send_keys)\(?[ \t]{0,4}(?:-- )?b?["']([^"'\\\n]{4,80})(?:\\[rn]){0,2}["']"#,
        ),
    ),
    // Steps of a test type this into a field: `I enter "…" into "password"`.
    shaped_word(
        "login pair",
        &[
            "i enter \"",
            "i type \"",
            "i fill \"",
            "i fill in \"",
            "i write \"",
            "user enters \"",
        ],
        Pattern(
            r#"(?i)^(?:i|user) [a-z]{4,6}(?: in)? "((?u-i:[^"\n<]{4,80}))" (?:in|into|as|for|to|in the|into the|as the|as my|for the) (?:field )?"?[a-z_ -]{0,20}passw"#,
        ),
    ),
    // The words of a table of steps.
    shaped_word(
        "login pair",
        &[
            "input password ",
            "input text ",
            "fill text ",
            "fill secret ",
            "type secret ",
            "type text ",
            "input password\t",
            "input text\t",
        ],
        Pattern(
            r"(?i)^(?:input password[ \t]{2,40}[!-~]{1,80}|(?:input|fill|type) (?:text|secret)[ \t]{2,40}[!-~]{0,40}passw[!-~]{0,40})[ \t]{2,40}((?u-i:[^\s${][^\n\t${]{2,80}?))(?:\x20{2}|\t|\r?\n|\z)",
        ),
    ),
    // A variable of such a table: `${PASSWORD}    …`.
    shaped(
        "login pair",
        &[
            "password}  ",
            "passwd}  ",
            "_pass}  ",
            "pwd}  ",
            "_secret}  ",
            "password}\t",
        ],
        Pattern(r"^[A-Za-z_]{3,9}\}[ \t]{2,40}([^\s${=][^\s${]{3,80})[ \t]{0,4}(?:\r?\n|\z)"),
    ),
    // Names and passwords in one map: `basicAuth({ users: { 'me': '…' } })`.
    shaped(
        "login pair",
        &["basicauth({", "basic_auth({", "basicauth(users={"],
        Pattern(
            r#"^[A-Za-z_]{9,10}\((?:users=)?\{\s{0,40}(?:users:\s{0,4}\{)?\s{0,40}\[?["']?[A-Za-z0-9._@-]{1,40}["']?\]?\s{0,2}:\s{0,4}["']([^"'\n]{4,80})["'](?:,\s{1,20}["']?[A-Za-z0-9._@-]{1,40}["']?\s{0,2}:\s{0,4}["']([^"'\n]{4,80})["'])?"#,
        ),
    ),
    // The same in a variable, where a password must look like one.
    shaped_word(
        "password of a map",
        &[
            "users = {",
            "users: {",
            "users := map[string]string{",
            "accounts = {",
            "logins = {",
            "$users = [",
            "gin.accounts{",
            "users\": {",
        ],
        Pattern(
            r#"^[$A-Za-z.]{5,12}"?\s{0,2}[:=]{0,2}\s{0,2}(?:map\[string\]string)?[{\[]\s{0,40}["'][A-Za-z0-9._@-]{1,40}["']\s{0,4}(?::|=>)\s{0,8}["']([^"'\n]{6,80})["'](?:,\s{1,20}["'][A-Za-z0-9._@-]{1,40}["']\s{0,4}(?::|=>)\s{0,8}["']([^"'\n]{6,80})["'])?(?:,\s{1,20}["'][A-Za-z0-9._@-]{1,40}["']\s{0,4}(?::|=>)\s{0,8}["']([^"'\n]{6,80})["'])?"#,
        ),
    ),
    // Rows of a table whose columns are a name and a password.
    shaped_word(
        "login pair",
        &["struct "],
        Pattern(
            r#"^struct [A-Za-z_]{0,24} ?\{[^{};]{0,60};?[^{};]{0,60}[pP](?:ass|wd?|in)[^{}]{0,200}\}[^{}"]{0,120}\{\s{0,40}\{\s{0,8}"[^"\n]{1,60}",\s{0,8}"([^"\n]{4,80})"(?:[^{}"]{0,40}\},?\s{0,40}\{\s{0,8}"[^"\n]{1,60}",\s{0,8}"([^"\n]{4,80})")?(?:[^{}"]{0,40}\},?\s{0,40}\{\s{0,8}"[^"\n]{1,60}",\s{0,8}"([^"\n]{4,80})")?"#,
        ),
    ),
    // A machine, a user and a password: `connect("db.example.net", "me", "…")`.
    shaped(
        "login pair",
        &[".connect(", ":connect(", "_connect("],
        Pattern(
            r#"^[.:_]connect\(\s{0,40}["'][^"'\n]{1,80}["'],\s{0,40}(?:[0-9]{2,5},\s{0,40})?["'][A-Za-z0-9._@-]{1,40}["'],\s{0,40}["']([^"'\n]{4,80})["']"#,
        ),
    ),
    shaped(
        "login of a driver",
        &[".open \"", ".open("],
        Pattern(r#"^\.[oO]pen[ (]"[^"\n]{1,200}", ?"[A-Za-z0-9._@-]{1,40}", ?"([^"\n]{4,80})""#),
    ),
    shaped(
        "login pair",
        &["userauth_password("],
        Pattern(
            r#"^[a-z_]{17}\(\s{0,40}[^"()\n]{0,60}(?:"[^"\n]{1,60}",\s{0,8})?"([^"\n]{4,80})"\)"#,
        ),
    ),
    // A password alone, where words could be the name of a way to log in.
    shaped(
        "password alone",
        &[".auth(", ":auth("],
        Pattern(r#"^[.:]auth\(\s{0,8}["']([^"'\n]{6,80})["']\s{0,4}[,)]"#),
    ),
    // `provider :github, 'id', '…'`.
    shaped_word(
        "login pair",
        &["provider :"],
        Pattern(
            r#"^provider :[a-z0-9_]{2,40},\s{0,40}["'][^"'\n]{4,120}["'],\s{0,40}["']([^"'\n]{8,120})["']"#,
        ),
    ),
    // A server signs its cookies with this.
    shaped(
        "login pair",
        &[
            "newstore(",
            "newcookiestore(",
            "cookiestore::new(",
            "securecookie.new(",
        ],
        Pattern(r#"^[A-Za-z.:]{8,17}\(\s{0,8}(?:\[\]byte\(|b)?["']([^"'\n]{6,120})["']\)"#),
    ),
    shaped(
        "login pair",
        &["secure_link_md5 "],
        Pattern(r#"^secure_link_md5[ \t]{1,8}"[^"\n]{0,80}[ }]([^"\s$]{4,80})";"#),
    ),
    // Communities of SNMP are passwords that everybody sends in the clear.
    shaped(
        "login pair",
        &["communitydata("],
        Pattern(r#"^[A-Za-z]{13}\((?:["'][^"'\n]{1,40}["'],\s{0,8})?["']([^"'\n]{4,80})["']"#),
    ),
    shaped_word(
        "login pair",
        &[
            "snmp-server community ",
            "rocommunity ",
            "rwcommunity ",
            "rocommunity6 ",
        ],
        Pattern(r#"^[a-z0-9]{4,12}(?:-server community)?[ \t]{1,8}["']?([^\s"'${<]{4,80})"#),
    ),
    shaped_word(
        "login pair",
        &[
            "snmp_community",
            "community_string",
            "snmpcommunity",
            "communitystring",
            "snmp-community",
        ],
        Pattern(
            r#"(?i)^[a-z_-]{13,16}["']?\s{0,4}(?:=|:|=>|:=)\s{0,4}["']((?u-i:[^"'\n]{4,80}))["']"#,
        ),
    ),
    // A store of parameters keeps this encrypted.
    shaped(
        "login pair",
        &["securestring"],
        Pattern(
            r#"^[A-Za-z]{12}["']?[ \t]{0,4},?\s{1,40}(?:--)?["']?[vV]alue["']?[ \t]{0,20}[:=]?[ \t]{0,4}["']?([^"'\s${][^"'\n]{3,120})"#,
        ),
    ),
    shaped_word(
        "command line",
        &[
            "zip ",
            "unzip ",
            "7z ",
            "7za ",
            "rar ",
            "unrar ",
            "redis-cli ",
            "sqlcmd ",
            "bcp ",
            "isql ",
            "tsql ",
            "mongo ",
            "mongosh ",
            "mongodump ",
            "mongorestore ",
            "htpasswd ",
            "smbclient ",
            "xfreerdp ",
            "ipmitool ",
        ],
        Pattern(
            r#"^[a-z0-9-]{2,14}[ \t](?:[^\n|;&]{0,160}?[ \t])?(?:-P|-a|-p|/p:)[ \t]*["']?([^\s"'${<=-][^\s"'${<]{5,})"#,
        ),
    ),
    shaped_word(
        "command line",
        &["keytool ", "jarsigner ", "apksigner "],
        Pattern(
            r#"^[a-z]{7,9}[ \t][^\n|;&]{0,160}?-(?:store|key|new|ks-)pass(?:word)?[ \t]+["']?(?:pass:)?([^\s"'${<=-][^\s"'${<]{3,})"#,
        ),
    ),
    shaped_word(
        "command line",
        &["echo ", "printf "],
        Pattern(
            r#"^(?:echo|printf)[ \t](?:-n[ \t])?["']?(?:[A-Za-z0-9._-]{1,32}:)?([^\s"'${<|=-][^"'${<|\n]{2,80}?)["']?[ \t]{0,4}\|[ \t]?(?:sudo -S|chpasswd|sudo chpasswd|(?:docker|podman|helm registry|nerdctl|gh|oc|az)[a-z ]{0,20}login|passwd|gpg|cryptsetup|openssl|kinit|vault|wrangler|npx wrangler|gh secret|fly secrets)"#,
        ),
    ),
    shaped_word(
        "command line",
        &["htpasswd "],
        Pattern(
            r#"^htpasswd -[a-zA-Z]*b[a-zA-Z]*[ \t]+(?:-[a-zA-Z]+[ \t]+)*[^\s]+[ \t]+[^\s]+[ \t]+["']?([^\s"'${<-][^\s"'${<]{3,})"#,
        ),
    ),
    shaped_word(
        "command line",
        &["smbclient ", "rpcclient ", "net rpc ", "curl ", "wget "],
        Pattern(
            r#"^[a-z ]{4,10}[ \t]?[^\n|;&]{0,120}?(?:-U|--user)[ \t=]*["']?[A-Za-z0-9._\\/-]{1,40}%([^\s"'${<]{4,})"#,
        ),
    ),
    shaped(
        "command line",
        &["_authtoken "],
        Pattern(r#"^_auth[tT]oken[ \t]+["']?([^\s"'${<]{6,})"#),
    ),
    // `host:5432:database:user:…`, and what drivers write without an address: `user:…@tcp(`, `user/…@host:1521`.
    shaped(
        "login",
        &[":5432:", ":3306:", ":5433:"],
        Pattern(r"^:[0-9]{4}:[^:\s]{1,60}:[^:\s]{1,60}:([^\s:]{4,80})"),
    ),
    shaped(
        "address",
        &["@tcp(", "@unix("],
        Around(r"[^\s:@/]{4,100}@(?:tcp|unix)\(", 101),
    ),
    shaped(
        "login",
        &["jdbc:oracle:thin:"],
        Pattern(r"^jdbc:oracle:thin:[A-Za-z0-9_]{1,40}/([^\s@/]{4,80})@"),
    ),
    // The key of a cipher, and the password that one is made of.
    shaped(
        "cipher key",
        &[
            "createcipheriv(",
            "createdecipheriv(",
            "pgp_sym_encrypt(",
            "pgp_sym_decrypt(",
            "aes.encrypt(",
            "aes.decrypt(",
            "wifi.begin(",
        ],
        Pattern(
            r#"^[A-Za-z_.]{10,16}\(\s{0,40}(?:["'`][^"'`\n]{1,80}["'`]|[$A-Za-z0-9_.]{1,60}),\s{0,40}["'`]([^"'`\n]{6,})["'`]"#,
        ),
    ),
    shaped(
        "cipher key",
        &["pbekeyspec("],
        Pattern(r#"^[A-Za-z]{10}\(\s{0,40}"([^"\n]{4,})"\s{0,8}\."#),
    ),
    shaped_word(
        "command line",
        &["openssl enc ", "openssl aes"],
        Pattern(r#"^openssl[ \t][^\n|;&]{0,160}?[ \t]-k[ \t]+["']?([^\s"'${<-][^\s"'${<]{3,})"#),
    ),
    shaped(
        "login pair",
        &["cookieparser("],
        Pattern(r#"^[A-Za-z]{12}\(["'`]([^"'`\n]{4,})["'`]"#),
    ),
    shaped_word(
        "command line",
        &["pass:"],
        Pattern(r#"^pass:([^\s"'${<:][^\s"'${<]{3,})"#),
    ),
    shaped_word(
        "command line",
        &["configure set "],
        Pattern(
            r"^configure set aws_(?:secret_access_key|session_token)[ \t]+([A-Za-z0-9/+=]{8,})",
        ),
    ),
    shaped_word(
        "login pair",
        &["securestring ", "securestring("],
        Pattern(r#"^[A-Za-z]{12}[ (](?:-[A-Za-z]{6,10} )?["']([^"'\n]{4,})["']"#),
    ),
    shaped_word(
        "login",
        &["net use "],
        Pattern(
            r#"^net use [^\n]{1,80}?[ \t]["']?([^\s"'$%{</][^\s"'${<]{3,})["']?[ \t]+/[uU][sS][eE][rR]:"#,
        ),
    ),
    shaped(
        "login of a driver",
        &[
            "authprovider(",
            "ldap_bind(",
            "bind_s(",
            "ftp_login(",
            "create_user(",
            "createuser(",
            "pw_set(",
            ".auth(",
            "authenticateasync(",
            "certificate2(",
            "real_connect(",
            "streamconnection(",
            "connection(",
            "logon(",
            "signin(",
            "ssh_auth_password(",
        ],
        Pattern(
            r#"^[A-Za-z0-9_.>-]{5,24}\(\s{0,40}(?:[A-Za-z0-9_$.]{1,40},\s{0,8}){0,2}(?:\\?["'][^"'\n]{1,80}["'],\s{0,8}(?:[0-9]{2,5},\s{0,8})?){1,3}[bru]?\\?["']([^"'\\\n]{6,})\\?["']"#,
        ),
    ),
    shaped(
        "login pair",
        &["mysql_real_connect("],
        Pattern(
            r#"^[a-z_]{18}\(\s{0,40}[^,"\n]{1,60},\s{0,40}(?:"[^"\n]{0,80}"|[A-Za-z0-9_.>-]{1,40}),\s{0,40}(?:"[^"\n]{0,80}"|[A-Za-z0-9_.>-]{1,40}),\s{0,40}"([^"\n]{4,})""#,
        ),
    ),
    shaped_word(
        "command line",
        &[
            "lftp ",
            "mosquitto_pub ",
            "mosquitto_sub ",
            "http ",
            "https ",
            "az login ",
            "az ",
            "composer config ",
            "kinit ",
            "rabbitmqadmin ",
            "ncftpput ",
            "ncftpget ",
            "rabbitmqctl ",
            "influx ",
            "cqlsh ",
            "kcat ",
            "nmcli ",
            "wpa_passphrase ",
        ],
        Pattern(
            r#"^[a-z_ ]{2,16}[ \t](?:[^\n|;&]{0,160}?[ \t])?(?:-u[ \t]+[A-Za-z0-9._-]{1,40},|-P[ \t]+|-p[ \t]+|-a[ \t]+[A-Za-z0-9._-]{1,40}:)["']?([^\s"'${<=-][^\s"'${<]{3,})"#,
        ),
    ),
    shaped(
        "login pair",
        &[
            ".bind(\"cn=",
            ".bind(\"uid=",
            ".bind('cn=",
            ".bind('uid=",
            "connection(server, \"",
            "dbi->connect(",
        ],
        Pattern(
            r#"^[A-Za-z.>-]{5,13}\((?:server, )?["'][^"'\n]{1,80}["'],\s{0,8}(?:["'][A-Za-z0-9._@-]{1,40}["'],\s{0,8})?["']([^"'\n]{4,})["']"#,
        ),
    ),
    shaped(
        "login pair",
        &[
            "bcrypt.hash(",
            "bcrypt.hashsync(",
            "hashpw(",
            "generate_password_hash(",
            "make_password(",
            "argon2.hash(",
            "passwordencoder().encode(",
            "gen_salt(",
            "password_hash(",
            "scryptsync(",
            "pbkdf2sync(",
            "unsafeplaintext(",
            "aes.new(",
            "password.create(",
            "crypt::password.create(",
            "hash::make(",
            ".unprotect(",
            ".protect(",
        ],
        Pattern(r#"^[A-Za-z0-9_.():]{6,28}\(\s{0,8}[bru]?["']([^"'\n]{4,})["']"#),
    ),
    shaped(
        "keystore",
        &[
            "certificate2(convert.frombase64string(",
            "keystore.load(new bytearrayinputstream(",
        ],
        Pattern(r#"^[A-Za-z0-9(. ]{20,60}\(["']([A-Za-z0-9+/=]{60,})"#),
    ),
    shaped(
        "login pair",
        &["_userpwd, \""],
        Pattern(r#"^_[A-Za-z]{7}, "[A-Za-z0-9._-]{1,40}:([^"\n]{4,})""#),
    ),
    shaped_word(
        "login",
        &["connect "],
        Pattern(r"^(?i-u:connect) [A-Za-z0-9_]{1,30}/([^\s@/]{4,60})@"),
    ),
    shaped(
        "login pair",
        &["session({"],
        Pattern(r#"^[A-Za-z]{7}\(\{[^{}]{0,200}?secret:\s{0,4}\\?["']([^"'\\\n]{4,})\\?["']"#),
    ),
    shaped(
        "registry login",
        &["auth"],
        Pattern(r#"^auth["']?\s{0,4}:?[=:]\s{0,4}["']?([A-Za-z0-9+/]{12,}={0,2})"#),
    ),
    shaped(
        "keystore",
        &["keystore", ".p12", ".pfx", ".jks", "pkcs12"],
        Pattern(
            r#"^[.A-Za-z0-9_-]{3,24}["']?\s{0,4}[:=]\s{0,4}[|>]?[+-]?["'`]{0,3}\s{0,40}([A-Za-z0-9+/=]{60,}(?:\s{1,40}[A-Za-z0-9+/=]{4,})*)"#,
        ),
    ),
    // Keys to sign with: `jwt.sign(claims, "…")`, `hmac.new(b"…", …)`, `bearer_auth("…")`.
    shaped(
        "signing key",
        &[
            "jwt.sign(",
            "jwt.encode(",
            "jwt.verify(",
            "jwt.decode(",
            "hmac.new(",
            "createhmac(",
            "bearer_auth(",
            "bearerauth(",
            "bearertoken(",
            "fernet(",
            "hmacsha256(",
            "hmac_sha256(",
            "hash_hmac(",
        ],
        Pattern(
            r#"^[A-Za-z0-9_.]{3,14}\(\s{0,40}(?:["'`][sS][hH][aA][0-9-]{1,5}["'`],\s{0,8})?(?:(?:[A-Za-z0-9_.&*]{1,40}(?:\[["'`][A-Za-z0-9_-]{1,40}["'`]\]|\([^()"'`\n]{0,40}\))?|\{[^{}"'\n]{0,80}\}),\s{0,40}){0,2}[bruf]{0,2}\\?["'`]([^"'`\\\n]{6,})\\?(?:["'`]|<cut>)"#,
        ),
    ),
    // `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("…"))`, `new SecretKeySpec("…".getBytes(), …)`.
    shaped(
        "signing key",
        &[
            "securitykey(",
            "secretkeyspec(",
            "hmackey(",
            "hmacshakeyfor(",
        ],
        Pattern(
            r#"^[A-Za-z]{7,13}\(\s{0,40}(?:[A-Za-z0-9_.]{1,40}\(\s{0,8}){0,2}[bru]?"([^"\\\n]{4,})(?:"|<cut>)"#,
        ),
    ),
    // `"Jwt": { … "Key": "…" }`.
    shaped(
        "signing key",
        &["\"jwt"],
        Pattern(
            r#"(?i)^"jwt[a-z]{0,12}"\s{0,4}:\s{0,4}\{(?u-i:[^{}]{0,300}?)"(?:signing|secret)?_?key"\s{0,4}:\s{0,4}"((?u-i:[^"\\\n]{4,}))""#,
        ),
    ),
    // `'Basic ' + '…'`, which is put together so that nobody has to encode it twice.
    shaped_word(
        "authorization",
        &[
            "basic ' + '",
            "basic \" + \"",
            "basic ' . '",
            "basic \" . \"",
            "basic \" <> \"",
            "basic ' || '",
        ],
        Pattern(r#"^(?i-u:basic) ["'] (?:\+|\.|<>|\|\|) ["']([A-Za-z0-9+/]{8,}={0,2})"#),
    ),
    // Codes that open a telephone or a door.
    shaped_word(
        "number",
        &[
            "pin",
            "sim_pin",
            "puk",
            "alarm_code",
            "door_code",
            "gate_code",
            "security_code",
            "unlock_code",
            "access_code",
            "alarmcode",
            "doorcode",
            "unlockcode",
            "accesscode",
        ],
        Pattern(r#"(?i)^[a-z_]{3,13}["']?\s{0,4}(?:[:=]|=>|:=)\s{0,4}["']([0-9]{4,8})["']"#),
    ),
    shaped(
        "seed phrase",
        &[
            "mnemonic",
            "seed_phrase",
            "seedphrase",
            "seed phrase",
            "seed-phrase",
        ],
        Pattern(
            r#"(?i)^(?:mnemonic|seed[_-]?(?:\x20)?phrase)[a-z_]{0,40}[\\"'`\])]*\s*(?:[:=]|=>)\s*[\\"'`]*((?-i:[a-z]{3,9}(?: [a-z]{3,9}){2,23}(?: [0-9]{1,3})?|[a-z]{3,8}(?: [a-z]{1,8})+<cut>))"#,
        ),
    ),
    shaped(
        "cookie",
        &["cookie"],
        Pattern(
            r#"(?i)^cookies?["'`]?\s{0,3}[:=,(]\s{0,3}["'`]?(?:[a-z0-9._-]{1,40}=[!#-&(-:<>-_a-~]{0,60};\x20?){0,6}?[a-z0-9._-]{0,30}(?:sess|sid|auth|token|jwt)[a-z0-9._-]{0,20}=([a-z0-9%._~+/=|:*-]{16,}|[a-z0-9%._~+/=|:*-]{8,}<cut>)"#,
        ),
    ),
    shaped(
        "SQL password",
        &["identified by ", "identified with "],
        Pattern(
            r#"(?i)^identified (?:by|with [a-z0-9_]+ (?:by|as))\s+(?:password\s+)?["']((?u-i:[^"'\n$<{]{4,}))["']"#,
        ),
    ),
    shaped(
        "password",
        secret_words::PASSWORD,
        Assignment(ValueStrictness::Password),
    ),
    shaped(
        "password",
        secret_words::SHARED_KEY,
        Assignment(ValueStrictness::Password),
    ),
    shaped(
        "password",
        secret_words::SHORT_PASSWORD,
        Assignment(ValueStrictness::Password),
    ),
    // In the languages that people write comments in.
    shaped(
        "password",
        secret_words::PASSWORD_ABROAD,
        Assignment(ValueStrictness::Password),
    ),
    shaped(
        "password",
        secret_words::SHORT_PASSWORD_ABROAD,
        Assignment(ValueStrictness::Password),
    ),
    shaped(
        "secret",
        secret_words::SECRET,
        Assignment(ValueStrictness::Random),
    ),
    shaped("secret", &["pepper"], Assignment(ValueStrictness::Random)),
    shaped(
        "secret",
        secret_words::SALT,
        Assignment(ValueStrictness::Random),
    ),
    // Names of a secret key in other languages.
    shaped(
        "key",
        secret_words::KEY_ABROAD,
        Assignment(ValueStrictness::Random),
    ),
    shaped(
        "token",
        secret_words::TOKEN,
        Assignment(ValueStrictness::Random),
    ),
    shaped(
        "token",
        secret_words::ACCESS_TOKEN,
        Assignment(ValueStrictness::Random),
    ),
    shaped(
        "key",
        secret_words::KEY,
        Assignment(ValueStrictness::Random),
    ),
];
