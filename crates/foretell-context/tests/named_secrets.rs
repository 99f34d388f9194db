//! Values that a name calls a secret, in the ways that people write them.
//!
//! `@@` is where the secret goes. What is told must have the mark there, and all else as it was: no
//! remainder of the value at either end, and nothing of its surroundings gone.
#![allow(clippy::unwrap_used, reason = "tests")]

use foretell_context::Redactor;

/// Passwords as people make them up, with nothing random about them.
const HUMAN: &[&str] = &[
    "correcthorsebatterystaple",
    "BlueMonkey",
    "john.smith1",
    "sunshine",
    "Summer2024!",
    "dragon",
    "letmein",
    "iloveyou",
    "Liverpool",
    "trustno1",
    "qwertyuiop",
    "monkey-banana",
    "Pa$$w0rd",
    "football99",
    "ilikecats",
];

/// One that a machine made.
const STRONG: &str = "Xk9fQ2vL7pR4wZ8q";

/// Which of the values are told where a form has them.
fn told<'v>(form: &str, values: &[&'v str]) -> Vec<&'v str> {
    let redactor = Redactor::new();
    let mut told = values.to_vec();
    told.retain(|value| {
        let text = form.replace("@@", value);
        let expected = form.replace("@@", "[REDACTED-1]");
        redactor.begin().redact(&text) != expected
    });
    told
}

#[track_caller]
fn assert_silent(forms: &[&str], values: &[&str]) {
    let mut failures = Vec::new();
    for form in forms {
        let told = told(form, values);
        if !told.is_empty() {
            failures.push(format!("{form}  {told:?}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        forms.len(),
        failures.join("\n")
    );
}

#[test]
fn a_word_in_quotes_that_is_given_to_a_password_is_not_told() {
    assert_silent(
        &[
            "password = \"@@\"\n",
            "    password = '@@'\n",
            "const password = \"@@\";\n",
            "DB_PASSWORD = \"@@\"\n",
            "let db_password: &str = \"@@\";\n",
            "String dbPassword = \"@@\";\n",
            "client_secret = \"@@\"\n",
            "clientSecret := \"@@\"\n",
            "const char pass_word[] = \"x\"; const char *db_pwd = \"@@\";\n",
            "self.smtp_password = \"@@\"\n",
            "$dbPassword = '@@';\n",
            "pw = \"@@\"\n",
            "user.setPassword(\"@@\");\n",
            "const char password[] = \"@@\";\n",
            "password ||= \"@@\"\n",
            "public string Password { get; set; } = \"@@\";\n",
        ],
        HUMAN,
    );
}

#[test]
fn a_word_that_stands_for_a_password_in_a_file_of_settings_is_not_told() {
    let plain: Vec<_> = HUMAN
        .iter()
        .copied()
        .filter(|it| !it.starts_with(char::is_uppercase))
        .collect();
    assert_silent(
        &[
            "database:\n  user: app\n  password: @@\n  port: 5432\n",
            "[mail]\nuser = app\npassword = @@\nport = 25\n",
            "spring.datasource.username=app\nspring.datasource.password=@@\n",
            "USER=app\nDB_PASSWORD=@@\nPORT=1\n",
            "<user>app</user>\n<password>@@</password>\n",
        ],
        &plain,
    );
}

#[test]
fn a_strong_value_is_not_told_in_any_form() {
    assert_silent(
        &[
            // Pairs.
            "        env:\n        - name: DB_PASSWORD\n          value: @@\n        - name: PORT\n          value: 1\n",
            "        - name: DB_PASSWORD\n          value: \"@@\"\n",
            "{\"environment\": [{\"name\": \"DB_PASSWORD\", \"value\": \"@@\"}, {\"name\": \"A\", \"value\": \"b\"}]}",
            "<add key=\"Password\" value=\"@@\" />",
            "<property name=\"password\" value=\"@@\"/>",
            "<entry key=\"password\">@@</entry>",
            "variable \"db_password\" {\n  type    = string\n  default = \"@@\"\n}\n",
            // Expressions.
            "password = opts.password || \"@@\";\n",
            "password = opts.password ?? '@@';\n",
            "password = prod ? \"@@\" : process.env.PASSWORD;\n",
            "password = prod ? load() : \"@@\";\n",
            "password = os.environ.get(\"DB_PASSWORD\", \"@@\")\n",
            "password = os.getenv(\"DB_PASSWORD\") or \"@@\"\n",
            "password = (\n    \"@@\"\n)\n",
            "def connect(host, password=\"@@\", port=1):\n",
            "fun connect(password: String = \"@@\") {}\n",
            "let password = env::var(\"X\").unwrap_or(\"@@\".into());\n",
            "password = \"\"\"\n@@\n\"\"\"\n",
            "password = <<~EOS\n  @@\nEOS\n",
            "{ :password => \"@@\" }",
            "{ password: `@@` }",
            "ALTER LOGIN sa WITH PASSWORD = N'@@';\n",
            "INSERT INTO users (name, password) VALUES ('ann', '@@');\n",
            "INSERT INTO users (id, name, password, age) VALUES (1, 'a, b', '@@', 3);\n",
            "CREATE USER app IDENTIFIED BY '@@';\n",
            "ALTER USER app PASSWORD '@@';\n",
            // Elements.
            "<password>\n  @@\n</password>\n",
            "<password><![CDATA[@@]]></password>",
            "<db password=\"@@\" user=\"a\"/>",
            // Commands.
            "docker login -u me -p @@ registry.example\n",
            "mysql -u root -p@@ main\n",
            "sshpass -p '@@' ssh host\n",
            "PGPASSWORD=@@ psql -h db\n",
            "mongodump --password @@ --out x\n",
            "FROM alpine\nENV DB_PASSWORD=@@\nRUN true\n",
            "ARG DB_PASSWORD=@@\n",
            "docker run -e DB_PASSWORD=@@ app\n",
            // Comments.
            "// password: @@\n",
            "# the password is @@\n",
            "/* pw: @@ */\n",
            "-- password = '@@'\n",
            // Calls.
            "client.bearer_auth(\"@@\")",
            "jwt.sign(payload, \"@@\", { expiresIn: 1 })",
            "hmac.new(b\"@@\", message, hashlib.sha256)",
            "createHmac('sha256', '@@')",
            // Other drivers.
            "Server=db;Database=x;Uid=sa;Pwd=@@;Encrypt=yes",
            "Driver={ODBC};PWD=@@;UID=x",
            "jdbc:mysql://db/x?user=a&password=@@&ssl=1",
            "amqp://guest:@@@mq:5672/%2f",
            "db: {user: app, password: @@, port: 1}\n",
        ],
        &[STRONG],
    );
}

#[test]
fn every_row_of_a_table_is_looked_at() {
    let redactor = Redactor::new();
    let told = |text: &str| redactor.begin().redact(text).into_owned();
    let rows =
        "INSERT INTO t (a, password, b) VALUES ('x, y', 'tr0ub4dor', 1),\n  ('z', 'hunter33', 2);";
    assert_eq!(
        told(rows),
        "INSERT INTO t (a, password, b) VALUES ('x, y', '[REDACTED-1]', 1),\n  ('z', '[REDACTED-2]', 2);"
    );
    assert_eq!(
        told("user,password,role\nann,sunshine,admin\n"),
        "user,password,role\nann,[REDACTED-1],admin\n"
    );
}

#[test]
fn a_password_is_called_one_in_other_languages() {
    let words = [
        "Passwort",
        "kennwort",
        "contraseña",
        "contrasena",
        "clave",
        "senha",
        "mot_de_passe",
        "motdepasse",
        "parola",
        "hasło",
        "haslo",
        "heslo",
        "wachtwoord",
        "lösenord",
        "losenord",
        "salasana",
        "adgangskode",
        "passord",
        "jelszó",
        "şifre",
        "sifre",
        "lozinka",
        "пароль",
        "密码",
        "密碼",
        "パスワード",
        "비밀번호",
        "سرّ_كلمة_المرور",
        "סיסמה",
        "mật_khẩu",
        "mat_khau",
        "kata_sandi",
        "κωδικός",
    ];
    let forms: Vec<_> = words
        .iter()
        .flat_map(|word| {
            [
                format!("{word} = \"@@\"\n"),
                format!("{word}: @@\n"),
                format!("// {word}: @@\n"),
            ]
        })
        .collect();
    let forms: Vec<_> = forms.iter().map(String::as_str).collect();
    assert_silent(&forms, &[STRONG]);
}

#[test]
fn the_data_of_a_secret_of_a_cluster_is_not_told() {
    assert_silent(
        &[
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  username: @@\n",
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\nstringData:\n  config: @@\n",
            "kind: Secret\ndata:\n  a.b: @@\n---\nkind: ConfigMap\ndata:\n  mode: fast\n",
        ],
        &["c3Vuc2hpbmU=", "dXNlcjpwYXNz"],
    );
}

#[test]
fn encoded_keys_are_not_told() {
    let key = "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVBdlZ4TDJ";
    assert_silent(&["  tls.key: @@\n", "cert = decode(\"@@\")\n"], &[key]);
    let part = "gIbB3tV0LkE7pZ4sRwJ8uYb1NcHfGd6aKoQi3XzP0sA";
    assert_silent(
        &[
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\",\"d\":\"@@\"}",
        ],
        &[part],
    );
    assert_silent(
        &["{\"auths\": {\"r.example\": {\"auth\": \"@@\"}}}"],
        &["bWU6aHVudGVyMg=="],
    );
}

#[test]
fn names_are_not_learned_as_secrets() {
    let redactor = Redactor::new();
    let form = "class UserCreationForm:\n    error = {\"password_mismatch\": \"The two fields didn’t match.\"}\n    password1 = CharField(label=\"Password\")\n    password2 = CharField(label=\"Password confirmation\", help_text=\"again\")\n\n    def clean_password2(self):\n        password1 = self.cleaned_data.get(\"password1\")\n        password2 = self.cleaned_data.get(\"password2\")\n        if password1 and password2 and password1 != password2:\n            raise Error(code=\"password_mismatch\")\n        return password2\n\n    fieldsets = {\"fields\": (\"usable_password\", \"password1\", \"password2\")}\n    set_password(commit=False, password_field_name=\"password2\")\n";
    assert_eq!(
        redactor.ranges(form),
        [],
        "{}",
        redactor.begin().redact(form)
    );
}

/// Token forms that neither we nor the catalogue knew.
#[test]
fn tokens_of_services_are_not_told() {
    let alnum = "k3JdW9xQ2mZ7vB5nL8cR1tY6uP4sH0aFgEiDo5Qw7Er2Ty9Ui4Op1As6Df3Gh8Jk0Lz5Xc2Vb7Nm4QqRwTe1kS9dF3gH7jL2";
    let hex = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";
    let cut = |text: &str, len: usize| text.get(..len).unwrap().to_owned();
    let tokens = [
        format!("glc_{}", cut(alnum, 60)),
        format!("secret_{}", cut(alnum, 43)),
        format!("EZAK{}", cut(alnum, 54)),
        format!("EZTK{}", cut(alnum, 54)),
        format!("nvapi-{}", cut(alnum, 64)),
        format!("tvly-{}", cut(alnum, 32)),
        format!("tvly-dev-{}", cut(alnum, 32)),
        format!("phx_{}", cut(alnum, 43)),
        format!("napi_{}", cut(alnum, 64)),
        format!(
            "xprv9s21ZrQH143K{}",
            cut(&alnum.replace(['0', 'O', 'I', 'l'], "x"), 85)
        ),
        format!("00{}", cut(alnum, 40)),
        format!("shpat_{}", cut(hex, 32)),
    ];
    let redactor = Redactor::new();
    for token in &tokens {
        let form = if token.starts_with("00") {
            "Authorization: SSWS @@\n"
        } else {
            "call(\"@@\")\n"
        };
        let text = form.replace("@@", token);
        assert_eq!(
            redactor.begin().redact(&text),
            form.replace("@@", "[REDACTED-1]")
        );
    }
}

#[test]
fn a_strong_value_is_not_told_where_tools_take_one() {
    assert_silent(
        &[
            r#"{:password "@@"}
"#,
            r#"(setq smtp-password "@@")
"#,
            r#"$ENV{DB_PASSWORD} = '@@';
"#,
            r#"my %opt = (password => '@@', user => 'a');
"#,
            r#"config :app, Repo, password: "@@", port: 1
"#,
            r#"<input type="password" name="password" value="@@">
"#,
            r#"gpg --batch --passphrase @@ -d x.gpg
"#,
            r#"openssl enc -d -pass pass:@@ -in x
"#,
            r#"zip -P @@ out.zip in
"#,
            r#"redis-cli -a @@ ping
"#,
            r#"sqlcmd -S db -U sa -P @@ -Q x
"#,
            r#"psql "host=db user=a password=@@ dbname=x"
"#,
            r#"kubectl create secret generic db --from-literal=password=@@
"#,
            r#"helm install x --set db.password=@@
"#,
            r#"aws configure set aws_secret_access_key @@
"#,
            r#"Environment="DB_PASSWORD=@@"
"#,
            r#"      - DB_PASSWORD=@@
"#,
            r#"  MasterUserPassword: "@@"
"#,
            r#"{"ConnectionStrings": {"Default": "Server=db;User Id=sa;Password=@@;"}}
"#,
            r#"<user username="ann" password="@@" roles="x"/>
"#,
            r#"<add name="x" connectionString="Server=db;Password=@@;Encrypt=1" />
"#,
            r#"app.config['SECRET_KEY'] = '@@'
"#,
            r#"DATABASES = {'default': {'USER': 'a', 'PASSWORD': '@@', 'HOST': 'h'}}
"#,
            r#"pw := flag.String("password", "@@", "the password")
"#,
            r#"parser.add_argument("--password", default="@@", help="x")
"#,
            r#"@Value("${db.password:@@}")
"#,
            r#"password: ${DB_PASSWORD:-@@}
"#,
            r#"PASS=${DB_PASSWORD:-@@}
"#,
            r#"kwargs.setdefault("password", "@@")
"#,
            r#"config.get("db", "password", fallback="@@")
"#,
            r#"getattr(settings, "DB_PASSWORD", "@@")
"#,
            r#"const { password = "@@" } = opts;
"#,
            r#"#define DB_PASSWORD "@@"
"#,
            r#"strcpy(password, "@@");
"#,
            r#"strncpy(cfg->db_password, "@@", sizeof cfg->db_password);
"#,
            r#"std::string password{"@@"};
"#,
            r#"std::string password("@@");
"#,
            r#"  password: "@@".to_string(),
"#,
            r#"NSString *password = @"@@";
"#,
            r#"Connect-Db -User sa -Password "@@"
"#,
            r#"Connect-Db -User sa -Password @@
"#,
            r#"$secure = ConvertTo-SecureString "@@" -AsPlainText -Force
"#,
            r#"SET PASSWORD FOR 'ann' = '@@';
"#,
            r#"UPDATE users SET password = '@@' WHERE id = 1;
"#,
            r#"CREATE USER ann WITH PASSWORD '@@' CREATEDB;
"#,
            r#"| password | @@ |
"#,
            r#"- **Password:** @@
"#,
            r#"Password: `@@`
"#,
            r#"user=ann, password=@@, host=db
"#,
            r#""{\"user\": \"ann\", \"password\": \"@@\"}"
"#,
            r#"request.headers["X-Auth-Token"] = "@@"
"#,
            r#"headers: { "x-api-key": "@@" },
"#,
            r#"http.Header().Set("X-Api-Key", "@@")
"#,
            r#"req.setRequestHeader("Authorization", "Bearer @@");
"#,
            r#"auth: { username: "ann", password: "@@" }
"#,
            r#"new MongoClient(uri, { auth: { user: "a", password: "@@" } })
"#,
            r#"val password = System.getenv("X") ?: "@@"
"#,
            r#"val password: String by lazy { "@@" }
"#,
            r#"password = Optional.ofNullable(x).orElse("@@");
"#,
            r#"let password = std::env::var("X").unwrap_or_else(|_| "@@".to_string());
"#,
            r#"password := cmp.Or(os.Getenv("X"), "@@")
"#,
            r#"password = ENV.fetch("X") { "@@" }
"#,
            r#"password = ENV['X'] || "@@"
"#,
            r#"if (password === "@@") {
"#,
            r#"assert_eq!(password, "@@");
"#,
            r#"return { password: "@@" };
"#,
            r#"print("password: @@")
"#,
            r#"log.info("connecting with password=@@")
"#,
            r#"export const DB = { user: 'a', pass: '@@' };
"#,
            r#"MAIL_PASS="@@"
"#,
            r#"smtp_pass: '@@'
"#,
            r#""passphrase" : "@@"
"#,
            r#"  privateKeyPassword = "@@";
"#,
            r#"storePassword '@@'
"#,
            r#"keyPassword "@@"
"#,
            r#"signing.keyPassword=@@
"#,
            r#"rpcpassword=@@
"#,
            r#"IDENTITY_PASSWORD @@
"#,
            r#"set password "@@"
"#,
            r#"  wpa_passphrase=@@
"#,
            r#"psk="@@"
"#,
            r#"machine h login l password @@
"#,
            r#"ftp://ann:@@@h/x
"#,
            r#"spring.datasource.password: @@
"#,
            r#"spring:
  datasource:
    password: '@@'
"#,
            r#"jwt:
  secret: "@@"
"#,
            r#"JWT_SECRET: @@
"#,
            r#"SESSION_SECRET='@@'
"#,
            r#"cookieSecret: "@@",
"#,
            r#"app.use(session({ secret: "@@" }))
"#,
            r#"webhookSecret := "@@"
"#,
            r#"signing_secret = "@@"
"#,
            r#"encryption_key: "@@"
"#,
            r#"MASTER_KEY=@@
"#,
        ],
        &[STRONG],
    );
}

#[test]
fn a_strong_value_is_not_told_where_libraries_and_tests_take_one() {
    assert_silent(
        &[
            "curl_easy_setopt(c, CURLOPT_PASSWORD, \"@@\");\n",
            "curl_setopt($ch, CURLOPT_USERPWD, '@@');\n",
            "set :deploy_password, '@@'\n",
            "local password <const> = \"@@\"\n",
            "<param><name>password</name><value>@@</value></param>\n",
            "<key>Password</key><string>@@</string>\n",
            "await page.getByLabel('Password').fill('@@');\n",
            "cy.get('[data-test=password]').type('@@');\n",
            "createCipheriv('aes-256-cbc', '@@', iv);\n",
            "$pdo = new PDO($dsn, 'root', '@@');\n",
            "openssl enc -aes-256-cbc -k @@ -in a\n",
            "users:\n  - { name: a, password: @@ }\n",
        ],
        &[STRONG],
    );
}

#[test]
fn a_flow_of_yaml_does_not_make_its_neighbours_code() {
    assert_silent(
        &["ports:\n  - { name: http, port: 80 }\npassword: @@\n"],
        &["sunshine", "ilovecats", STRONG],
    );
}

/// Passwords of several words, with words that messages about passwords have as well.
#[test]
fn a_sentence_that_is_given_to_a_password_is_not_told() {
    assert_silent(
        &[
            "password = \"@@\"",
            "  <password><![CDATA[@@]]></password>",
            ".option(\"password\", \"@@\")",
            "driver.find_element(By.ID, \"password\").send_keys(\"@@\")",
            "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '@@';",
            "std::env::var(\"DB_PASSWORD\").unwrap_or_else(|_| \"@@\".to_string())",
        ],
        &[
            "all your base belong to us",
            "never gonna give you up",
            "winter is coming soon",
            "my dog ate the homework",
        ],
    );
    let redactor = Redactor::new();
    for message in [
        "password = \"is too short\"",
        "password: \"Enter your new password\"",
        "password = \"must be at least 8 characters\"",
        "password: \"does not match\"",
        "password = \"your password here\"",
    ] {
        assert_eq!(redactor.begin().redact(message), message);
    }
}

/// Forms that somebody who knew nothing of the rules wrote, and that were told.
#[test]
fn what_a_stranger_wrote_is_not_told() {
    assert_silent(
        &[
            "crypto.createHmac('sha256', '@@').update(payload)",
            "jwt.verify(req.headers['x-access-token'], \"@@\", done)",
            "new SymmetricSecurityKey(Encoding.UTF8.GetBytes(\"@@\"));",
            "  \"Jwt\": {\n    \"Issuer\": \"https://example.net\",\n    \"Key\": \"@@\"\n  },",
            "app.use(session({\n  secret: '@@',\n  resave: false,\n}));",
            "    private var redisPassword: String { return \"@@\" }",
            "    public string Password { get { return \"@@\"; } }",
            "std::env::var(\"PASSWORD\").unwrap_or_else(|_| \"@@\".to_string())",
            "  , connectPassword = \"@@\"",
            "fill_in 'Password', with: '@@'",
            "opts = weboptions('Username', 'me', 'Password', '@@', 'Timeout', 30);",
            "mysql_real_connect(conn, \"db.example.net\", \"me\", \"@@\", \"stock\", 3306, NULL, 0)",
            "POSTGRES_PASSWORD ?= @@\n",
            "kubectl create secret generic db --from-literal=user=me --from-literal=password=@@\n",
            "    command: redis-server --requirepass @@ --appendonly yes",
            "var passwords = map[string]string{\n\t\"me\": \"@@\",\n}",
            "passwords = [\"@@\"]",
            "- κωδικός πρόσβασης: @@\n",
        ],
        &["BlueMonkey", "gardenriverrocket", "Winter2024!", STRONG],
    );
    assert_silent(
        &[
            "set -gx PUSH_AUTH_KEY @@\n",
            "pepper = '@@'",
            "azure-devops-pat: \"@@\"",
            "[Peer]\nPresharedKey = @@\n",
            "<setting name=\"aws_secret_access_key\" value=\"@@\"/>",
        ],
        &["eyI7uPqpc/OjdLHA6+xJvF/SoGVSOWK9TcbTbmJ/", STRONG],
    );
    assert_silent(
        &["sim:\n  pin: \"@@\"", "alarm_code: \"@@\""],
        &["8054", "861767"],
    );
    let basic = "const header = 'Basic ' + '@@';";
    assert_silent(&[basic], &["c2FfaW1wb3J0OlRpZ2VyMjAxMyE="]);
}

#[test]
fn a_password_of_two_words_with_a_dot_is_no_path() {
    assert_silent(
        &[
            "password = \"@@\"",
            "\"password\": \"@@\"",
            "cs = @\"Data Source=db;Initial Catalog=x;uid=me;pwd=@@;\";",
        ],
        &["violet.sky", "hello.kitty"],
    );
    let redactor = Redactor::new();
    for path in [
        "password = \"user.password\"",
        "\"password\": \"form.label\"",
        "\"password\": \"auth.login.title\"",
    ] {
        assert_eq!(redactor.begin().redact(path), path);
    }
}

/// Passwords by their place: in a call, a row, a column, a map, a command or the file of an installer.
#[test]
fn what_stands_where_a_password_belongs_is_not_told() {
    let human = &[
        "TractorSparrow",
        "tractor-paprika",
        "anna.berg73",
        "Saddle2021",
        STRONG,
    ];
    assert_silent(
        &[
            "ok = secrets.compare_digest(c.password, \"@@\")\n",
            "new X509Certificate2(\"certs/a.pfx\", \"@@\", flags);\n",
            "store := cookie.NewStore([]byte(\"@@\"))\n",
            "Credentials::new(\"me\".to_string(), \"@@\".to_string());\n",
            "given().auth().preemptive().basic(\"me\", \"@@\")\n",
            "db = MySQLdb.connect(\"db.example.net\", \"me\", \"@@\", \"shop\")\n",
            "ssh_userauth_password(s, nullptr, \"@@\");\n",
            "CommunityData(\"@@\", mpModel=1),\n",
            "ks.load(in, \"@@\".toCharArray());\n",
            "child.expect(\"assword:\")\nchild.sendline(\"@@\")\n",
            "await page.type('#pass', '@@', { delay: 30 });\n",
            "And I fill in \"password\" with \"@@\"\n",
            "    Input Password    id:password    @@\n",
            "| name | email | password |\n| me | a@example.net | @@ |\n",
            "| User | Password |\n|------|----------|\n| me | @@ |\n",
            "Nr;Benutzername;Passwort;Abteilung\n1;me;@@;Einkauf\n",
            "@pytest.mark.parametrize(\"username, password\", [\n    (\"me\", \"@@\"),\n])\n",
            "app.use(basicAuth({\n    users: { 'me': '@@' },\n}));\n",
            "  \"adminPassword\": { \"value\": \"@@\" },\n",
            "  <Password>\n    <Value>@@</Value>\n  </Password>\n",
            "  secretOrKey: '@@',\n",
            "sqlplus -s me/@@@db.example.net:1521/ORCL\n",
            "rootpw --plaintext @@\n",
            "d-i passwd/root-password password @@\n",
            "    stats auth me:@@\n",
            "SetEnv DB_PASSWORD @@\n",
            "       01 WS-PASSWORD  PIC X(40) VALUE \"@@\".\n",
            "      lv_password TYPE string VALUE '@@'.\n",
        ],
        human,
    );
    assert_silent(
        &[
            "password: @@\n",
            "machine x\nlogin me\npassword @@\n",
            "  password: '@@',\n",
        ],
        &["zGJj=Do7Qh2jZN8oOp", "1Ab5=7bD_!TC^3bM"],
    );
    let chars = "static const char password[] = { @@ };\n";
    assert_silent(&[chars], &["'g', 'u', '9', '#', 'u', 'M'"]);
}

#[test]
fn names_below_each_other_are_told() {
    let redactor = Redactor::new();
    for text in [
        "connect(\n    password,\n    agentEndpoint,\n    knownHosts,\n)\n",
        "type A =\n  | \"password\"\n  | \"submitPassword\"\n  | \"storeInCache\";\n",
        "/// Extra flags to pass to `rustdoc`.\n",
        "token: arn:aws:secretsmanager:eu-west-1:123456789012:secret:booking\n",
    ] {
        assert_eq!(redactor.begin().redact(text), text);
    }
}

/// Keys and files of many lines, with nothing around them but a name.
#[test]
fn lines_of_data_that_a_name_calls_a_secret_are_not_told() {
    let lines: Vec<String> = (0..120)
        .map(|line| {
            let mut state = 7_u64 + line;
            let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let letter = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                char::from(letters[(state >> 58) as usize])
            };
            (0..64).map(letter).collect()
        })
        .collect();
    let joined = |between: &str| lines.join(between);
    for text in [
        format!("private_key = \"\"\"\n{}\n\"\"\"\n\nx = 1\n", joined("\n")),
        format!("signing_secret: |\n  {}\nother: 1\n", joined("\n  ")),
        format!(
            "String secretKey = \"\"\n    + \"{}\";\nint x = 1;\n",
            joined("\"\n    + \"")
        ),
        format!(
            "export ANDROID_KEYSTORE_PASSWORD=$(cat <<EOS\n{}\nEOS\n)\n",
            joined("\n")
        ),
        format!("client_secret = `\n{}\n`\n", joined("\n")),
    ] {
        let redactor = Redactor::new();
        let told = redactor.begin().redact(&text).into_owned();
        let left = lines
            .iter()
            .filter(|line| told.contains(line.as_str()))
            .count();
        assert_eq!(left, 0, "{}", text.get(..60).unwrap());
    }
}

#[test]
fn rsa_keys_of_any_length_are_known_without_their_first_line() {
    for head in [
        "MIIG/wIBADAN",
        "MIIG/AIBAAKC",
        "MIISKAIBAAKC",
        "MIIEogIBAAKC",
        "MIIBOgIBAAKB",
    ] {
        let line = "gkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
        let text = format!("data = [\n  \"{head}{line}\",\n  \"{line}\"\n]\n");
        let told = Redactor::new().begin().redact(&text).into_owned();
        assert!(!told.contains(line), "{told}");
    }
}

/// The key of the next entry was taken for another line of the secret.
#[test]
fn the_name_below_a_secret_is_told() {
    let secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYzEXAMPLEKEYq";
    for (text, kept) in [
        (
            format!("\"secret_access_key\": \"{secret}\",\n  \"refresh_Token2_expires_in\": 3600"),
            "refresh_Token2_expires_in",
        ),
        (
            format!("SECRET_KEY = \"{secret}\"\nSESSION_Cookie1_SECURE = True\n"),
            "SESSION_Cookie1_SECURE",
        ),
    ] {
        let told = Redactor::new().begin().redact(&text).into_owned();
        assert!(!told.contains(secret) && told.contains(kept), "{told}");
    }
}
