package dev.gatehouse.common.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.util.Base64URL;
import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.crypto.SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signs JWTs that are not issued at every request, in compact form (RFC 7515, section 7.1): with RS256 or ES256, as the type of the
 * key says. The identity provider's tokens have a signer of their own, because this one takes a tenth more time.
 */
public final class SignedJwts {

  private SignedJwts() {}

  /** @param type the header's {@code typ}, if it has one */
  public static String sign(SigningKey key, @Nullable JOSEObjectType type, Map<String, Object> claims) {
    JWSAlgorithm algorithm = isRsa(key) ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
    JWSHeader header = new JWSHeader.Builder(algorithm).type(type).keyID(key.id()).build();
    JWSObject jwt = new JWSObject(header, new Payload(StrictJson.write(claims)));
    if (key.privateKey() instanceof RemoteKey remote) {
      Base64URL signature = Base64URL.encode(remote.sign(scheme(key), jwt.getSigningInput()));
      return new String(jwt.getSigningInput(), StandardCharsets.US_ASCII) + "." + signature;
    }
    try {
      jwt.sign(signer(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("the key " + key.id() + " cannot sign", e);
    }
    return jwt.serialize();
  }

  private static JWSSigner signer(SigningKey key) throws JOSEException {
    return isRsa(key) ? new RSASSASigner(key.privateKey()) : new ECDSASigner(key.privateKey(), Curve.P_256);
  }

  private static RemoteKey.Scheme scheme(SigningKey key) {
    return isRsa(key) ? RemoteKey.Scheme.RSA_PKCS1 : RemoteKey.Scheme.ECDSA;
  }

  private static boolean isRsa(SigningKey key) {
    return key.privateKey().getAlgorithm().equals("RSA");
  }
}
