package dev.gatehouse.common.crypto;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * A private key that this process does not hold: another place signs and decrypts with it. It cannot be encoded. Both operations block,
 * and throw an unchecked exception with a sentence for the operator while that place does not answer.
 */
public interface RemoteKey extends PrivateKey {

  /** The ways to sign, all by SHA-256. */
  enum Scheme {
    /** RSASSA-PKCS1-v1_5. */
    RSA_PKCS1,
    /** RSASSA-PSS with a salt of 32 bytes. */
    RSA_PSS,
    /** ECDSA; the signature is r and s of equal length (IEEE P1363), as in JWS and XML Signature. */
    ECDSA
  }

  byte[] sign(Scheme scheme, byte[] content);

  /** Returns what was encrypted by RSA-OAEP; empty if it was not encrypted to this key, or otherwise. */
  Optional<byte[]> decrypt(OAEPParameterSpec oaep, byte[] encrypted) throws GeneralSecurityException;

  @Override
  default @Nullable String getFormat() {
    return null;
  }

  @Override
  default byte @Nullable [] getEncoded() {
    return null;
  }
}
