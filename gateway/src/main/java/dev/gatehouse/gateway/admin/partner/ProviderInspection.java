package dev.gatehouse.gateway.admin.partner;

import static java.util.function.Predicate.not;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.PublicJwk;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.partner.FetchedDocument.Wanted;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.FoundProvider;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ProviderEndpointView;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ProviderKeyView;
import dev.gatehouse.sp.provider.ProviderMetadata;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks at an OpenID provider that somebody wants to import: at its discovery document (OpenID Connect Discovery 1.0, section 3) and its
 * keys. Finds everything that speaks against using it, and says what is missing.
 */
final class ProviderInspection {

  private static final String ACCEPT = "application/json";
  private static final int MOST_VALUES = 50;
  private static final List<JwsName> ALGORITHMS = List.of(JwsName.RS256, JwsName.PS256, JwsName.ES256, JwsName.EDDSA);
  private static final String NAMED_ALGORITHMS = String.join(", ", ALGORITHMS.stream().map(JwsName::value).toList());

  /**
   * What the provider is wanted for.
   *
   * @param authentication how we authenticate as its client; empty if people do not log in there
   * @param scopes that are requested
   * @param userInfo whether claims are fetched from its UserInfo endpoint
   * @param alias gives it a redirect URI of its own
   */
  record Use(Optional<String> authentication, List<String> scopes, boolean userInfo, Optional<String> alias) {}

  /** The provider, as far as it could be read. */
  record Inspected(Optional<String> digest, Optional<FoundProvider> found, List<ProblemView> problems) {}

  private final PublicHttp http;

  ProviderInspection(PublicHttp http) {
    this.http = http;
  }

  /**
   * Fetches and inspects the provider's documents.
   *
   * @param issuer without query and fragment
   */
  Inspected of(String issuer, Use use, Optional<String> redirectUri, Destinations permitted) {
    String address = ProviderMetadata.wellKnown(issuer).toString();
    return switch (FetchedDocument.of(http, new Wanted("issuer", address, ACCEPT, permitted))) {
      case Result.Refused<byte[], ProblemView>(ProblemView problem) -> new Inspected(Optional.empty(), Optional.empty(), List.of(problem));
      case Result.Accepted<byte[], ProblemView>(byte[] json) -> {
        List<ProblemView> problems = new ArrayList<>();
        Optional<FoundProvider> found = read(json, issuer, use, redirectUri, permitted, problems);
        yield new Inspected(Optional.of(Sha256.hex(json)), found, List.copyOf(problems));
      }
    };
  }

  private Optional<FoundProvider> read(
      byte[] json, String issuer, Use use, Optional<String> redirectUri, Destinations permitted, List<ProblemView> problems) {
    String source = ProviderMetadata.wellKnown(issuer).toString();
    Map<String, Object> document = StrictJson.object(json).orElse(Map.of());
    if (document.get("issuer") instanceof String other && !other.equals(issuer)) {
      String message = "the document is that of another issuer: " + FetchedDocument.shown(other);
      problems.add(new ProblemView(source, 0, "issuer", message, "import it as that issuer, if you trust it"));
      return Optional.empty();
    }
    return switch (ProviderMetadata.read(json, issuer)) {
      case Result.Refused<ProviderMetadata, String>(String problem) -> {
        String remedy = "use the issuer of an OpenID provider, whose document has https URLs";
        problems.add(new ProblemView(source, 0, "issuer", problem, remedy));
        yield Optional.empty();
      }
      case Result.Accepted<ProviderMetadata, String>(ProviderMetadata metadata) -> {
        List<ProviderKeyView> keys = keys(metadata.jwksUri(), permitted, problems);
        checks(source, document, metadata, use, problems);
        yield Optional.of(
            new FoundProvider(
                endpoints(metadata), keys, texts(document, "id_token_signing_alg_values_supported"), authentication(document),
                texts(document, "scopes_supported"), redirectUri, notes(document, metadata, use)));
      }
    };
  }

  private List<ProviderKeyView> keys(URI address, Destinations permitted, List<ProblemView> problems) {
    String source = FetchedDocument.shown(address.toString());
    return switch (FetchedDocument.of(http, new Wanted("jwks_uri", address.toString(), ACCEPT, permitted))) {
      case Result.Refused<byte[], ProblemView>(ProblemView problem) -> {
        problems.add(problem);
        yield List.of();
      }
      case Result.Accepted<byte[], ProblemView>(byte[] json) ->
          switch (PublicKeys.read(new String(json, StandardCharsets.UTF_8))) {
            case Result.Refused<PublicKeys, String>(String problem) -> {
              problems.add(new ProblemView(source, 0, "jwks_uri", problem, "have the provider publish a JWK Set with public keys (RFC 7517)"));
              yield List.of();
            }
            case Result.Accepted<PublicKeys, String>(PublicKeys keys) -> {
              List<PublicJwk> usable = keys.all().stream().filter(key -> ALGORITHMS.stream().anyMatch(key::verifies)).toList();
              if (usable.isEmpty()) {
                String remedy = "have the provider publish a signing key for one of them";
                problems.add(new ProblemView(source, 0, "jwks_uri", "has no key for " + NAMED_ALGORITHMS, remedy));
              }
              yield usable.stream().map(ProviderInspection::view).toList();
            }
          };
    };
  }

  private static ProviderKeyView view(PublicJwk key) {
    return new ProviderKeyView(key.id().map(FetchedDocument::shown), key.jwk().getKeyType().getValue(), key.thumbprint());
  }

  private static List<ProviderEndpointView> endpoints(ProviderMetadata metadata) {
    return Stream.of(
            endpoint("jwks_uri", Optional.of(metadata.jwksUri())),
            endpoint("authorization_endpoint", metadata.authorizationEndpoint()),
            endpoint("token_endpoint", metadata.tokenEndpoint()),
            endpoint("userinfo_endpoint", metadata.userInfoEndpoint()),
            endpoint("end_session_endpoint", metadata.endSessionEndpoint()),
            endpoint("introspection_endpoint", metadata.introspectionEndpoint()),
            endpoint("pushed_authorization_request_endpoint", metadata.pushedRequests()))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<ProviderEndpointView> endpoint(String name, Optional<URI> url) {
    return url.map(address -> new ProviderEndpointView(name, address.toString()));
  }

  /** What a login needs: the code flow, an ID token that we can verify, and a way for us to authenticate. */
  private static void checks(
      String source, Map<String, Object> document, ProviderMetadata metadata, Use use, List<ProblemView> problems) {
    if (use.authentication().isEmpty()) {
      return;
    }
    String other = "leave out `clientId` to verify its access tokens only, or use another provider";
    if (metadata.authorizationEndpoint().isEmpty()) {
      problems.add(new ProblemView(source, 0, "authorization_endpoint", "is missing: people cannot log in there", other));
    }
    if (metadata.tokenEndpoint().isEmpty()) {
      problems.add(new ProblemView(source, 0, "token_endpoint", "is missing: codes cannot be redeemed there", other));
    }
    List<String> responses = texts(document, "response_types_supported");
    if (!responses.isEmpty() && !responses.contains("code")) {
      problems.add(new ProblemView(source, 0, "response_types_supported", "has no `code`, which we use", other));
    }
    List<String> algorithms = texts(document, "id_token_signing_alg_values_supported");
    if (!algorithms.isEmpty() && ALGORITHMS.stream().map(JwsName::value).noneMatch(algorithms::contains)) {
      String message = "has none of " + NAMED_ALGORITHMS + ", only " + String.join(", ", algorithms);
      problems.add(new ProblemView(source, 0, "id_token_signing_alg_values_supported", message, other));
    }
    String chosen = use.authentication().get();
    List<String> methods = authentication(document);
    if (!methods.contains(chosen)) {
      String message = "is " + chosen + ", which the provider does not take; it takes " + String.join(", ", methods);
      String remedy = "write an `authentication` that both know; client_secret_basic and client_secret_post need a `secret`";
      problems.add(new ProblemView(source, 0, "authentication", message, remedy));
    }
    if (use.userInfo() && metadata.userInfoEndpoint().isEmpty()) {
      problems.add(new ProblemView(source, 0, "userinfo_endpoint", "is missing, but `userInfo` is true", "write userInfo: false"));
    }
  }

  private static List<String> notes(Map<String, Object> document, ProviderMetadata metadata, Use use) {
    List<String> notes = new ArrayList<>();
    if (use.authentication().isEmpty()) {
      return List.of("without a clientId nobody logs in there; only its access tokens that are JWTs are verified");
    }
    List<String> challenges = texts(document, "code_challenge_methods_supported");
    if (!challenges.contains("S256")) {
      notes.add("it does not say that it supports PKCE with S256 (RFC 7636), which we use");
    }
    if (texts(document, "id_token_signing_alg_values_supported").isEmpty()) {
      notes.add("it does not say how it signs ID tokens (id_token_signing_alg_values_supported)");
    }
    if (texts(document, "response_types_supported").isEmpty()) {
      notes.add("it does not say that it supports the code flow (response_types_supported)");
    }
    if (metadata.endSessionEndpoint().isEmpty()) {
      notes.add("it has no end_session_endpoint: a logout here does not end the session there");
    }
    if (!metadata.namesItself() && use.alias().isEmpty()) {
      notes.add(
          "it does not announce that it names itself in its answers (RFC 9207): if there are several providers, give it an `alias`, or the "
              + "others could obtain its codes");
    }
    List<String> scopes = texts(document, "scopes_supported");
    if (!scopes.isEmpty()) {
      use.scopes().stream()
          .filter(not(scopes::contains))
          .forEach(scope -> notes.add("it does not list the scope " + FetchedDocument.shown(scope) + " in scopes_supported"));
    }
    return List.copyOf(notes);
  }

  /** Discovery 1.0, section 3: without the list it is client_secret_basic. */
  private static List<String> authentication(Map<String, Object> document) {
    List<String> methods = texts(document, "token_endpoint_auth_methods_supported");
    return methods.isEmpty() ? List.of("client_secret_basic") : methods;
  }

  private static List<String> texts(Map<String, Object> document, String name) {
    return document.get(name) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).map(FetchedDocument::shown).limit(MOST_VALUES).toList()
        : List.of();
  }
}
