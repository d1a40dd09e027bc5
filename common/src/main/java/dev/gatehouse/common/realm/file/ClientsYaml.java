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
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code clients} of a realm. */
final class ClientsYaml {

  /** Names from the specifications (RFC 7591, section 2; RFC 8628, section 3.4). */
  private static final Map<String, GrantType> GRANTS =
      Map.of(
          "authorization_code", GrantType.CODE,
          "refresh_token", GrantType.REFRESH,
          "client_credentials", GrantType.CLIENT_CREDENTIALS,
          "urn:ietf:params:oauth:grant-type:device_code", GrantType.DEVICE,
          "password", GrantType.PASSWORD,
          "implicit", GrantType.IMPLICIT,
          "hybrid", GrantType.HYBRID);

  private static final Map<String, GrantType> SHORT_GRANTS =
      Stream.of(GrantType.values()).collect(Collectors.toMap(GrantType::word, grant -> grant));

  /** Names from the specifications (OpenID Connect Core 9; RFC 8705, section 2). */
  private static final Map<String, Method> METHODS =
      Map.of(
          "none", Method.NONE,
          "client_secret_basic", Method.SECRET_BASIC,
          "client_secret_post", Method.SECRET_POST,
          "client_secret_jwt", Method.SECRET_JWT,
          "private_key_jwt", Method.PRIVATE_KEY_JWT,
          "tls_client_auth", Method.TLS,
          "self_signed_tls_client_auth", Method.SELF_SIGNED_TLS);

  private static final Map<String, Method> FORMER_METHODS =
      Map.of(
          "basic", Method.SECRET_BASIC,
          "post", Method.SECRET_POST,
          "secretJwt", Method.SECRET_JWT,
          "privateKeyJwt", Method.PRIVATE_KEY_JWT,
          "certificate", Method.TLS,
          "selfSignedCertificate", Method.SELF_SIGNED_TLS);
  private static final Map<String, CertificateName.Field> CERTIFICATE_NAMES =
      Map.of(
          "subjectDn", CertificateName.Field.SUBJECT_DN,
          "sanDns", CertificateName.Field.SAN_DNS,
          "sanUri", CertificateName.Field.SAN_URI,
          "sanIp", CertificateName.Field.SAN_IP,
          "sanMail", CertificateName.Field.SAN_EMAIL);
  private static final Map<String, JwsName> ALGORITHMS =
      Map.of("RS256", JwsName.RS256, "PS256", JwsName.PS256, "ES256", JwsName.ES256, "EdDSA", JwsName.EDDSA);
  private static final Map<String, AccessTokenFormat> FORMATS =
      Map.of("jwt", AccessTokenFormat.JWT, "opaque", AccessTokenFormat.OPAQUE);
  private static final Map<String, Binding> BINDINGS =
      Map.of(
          "asUsed", Binding.AS_USED,
          "dpop", Binding.DPOP,
          "dpopNonce", Binding.DPOP_NONCE,
          "certificate", Binding.CERTIFICATE);
  private static final Map<String, String> KEY_ENCRYPTION = words("RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW");
  private static final Map<String, String> CONTENT_ENCRYPTION = words("A128GCM", "A256GCM", "A128CBC-HS256");
  private static final Map<String, String> PROFILES = words("fapi2");
  private static final Map<String, String> CONTRACTS = words("password", "basic", "certificate", "totp");
  private static final List<String> USUAL_SCOPES = List.of("openid", "profile", "email");

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
    Optional<String> clientId = section.required("clientId", YamlValue::name, "write the name that the client sends");
    Optional<Keys> keys = keys(section);
    boolean fapi2 = section.value("profile").flatMap(v -> v.choice(PROFILES)).isPresent();
    ClientAuthentication authentication = authentication(section, keys);
    Set<GrantType> grants = grants(section);
    List<YamlValue> written = section.values("redirectUris");
    List<String> redirectUris = written.stream().flatMap(v -> redirect(v).stream()).toList();
    boolean needsRedirect =
        grants.contains(GrantType.CODE) || grants.contains(GrantType.IMPLICIT) || grants.contains(GrantType.HYBRID);
    if (needsRedirect && written.isEmpty()) {
      section.problem("redirectUris", "is missing: there is nowhere to send people back to", "write the client's own");
    }
    if (authentication.methods().contains(Method.NONE) && grants.contains(GrantType.CLIENT_CREDENTIALS)) {
      section.problem("grants", "has client_credentials, but the client has no credentials", "remove it, or add secret");
    }
    Optional<ClientConfig> read =
        clientId.map(
            id ->
                new ClientConfig(
                    id,
                    section.value("displayName").flatMap(YamlValue::string),
                    authentication,
                    grants,
                    redirectUris,
                    scopes(section),
                    section.values("resources").stream().flatMap(v -> v.entityId().stream()).toList(),
                    subject(section, redirectUris),
                    section.read("consent", false, YamlValue::bool),
                    section.value("contract").flatMap(v -> v.choice(CONTRACTS)),
                    requests(section, authentication, fapi2),
                    tokens(section, keys, fapi2),
                    keys,
                    logout(section.sectionOrEmpty("logout")),
                    about(section.sectionOrEmpty("about"))));
    clientId.map(id -> lines.putIfAbsent(id, section.line("clientId"))).ifPresent(
        first -> section.problem("clientId", "is that of another client, too (line " + first + ")", "keep one of them"));
    read.filter(client -> fapi2).ifPresent(client -> Fapi2Profile.check(section, client));
    return read;
  }

  private static Set<GrantType> grants(YamlSection section) {
    Set<GrantType> grants = EnumSet.noneOf(GrantType.class);
    section.values("grants").forEach(value -> value.choice(GRANTS, SHORT_GRANTS).ifPresent(grants::add));
    if (!section.has("grants")) {
      grants.addAll(Set.of(GrantType.CODE, GrantType.REFRESH));
    }
    return grants;
  }

  static final String SCOPE_REMEDY =
      "write a word of up to 200 characters without spaces, quotation marks and backslashes that does not begin with claim:";

  private static Set<String> scopes(YamlSection section) {
    Set<String> scopes = new TreeSet<>();
    section.values("scopes").forEach(value -> scope(value).ifPresent(scopes::add));
    return section.has("scopes") ? scopes : new TreeSet<>(USUAL_SCOPES);
  }

  /** RFC 6749, section 3.3: printable ASCII without space, quotation mark and backslash. */
  private static Optional<String> scope(YamlValue value) {
    return isScope(value.text())
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is not a scope", SCOPE_REMEDY);
  }

  /** As {@link #scope}; also refuses text that could be taken for consent to a single claim. */
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
    Optional<ClientSecret> secret =
        section.value("secret").flatMap(YamlValue::secret).map(ClientSecret.Configured::new);
    Optional<CertificateName> certificate = section.section("certificate").flatMap(ClientsYaml::certificateName);
    Set<Method> methods = EnumSet.noneOf(Method.class);
    section.values("authentication").forEach(value -> value.choice(METHODS, FORMER_METHODS).ifPresent(methods::add));
    if (!section.has("authentication")) {
      methods.addAll(secret.isPresent() ? Set.of(Method.SECRET_BASIC, Method.SECRET_POST) : Set.of(Method.NONE));
    }
    if (methods.stream().anyMatch(Method::needsSecret) && secret.isEmpty() && !section.has("secret")) {
      section.problem("secret", "is missing: its authentication needs one", "add secret: ${NAME}");
    }
    if (methods.contains(Method.SECRET_JWT) && secret.filter(ClientsYaml::isShort).isPresent()) {
      section.problem("secret", "is too short for client_secret_jwt, which needs 32 bytes", "write one that a machine made");
    }
    boolean needsKeys = methods.contains(Method.PRIVATE_KEY_JWT) || methods.contains(Method.SELF_SIGNED_TLS);
    if (needsKeys && keys.isEmpty() && !namesKeys(section)) {
      section.problem("jwks", "is missing: its authentication needs the client's keys", "add jwks or jwksUri");
    }
    if (methods.contains(Method.TLS) && certificate.isEmpty() && !section.has("certificate")) {
      section.problem("certificate", "is missing: nothing says which certificate is the client's", "add {subjectDn: ...}");
    }
    if (methods.contains(Method.TLS) && !hasAuthorities) {
      section.problem(
          "authentication", "has tls_client_auth, but no authority's count", "add idp.oauth.certificateCa: clients-ca.crt");
    }
    if (methods.contains(Method.NONE) && methods.size() > 1) {
      section.problem("authentication", "has none beside others, so that others protect nothing", "remove one of them");
    }
    return new ClientAuthentication(methods.isEmpty() ? Set.of(Method.NONE) : methods, secret, certificate);
  }

  /** Whether keys are configured; wrong ones have been reported already. */
  private static boolean namesKeys(YamlSection section) {
    return section.has("jwks") || section.has("jwksUri");
  }

  /** RFC 7518, section 3.2: a key for HS256 has at least the size of the digest. */
  private static boolean isShort(ClientSecret secret) {
    return secret instanceof ClientSecret.Configured(Secret value)
        && value.value().getBytes(StandardCharsets.UTF_8).length < 32;
  }

  private static Optional<CertificateName> certificateName(YamlSection section) {
    for (Map.Entry<String, CertificateName.Field> field : CERTIFICATE_NAMES.entrySet()) {
      Optional<CertificateName> name =
          section.value(field.getKey()).flatMap(YamlValue::string).map(v -> new CertificateName(field.getValue(), v));
      if (name.isPresent()) {
        return name;
      }
    }
    return Optional.empty();
  }

  private static Optional<Keys> keys(YamlSection section) {
    Optional<Keys> uri = section.value("jwksUri").flatMap(YamlValue::url).map(Keys.JwksUri::new);
    return section
        .value("jwks")
        .flatMap(ClientsYaml::jwks)
        .or(() -> uri);
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
    boolean pairwise =
        section.read("subject", false, v -> v.choice(Map.of("public", false, "pairwise", true)));
    Optional<String> sector = section.value("sector").flatMap(YamlValue::string);
    List<String> hosts = redirectUris.stream().map(uri -> String.valueOf(URI.create(uri).getHost())).distinct().toList();
    if (!pairwise) {
      return new SubjectType.Public();
    }
    if (sector.isEmpty() && hosts.size() != 1) {
      section.problem("sector", "is missing: the redirect URIs have several hosts", "write the host that names the sector");
    }
    return new SubjectType.Pairwise(sector.orElseGet(() -> hosts.isEmpty() ? "-" : hosts.getFirst()));
  }

  private static Requests requests(YamlSection section, ClientAuthentication authentication, boolean fapi2) {
    boolean pkce = section.read("pkce", true, YamlValue::bool);
    if (!pkce && authentication.methods().contains(Method.NONE)) {
      section.problem("pkce", "is off for a public client, whose codes anybody could use then", "remove the key");
    }
    return new Requests(
        pkce || authentication.methods().contains(Method.NONE),
        section.read("pushedRequests", fapi2, YamlValue::bool),
        section.read("signedRequests", false, YamlValue::bool),
        section.values("requestUris").stream().flatMap(v -> v.url().stream()).toList(),
        section.value("requestAlgorithm").flatMap(v -> v.choice(ALGORITHMS)),
        section.value("authenticationAlgorithm").flatMap(v -> v.choice(ALGORITHMS)),
        section
            .value("defaultMaxAge")
            .flatMap(v -> v.duration(Duration.ZERO, Duration.ofDays(30))),
        section.read("requireAuthTime", false, YamlValue::bool),
        section.values("defaultAcrValues").stream().map(YamlValue::text).toList());
  }

  private static Tokens tokens(YamlSection section, Optional<Keys> keys, boolean fapi2) {
    YamlSection access = section.sectionOrEmpty("accessToken");
    YamlSection refresh = section.sectionOrEmpty("refreshToken");
    YamlSection id = section.sectionOrEmpty("idToken");
    YamlSection userInfo = section.sectionOrEmpty("userInfo");
    boolean keysNamed = namesKeys(section);
    Tokens usual = fapi2 ? Fapi2Profile.TOKENS : Tokens.USUAL;
    return new Tokens(
        access.read("format", usual.accessToken(), v -> v.choice(FORMATS)),
        access.read("algorithm", usual.accessTokenAlgorithm(), v -> v.choice(ALGORITHMS)),
        access.value("life").flatMap(v -> v.duration(Duration.ofSeconds(1), Duration.ofHours(24))),
        refresh.value("life").flatMap(v -> v.duration(Duration.ofSeconds(1), Duration.ofDays(3650))),
        refresh.read("grace", Duration.ZERO, v -> v.duration(Duration.ZERO, Duration.ofSeconds(10))),
        id.read("algorithm", usual.idTokenAlgorithm(), v -> v.choice(ALGORITHMS)),
        encryption(id, keys.isPresent() || keysNamed),
        userInfo.value("algorithm").flatMap(v -> v.choice(ALGORITHMS)),
        encryption(userInfo, keys.isPresent() || keysNamed),
        section.read("binding", usual.binding(), v -> v.choice(BINDINGS)));
  }

  private static Optional<Encryption> encryption(YamlSection section, boolean hasKeys) {
    Optional<String> algorithm = section.value("keyEncryption").flatMap(v -> v.choice(KEY_ENCRYPTION));
    String method = section.read("encryption", "A256GCM", v -> v.choice(CONTENT_ENCRYPTION));
    if (algorithm.isPresent() && !hasKeys) {
      section.problem("keyEncryption", "needs the client's keys", "add jwks or jwksUri to the client");
    }
    return algorithm.map(name -> new Encryption(name, method));
  }

  private static Logout logout(YamlSection section) {
    return new Logout(
        section.values("redirectUris").stream().flatMap(v -> redirect(v).stream()).toList(),
        section.value("frontChannel").flatMap(YamlValue::url),
        section.read("frontChannelSession", true, YamlValue::bool),
        section.value("backChannel").flatMap(YamlValue::url),
        section.read("backChannelSession", true, YamlValue::bool));
  }

  private static About about(YamlSection section) {
    return new About(
        section.value("home").flatMap(YamlValue::url),
        section.value("logo").flatMap(YamlValue::url),
        section.value("policy").flatMap(YamlValue::url),
        section.value("terms").flatMap(YamlValue::url),
        section.value("initiateLogin").flatMap(YamlValue::url),
        section.values("contacts").stream().map(YamlValue::text).toList());
  }

  private static Map<String, String> words(String... words) {
    Map<String, String> same = new LinkedHashMap<>();
    for (String word : words) {
      same.put(word, word);
    }
    return same;
  }
}
