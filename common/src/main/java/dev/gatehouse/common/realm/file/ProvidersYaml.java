package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.ProviderConfig.Client;
import dev.gatehouse.common.realm.ProviderConfig.Proof;
import dev.gatehouse.common.realm.ProviderConfig.SubjectClaims;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads {@code providers} of a realm. */
final class ProvidersYaml {

  private static final Method[] METHODS = {Method.SECRET_BASIC, Method.SECRET_POST, Method.PRIVATE_KEY_JWT};

  private static final Section CLAIMS = new Section();
  private static final Key<String> USER =
      CLAIMS.key(
          "user", Type.NAME, "e.g. sub",
          "The claim with the user name; default: `sub`, or preferred_username of the realm's own idp. If the token lacks the "
              + "claim, `sub` is used. Another claim than `sub` may pass from one person to another.");
  private static final Key<String> ROLES = CLAIMS.key("roles", Type.NAME, "roles", "The roles.");
  private static final Key<String> GROUPS = CLAIMS.key("groups", Type.NAME, "groups", "The groups.");

  static final Section KEYS = new Section();
  private static final Key<String> ISSUER =
      KEYS.required(
          "issuer", Type.matching("URL", "^[Hh][Tt][Tt][Pp][Ss]?://", ProvidersYaml::issuer).reaching(Reach.OUTBOUND),
          "https://login.example.org",
          "write the issuer exactly as in its discovery document",
          "The provider's issuer, exactly as in its discovery document. If a partner has this entityId, people log in by SAML.");
  private static final Key<String> DISPLAY_NAME =
      KEYS.key("displayName", Type.TEXT, "e.g. Our customers", "The name shown on pages; the issuer unless configured.");
  private static final Key<String> CLIENT_ID =
      KEYS.key(
          "clientId", Type.TEXT, "e.g. gatehouse",
          "Our client ID at the provider; required for login and introspection. The redirect_uri is "
              + "`publicUrl/.gatehouse/oidc/callback`, unless there is an `alias`.");
  private static final Key<String> ALIAS =
      KEYS.key(
          "alias",
          Type.matching(
              "name", "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", "is no alias", "write lower-case letters, digits and hyphens within"),
          "e.g. customers",
          "Gives the provider a redirect_uri of its own, `publicUrl/.gatehouse/oidc/callback/ALIAS`. Among several providers, each that "
              + "does not name itself in its answers (RFC 9207) needs one: the others could obtain its codes.")
          .elsewhere("registrationId");
  private static final Key<Secret> SECRET =
      KEYS.key(
          "secret", Type.SECRET, "e.g. ${PROVIDER_SECRET}",
          "Our secret at the provider; required for client_secret_basic and client_secret_post.").elsewhere("client_secret");
  private static final Key<Method> AUTHENTICATION =
      KEYS.key(
          "authentication",
          Type.choice(Type.table(Method::value, METHODS), Type.table(ClientsYaml::formerWord, METHODS)),
          "e.g. client_secret_basic",
          "How we authenticate at the provider; default: client_secret_basic, or private_key_jwt without a secret. "
              + "private_key_jwt signs with the sp's key, published at `/.gatehouse/oidc/jwks`.")
          .elsewhere("token_endpoint_auth_method");
  private static final Key<String> SCOPES =
      KEYS.list(
          "scopes",
          Type.matching("scope", "[\\x21\\x23-\\x5b\\x5d-\\x7e]+", "is not a scope", "write words without spaces and quotation marks"),
          "[openid, profile, email]", "Scopes that we request; `openid` is always requested.")
          .elsewhere("scope");
  private static final Key<Void> SUBJECT = KEYS.section("claims", CLAIMS, "Names of claims.");
  private static final Key<Boolean> USER_INFO =
      KEYS.key("userInfo", Type.BOOL, "false", "Whether claims are fetched from the provider's UserInfo endpoint, too.");
  private static final Key<String> ACCEPT =
      KEYS.lists(
          "accept", Type.TEXT, "{}",
          "Values that count, e.g. `{roles: [staff], authnContext: [\"urn:mfa\"], preferred_username: [\"*\"]}`. Of a provider "
              + "that is not the realm's own, roles, groups, acr (authnContext), user names and an e-mail that is not verified "
              + "count only if listed.");

  private final List<YamlSection> providers;
  private final Optional<String> ownIdp;

  /** @param ownIdp issuer of the realm's idp, whose user names are those of our directory */
  ProvidersYaml(List<YamlSection> providers, Optional<String> ownIdp) {
    this.providers = providers;
    this.ownIdp = ownIdp;
  }

  List<ProviderConfig> read() {
    Map<String, Integer> issuers = new HashMap<>();
    Map<String, Integer> aliases = new HashMap<>();
    return providers.stream().flatMap(section -> provider(section, issuers, aliases).stream()).toList();
  }

  private Optional<ProviderConfig> provider(YamlSection section, Map<String, Integer> issuers, Map<String, Integer> aliases) {
    Optional<String> issuer = section.find(ISSUER);
    Optional<Client> client = client(section);
    YamlSection claims = section.sectionOrEmpty(SUBJECT);
    SubjectClaims usual = ownIdp.isPresent() && ownIdp.equals(issuer) ? SubjectClaims.OF_OWN_IDP : SubjectClaims.USUAL;
    SubjectClaims subject =
        new SubjectClaims(claims.get(USER, usual.user()), claims.get(ROLES, usual.roles()), claims.get(GROUPS, usual.groups()));
    List<String> scopes = Stream.concat(Stream.of(ProviderConfig.OPENID), section.all(SCOPES).stream()).distinct().toList();
    ProviderConfig read =
        new ProviderConfig(
            issuer.orElse(""), section.find(DISPLAY_NAME), client, scopes, subject, section.get(USER_INFO), section.lists(ACCEPT));
    once(section, ISSUER, issuer, issuers, "keep one of them");
    once(section, ALIAS, read.alias(), aliases, "give each one of its own");
    return issuer.map(id -> read);
  }

  private static void once(
      YamlSection section, Key<String> key, Optional<String> value, Map<String, Integer> lines, String remedy) {
    value
        .map(text -> lines.putIfAbsent(text, section.line(key)))
        .ifPresent(first -> section.problem(key, "is that of another provider, too (line " + first + ")", remedy));
  }

  private static Optional<Client> client(YamlSection section) {
    Optional<String> clientId = section.find(CLIENT_ID);
    Optional<Secret> secret = section.find(SECRET);
    Optional<Method> configured = section.find(AUTHENTICATION);
    Optional<String> alias = section.find(ALIAS);
    if (clientId.isEmpty()) {
      secret.ifPresent(
          lost -> section.problem(CLIENT_ID, "is missing, but a secret is there", "add the clientId it belongs to"));
      alias.ifPresent(lost -> section.problem(ALIAS, "has no effect without clientId", "add clientId, or remove it"));
      return Optional.empty();
    }
    Method chosen = configured.orElse(secret.isPresent() ? Method.SECRET_BASIC : Method.PRIVATE_KEY_JWT);
    if (chosen != Method.PRIVATE_KEY_JWT && secret.isEmpty()) {
      section.problem(SECRET, "is missing: the authentication needs one", "add secret: ${NAME}, or use private_key_jwt");
      return Optional.empty();
    }
    if (chosen == Method.PRIVATE_KEY_JWT && secret.isPresent()) {
      section.problem(SECRET, "has no effect with private_key_jwt", "remove it");
    }
    Proof proof =
        switch (chosen) {
          case SECRET_BASIC -> new Proof.SecretBasic(secret.orElseThrow());
          case SECRET_POST -> new Proof.SecretPost(secret.orElseThrow());
          default -> new Proof.PrivateKeyJwt();
        };
    return Optional.of(new Client(clientId.get(), proof, alias));
  }

  /** Reads a URL without query and fragment (OpenID Connect Discovery 1.0, section 3), which is then compared as text. */
  private static Optional<String> issuer(YamlValue value) {
    Optional<URI> url = value.url();
    if (url.filter(u -> u.getRawQuery() != null).isPresent()) {
      return value.wrong(value.shown() + " has a query", "write the issuer as in its discovery document");
    }
    if (url.filter(u -> u.getScheme().equalsIgnoreCase("http") && !Loopback.isName(u.getHost())).isPresent()) {
      return value.wrong(value.shown() + " could be answered by anybody on the way", "use https");
    }
    return url.map(u -> value.text());
  }
}
