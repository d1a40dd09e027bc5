package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.crypto.InstancePool;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.jose.JwsSignatures;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads JWTs that {@link JwsSigner} created and that came back. A token is ours only if its header is, byte for byte,
 * one that we write with a published key. Other header contents (another algorithm or none, a key or a key's address,
 * {@code crit}) are never interpreted, so that they cannot mislead us (RFC 8725, section 3.1).
 */
public final class JwsVerifier {

  /** Longer tokens are not ours. */
  private static final int MAX_CHARACTERS = 32 * 1024;

  private static final Base64.Decoder BASE64 = Base64.getUrlDecoder();
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  /**
   * @param ids of the published keys for which the headers were made
   * @param byHeader the verifier for each encoded header
   */
  private record Known(List<String> ids, Map<String, InstancePool<Signature>> byHeader) {}

  private record Audience(String realm, String type) {}

  private final KeyRings keys;
  private final ConcurrentHashMap<Audience, Known> known = new ConcurrentHashMap<>();

  public JwsVerifier(KeyRings keys) {
    this.keys = keys;
  }

  /**
   * Returns the claims, as JSON in UTF-8, of a token of this type that one of the realm's published keys signed; empty
   * for any other token. Does not check issuer, audience and time.
   */
  public Optional<byte[]> read(Realm realm, String type, String token) {
    int payload = token.indexOf('.') + 1;
    int signature = token.indexOf('.', payload) + 1;
    if (token.length() > MAX_CHARACTERS || payload < 2 || signature <= payload || token.indexOf('.', signature) >= 0) {
      return Optional.empty();
    }
    InstancePool<Signature> verifier = headers(realm, type).get(token.substring(0, payload - 1));
    if (verifier == null) {
      return Optional.empty();
    }
    Optional<byte[]> value = decoded(token.substring(signature));
    Optional<byte[]> claims = decoded(token.substring(payload, signature - 1));
    byte[] input = token.substring(0, signature - 1).getBytes(StandardCharsets.ISO_8859_1);
    return value.isPresent() && claims.isPresent() && verifies(verifier, input, value.get()) ? claims : Optional.empty();
  }

  /** Returns false also for a signature of a wrong length or form. */
  private static boolean verifies(InstancePool<Signature> verifiers, byte[] input, byte[] value) {
    try {
      return verifiers.use(
          verifier -> {
            verifier.update(input);
            return verifier.verify(value);
          });
    } catch (SignatureException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key for tokens cannot verify", e);
    }
  }

  /** Returns whether a token that was read before would still be accepted, because its key is still published. */
  public boolean knows(Realm realm, String type, String token) {
    int dot = token.indexOf('.');
    return dot > 0 && headers(realm, type).containsKey(token.substring(0, dot));
  }

  /** Decodes base64url; accepts only the canonical encoding, so that a token has only one spelling. */
  private static Optional<byte[]> decoded(String text) {
    try {
      byte[] bytes = BASE64.decode(text);
      return ENCODER.encodeToString(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Map<String, InstancePool<Signature>> headers(Realm realm, String type) {
    List<VerificationKey> published = JwksEndpoint.published(keys.of(realm));
    List<String> ids = published.stream().map(VerificationKey::id).toList();
    Audience audience = new Audience(realm.name(), type);
    Known before = known.get(audience);
    if (before != null && before.ids().equals(ids)) {
      return before.byHeader();
    }
    Map<String, InstancePool<Signature>> byHeader = new HashMap<>();
    for (VerificationKey key : published) {
      for (JwsName algorithm : algorithms(key)) {
        byHeader.put(JwsSigner.header(key.id(), algorithm, type), new InstancePool<>(() -> begin(key, algorithm)));
      }
    }
    known.put(audience, new Known(ids, Map.copyOf(byHeader)));
    return byHeader;
  }

  private static List<JwsName> algorithms(VerificationKey key) {
    return switch (key.algorithm()) {
      case RSA_2048, RSA_3072 -> List.of(JwsName.RS256, JwsName.PS256);
      case P_256 -> List.of(JwsName.ES256);
      case ED_25519 -> List.of(JwsName.EDDSA);
    };
  }

  private static Signature begin(VerificationKey key, JwsName algorithm) throws GeneralSecurityException {
    Signature signature = JwsSignatures.of(algorithm);
    signature.initVerify(key.certificate().getPublicKey());
    return signature;
  }
}
