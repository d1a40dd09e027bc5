package dev.gatehouse.common.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;

/** PEM files: read, or refused as a security exception. */
public final class PemFuzz {

  private PemFuzz() {}

  public static void fuzzerTestOneInput(byte[] pem) {
    try {
      Pem.certificates(pem);
    } catch (GeneralSecurityException expected) {
      // The caller reports it to the administrator.
    }
    try {
      Pem.privateKey(pem);
    } catch (GeneralSecurityException expected) {
      // As above.
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII),
        "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n".getBytes(StandardCharsets.US_ASCII));
  }
}
