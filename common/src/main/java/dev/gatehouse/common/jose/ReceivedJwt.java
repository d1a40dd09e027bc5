package dev.gatehouse.common.jose;

import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A signed JWT in compact form (RFC 7515, section 7.1), parsed but not yet verified. The sender determines its key. A header that
 * contains or refers to a key ({@code jwk}, {@code jku}, {@code x5u}, {@code x5c}) is refused (RFC 8725, section 3.10), except the
 * {@code jwk} of a DPoP proof. {@code none}, unknown algorithms, extensions ({@code crit}, {@code b64}) and JWE, which nobody has
 * reason to send us, are refused too.
 *
 * @param type {@code typ} in lower case, without {@code application/}
 * @param key in a DPoP proof only
 * @param signed the bytes that the signature covers
 */
public record ReceivedJwt(
    JwsName algorithm,
    Optional<String> type,
    Optional<String> keyId,
    Optional<PublicJwk> key,
    JwtClaims claims,
    byte[] signed,
    byte[] signature) {

  /** The rule for a key in the header itself. */
  public enum OwnKey {
    REFUSED,
    REQUIRED
  }

  private static final int MAX_CHARACTERS = 32 * 1024;
  private static final int MAX_NAME_CHARACTERS = 256;

  private static final Map<String, JwsName> ALGORITHMS =
      Stream.of(JwsName.values()).collect(Collectors.toMap(JwsName::value, name -> name));

  /** Members that could bring another key, and extensions that would change what is signed. */
  private static final Set<String> REFUSED = Set.of("jku", "x5u", "x5c", "crit", "b64", "zip", "enc");

  /** Reads a JWT; fails with a description of the problem. */
  public static Result<ReceivedJwt, String> read(String text, OwnKey ownKey) {
    if (text.length() > MAX_CHARACTERS) {
      return Result.refused("the JWT is too long");
    }
    String[] parts = text.split("\\.", -1);
    if (parts.length != 3) {
      return Result.refused(parts.length == 5 ? "the JWT is encrypted" : "it is not a JWT");
    }
    Optional<Map<String, Object>> header = decoded(parts[0]).flatMap(StrictJson::object);
    if (header.isEmpty()) {
      return Result.refused("the header of the JWT cannot be read");
    }
    return headerProblem(header.get(), ownKey)
        .<Result<ReceivedJwt, String>>map(Result::refused)
        .orElseGet(() -> read(parts, header.get(), ownKey));
  }

  private static Optional<String> headerProblem(Map<String, Object> header, OwnKey ownKey) {
    for (String name : REFUSED) {
      if (header.containsKey(name)) {
        return Optional.of("the header of the JWT has " + name);
      }
    }
    if (header.containsKey("jwk") != (ownKey == OwnKey.REQUIRED)) {
      return Optional.of(ownKey == OwnKey.REQUIRED ? "the header of the JWT has no jwk" : "the header of the JWT has jwk");
    }
    for (String name : Set.of("typ", "kid", "alg", "cty")) {
      if (header.containsKey(name)
          && !(header.get(name) instanceof String text && text.length() <= MAX_NAME_CHARACTERS)) {
        return Optional.of("the header of the JWT has a " + name + " that is no short text");
      }
    }
    return ALGORITHMS.containsKey(header.getOrDefault("alg", ""))
        ? Optional.empty()
        : Optional.of("the algorithm of the JWT is not one of ours");
  }

  private static Result<ReceivedJwt, String> read(String[] parts, Map<String, Object> header, OwnKey ownKey) {
    Optional<Map<String, Object>> payload = decoded(parts[1]).flatMap(StrictJson::object);
    Optional<byte[]> signature = decoded(parts[2]);
    if (payload.isEmpty() || signature.isEmpty()) {
      return Result.refused("the JWT cannot be read");
    }
    byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
    Result<Optional<PublicJwk>, String> key =
        ownKey == OwnKey.REFUSED ? Result.accepted(Optional.empty()) : ownKey(header);
    return key.then(
        jwk ->
            JwtClaims.of(payload.get())
                .then(
                    claims ->
                        Result.accepted(
                            new ReceivedJwt(
                                algorithm(header),
                                text(header, "typ").map(ReceivedJwt::type),
                                text(header, "kid"),
                                jwk,
                                claims,
                                signed,
                                signature.get()))));
  }

  private static JwsName algorithm(Map<String, Object> header) {
    return Optional.ofNullable(ALGORITHMS.get(text(header, "alg").orElse(""))).orElseThrow();
  }

  private static Result<Optional<PublicJwk>, String> ownKey(Map<String, Object> header) {
    if (!(header.get("jwk") instanceof Map<?, ?> members)) {
      return Result.refused("the jwk in the header is no object");
    }
    Map<String, Object> named =
        members.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .collect(Collectors.toMap(entry -> String.valueOf(entry.getKey()), Map.Entry::getValue));
    return PublicJwk.read(named).then(key -> Result.accepted(Optional.of(key)));
  }

  private static Optional<String> text(Map<String, Object> header, String name) {
    return header.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** RFC 7515, section 4.1.9: the prefix is optional. */
  private static String type(String typ) {
    String lower = typ.toLowerCase(Locale.ROOT);
    return lower.startsWith("application/") ? lower.substring("application/".length()) : lower;
  }

  /** Decodes base64url without padding (RFC 7515, section 2), in its canonical spelling only. */
  private static Optional<byte[]> decoded(String part) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(part);
      boolean canonical = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part);
      return canonical ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns whether it is signed with that key. */
  public boolean isSignedBy(PublicJwk by) {
    return by.verify(algorithm, signed, signature);
  }

  /** Returns whether it is signed with that secret, by HS256 (RFC 7518, section 3.2); compares in constant time. */
  public boolean isSignedBy(byte[] secret) {
    if (algorithm != JwsName.HS256) {
      return false;
    }
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return MessageDigest.isEqual(mac.doFinal(signed), signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Does not contain the token itself. */
  @Override
  public String toString() {
    return "JWT " + algorithm + " " + claims;
  }
}
