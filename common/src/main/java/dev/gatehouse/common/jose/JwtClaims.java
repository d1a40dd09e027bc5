package dev.gatehouse.common.jose;

import dev.gatehouse.common.result.Result;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of a JWT (RFC 7519, section 4). Claims of section 4.1 are known to have the required types.
 */
public final class JwtClaims {

  private static final Set<String> TEXTS = Set.of("iss", "sub", "jti");
  private static final Set<String> TIMES = Set.of("exp", "nbf", "iat");

  /** The last second of the year 9999. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private final Map<String, Object> claims;

  private JwtClaims(Map<String, Object> claims) {
    this.claims = Map.copyOf(claims);
  }

  static Result<JwtClaims, String> of(Map<String, Object> claims) {
    for (Map.Entry<String, Object> claim : claims.entrySet()) {
      String name = claim.getKey();
      Object value = claim.getValue();
      if (TEXTS.contains(name) && !(value instanceof String)
          || TIMES.contains(name) && !isTime(value)
          || name.equals("aud") && !isAudience(value)) {
        return Result.refused("the claim " + name + " has the wrong type");
      }
    }
    return Result.accepted(new JwtClaims(claims));
  }

  /** Returns whether the value is a NumericDate (RFC 7519, section 2). */
  private static boolean isTime(Object value) {
    return value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= LAST_SECOND;
  }

  private static boolean isAudience(Object value) {
    return value instanceof String || value instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
  }

  public Optional<String> issuer() {
    return text("iss");
  }

  public Optional<String> subject() {
    return text("sub");
  }

  public Optional<String> id() {
    return text("jti");
  }

  /** Returns the audience; empty if there is none. */
  public List<String> audience() {
    return switch (claims.getOrDefault("aud", List.of())) {
      case String one -> List.of(one);
      case List<?> several -> several.stream().map(String::valueOf).toList();
      default -> List.of();
    };
  }

  public Optional<Instant> expiresAt() {
    return time("exp");
  }

  public Optional<Instant> notBefore() {
    return time("nbf");
  }

  public Optional<Instant> issuedAt() {
    return time("iat");
  }

  /** Returns the claim if it is a string. */
  public Optional<String> text(String name) {
    return claims.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** Returns all claims. */
  public Map<String, Object> all() {
    return claims;
  }

  private Optional<Instant> time(String name) {
    return claims.get(name) instanceof Number number
        ? Optional.of(Instant.ofEpochSecond((long) Math.floor(number.doubleValue())))
        : Optional.empty();
  }

  /** Returns the names only: values may be secret. */
  @Override
  public String toString() {
    return claims.keySet().toString();
  }
}
