package dev.gatehouse.common.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** A public key as a JWK (RFC 7517, RFC 7518, section 6, RFC 8037), strong enough and of a supported type. */
public final class PublicJwk {

  private static final int MIN_RSA_BITS = 2048;
  private static final int MAX_RSA_BITS = 8192;
  private static final int MAX_EXPONENT_BITS = 33;
  private static final int ED25519_BYTES = 32;

  /** The bytes before the 32 key bytes in a SubjectPublicKeyInfo (RFC 8410, section 4). */
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final JWK jwk;

  /** The key for verification; empty for keys that only encrypt. */
  private final Optional<PublicKey> key;

  private PublicJwk(JWK jwk, Optional<PublicKey> key) {
    this.jwk = jwk;
    this.key = key;
  }

  /** Reads a key; fails for private and symmetric keys, which must not be sent. */
  public static Result<PublicJwk, String> read(Map<String, Object> members) {
    JWK jwk;
    try {
      jwk = JWK.parse(members);
    } catch (ParseException | RuntimeException e) {
      return Result.refused("a key cannot be read");
    }
    if (jwk.isPrivate()) {
      return Result.refused("a key is private or symmetric");
    }
    try {
      return switch (jwk) {
        case RSAKey rsa -> rsa(rsa);
        case ECKey ec -> Result.accepted(new PublicJwk(ec, Optional.of(ec.toECPublicKey())));
        case OctetKeyPair pair -> pair(pair);
        default -> Result.refused("a key is of no type that we use");
      };
    } catch (JOSEException | GeneralSecurityException | RuntimeException e) {
      return Result.refused("a key is not valid");
    }
  }

  private static Result<PublicJwk, String> rsa(RSAKey rsa) throws JOSEException {
    int bits = rsa.getModulus().decodeToBigInteger().bitLength();
    BigInteger exponent = rsa.getPublicExponent().decodeToBigInteger();
    if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
      return Result.refused("an RSA key has not 2048 to 8192 bits");
    }
    if (!exponent.testBit(0) || exponent.bitLength() < 2 || exponent.bitLength() > MAX_EXPONENT_BITS) {
      return Result.refused("an RSA key has an unusual exponent");
    }
    return Result.accepted(new PublicJwk(rsa, Optional.of(rsa.toRSAPublicKey())));
  }

  private static Result<PublicJwk, String> pair(OctetKeyPair pair) throws GeneralSecurityException {
    if (pair.getCurve().equals(Curve.X25519)) {
      return Result.accepted(new PublicJwk(pair, Optional.empty()));
    }
    byte[] x = pair.getDecodedX();
    if (!pair.getCurve().equals(Curve.Ed25519) || x.length != ED25519_BYTES) {
      return Result.refused("a key is on a curve that we do not use");
    }
    byte[] encoded = Arrays.copyOf(ED25519_PREFIX, ED25519_PREFIX.length + ED25519_BYTES);
    System.arraycopy(x, 0, encoded, ED25519_PREFIX.length, ED25519_BYTES);
    return Result.accepted(new PublicJwk(pair, Optional.of(ed25519(encoded))));
  }

  private static PublicKey ed25519(byte[] encoded) throws GeneralSecurityException {
    try {
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    } catch (InvalidKeySpecException e) {
      throw new GeneralSecurityException("not a point of the curve", e);
    }
  }

  /** Returns {@code kid}. */
  public Optional<String> id() {
    return Optional.ofNullable(jwk.getKeyID());
  }

  /** Returns the key in the form of nimbus-jose-jwt, for encryption. */
  public JWK jwk() {
    return jwk;
  }

  /** Returns its SHA-256 thumbprint in base64url (RFC 7638). */
  public String thumbprint() {
    try {
      return jwk.computeThumbprint().toString();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the certificate contains this key. */
  public boolean isOf(X509Certificate certificate) {
    return key.filter(mine -> Arrays.equals(mine.getEncoded(), certificate.getPublicKey().getEncoded())).isPresent();
  }

  /** Returns whether the key may verify that algorithm: by its type, and by {@code use} and {@code alg} if it has them. */
  public boolean verifies(JwsName algorithm) {
    boolean meant = jwk.getKeyUse() == null || jwk.getKeyUse().equals(KeyUse.SIGNATURE);
    boolean named = jwk.getAlgorithm() == null || jwk.getAlgorithm().getName().equals(algorithm.value());
    return meant && named && switch (algorithm) {
      case RS256, PS256 -> jwk instanceof RSAKey;
      case ES256 -> jwk instanceof ECKey ec && ec.getCurve().equals(Curve.P_256);
      case EDDSA -> jwk instanceof OctetKeyPair pair && pair.getCurve().equals(Curve.Ed25519);
      case HS256 -> false;
    };
  }

  /** Returns whether this key made the signature. Always false for an algorithm that the key does not support. */
  public boolean verify(JwsName algorithm, byte[] signed, byte[] signature) {
    if (!verifies(algorithm) || key.isEmpty()) {
      return false;
    }
    try {
      Signature verifier = JwsSignatures.of(algorithm);
      verifier.initVerify(key.get());
      verifier.update(signed);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // The signature has the wrong length or form.
      return false;
    }
  }
}
