package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import java.util.List;

/** A ring with only {@link TokenKeys}, one key for each use. */
public final class TokenKeyRing implements KeyRing {

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
