package dev.gatehouse.common.jose;

import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A JWK Set (RFC 7517, section 5): public keys only. */
public record PublicKeys(List<PublicJwk> all) {

  private static final int MAX_KEYS = 50;

  /** Number of keys to try for one signature that names none of them. */
  private static final int MAX_TRIES = 5;

  private static final Set<String> TYPES = Set.of("RSA", "EC", "OKP", "oct");

  public PublicKeys {
    all = List.copyOf(all);
  }

  /** Returns keys of ours that sign. */
  public static PublicKeys of(List<VerificationKey> signing) {
    return switch (read(JwkSets.of(signing, List.of()))) {
      case Result.Accepted<PublicKeys, String>(PublicKeys keys) -> keys;
      case Result.Refused<PublicKeys, String>(String problem) -> throw new IllegalArgumentException(problem);
    };
  }

  /**
   * Reads a set. Keys of unknown types and curves are ignored (section 5). A private, symmetric or weak key makes the whole set fail,
   * because its owner should notice it.
   */
  public static Result<PublicKeys, String> read(String json) {
    Optional<Map<String, Object>> set = StrictJson.object(json.getBytes(StandardCharsets.UTF_8));
    if (set.isEmpty() || !(set.get().get("keys") instanceof List<?> keys)) {
      return Result.refused("it is not a JWK Set");
    }
    if (keys.size() > MAX_KEYS) {
      return Result.refused("it has more than " + MAX_KEYS + " keys");
    }
    List<PublicJwk> read = new ArrayList<>();
    for (Object key : keys) {
      if (!(key instanceof Map<?, ?> members)) {
        return Result.refused("a key is not an object");
      }
      if (isKnown(members)) {
        switch (PublicJwk.read(texts(members))) {
          case Result.Accepted(PublicJwk jwk) -> read.add(jwk);
          case Result.Refused(String problem) -> {
            return Result.refused(problem);
          }
        }
      }
    }
    return Result.accepted(new PublicKeys(read));
  }

  private static boolean isKnown(Map<?, ?> members) {
    Object type = members.get("kty");
    Object curve = members.get("crv");
    return TYPES.contains(String.valueOf(type))
        && (!"OKP".equals(type) || "Ed25519".equals(curve) || "X25519".equals(curve))
        && (!"EC".equals(type) || "P-256".equals(curve) || "P-384".equals(curve) || "P-521".equals(curve));
  }

  private static Map<String, Object> texts(Map<?, ?> members) {
    Map<String, Object> named = new java.util.HashMap<>();
    members.forEach(
        (name, value) -> {
          if (value != null) {
            named.put(String.valueOf(name), value);
          }
        });
    return named;
  }

  /** Returns whether one of the keys made the signature: the key that it names or, if it names none, any suitable one. */
  public boolean verify(ReceivedJwt jwt) {
    return candidates(jwt.algorithm(), jwt.keyId()).stream().anyMatch(jwt::isSignedBy);
  }

  private List<PublicJwk> candidates(JwsName algorithm, Optional<String> keyId) {
    return all.stream()
        .filter(key -> key.verifies(algorithm))
        .filter(key -> keyId.isEmpty() || key.id().isEmpty() || key.id().equals(keyId))
        .limit(MAX_TRIES)
        .toList();
  }

  /** Returns whether one of the keys is the certificate's (RFC 8705, section 2.2). */
  public boolean hasKeyOf(X509Certificate certificate) {
    return all.stream().anyMatch(key -> key.isOf(certificate));
  }
}
