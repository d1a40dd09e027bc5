package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import java.util.List;

/**
 * The keys of one realm. Of signing keys the current one signs; next, current and previous are published. Of keys for encryption
 * current and next are published; all of them decrypt, including the previous and recently retired ones.
 */
public interface KeyRing {

  /** Returns the key that signs; for signing uses only. */
  SigningKey current(KeyUse use);

  /** Returns current, then next, then for signing previous. */
  List<VerificationKey> published(KeyUse use);

  /** Returns all keys that decrypt, the most likely first; for uses of encryption only. */
  List<DecryptionKey> decryption(KeyUse use);
}
