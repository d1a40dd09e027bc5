package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.crypto.InstancePool;
import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.crypto.SignatureTimes.Signed;
import dev.gatehouse.common.crypto.SignatureTimes;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.jose.JwsSignatures;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Signs JWTs with the realm's keys, in compact form (RFC 7515, section 7.1). Encoded headers are cached and signature
 * objects are reused, so that only the claims remain to be processed per token.
 */
public final class JwsSigner {

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /** There are few keys and types. The cache only grows by retired keys, and is then cleared as a whole. */
  private static final int MAX = 1000;

  /** The common properties of tokens with the same header. */
  private record Kind(String key, JwsName algorithm, String type) {}

  private record Prepared(byte[] header, Signing signing) {}

  /** Signs with one key. */
  private interface Signing {
    byte[] sign(byte[] input) throws GeneralSecurityException;
  }

  private final KeyRings keys;
  private final ConcurrentHashMap<Kind, Prepared> prepared = new ConcurrentHashMap<>();

  public JwsSigner(KeyRings keys) {
    this.keys = keys;
  }

  /**
   * @param algorithm never HS256
   * @param type the header's {@code typ}, for example {@code at+jwt} or {@code JWT}; letters, digits, {@code +} and {@code -}
   * @param claims JSON in UTF-8
   */
  public String sign(Realm realm, JwsName algorithm, String type, byte[] claims) {
    SigningKey key = keys.of(realm).current(use(algorithm));
    Prepared ready = prepared(key, algorithm, type);
    byte[] payload = BASE64.encode(claims);
    byte[] header = ready.header();
    byte[] input = new byte[header.length + 1 + payload.length];
    System.arraycopy(header, 0, input, 0, header.length);
    input[header.length] = '.';
    System.arraycopy(payload, 0, input, header.length + 1, payload.length);
    byte[] signature = BASE64.encode(signature(ready.signing(), input));
    byte[] token = new byte[input.length + 1 + signature.length];
    System.arraycopy(input, 0, token, 0, input.length);
    token[input.length] = '.';
    System.arraycopy(signature, 0, token, input.length + 1, signature.length);
    return new String(token, StandardCharsets.ISO_8859_1);
  }

  /** The keys that sign with this algorithm. */
  static KeyUse use(JwsName algorithm) {
    return switch (algorithm) {
      case RS256, PS256 -> KeyUse.IDP_TOKENS_RSA;
      case ES256 -> KeyUse.IDP_TOKENS_P256;
      case EDDSA -> KeyUse.IDP_TOKENS_ED25519;
      case HS256 -> throw new IllegalArgumentException("our tokens are not signed by secrets");
    };
  }

  private Prepared prepared(SigningKey key, JwsName algorithm, String type) {
    Kind kind = new Kind(key.id(), algorithm, type);
    Prepared known = prepared.get(kind);
    if (known != null) {
      return known;
    }
    if (prepared.size() >= MAX) {
      prepared.clear();
    }
    return prepared.computeIfAbsent(kind, k -> prepare(key, algorithm, type));
  }

  private static Prepared prepare(SigningKey key, JwsName algorithm, String type) {
    return new Prepared(
        header(key.id(), algorithm, type).getBytes(StandardCharsets.US_ASCII),
        signing(key, algorithm));
  }

  /** A key in a token is none of the crypto provider's. */
  private static Signing signing(SigningKey key, JwsName algorithm) {
    if (key.privateKey() instanceof RemoteKey remote) {
      RemoteKey.Scheme scheme = scheme(algorithm);
      return input -> remote.sign(scheme, input);
    }
    InstancePool<Signature> signatures = new InstancePool<>(() -> begin(key, algorithm));
    return input ->
        signatures.use(
            signature -> {
              signature.update(input);
              return signature.sign();
            });
  }

  private static RemoteKey.Scheme scheme(JwsName algorithm) {
    return switch (algorithm) {
      case RS256 -> RemoteKey.Scheme.RSA_PKCS1;
      case PS256 -> RemoteKey.Scheme.RSA_PSS;
      case ES256 -> RemoteKey.Scheme.ECDSA;
      case EDDSA, HS256 -> throw new IllegalArgumentException("no key in a token signs by " + algorithm);
    };
  }

  /** The encoded header of such tokens, by which {@link JwsVerifier} recognizes them. */
  static String header(String key, JwsName algorithm, String type) {
    return BASE64.encodeToString(
        new JsonText().text("alg", algorithm.value()).text("typ", type).text("kid", key).toBytes());
  }

  private static byte[] signature(Signing signing, byte[] input) {
    try {
      return SignatureTimes.timed(Signed.TOKEN, () -> signing.sign(input));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key for tokens cannot sign", e);
    }
  }

  private static Signature begin(SigningKey key, JwsName algorithm) throws GeneralSecurityException {
    Signature signature = JwsSignatures.of(algorithm);
    signature.initSign(key.privateKey());
    return signature;
  }
}
