package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an app is told of the person, and how. Values are what {@link IdentityValue#parse} reads.
 *
 * @param headers header name to value
 * @param query name of a query parameter to value
 * @param cookies name of a cookie to value
 * @param basic present where the app is logged in to by HTTP Basic
 * @param jwt present where the app gets a signed token
 * @param forwardAuth the names of headers that a foreign proxy is told besides {@code headers}, when it asks whether a
 *     request may pass
 */
public record InjectConfig(
    Map<String, String> headers,
    Map<String, String> query,
    Map<String, String> cookies,
    Optional<Basic> basic,
    Optional<Jwt> jwt,
    Set<Convention> forwardAuth) {

  /** What a foreign proxy is told where nothing else is configured. */
  public static final Set<Convention> USUAL = Set.of(Convention.REMOTE, Convention.X_AUTH_REQUEST);

  /** Nothing at all. */
  public static final InjectConfig NOTHING = headers(Map.of());

  /** Headers alone. */
  public static InjectConfig headers(Map<String, String> headers) {
    return new InjectConfig(headers, Map.of(), Map.of(), Optional.empty(), Optional.empty(), USUAL);
  }

  /** Whether what the client sends as Authorization gives way to ours. */
  public boolean replacesAuthorization() {
    return basic.isPresent() || jwt.filter(Jwt::isBearer).isPresent();
  }

  /**
   * HTTP Basic towards the app (RFC 7617).
   *
   * @param user value of the name
   */
  public record Basic(String user, Password password) {}

  /** Where the password comes from. */
  public sealed interface Password {
    /** The same for everybody: the gateway's own. */
    record Shared(Secret secret) implements Password {}

    /** The person's, a value. */
    record Of(String value) implements Password {}
  }

  /**
   * A token (RFC 7519) about the person, signed by the realm's key for it.
   *
   * @param header that carries it; {@code Authorization} as a bearer token
   * @param audience never empty
   * @param claims claim to value, besides iss, sub, aud, iat, exp and jti
   * @param life from one minute's token to its {@code exp}
   */
  public record Jwt(
      String header, List<String> audience, Map<String, String> claims, Duration life, Algorithm algorithm) {

    public boolean isBearer() {
      return header.equalsIgnoreCase("Authorization");
    }
  }

  /** What tokens are signed by. */
  public enum Algorithm {
    RS256,
    ES256
  }

  /** Header names that apps behind other gateways know. */
  public enum Convention {
    /** As Authelia sends them. */
    REMOTE(
        Map.of(
            "Remote-User", List.of("user"),
            "Remote-Groups", List.of("groups"),
            "Remote-Name", List.of("displayName", "name", "cn"),
            "Remote-Email", List.of("mail", "email"))),
    /** As oauth2-proxy sends them. */
    X_AUTH_REQUEST(
        Map.of(
            "X-Auth-Request-User", List.of("user"),
            "X-Auth-Request-Preferred-Username", List.of("user"),
            "X-Auth-Request-Groups", List.of("groups"),
            "X-Auth-Request-Email", List.of("mail", "email")));

    private final Map<String, List<String>> headers;

    Convention(Map<String, List<String>> headers) {
      this.headers = headers;
    }

    /** Header name to values, of which the first that the person has is sent. */
    public Map<String, List<String>> headers() {
      return headers;
    }
  }
}
