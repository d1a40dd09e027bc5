package dev.gatehouse.common.saml.signature;

import dev.gatehouse.common.crypto.InstancePool;
import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.crypto.SignatureTimes.Signed;
import dev.gatehouse.common.crypto.SignatureTimes;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.trace.RequestTrace;
import io.opentelemetry.api.trace.SpanKind;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/** Digests and signatures by the first provider for the algorithm (common/key sets the order), whose instances are reused. */
public final class Crypto {

  private Crypto() {}

  public static byte[] digest(String algorithm, byte[] content) {
    if (algorithm.equals("SHA-256")) {
      return Sha256.of(content);
    }
    try {
      return MessageDigest.getInstance(algorithm).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Verifies a signature; returns false also for a value of a wrong length or form. */
  public static boolean verifies(SignatureAlgorithm algorithm, PublicKey key, byte[] content, byte[] value) {
    try {
      return with(
          algorithm,
          signature -> {
            signature.initVerify(key);
            signature.update(content);
            return signature.verify(value);
          });
    } catch (SignatureException | InvalidKeyException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Uses an instance of the first provider for the algorithm; where that one does not take the key, one of any that does. */
  private static <R> R with(SignatureAlgorithm algorithm, InstancePool.Use<Signature, R> use) throws GeneralSecurityException {
    try {
      return algorithm.instances().use(use);
    } catch (InvalidKeyException | RuntimeException e) {
      // A new instance asks one provider after the other.
      return use.with(Signature.getInstance(algorithm.jcaName()));
    }
  }

  public static byte[] sign(SigningKey key, byte[] content) {
    try {
      return RequestTrace.inSpan("saml sign", SpanKind.INTERNAL, span -> SignatureTimes.timed(Signed.SAML, () -> signature(key, content)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key " + key.id() + " cannot sign", e);
    }
  }

  private static byte[] signature(SigningKey key, byte[] content) throws GeneralSecurityException {
    SignatureAlgorithm algorithm = SignatureAlgorithm.of(key.algorithm());
    if (key.privateKey() instanceof RemoteKey remote) {
      return remote.sign(algorithm == SignatureAlgorithm.RSA_SHA256 ? RemoteKey.Scheme.RSA_PKCS1 : RemoteKey.Scheme.ECDSA, content);
    }
    return with(
        algorithm,
        signature -> {
          signature.initSign(key.privateKey());
          signature.update(content);
          return signature.sign();
        });
  }
}
