package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.TokenKeys;
import java.util.List;

/** One key of each use, the same for all realms. */
final class TestKeyRing implements KeyRing {

  @Override
  public SigningKey current(KeyUse use) {
    return TokenKeys.of(use);
  }

  @Override
  public List<VerificationKey> published(KeyUse use) {
    SigningKey key = current(use);
    return List.of(new VerificationKey(key.id(), key.algorithm(), key.certificate()));
  }

  @Override
  public List<DecryptionKey> decryption(KeyUse use) {
    return List.of();
  }
}
