package dev.gatehouse.common.saml.encryption;

import java.util.Optional;

/**
 * Content ciphers: authenticated ones only (XML Encryption 1.1, section 5.2.4). CBC ciphers are not even known here, because a
 * party that decrypts them can be used as an oracle.
 */
public enum ContentCipher {
  AES_256_GCM("http://www.w3.org/2009/xmlenc11#aes256-gcm", 32),
  AES_192_GCM("http://www.w3.org/2009/xmlenc11#aes192-gcm", 24),
  AES_128_GCM("http://www.w3.org/2009/xmlenc11#aes128-gcm", 16);

  private final String uri;
  private final int keyBytes;

  ContentCipher(String uri, int keyBytes) {
    this.uri = uri;
    this.keyBytes = keyBytes;
  }

  public String uri() {
    return uri;
  }

  int keyBytes() {
    return keyBytes;
  }

  public static Optional<ContentCipher> ofUri(String uri) {
    for (ContentCipher cipher : values()) {
      if (cipher.uri.equals(uri)) {
        return Optional.of(cipher);
      }
    }
    return Optional.empty();
  }
}
