package dev.gatehouse.idp.oidc;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.crypto.RSADecrypter;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.Realm;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decrypts ID tokens that a client encrypted for us before it sent them as hints (OpenID Connect Core 3.1.2.1), so that
 * a client that receives encrypted ID tokens need not send them through browsers in clear. The content is checked like
 * any other hint. Uses RSA-OAEP-256 with the key that our {@code jwks_uri} publishes with {@code use: enc}.
 */
final class EncryptedHints {

  private static final int MAX_CHARACTERS = 32 * 1024;
  private static final Set<EncryptionMethod> METHODS =
      Set.of(EncryptionMethod.A128GCM, EncryptionMethod.A256GCM, EncryptionMethod.A128CBC_HS256);

  private final KeyRings keys;

  EncryptedHints(KeyRings keys) {
    this.keys = keys;
  }

  /** Returns the decrypted content; the text itself if it is not encrypted; empty if it is not encrypted for us. */
  Optional<String> open(Realm realm, String token) {
    if (token.chars().filter(c -> c == '.').count() != 4) {
      return Optional.of(token);
    }
    return token.length() > MAX_CHARACTERS ? Optional.empty() : decrypted(realm, token);
  }

  private Optional<String> decrypted(Realm realm, String token) {
    try {
      JWEObject object = JWEObject.parse(token);
      if (!isTaken(object.getHeader())) {
        return Optional.empty();
      }
      // A private key operation is expensive: at most one, with the key that the header names.
      List<DecryptionKey> ours = keys.of(realm).decryption(KeyUse.IDP_ENCRYPTION);
      String id = object.getHeader().getKeyID();
      Optional<DecryptionKey> key = ours.stream().filter(own -> id == null || own.id().equals(id)).findFirst();
      if (key.isEmpty()) {
        return Optional.empty();
      }
      object.decrypt(
          key.get().privateKey() instanceof RemoteKey remote ? new RemoteDecrypter(remote) : new RSADecrypter(key.get().privateKey()));
      return Optional.of(object.getPayload().toString());
    } catch (ParseException | JOSEException e) {
      return Optional.empty();
    }
  }

  /**
   * Refuses compressed content: a small text could become a large one (RFC 8725, section 3.6). Refuses parameters that must be understood,
   * because none is (RFC 7516, section 4.1.13).
   */
  private static boolean isTaken(JWEHeader header) {
    return JWEAlgorithm.RSA_OAEP_256.equals(header.getAlgorithm())
        && METHODS.contains(header.getEncryptionMethod())
        && header.getCompressionAlgorithm() == null
        && (header.getCriticalParams() == null || header.getCriticalParams().isEmpty());
  }
}
