package dev.gatehouse.common.directory;

import dev.gatehouse.common.realm.Realm;

/** The directory of each realm; one pool per distinct configuration, closed when no realm uses it any more. */
public interface Directories {
  /** The realm's directory; throws {@link IllegalStateException} where it has none (the loader refuses that for an idp). */
  Directory of(Realm realm);
}
