package dev.gatehouse.common.saml;

import dev.gatehouse.common.key.KeyAlgorithm;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;

/**
 * Signature algorithms that are offered (RFC 6931, sections 2.3.2 to 2.3.6): others, SHA-1 and HMAC among them,
 * cannot be written down. ECDSA values are r and s, concatenated (RFC 4050, section 3.3), which JCA calls the P1363
 * format.
 */
enum SignatureAlgorithm {
  RSA_SHA256("rsa-sha256", "SHA256withRSA", Family.RSA),
  RSA_SHA384("rsa-sha384", "SHA384withRSA", Family.RSA),
  RSA_SHA512("rsa-sha512", "SHA512withRSA", Family.RSA),
  ECDSA_SHA256("ecdsa-sha256", "SHA256withECDSAinP1363Format", Family.EC),
  ECDSA_SHA384("ecdsa-sha384", "SHA384withECDSAinP1363Format", Family.EC),
  ECDSA_SHA512("ecdsa-sha512", "SHA512withECDSAinP1363Format", Family.EC);

  private enum Family {
    RSA,
    EC
  }

  private static final int LEAST_RSA_BITS = 2048;
  private static final int LEAST_EC_BITS = 256;

  private final String uri;
  private final String jcaName;
  private final Family family;

  SignatureAlgorithm(String name, String jcaName, Family family) {
    this.uri = "http://www.w3.org/2001/04/xmldsig-more#" + name;
    this.jcaName = jcaName;
    this.family = family;
  }

  String uri() {
    return uri;
  }

  String jcaName() {
    return jcaName;
  }

  /**
   * Whether the key is of this algorithm's family and long enough: an RSA key never verifies ECDSA, nor a short one
   * RSA.
   */
  boolean fits(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> family == Family.RSA && rsa.getModulus().bitLength() >= LEAST_RSA_BITS;
      case ECPublicKey ec -> family == Family.EC && ec.getParams().getOrder().bitLength() >= LEAST_EC_BITS;
      default -> false;
    };
  }

  static Optional<SignatureAlgorithm> ofUri(String uri) {
    for (SignatureAlgorithm algorithm : values()) {
      if (algorithm.uri.equals(uri)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }

  static SignatureAlgorithm of(KeyAlgorithm key) {
    return switch (key) {
      case RSA_2048, RSA_3072 -> RSA_SHA256;
      case P_256 -> ECDSA_SHA256;
      case ED_25519 -> throw new IllegalArgumentException("no key for XML signatures: " + key);
    };
  }
}
