package dev.gatehouse.common.crypto;

import java.security.PrivateKey;

/**
 * A private RSA key for messages that others encrypted to us.
 *
 * @param id the id of its certificate, as {@link SigningKey#id}
 */
public record DecryptionKey(String id, PrivateKey privateKey) {
  @Override
  public String toString() {
    return "DecryptionKey " + id;
  }
}
