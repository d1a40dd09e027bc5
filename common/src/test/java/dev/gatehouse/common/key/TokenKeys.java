package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Keys for tokens, generated once per JVM. */
public final class TokenKeys {

  private static final Map<KeyUse, SigningKey> KEYS = new EnumMap<>(KeyUse.class);

  private TokenKeys() {}

  public static SigningKey of(KeyUse use) {
    synchronized (KEYS) {
      return KEYS.computeIfAbsent(use, TokenKeys::make);
    }
  }

  private static SigningKey make(KeyUse use) {
    try {
      return SigningKeys.make(
          use.algorithm(KeyAlgorithm.RSA_2048), "test " + use, Instant.parse("2026-01-01T00:00:00Z"), new SecureRandom());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
