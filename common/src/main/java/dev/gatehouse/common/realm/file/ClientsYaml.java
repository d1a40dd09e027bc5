package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.CertificateName;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.About;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.ClientUris;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
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

  static final String SCOPE_REMEDY =
      "write a word of up to 200 characters without spaces, quotation marks and backslashes that does not begin with claim:";

  private static final Set<Method> PROVED = Set.of(Method.PRIVATE_KEY_JWT, Method.TLS, Method.SELF_SIGNED_TLS);

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
    Optional<String> clientId = section.find(ClientKeys.CLIENT_ID);
    Optional<Keys> fetched = section.find(ClientKeys.JWKS_URI).map(Keys.JwksUri::new);
    Optional<Keys> keys = section.find(ClientKeys.JWKS).or(() -> fetched);
    boolean fapi2 = section.find(ClientKeys.PROFILE).isPresent();
    ClientAuthentication authentication = authentication(section, keys);
    Set<GrantType> grants = Set.copyOf(section.all(ClientKeys.GRANTS));
    List<String> redirectUris = section.all(ClientKeys.REDIRECT_URIS);
    boolean needsRedirect = Stream.of(GrantType.CODE, GrantType.IMPLICIT, GrantType.HYBRID).anyMatch(grants::contains);
    if (needsRedirect && section.isEmpty(ClientKeys.REDIRECT_URIS)) {
      section.problem(ClientKeys.REDIRECT_URIS, "is missing: people could not return to the client", "write the client's own");
    }
    if (authentication.methods().contains(Method.NONE) && grants.contains(GrantType.CLIENT_CREDENTIALS)) {
      section.problem(ClientKeys.GRANTS, "has client_credentials, but the client has no credentials", "remove it, or add secret");
    }
    ClientConfig config =
        new ClientConfig(
            clientId.orElse(""), section.find(ClientKeys.DISPLAY_NAME), authentication,
            new ClientConfig.Permissions(
                grants, redirectUris, Set.copyOf(section.all(ClientKeys.SCOPES)), section.all(ClientKeys.RESOURCES),
                section.section(ClientKeys.PASSCODES).map(agent -> passcodes(section, agent, authentication))),
            new ClientConfig.Login(subject(section, redirectUris), section.get(ClientKeys.CONSENT), section.find(ClientKeys.CONTRACT)),
            requests(section, authentication, fapi2), tokens(section, keys, fapi2), keys,
            logout(section.sectionOrEmpty(ClientKeys.LOGOUTS)), about(section.sectionOrEmpty(ClientKeys.LINKS)));
    Optional<ClientConfig> read = clientId.map(id -> config);
    clientId.map(id -> lines.putIfAbsent(id, section.line(ClientKeys.CLIENT_ID))).ifPresent(
        first -> section.problem(ClientKeys.CLIENT_ID, "is that of another client, too (line " + first + ")", "keep one of them"));
    clientId.filter(AdminLogin.CLIENT_ID::equals).ifPresent(
        id -> section.problem(ClientKeys.CLIENT_ID, "is that of Gatehouse's own console", "write another one"));
    read.filter(client -> fapi2).ifPresent(client -> Fapi2Profile.check(section, client));
    return read;
  }

  /** RFC 6749, section 3.3, without text that could be taken for consent to a single claim. */
  static boolean isScope(String text) {
    return text.length() <= 200 && text.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]+") && !text.startsWith("claim:");
  }

  /** Reads an absolute URI without fragment (RFC 6749, section 3.1.2); http for loopback only, other schemes for apps only. */
  static Optional<String> redirect(YamlValue value) {
    return ClientUris.problem(value.text())
        .<Optional<String>>map(problem -> value.wrong(value.shown() + " " + problem, "write an https address"))
        .orElseGet(() -> Optional.of(value.text()));
  }

  /** A secret can be guessed and copied, and whoever has it can ask about everybody's passcodes. */
  private static ClientConfig.Passcodes passcodes(YamlSection client, YamlSection agent, ClientAuthentication authentication) {
    if (!PROVED.containsAll(authentication.methods())) {
      client.problem(
          ClientKeys.PASSCODES, "stands at a client that can authenticate without a key of its own",
          "write authentication: private_key_jwt with jwks, tls_client_auth or self_signed_tls_client_auth");
    }
    return new ClientConfig.Passcodes(
        Set.copyOf(agent.all(ClientKeys.AGENT_ROLES)), agent.get(ClientKeys.AGENT_RATE), agent.get(ClientKeys.AGENT_OFFLINE),
        agent.get(ClientKeys.AGENT_VISITORS));
  }

  private ClientAuthentication authentication(YamlSection section, Optional<Keys> keys) {
    Optional<ClientSecret> secret = section.find(ClientKeys.SECRET).map(ClientSecret.Configured::new);
    Optional<CertificateName> certificate = section.section(ClientKeys.CERTIFICATE_NAME).flatMap(ClientsYaml::certificateName);
    Set<Method> methods = EnumSet.noneOf(Method.class);
    methods.addAll(section.all(ClientKeys.AUTHENTICATION));
    if (!section.has(ClientKeys.AUTHENTICATION)) {
      methods.addAll(secret.isPresent() ? Set.of(Method.SECRET_BASIC, Method.SECRET_POST) : Set.of(Method.NONE));
    }
    if (methods.stream().anyMatch(Method::needsSecret) && secret.isEmpty() && !section.has(ClientKeys.SECRET)) {
      section.problem(ClientKeys.SECRET, "is missing: its authentication needs one", "add secret: ${NAME}");
    }
    if (methods.contains(Method.SECRET_JWT) && secret.filter(ClientsYaml::isShort).isPresent()) {
      section.problem(ClientKeys.SECRET, "is too short for client_secret_jwt, which needs 32 bytes", "write a random one that a program generated");
    }
    boolean needsKeys = methods.contains(Method.PRIVATE_KEY_JWT) || methods.contains(Method.SELF_SIGNED_TLS);
    if (needsKeys && keys.isEmpty() && !namesKeys(section)) {
      section.problem(ClientKeys.JWKS, "is missing: its authentication needs the client's keys", "add jwks or jwksUri");
    }
    if (methods.contains(Method.TLS) && certificate.isEmpty() && !section.has(ClientKeys.CERTIFICATE_NAME)) {
      section.problem(ClientKeys.CERTIFICATE_NAME, "is missing: no name identifies the client's certificate", "add {subjectDn: ...}");
    }
    if (methods.contains(Method.TLS) && !hasAuthorities) {
      section.problem(
          ClientKeys.AUTHENTICATION, "has tls_client_auth, but no certificate authority is configured",
          "add idp.oauth.certificateCa: clients-ca.crt");
    }
    if (methods.contains(Method.NONE) && methods.size() > 1) {
      section.problem(ClientKeys.AUTHENTICATION, "has none beside others, so that others protect nothing", "remove one of them");
    }
    return new ClientAuthentication(methods.isEmpty() ? Set.of(Method.NONE) : methods, secret, certificate);
  }

  /** Returns whether keys are configured; wrong ones have been reported already. */
  private static boolean namesKeys(YamlSection section) {
    return section.has(ClientKeys.JWKS) || section.has(ClientKeys.JWKS_URI);
  }

  /** RFC 7518, section 3.2: a key for HS256 has at least the size of the digest. */
  private static boolean isShort(ClientSecret secret) {
    return secret instanceof ClientSecret.Configured(Secret value)
        && value.value().getBytes(StandardCharsets.UTF_8).length < 32;
  }

  private static Optional<CertificateName> certificateName(YamlSection section) {
    return ClientKeys.CERTIFICATE_NAMES.entrySet().stream()
        .flatMap(field -> section.find(field.getValue()).map(value -> new CertificateName(field.getKey(), value)).stream())
        .findFirst();
  }

  static Optional<Keys> jwks(YamlValue value) {
    Optional<String> json = value.content().map(content -> new String(content, StandardCharsets.UTF_8));
    return json.flatMap(
        text ->
            PublicKeys.read(text) instanceof Result.Refused(String problem)
                ? value.wrong("is no set of public keys: " + problem, "name a file with {\"keys\": [...]} (RFC 7517)")
                : Optional.of(new Keys.Jwks(text)));
  }

  private static SubjectType subject(YamlSection section, List<String> redirectUris) {
    boolean pairwise = section.get(ClientKeys.SUBJECT);
    Optional<String> sector = section.find(ClientKeys.SECTOR).or(() -> ClientUris.sector(redirectUris));
    if (!pairwise) {
      return new SubjectType.Public();
    }
    if (sector.isEmpty()) {
      section.problem(
          ClientKeys.SECTOR, "is missing: the redirect URIs are not all https addresses of one host",
          "write the host that names the sector");
    }
    return new SubjectType.Pairwise(sector.orElse("-"));
  }

  private static Requests requests(YamlSection section, ClientAuthentication authentication, boolean fapi2) {
    boolean pkce = section.get(ClientKeys.PKCE);
    if (!pkce && authentication.methods().contains(Method.NONE)) {
      section.problem(ClientKeys.PKCE, "is off for a public client, whose codes anybody could use then", "remove the key");
    }
    return new Requests(
        pkce || authentication.methods().contains(Method.NONE),
        section.get(ClientKeys.PUSHED, fapi2),
        section.get(ClientKeys.SIGNED),
        section.all(ClientKeys.REQUEST_URIS),
        section.find(ClientKeys.REQUEST_ALGORITHM),
        section.find(ClientKeys.AUTHENTICATION_ALGORITHM),
        section.find(ClientKeys.DEFAULT_MAX_AGE),
        section.get(ClientKeys.REQUIRE_AUTH_TIME),
        section.all(ClientKeys.DEFAULT_ACR_VALUES));
  }

  private static Tokens tokens(YamlSection section, Optional<Keys> keys, boolean fapi2) {
    YamlSection access = section.sectionOrEmpty(ClientKeys.ACCESS_TOKENS);
    YamlSection refresh = section.sectionOrEmpty(ClientKeys.REFRESH_TOKENS);
    YamlSection id = section.sectionOrEmpty(ClientKeys.ID_TOKENS);
    YamlSection userInfo = section.sectionOrEmpty(ClientKeys.USER_INFOS);
    boolean hasKeys = keys.isPresent() || namesKeys(section);
    Tokens usual = fapi2 ? Fapi2Profile.TOKENS : Tokens.USUAL;
    return new Tokens(
        access.get(ClientKeys.FORMAT),
        access.get(ClientKeys.ACCESS_ALGORITHM, usual.accessTokenAlgorithm()),
        access.find(ClientKeys.ACCESS_LIFE),
        refresh.find(ClientKeys.REFRESH_LIFE),
        refresh.get(ClientKeys.GRACE),
        id.get(ClientKeys.ID_ALGORITHM, usual.idTokenAlgorithm()),
        ClientKeys.ID_ENCRYPTION.read(id, hasKeys),
        userInfo.find(ClientKeys.USER_INFO_ALGORITHM),
        ClientKeys.USER_INFO_ENCRYPTION.read(userInfo, hasKeys),
        section.get(ClientKeys.BINDING, usual.binding()));
  }

  private static Logout logout(YamlSection section) {
    return new Logout(
        section.all(ClientKeys.LOGOUT_REDIRECTS), section.find(ClientKeys.FRONT_CHANNEL), section.get(ClientKeys.FRONT_CHANNEL_SESSION),
        section.find(ClientKeys.BACK_CHANNEL), section.get(ClientKeys.BACK_CHANNEL_SESSION));
  }

  private static About about(YamlSection section) {
    return new About(
        section.find(ClientKeys.HOME), section.find(ClientKeys.LOGO), section.find(ClientKeys.POLICY), section.find(ClientKeys.TERMS),
        section.find(ClientKeys.INITIATE_LOGIN),
        section.all(ClientKeys.CONTACTS));
  }
}
