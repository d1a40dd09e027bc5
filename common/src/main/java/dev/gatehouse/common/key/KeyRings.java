package dev.gatehouse.common.key;

import dev.gatehouse.common.realm.Realm;

/** The key ring of each realm. */
public interface KeyRings {
  KeyRing of(Realm realm);
}
