package dev.gatehouse.idp.oidc;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDHEncrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import dev.gatehouse.common.jose.PublicJwk;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.realm.ClientConfig.Encryption;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientKeys;
import java.util.Comparator;
import java.util.Optional;

/**
 * Creates JWTs for a client: signed with the algorithm that it wants, then encrypted with a key of the client (RFC
 * 7519, 5.2).
 */
public final class ClientTokens {

  private static final String NO_KEY = "No key of the client fits its encryption algorithm";

  private final JwsSigner signer;
  private final ClientKeys keys;

  public ClientTokens(JwsSigner signer, ClientKeys keys) {
    this.signer = signer;
    this.keys = keys;
  }

  /**
   * @param type the header's {@code typ}
   * @param claims JSON in UTF-8
   */
  public Result<String, OAuthError> signed(
      Realm realm, Client client, JwsName algorithm, String type, Optional<Encryption> encryption, byte[] claims) {
    String signed = signer.sign(realm, algorithm, type, claims);
    return encryption
        .map(wanted -> encrypted(client, wanted, Optional.of("JWT"), new Payload(signed)))
        .orElseGet(() -> Result.accepted(signed));
  }

  /** Encrypts without signing: the content is JSON. */
  public Result<String, OAuthError> encrypted(Client client, Encryption encryption, byte[] claims) {
    return encrypted(client, encryption, Optional.empty(), new Payload(claims));
  }

  private Result<String, OAuthError> encrypted(
      Client client, Encryption encryption, Optional<String> contentType, Payload payload) {
    return switch (keys.keys(client)) {
      case Result.Refused(String problem) -> OAuthError.refused(Code.INVALID_CLIENT, "Its keys: " + problem);
      case Result.Accepted(PublicKeys known) ->
          known.all().stream()
              .map(PublicJwk::jwk)
              .filter(key -> fits(key, encryption))
              .min(Comparator.comparing(key -> !KeyUse.ENCRYPTION.equals(key.getKeyUse())))
              .map(key -> encrypted(key, encryption, contentType, payload))
              .orElseGet(() -> OAuthError.refused(Code.INVALID_CLIENT, NO_KEY));
    };
  }

  private static boolean fits(JWK key, Encryption encryption) {
    boolean mayEncrypt = key.getKeyUse() == null || KeyUse.ENCRYPTION.equals(key.getKeyUse());
    boolean sameAlgorithm = key.getAlgorithm() == null || key.getAlgorithm().getName().equals(encryption.algorithm());
    boolean sameKind = encryption.algorithm().startsWith("RSA") ? key instanceof RSAKey : key instanceof ECKey;
    return mayEncrypt && sameAlgorithm && sameKind;
  }

  private static Result<String, OAuthError> encrypted(
      JWK key, Encryption encryption, Optional<String> contentType, Payload payload) {
    JWEHeader.Builder header =
        new JWEHeader.Builder(
            JWEAlgorithm.parse(encryption.algorithm()), EncryptionMethod.parse(encryption.method()));
    contentType.ifPresent(header::contentType);
    if (key.getKeyID() != null) {
      header.keyID(key.getKeyID());
    }
    try {
      JWEObject object = new JWEObject(header.build(), payload);
      object.encrypt(encrypter(key));
      return Result.accepted(object.serialize());
    } catch (JOSEException e) {
      // A key that is too short, or not on its curve: the client must correct it.
      return OAuthError.refused(Code.INVALID_CLIENT, NO_KEY);
    }
  }

  private static JWEEncrypter encrypter(JWK key) throws JOSEException {
    return switch (key) {
      case RSAKey rsa -> new RSAEncrypter(rsa);
      case ECKey ec -> new ECDHEncrypter(ec);
      default -> throw new JOSEException("neither RSA nor EC");
    };
  }
}
