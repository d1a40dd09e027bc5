package dev.gatehouse.common.key;

import java.security.PrivateKey;

/**
 * A private RSA key of ours to which others may have encrypted.
 *
 * @param id that of its certificate, as {@link SigningKey#id}
 */
public record DecryptionKey(String id, PrivateKey privateKey) {
  @Override
  public String toString() {
    return "DecryptionKey " + id;
  }
}
