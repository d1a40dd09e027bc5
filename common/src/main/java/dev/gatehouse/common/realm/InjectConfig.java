package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The facts about the person that an app receives, and how it receives them. Values are parsed by {@link IdentityValue#parse}.
 *
 * @param headers header name to value
 * @param query name of a query parameter to value
 * @param cookies name of a cookie to value
 * @param basic present if the gateway logs in to the app by HTTP Basic
 * @param jwt present if the app receives a signed token
 * @param forwardAuth header names that a foreign proxy receives in addition to {@code headers}, when it asks whether a request
 *     may pass
 */
public record InjectConfig(
    Map<String, String> headers,
    Map<String, String> query,
    Map<String, String> cookies,
    Optional<Basic> basic,
    Optional<Jwt> jwt,
    Set<Convention> forwardAuth) {

  /** The default headers for a foreign proxy. */
  public static final Set<Convention> USUAL = Set.of(Convention.REMOTE, Convention.X_AUTH_REQUEST);

  /** No injection. */
  public static final InjectConfig NOTHING = headers(Map.of());

  /** Returns a configuration with headers only. */
  public static InjectConfig headers(Map<String, String> headers) {
    return new InjectConfig(headers, Map.of(), Map.of(), Optional.empty(), Optional.empty(), USUAL);
  }

  /** Returns whether our Authorization header replaces the client's. */
  public boolean replacesAuthorization() {
    return basic.isPresent() || jwt.filter(Jwt::isBearer).isPresent();
  }

  /**
   * HTTP Basic towards the app (RFC 7617).
   *
   * @param user value of the name
   */
  public record Basic(String user, Password password) {}

  /** The origin of the password. */
  public sealed interface Password {
    /** The gateway's own, the same for all people. */
    record Shared(Secret secret) implements Password {}

    /** The person's, as a value. */
    record Of(String value) implements Password {}
  }

  /**
   * A token (RFC 7519) about the person, signed by the realm's key for it.
   *
   * @param header that carries it; {@code Authorization} as a bearer token
   * @param audience never empty
   * @param claims claim to value, in addition to iss, sub, aud, iat, exp and jti
   * @param life from the beginning of the minute of issue to {@code exp}
   */
  public record Jwt(
      String header, List<String> audience, Map<String, String> claims, Duration life, Algorithm algorithm) {

    public boolean isBearer() {
      return header.equalsIgnoreCase("Authorization");
    }
  }

  /** The signature algorithm of tokens. */
  public enum Algorithm {
    RS256,
    ES256
  }

  /** Header names of other gateways, which apps know. */
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

    /** Returns header name to values; the first value that the person has is sent. */
    public Map<String, List<String>> headers() {
      return headers;
    }
  }
}
