package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.ProviderConfig.Client;
import dev.gatehouse.common.realm.ProviderConfig.Proof;
import dev.gatehouse.common.realm.ProviderConfig.SubjectClaims;
import dev.gatehouse.common.realm.Secret;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code providers} of a realm. */
final class ProvidersYaml {

  private enum ClientMethod {
    BASIC,
    POST,
    PRIVATE_KEY_JWT
  }

  /** Names from the specification (OpenID Connect Core 9). */
  private static final Map<String, ClientMethod> METHODS =
      Map.of(
          "client_secret_basic", ClientMethod.BASIC,
          "client_secret_post", ClientMethod.POST,
          "private_key_jwt", ClientMethod.PRIVATE_KEY_JWT);

  private static final Map<String, ClientMethod> FORMER_METHODS =
      Map.of("basic", ClientMethod.BASIC, "post", ClientMethod.POST, "privateKeyJwt", ClientMethod.PRIVATE_KEY_JWT);
  private static final List<String> USUAL_SCOPES = List.of(ProviderConfig.OPENID, "profile", "email");

  private final List<YamlSection> providers;
  private final Optional<String> ownIdp;

  /** @param ownIdp issuer of the realm's idp, whose user names are those of our directory */
  ProvidersYaml(List<YamlSection> providers, Optional<String> ownIdp) {
    this.providers = providers;
    this.ownIdp = ownIdp;
  }

  List<ProviderConfig> read() {
    Map<String, Integer> lines = new HashMap<>();
    return providers.stream().flatMap(section -> provider(section, lines).stream()).toList();
  }

  private Optional<ProviderConfig> provider(YamlSection section, Map<String, Integer> lines) {
    Optional<String> issuer =
        section.required("issuer", ProvidersYaml::issuer, "write the issuer exactly as in its discovery document");
    Optional<String> displayName = section.value("displayName").flatMap(YamlValue::string);
    Optional<Client> client = client(section);
    List<String> scopes = scopes(section);
    YamlSection claims = section.sectionOrEmpty("claims");
    boolean own = ownIdp.isPresent() && ownIdp.equals(issuer);
    SubjectClaims usual = own ? SubjectClaims.OF_OWN_IDP : SubjectClaims.USUAL;
    SubjectClaims subject =
        new SubjectClaims(
            claims.read("user", usual.user(), YamlValue::name),
            claims.read("roles", usual.roles(), YamlValue::name),
            claims.read("groups", usual.groups(), YamlValue::name));
    boolean userInfo = section.read("userInfo", false, YamlValue::bool);
    Map<String, List<String>> accept = new HashMap<>();
    section.mapOfLists("accept").forEach((name, values) -> accept.put(name, values.stream().map(YamlValue::text).toList()));
    issuer
        .map(id -> lines.putIfAbsent(id, section.line("issuer")))
        .ifPresent(
            first -> section.problem("issuer", "is that of another provider, too (line " + first + ")", "keep one of them"));
    return issuer.map(id -> new ProviderConfig(id, displayName, client, scopes, subject, userInfo, accept));
  }

  private static Optional<Client> client(YamlSection section) {
    Optional<String> clientId = section.value("clientId").flatMap(YamlValue::string);
    Optional<Secret> secret = section.value("secret").flatMap(YamlValue::secret);
    Optional<ClientMethod> configured = section.value("authentication").flatMap(v -> v.choice(METHODS, FORMER_METHODS));
    if (clientId.isEmpty()) {
      secret.ifPresent(
          lost -> section.problem("clientId", "is missing, but a secret is there", "add the clientId it belongs to"));
      return Optional.empty();
    }
    ClientMethod chosen = configured.orElse(secret.isPresent() ? ClientMethod.BASIC : ClientMethod.PRIVATE_KEY_JWT);
    if (chosen != ClientMethod.PRIVATE_KEY_JWT && secret.isEmpty()) {
      section.problem("secret", "is missing: the authentication needs one", "add secret: ${NAME}, or use private_key_jwt");
      return Optional.empty();
    }
    if (chosen == ClientMethod.PRIVATE_KEY_JWT && secret.isPresent()) {
      section.problem("secret", "has no use with private_key_jwt", "remove it");
    }
    Proof proof =
        switch (chosen) {
          case BASIC -> new Proof.SecretBasic(secret.orElseThrow());
          case POST -> new Proof.SecretPost(secret.orElseThrow());
          case PRIVATE_KEY_JWT -> new Proof.PrivateKeyJwt();
        };
    return Optional.of(new Client(clientId.get(), proof));
  }

  private static List<String> scopes(YamlSection section) {
    if (!section.has("scopes")) {
      section.values("scopes");
      return USUAL_SCOPES;
    }
    List<String> scopes = new ArrayList<>(List.of(ProviderConfig.OPENID));
    for (YamlValue value : section.values("scopes")) {
      if (!value.text().matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]+")) {
        value.wrong(value.shown() + " is not a scope", "write words without spaces and quotation marks");
      } else if (!scopes.contains(value.text())) {
        scopes.add(value.text());
      }
    }
    return List.copyOf(scopes);
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
