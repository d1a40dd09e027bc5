package dev.gatehouse.common.directory;

import dev.gatehouse.common.realm.Realm;
import java.util.List;

/** The directory of each realm; one pool per distinct configuration, closed when no realm uses it any more. */
public interface Directories {
  /**
   * The realm's directory; throws {@link IllegalStateException} where it has none (the loader refuses that for an idp).
   */
  Directory of(Realm realm);

  /**
   * Whom an administrator means: the one whose login name it is, else it is taken for an id, as it is where the realm
   * has no directory. Throws {@link DirectoryUnavailable}.
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
