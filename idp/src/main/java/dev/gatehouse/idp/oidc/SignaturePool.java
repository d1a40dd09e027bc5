package dev.gatehouse.idp.oidc;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Signatures of one key, for signing or for verifying, begun and ready for the next text. Finding a provider and reading the key costs as much as a P-256
 * signature itself. Not bound to threads: there is a virtual one for each request.
 */
final class SignaturePool {

  /** More than processors never sign at the same time; what is too much is let go. */
  private static final int MOST = 2 * Runtime.getRuntime().availableProcessors();

  /** Makes one that is initialised. */
  interface Source {
    Signature begin() throws GeneralSecurityException;
  }

  private final Source source;
  private final ArrayBlockingQueue<Signature> idle = new ArrayBlockingQueue<>(MOST);

  SignaturePool(Source source) {
    this.source = source;
  }

  /** False too for a value of a wrong length or form. */
  boolean verifies(byte[] text, byte[] value) {
    try {
      Signature ready = idle.poll();
      Signature signature = ready == null ? source.begin() : ready;
      signature.update(text);
      boolean verifies = signature.verify(value);
      idle.offer(signature);
      return verifies;
    } catch (SignatureException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key for tokens cannot verify", e);
    }
  }

  /** One that failed is not used again: nobody knows what it still holds. */
  byte[] sign(byte[] text) {
    try {
      Signature ready = idle.poll();
      Signature signature = ready == null ? source.begin() : ready;
      signature.update(text);
      byte[] value = signature.sign();
      idle.offer(signature);
      return value;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key for tokens cannot sign", e);
    }
  }
}
