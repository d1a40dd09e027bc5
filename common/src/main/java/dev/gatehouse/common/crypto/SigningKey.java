package dev.gatehouse.common.crypto;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * A private key with the certificate by which partners know it.
 *
 * @param id stable; the SHA-256 of the certificate, hexadecimal, shortened to 16 digits
 */
public record SigningKey(String id, KeyAlgorithm algorithm, PrivateKey privateKey, X509Certificate certificate) {
  @Override
  public String toString() {
    return "SigningKey " + id + " " + algorithm;
  }
}
