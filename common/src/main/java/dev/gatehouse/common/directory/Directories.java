package dev.gatehouse.common.directory;

import dev.gatehouse.common.realm.Realm;
import java.util.List;

/** The directory of each realm: one pool for each distinct configuration, closed when no realm uses it any more. */
public interface Directories {
  /**
   * Returns the realm's directory; throws {@link IllegalStateException} if it has none (the loader refuses that for an idp).
   */
  Directory of(Realm realm);

  /**
   * Returns the id of the person that an administrator named by login name or id. If no single person has that login name, or if
   * the realm has no directory, the text is taken for an id. Throws {@link DirectoryUnavailable}.
   */
  default PersonId meant(Realm realm, String nameOrId) {
    if (realm.directory().isEmpty()) {
      return new PersonId(nameOrId);
    }
    NameOwner owner = of(realm).owners(List.of(nameOrId)).getOrDefault(nameOrId, new NameOwner.None());
    return switch (owner) {
      case NameOwner.One(PersonId id) -> id;
      case NameOwner.None none -> new PersonId(nameOrId);
      case NameOwner.Several several -> new PersonId(nameOrId);
    };
  }
}
