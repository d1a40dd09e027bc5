package dev.gatehouse.common.saml.signature;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_ALGORITHM;
import static java.util.stream.Collectors.joining;

import dev.gatehouse.common.crypto.InstancePool;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.saml.MessageRefused;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The supported signature algorithms (RFC 6931, sections 2.3.2 to 2.3.6); others, including SHA-1 and HMAC, cannot be configured.
 * ECDSA values are r and s, concatenated (RFC 4050, section 3.3), which JCA calls the P1363 format.
 */
public enum SignatureAlgorithm {
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

  private static final int MIN_RSA_BITS = 2048;
  private static final int MIN_EC_BITS = 256;

  private final String uri;
  private final String jcaName;
  private final Family family;
  private final InstancePool<Signature> instances;

  SignatureAlgorithm(String name, String jcaName, Family family) {
    this.uri = "http://www.w3.org/2001/04/xmldsig-more#" + name;
    this.jcaName = jcaName;
    this.family = family;
    this.instances = new InstancePool<>(() -> ofFirstProvider(jcaName));
  }

  /** Returns an instance of one provider: any other would keep to the one that takes its first key, whatever keys follow. */
  private static Signature ofFirstProvider(String jcaName) throws GeneralSecurityException {
    return Signature.getInstance(jcaName, Signature.getInstance(jcaName).getProvider());
  }

  /** Returns the shortest accepted key length in bits. */
  public int leastBits() {
    return family == Family.RSA ? MIN_RSA_BITS : MIN_EC_BITS;
  }

  public String uri() {
    return uri;
  }

  String jcaName() {
    return jcaName;
  }

  /** Returns instances of the first provider for the algorithm, for one thread each. */
  InstancePool<Signature> instances() {
    return instances;
  }

  /**
   * Returns whether the key is of this algorithm's family and long enough. An RSA key therefore never verifies ECDSA, nor a short one RSA.
   */
  boolean fits(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> family == Family.RSA && rsa.getModulus().bitLength() >= MIN_RSA_BITS;
      case ECPublicKey ec -> family == Family.EC && ec.getParams().getOrder().bitLength() >= MIN_EC_BITS;
      default -> false;
    };
  }

  /** Returns the keys that fit; throws {@link MessageRefused} with the kinds of the others if there is none. */
  public List<PublicKey> fitting(List<PublicKey> keys) {
    List<PublicKey> fitting = keys.stream().filter(this::fits).toList();
    if (!fitting.isEmpty()) {
      return fitting;
    }
    String listed =
        keys.isEmpty()
            ? "lists no key"
            : "lists only " + keys.stream().map(SignatureAlgorithm::described).distinct().collect(joining(", "));
    throw new MessageRefused(
        SIGNATURE_ALGORITHM, "the signature is by " + uri + ", for which the metadata has no key of " + leastBits() + " bits: it " + listed);
  }

  /** Returns kind and length of a key, for administrators. */
  public static String described(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> "RSA of " + rsa.getModulus().bitLength() + " bits";
      case ECPublicKey ec -> "EC of " + ec.getParams().getOrder().bitLength() + " bits";
      default -> key.getAlgorithm();
    };
  }

  /** Returns the algorithm of that URI; throws {@link MessageRefused} with the URI if it is not supported. */
  public static SignatureAlgorithm offered(String uri) {
    return ofUri(uri)
        .orElseThrow(() -> new MessageRefused(SIGNATURE_ALGORITHM, "the signature method " + uri + " is not offered"));
  }

  /** Returns whether any algorithm accepts that key. */
  public static boolean anyFits(PublicKey key) {
    return Arrays.stream(values()).anyMatch(algorithm -> algorithm.fits(key));
  }

  public static Optional<SignatureAlgorithm> ofUri(String uri) {
    for (SignatureAlgorithm algorithm : values()) {
      if (algorithm.uri.equals(uri)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }

  public static SignatureAlgorithm of(KeyAlgorithm key) {
    return switch (key) {
      case RSA_2048, RSA_3072 -> RSA_SHA256;
      case P_256 -> ECDSA_SHA256;
      case ED_25519 -> throw new IllegalArgumentException("no key for XML signatures: " + key);
    };
  }
}
