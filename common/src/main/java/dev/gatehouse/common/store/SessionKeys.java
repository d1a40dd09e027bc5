package dev.gatehouse.common.store;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import java.util.ArrayList;
import java.util.List;

/** The keys by which every session store indexes a session. The first letter separates their kinds. */
public final class SessionKeys {

  private SessionKeys() {}

  public static String realm(String realm) {
    return "r" + realm;
  }

  /** A realm's name contains no NUL (see Realm), so the two parts are unambiguous. */
  public static String person(String realm, PersonId person) {
    return "p" + realm + '\0' + person.value();
  }

  public static String index(String indexKey) {
    return "i" + indexKey;
  }

  /** Returns all keys of a session. */
  public static List<String> all(Session session) {
    List<String> keys = new ArrayList<>();
    keys.add(realm(session.realm()));
    keys.add(person(session.realm(), session.person()));
    for (String key : session.indexKeys()) {
      keys.add(index(key));
    }
    return keys;
  }

  /** Refuses a change that turns the session into another one. */
  public static void requireSame(Session before, Session after) {
    if (!before.id().equals(after.id()) || !before.realm().equals(after.realm())) {
      throw new IllegalArgumentException("A change must keep id and realm of session " + before.id());
    }
  }
}
