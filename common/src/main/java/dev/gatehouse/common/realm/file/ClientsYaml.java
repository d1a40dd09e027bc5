package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.jose.Checked;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.About;
import dev.gatehouse.common.realm.ClientConfig.AccessTokenFormat;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.CertificateName;
import dev.gatehouse.common.realm.ClientConfig.ClientAuthentication;
import dev.gatehouse.common.realm.ClientConfig.ClientSecret;
import dev.gatehouse.common.realm.ClientConfig.Encryption;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.ClientConfig.Method;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.ClientUris;
import dev.gatehouse.common.realm.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code clients} of a realm. */
final class ClientsYaml {

  /** Returns the name of a grant in the specifications (RFC 7591, section 2; RFC 8628, section 3.4). */
  static String word(GrantType grant) {
    return switch (grant) {
      case CODE -> "authorization_code";
      case REFRESH -> "refresh_token";
      case CLIENT_CREDENTIALS -> "client_credentials";
      case DEVICE -> "urn:ietf:params:oauth:grant-type:device_code";
      case PASSWORD, IMPLICIT, HYBRID -> grant.word();
    };
  }

  /** Returns our former name of a method of authentication. */
  static String formerWord(Method method) {
    return switch (method) {
      case NONE -> "none";
      case SECRET_BASIC -> "basic";
      case SECRET_POST -> "post";
      case SECRET_JWT -> "secretJwt";
      case PRIVATE_KEY_JWT -> "privateKeyJwt";
      case TLS -> "certificate";
      case SELF_SIGNED_TLS -> "selfSignedCertificate";
    };
  }

  private static final Type<JwsName> ALGORITHM =
      Type.choice(JwsName::value, JwsName.RS256, JwsName.PS256, JwsName.ES256, JwsName.EDDSA);
  private static final Type<String> REDIRECT = Type.matching("URI", "^[^*]+:", ClientsYaml::redirect);

  private static final Section CERTIFICATE = new Section();
  private static final Map<CertificateName.Field, Key<String>> CERTIFICATE_NAMES = new EnumMap<>(CertificateName.Field.class);

  static {
    name(CertificateName.Field.SUBJECT_DN, "subjectDn", "e.g. CN=client,O=Example");
    name(CertificateName.Field.SAN_DNS, "sanDns", "e.g. client.example.org");
    name(CertificateName.Field.SAN_URI, "sanUri", "e.g. https://client.example.org");
    name(CertificateName.Field.SAN_IP, "sanIp", "e.g. 192.0.2.7");
    name(CertificateName.Field.SAN_EMAIL, "sanMail", "e.g. client@example.org");
  }

  private static void name(CertificateName.Field field, String name, String example) {
    CERTIFICATE_NAMES.put(field, CERTIFICATE.key(name, Type.TEXT, example, "As in its certificate.").elsewhere(field.value()));
  }

  private static final Section ACCESS_TOKEN = new Section();
  private static final Key<AccessTokenFormat> FORMAT =
      ACCESS_TOKEN.key("format", Type.choice(AccessTokenFormat.class), "jwt", "RFC 9068, or opaque.");
  private static final Key<JwsName> ACCESS_ALGORITHM =
      ACCESS_TOKEN.key("algorithm", ALGORITHM, "e.g. RS256", "RS256 unless configured; ES256 with `profile: fapi2`.");
  private static final Key<Duration> ACCESS_LIFE =
      ACCESS_TOKEN.key("life", Type.duration("1s", "24h"), "e.g. 1m", "`idp.oauth.accessTokenLife` unless configured.");

  private static final Section REFRESH_TOKEN = new Section();
  private static final Key<Duration> REFRESH_LIFE =
      REFRESH_TOKEN.key("life", Type.duration("1s", "3650d"), "e.g. 7d", "`idp.oauth.refreshTokenLife` unless configured.");
  private static final Key<Duration> GRACE =
      REFRESH_TOKEN.key("grace", Type.duration("0s", "10s"), "0s", "For so long a used token gives its successor again, until that is used.");

  /** The encryption of a token to the client's key. */
  private record EncryptionKeys(Key<String> algorithm, Key<String> method) {
    static EncryptionKeys in(Section keys, String prefix) {
      return new EncryptionKeys(
          keys.key("keyEncryption", Type.words("RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW"), "e.g. RSA-OAEP-256", "Encrypted to the client's key.").elsewhere(prefix + "_encrypted_response_alg"),
          keys.key("encryption", Type.words("A128GCM", "A256GCM", "A128CBC-HS256"), "A256GCM", "The encryption of the content.").elsewhere(prefix + "_encrypted_response_enc"));
    }

    Optional<Encryption> read(YamlSection section, boolean hasKeys) {
      Optional<String> key = section.find(algorithm);
      if (key.isPresent() && !hasKeys) {
        section.problem(algorithm, "needs the client's keys", "add jwks or jwksUri to the client");
      }
      return key.map(name -> new Encryption(name, section.get(method)));
    }
  }

  private static final Section ID_TOKEN = new Section();
  private static final Key<JwsName> ID_ALGORITHM =
      ID_TOKEN.key("algorithm", ALGORITHM, "e.g. RS256", "RS256 unless configured; ES256 with `profile: fapi2`.");
  private static final EncryptionKeys ID_ENCRYPTION = EncryptionKeys.in(ID_TOKEN, "id_token");

  private static final Section USER_INFO = new Section();
  private static final Key<JwsName> USER_INFO_ALGORITHM = USER_INFO.key("algorithm", ALGORITHM, "e.g. RS256", "UserInfo is signed.");
  private static final EncryptionKeys USER_INFO_ENCRYPTION = EncryptionKeys.in(USER_INFO, "userinfo");

  private static final Section LOGOUT = new Section();
  private static final Key<String> LOGOUT_REDIRECTS =
      LOGOUT.list("redirectUris", REDIRECT, "[]", "Where logout may lead back.").elsewhere("post_logout_redirect_uris");
  private static final Key<URI> FRONT_CHANNEL =
      LOGOUT.key(
          "frontChannel", Type.URL, "e.g. https://client.example.org/logout-frame",
          "Its page for a frame.").elsewhere("frontchannel_logout_uri");
  private static final Key<Boolean> FRONT_CHANNEL_SESSION =
      LOGOUT.key("frontChannelSession", Type.BOOL, "true", "Whether that page is told issuer and sid.").elsewhere("frontchannel_logout_session_required");
  private static final Key<URI> BACK_CHANNEL =
      LOGOUT.key("backChannel", Type.URL, "e.g. https://client.example.org/logout", "Its endpoint.").elsewhere("backchannel_logout_uri");
  private static final Key<Boolean> BACK_CHANNEL_SESSION =
      LOGOUT.key("backChannelSession", Type.BOOL, "true", "Whether it needs a sid.").elsewhere("backchannel_logout_session_required");

  private static final Section ABOUT = new Section();
  private static final Key<URI> HOME =
      ABOUT.key("home", Type.URL, "e.g. https://client.example.org", "Its home page.").elsewhere("client_uri");
  private static final Key<URI> LOGO =
      ABOUT.key("logo", Type.URL, "e.g. https://client.example.org/logo.png", "Its logo.").elsewhere("logo_uri");
  private static final Key<URI> POLICY =
      ABOUT.key("policy", Type.URL, "e.g. https://client.example.org/privacy", "How it uses people's data.").elsewhere("policy_uri");
  private static final Key<URI> TERMS =
      ABOUT.key("terms", Type.URL, "e.g. https://client.example.org/terms", "Its terms of service.").elsewhere("tos_uri");
  private static final Key<URI> INITIATE_LOGIN =
      ABOUT.key("initiateLogin", Type.URL, "e.g. https://client.example.org/login", "Where a login begins at the client.").elsewhere("initiate_login_uri");
  private static final Key<String> CONTACTS = ABOUT.list("contacts", Type.TEXT, "[]", "E-mail addresses of its owners.");

  static final String SCOPE_REMEDY =
      "write a word of up to 200 characters without spaces, quotation marks and backslashes that does not begin with claim:";

  static final Section KEYS = new Section();
  private static final Key<String> CLIENT_ID =
      KEYS.required("clientId", Type.NAME, "web-app", "write the name that the client sends", "Unique in the realm.");
  private static final Key<String> DISPLAY_NAME =
      KEYS.key("displayName", Type.TEXT, "e.g. Our web app", "The client ID unless configured.").elsewhere("client_name");
  private static final Key<Secret> SECRET =
      KEYS.key("secret", Type.SECRET, "e.g. ${CLIENT_SECRET}", "None unless configured: a public client. A machine's, of 22 characters at least: a shorter one is held back while wrong ones come from its address.").elsewhere("client_secret");
  static final Key<Method> AUTHENTICATION =
      KEYS.list(
          "authentication", Type.choice(Type.table(Method::value, Method.values()), Type.table(ClientsYaml::formerWord, Method.values())),
          "e.g. [client_secret_basic, client_secret_post]", "As in the example with a secret, and none without one, unless configured.")
          .elsewhere("token_endpoint_auth_method");
  private static final Key<Void> CERTIFICATE_NAME =
      KEYS.section("certificate", CERTIFICATE, "The one name in the client's certificate that counts, with `authentication: tls_client_auth`.");
  private static final Key<Keys> JWKS =
      KEYS.key("jwks", Type.string("JWK Set file", ClientsYaml::jwks), "e.g. client-keys.json", "The client's public keys.");
  private static final Key<URI> JWKS_URI =
      KEYS.key("jwksUri", Type.URL, "e.g. https://client.example.org/jwks.json", "Where they are, in place of `jwks`.");
  static final Key<GrantType> GRANTS =
      KEYS.list(
          "grants", Type.choice(Type.table(ClientsYaml::word, GrantType.values()), Type.table(GrantType::word, GrantType.values())),
          "[authorization_code, refresh_token]", "What it may use; password, implicit and hybrid are historical.")
          .elsewhere("grant_types", "response_types");
  private static final Key<String> REDIRECT_URIS =
      KEYS.list("redirectUris", REDIRECT, "e.g. [https://client.example.org/callback]", "Required for authorization_code, implicit and hybrid; compared exactly; on loopback any port.");
  private static final Key<String> SCOPES =
      KEYS.list("scopes", Type.matching("scope", "(?!claim:)[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}", "is not a scope", SCOPE_REMEDY), "[openid, profile, email]", "What it may ask for.").elsewhere("scope");
  private static final Key<String> RESOURCES =
      KEYS.list("resources", Type.ENTITY_ID, "[]", "What its access tokens may be for, e.g. `[https://api.example.org]`.");
  private static final Key<Boolean> SUBJECT =
      KEYS.key("subject", Type.choice(pairwise -> pairwise ? "pairwise" : "public", false, true), "public", "The kind of `sub`.").elsewhere("subject_type");
  private static final Key<String> SECTOR =
      KEYS.key("sector", Type.TEXT, "e.g. client.example.org", "Whose pairwise names it shares; the redirect URIs' host unless configured.").elsewhere("sector_identifier_uri");
  private static final Key<Boolean> CONSENT = KEYS.key("consent", Type.BOOL, "false", "People are asked before it is told anything.");
  private static final Key<String> CONTRACT =
      KEYS.key("contract", PartnersYaml.CONTRACTS, "e.g. totp", "The least login contract; any unless configured.");
  private static final Key<String> PROFILE =
      KEYS.key("profile", Type.words("fapi2"), "e.g. fapi2", "Held to the FAPI 2.0 Security Profile, which sets `pushedRequests: true`, `binding: dpop` and ES256, allows PS256 and EdDSA, and wants private_key_jwt, tls_client_auth or self_signed_tls_client_auth, and assertions for the issuer alone.");
  static final Key<Boolean> PKCE = KEYS.key("pkce", Type.BOOL, "true", "Required of requests; a public client cannot do without.");
  static final Key<Boolean> PUSHED =
      KEYS.key("pushedRequests", Type.BOOL, "e.g. true", "Whether requests must be pushed; only with `profile: fapi2` unless configured.").elsewhere("require_pushed_authorization_requests");
  private static final Key<Boolean> SIGNED =
      KEYS.key("signedRequests", Type.BOOL, "false", "Whether requests must be signed.").elsewhere("require_signed_request_object");
  private static final Key<URI> REQUEST_URIS =
      KEYS.list("requestUris", Type.URL, "[]", "Where request objects may be fetched, e.g. `[https://client.example.org/request.jwt]`.");
  static final Key<JwsName> REQUEST_ALGORITHM =
      KEYS.key("requestAlgorithm", ALGORITHM, "e.g. ES256", "The only one for request objects; any unless configured.").elsewhere("request_object_signing_alg");
  static final Key<JwsName> AUTHENTICATION_ALGORITHM =
      KEYS.key("authenticationAlgorithm", ALGORITHM, "e.g. ES256", "The only one for its assertions; any unless configured.").elsewhere("token_endpoint_auth_signing_alg");
  private static final Key<Duration> DEFAULT_MAX_AGE =
      KEYS.key("defaultMaxAge", Type.duration("0s", "30d"), "e.g. 1h", "Where a request has no max_age.");
  private static final Key<Boolean> REQUIRE_AUTH_TIME =
      KEYS.key("requireAuthTime", Type.BOOL, "false", "Whether ID tokens always have auth_time.");
  private static final Key<String> DEFAULT_ACR_VALUES =
      KEYS.list("defaultAcrValues", Type.TEXT, "[]", "Where a request has no acr_values.");
  static final Key<Void> ACCESS_TOKENS = KEYS.section("accessToken", ACCESS_TOKEN, "Its access tokens.");
  private static final Key<Void> REFRESH_TOKENS = KEYS.section("refreshToken", REFRESH_TOKEN, "Its refresh tokens.");
  static final Key<Void> ID_TOKENS = KEYS.section("idToken", ID_TOKEN, "Its ID tokens.");
  static final Key<Void> USER_INFOS = KEYS.section("userInfo", USER_INFO, "What UserInfo answers it; plain JSON unless configured.");
  static final Key<Binding> BINDING =
      KEYS.key("binding", Type.choice(Binding.class), "e.g. asUsed", "What every token must be bound to; `dpopNonce`: proofs need nonces of ours. asUsed unless configured; dpop with `profile: fapi2`.");
  private static final Key<Void> LOGOUTS = KEYS.section("logout", LOGOUT, "How it is told about logouts.");
  private static final Key<Void> LINKS = KEYS.section("about", ABOUT, "Links that people see.");

  private final List<YamlSection> clients;
  private final boolean hasAuthorities;

  /** @param hasAuthorities whether the idp configures authorities of client certificates */
  ClientsYaml(List<YamlSection> clients, boolean hasAuthorities) {
    this.clients = clients;
    this.hasAuthorities = hasAuthorities;
  }

  List<ClientConfig> read() {
    Map<String, Integer> lines = new HashMap<>();
    return clients.stream().flatMap(section -> client(section, lines).stream()).toList();
  }

  private Optional<ClientConfig> client(YamlSection section, Map<String, Integer> lines) {
    Optional<String> clientId = section.find(CLIENT_ID);
    Optional<Keys> fetched = section.find(JWKS_URI).map(Keys.JwksUri::new);
    Optional<Keys> keys = section.find(JWKS).or(() -> fetched);
    boolean fapi2 = section.find(PROFILE).isPresent();
    ClientAuthentication authentication = authentication(section, keys);
    Set<GrantType> grants = Set.copyOf(section.all(GRANTS));
    List<String> redirectUris = section.all(REDIRECT_URIS);
    boolean needsRedirect = Stream.of(GrantType.CODE, GrantType.IMPLICIT, GrantType.HYBRID).anyMatch(grants::contains);
    if (needsRedirect && section.isEmpty(REDIRECT_URIS)) {
      section.problem(REDIRECT_URIS, "is missing: there is nowhere to send people back to", "write the client's own");
    }
    if (authentication.methods().contains(Method.NONE) && grants.contains(GrantType.CLIENT_CREDENTIALS)) {
      section.problem(GRANTS, "has client_credentials, but the client has no credentials", "remove it, or add secret");
    }
    ClientConfig config =
        new ClientConfig(
            clientId.orElse(""), section.find(DISPLAY_NAME), authentication, grants, redirectUris,
            Set.copyOf(section.all(SCOPES)), section.all(RESOURCES), subject(section, redirectUris), section.get(CONSENT),
            section.find(CONTRACT), requests(section, authentication, fapi2), tokens(section, keys, fapi2), keys,
            logout(section.sectionOrEmpty(LOGOUTS)), about(section.sectionOrEmpty(LINKS)));
    Optional<ClientConfig> read = clientId.map(id -> config);
    clientId.map(id -> lines.putIfAbsent(id, section.line(CLIENT_ID))).ifPresent(
        first -> section.problem(CLIENT_ID, "is that of another client, too (line " + first + ")", "keep one of them"));
    read.filter(client -> fapi2).ifPresent(client -> Fapi2Profile.check(section, client));
    return read;
  }

  /** RFC 6749, section 3.3, without text that could be taken for consent to a single claim. */
  static boolean isScope(String text) {
    return text.length() <= 200 && text.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]+") && !text.startsWith("claim:");
  }

  /** Reads an absolute URI without fragment (RFC 6749, section 3.1.2); http for loopback only, other schemes for apps only. */
  private static Optional<String> redirect(YamlValue value) {
    return ClientUris.problem(value.text())
        .<Optional<String>>map(problem -> value.wrong(value.shown() + " " + problem, "write an https address"))
        .orElseGet(() -> Optional.of(value.text()));
  }

  private ClientAuthentication authentication(YamlSection section, Optional<Keys> keys) {
    Optional<ClientSecret> secret = section.find(SECRET).map(ClientSecret.Configured::new);
    Optional<CertificateName> certificate = section.section(CERTIFICATE_NAME).flatMap(ClientsYaml::certificateName);
    Set<Method> methods = EnumSet.noneOf(Method.class);
    methods.addAll(section.all(AUTHENTICATION));
    if (!section.has(AUTHENTICATION)) {
      methods.addAll(secret.isPresent() ? Set.of(Method.SECRET_BASIC, Method.SECRET_POST) : Set.of(Method.NONE));
    }
    if (methods.stream().anyMatch(Method::needsSecret) && secret.isEmpty() && !section.has(SECRET)) {
      section.problem(SECRET, "is missing: its authentication needs one", "add secret: ${NAME}");
    }
    if (methods.contains(Method.SECRET_JWT) && secret.filter(ClientsYaml::isShort).isPresent()) {
      section.problem(SECRET, "is too short for client_secret_jwt, which needs 32 bytes", "write one that a machine made");
    }
    boolean needsKeys = methods.contains(Method.PRIVATE_KEY_JWT) || methods.contains(Method.SELF_SIGNED_TLS);
    if (needsKeys && keys.isEmpty() && !namesKeys(section)) {
      section.problem(JWKS, "is missing: its authentication needs the client's keys", "add jwks or jwksUri");
    }
    if (methods.contains(Method.TLS) && certificate.isEmpty() && !section.has(CERTIFICATE_NAME)) {
      section.problem(CERTIFICATE_NAME, "is missing: nothing says which certificate is the client's", "add {subjectDn: ...}");
    }
    if (methods.contains(Method.TLS) && !hasAuthorities) {
      section.problem(
          AUTHENTICATION, "has tls_client_auth, but no authority's count", "add idp.oauth.certificateCa: clients-ca.crt");
    }
    if (methods.contains(Method.NONE) && methods.size() > 1) {
      section.problem(AUTHENTICATION, "has none beside others, so that others protect nothing", "remove one of them");
    }
    return new ClientAuthentication(methods.isEmpty() ? Set.of(Method.NONE) : methods, secret, certificate);
  }

  /** Whether keys are configured; wrong ones have been reported already. */
  private static boolean namesKeys(YamlSection section) {
    return section.has(JWKS) || section.has(JWKS_URI);
  }

  /** RFC 7518, section 3.2: a key for HS256 has at least the size of the digest. */
  private static boolean isShort(ClientSecret secret) {
    return secret instanceof ClientSecret.Configured(Secret value)
        && value.value().getBytes(StandardCharsets.UTF_8).length < 32;
  }

  private static Optional<CertificateName> certificateName(YamlSection section) {
    return CERTIFICATE_NAMES.entrySet().stream()
        .flatMap(field -> section.find(field.getValue()).map(value -> new CertificateName(field.getKey(), value)).stream())
        .findFirst();
  }

  private static Optional<Keys> jwks(YamlValue value) {
    Optional<String> json = value.content().map(content -> new String(content, StandardCharsets.UTF_8));
    return json.flatMap(
        text ->
            PublicKeys.read(text) instanceof Checked.Failed<PublicKeys>(String problem)
                ? value.wrong("is no set of public keys: " + problem, "name a file with {\"keys\": [...]} (RFC 7517)")
                : Optional.of(new Keys.Jwks(text)));
  }

  private static SubjectType subject(YamlSection section, List<String> redirectUris) {
    boolean pairwise = section.get(SUBJECT);
    Optional<String> sector = section.find(SECTOR);
    List<String> hosts = redirectUris.stream().map(uri -> String.valueOf(URI.create(uri).getHost())).distinct().toList();
    if (!pairwise) {
      return new SubjectType.Public();
    }
    if (sector.isEmpty() && hosts.size() != 1) {
      section.problem(SECTOR, "is missing: the redirect URIs have several hosts", "write the host that names the sector");
    }
    return new SubjectType.Pairwise(sector.orElseGet(() -> hosts.isEmpty() ? "-" : hosts.getFirst()));
  }

  private static Requests requests(YamlSection section, ClientAuthentication authentication, boolean fapi2) {
    boolean pkce = section.get(PKCE);
    if (!pkce && authentication.methods().contains(Method.NONE)) {
      section.problem(PKCE, "is off for a public client, whose codes anybody could use then", "remove the key");
    }
    return new Requests(
        pkce || authentication.methods().contains(Method.NONE),
        section.get(PUSHED, fapi2),
        section.get(SIGNED),
        section.all(REQUEST_URIS),
        section.find(REQUEST_ALGORITHM),
        section.find(AUTHENTICATION_ALGORITHM),
        section.find(DEFAULT_MAX_AGE),
        section.get(REQUIRE_AUTH_TIME),
        section.all(DEFAULT_ACR_VALUES));
  }

  private static Tokens tokens(YamlSection section, Optional<Keys> keys, boolean fapi2) {
    YamlSection access = section.sectionOrEmpty(ACCESS_TOKENS);
    YamlSection refresh = section.sectionOrEmpty(REFRESH_TOKENS);
    YamlSection id = section.sectionOrEmpty(ID_TOKENS);
    YamlSection userInfo = section.sectionOrEmpty(USER_INFOS);
    boolean hasKeys = keys.isPresent() || namesKeys(section);
    Tokens usual = fapi2 ? Fapi2Profile.TOKENS : Tokens.USUAL;
    return new Tokens(
        access.get(FORMAT),
        access.get(ACCESS_ALGORITHM, usual.accessTokenAlgorithm()),
        access.find(ACCESS_LIFE),
        refresh.find(REFRESH_LIFE),
        refresh.get(GRACE),
        id.get(ID_ALGORITHM, usual.idTokenAlgorithm()),
        ID_ENCRYPTION.read(id, hasKeys),
        userInfo.find(USER_INFO_ALGORITHM),
        USER_INFO_ENCRYPTION.read(userInfo, hasKeys),
        section.get(BINDING, usual.binding()));
  }

  private static Logout logout(YamlSection section) {
    return new Logout(
        section.all(LOGOUT_REDIRECTS), section.find(FRONT_CHANNEL), section.get(FRONT_CHANNEL_SESSION),
        section.find(BACK_CHANNEL), section.get(BACK_CHANNEL_SESSION));
  }

  private static About about(YamlSection section) {
    return new About(
        section.find(HOME), section.find(LOGO), section.find(POLICY), section.find(TERMS), section.find(INITIATE_LOGIN),
        section.all(CONTACTS));
  }
}
