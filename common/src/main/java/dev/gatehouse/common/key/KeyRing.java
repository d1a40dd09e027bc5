package dev.gatehouse.common.key;

import java.util.List;

/**
 * The keys of one realm. Of signing keys the current one signs; next, current and previous are published. Of keys for
 * encryption current and next are published, and all decrypt, the previous and lately retired ones too.
 */
public interface KeyRing {

  /** The one that signs; only for signing uses. */
  SigningKey current(KeyUse use);

  /** Current first, then next, then previous where it is for signing. */
  List<VerificationKey> published(KeyUse use);

  /** All that decrypt, the likeliest first; only for uses of encryption. */
  List<DecryptionKey> decryption(KeyUse use);
}
