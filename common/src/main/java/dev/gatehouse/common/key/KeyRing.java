package dev.gatehouse.common.key;

import java.util.List;

/** The keys of one realm: the current one signs; next, current and previous are published. */
public interface KeyRing {

  SigningKey current(KeyUse use);

  /** Current first, then next, then previous. */
  List<VerificationKey> published(KeyUse use);
}
