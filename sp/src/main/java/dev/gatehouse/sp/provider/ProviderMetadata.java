package dev.gatehouse.sp.provider;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.result.Result;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a provider's metadata that we use (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2).
 *
 * @param authorizationEndpoint empty for a provider at which people do not log in
 * @param pushedRequests the endpoint for pushed requests (RFC 9126, section 5)
 * @param requiresPushedRequests whether requests must be pushed
 * @param namesItself whether the provider puts {@code iss} into every authorization response (RFC 9207, section 3)
 */
public record ProviderMetadata(
    String issuer,
    URI jwksUri,
    Optional<URI> authorizationEndpoint,
    Optional<URI> tokenEndpoint,
    Optional<URI> userInfoEndpoint,
    Optional<URI> endSessionEndpoint,
    Optional<URI> introspectionEndpoint,
    Optional<URI> pushedRequests,
    boolean requiresPushedRequests,
    boolean namesItself) {

  private static final int MAX_CHARACTERS = 2048;

  /** An endpoint is present but invalid. */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Reads the document from the issuer's well-known address. It must name this issuer (Discovery 1.0, section 4.3);
   * otherwise one provider could speak for another. Every endpoint must use https, and be on this machine only if the issuer is: a provider
   * elsewhere must not make this node, or browsers, send secrets and codes to programs that trust their neighbours.
   */
  public static Result<ProviderMetadata, String> read(byte[] json, String issuer) {
    Optional<Map<String, Object>> document = StrictJson.object(json);
    if (document.isEmpty()) {
      return Result.refused("its metadata is not a JSON object");
    }
    if (!issuer.equals(document.get().get("issuer"))) {
      return Result.refused("its metadata names another issuer");
    }
    try {
      return Result.accepted(read(document.get(), issuer));
    } catch (Unusable e) {
      return Result.refused(String.valueOf(e.getMessage()));
    }
  }

  private static ProviderMetadata read(Map<String, Object> document, String issuer) throws Unusable {
    return new ProviderMetadata(
        issuer,
        endpoint(document, issuer, "jwks_uri").orElseThrow(() -> new Unusable("its metadata has no jwks_uri")),
        endpoint(document, issuer, "authorization_endpoint"),
        endpoint(document, issuer, "token_endpoint"),
        endpoint(document, issuer, "userinfo_endpoint"),
        endpoint(document, issuer, "end_session_endpoint"),
        endpoint(document, issuer, "introspection_endpoint"),
        endpoint(document, issuer, "pushed_authorization_request_endpoint"),
        isTrue(document, "require_pushed_authorization_requests"),
        isTrue(document, "authorization_response_iss_parameter_supported"));
  }

  private static boolean isTrue(Map<String, Object> document, String name) {
    return Boolean.TRUE.equals(document.get(name));
  }

  private static Optional<URI> endpoint(Map<String, Object> document, String issuer, String name) throws Unusable {
    Object value = document.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof String text && text.length() <= MAX_CHARACTERS) {
      try {
        URI url = new URI(text);
        boolean whole = url.getHost() != null && url.getRawUserInfo() == null && url.getRawFragment() == null;
        boolean here = whole && Loopback.isName(url.getHost());
        if (here && !isHere(issuer)) {
          throw new Unusable("its " + name + " is on this machine");
        }
        if (whole && "https".equals(url.getScheme()) || here && "http".equals(url.getScheme())) {
          return Optional.of(url);
        }
      } catch (URISyntaxException e) {
        throw new Unusable("its " + name + " is not a URL");
      }
    }
    throw new Unusable("its " + name + " is not an https URL");
  }

  private static boolean isHere(String issuer) {
    return Optional.ofNullable(URI.create(issuer).getHost()).filter(Loopback::isName).isPresent();
  }

  /** The address of an issuer's document (Discovery 1.0, section 4). */
  public static URI wellKnown(String issuer) {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return URI.create(base + "/.well-known/openid-configuration");
  }
}
