package dev.gatehouse.idp.oidc;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Initialised signature objects of one key, for signing or for verifying. Finding a provider and reading the key costs
 * as much as a P-256 signature itself. The pool is not bound to threads, because each request has its own virtual
 * thread.
 */
final class SignaturePool {

  /** Never more than the processors can use at the same time; further objects are discarded. */
  private static final int MOST = 2 * Runtime.getRuntime().availableProcessors();

  /** Creates an initialised object. */
  interface Source {
    Signature begin() throws GeneralSecurityException;
  }

  private final Source source;
  private final ArrayBlockingQueue<Signature> idle = new ArrayBlockingQueue<>(MOST);

  SignaturePool(Source source) {
    this.source = source;
  }

  /** Returns false also for a value of a wrong length or form. */
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

  /** An object that failed is not reused, because its state is unknown. */
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
