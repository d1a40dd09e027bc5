package dev.gatehouse.common.store;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import java.util.List;
import java.util.function.Predicate;

/**
 * What every form has that finds sessions by hashes of keys: each session found is checked against what was asked for, because
 * a hash may be another's, and because readers of an index take no lock.
 */
abstract sealed class IndexedSessionStore<S extends Session> implements SessionStore<S>
    permits MemorySessionStore, RocksSessionStore {

  @Override
  public final List<S> byPerson(String realm, PersonId person) {
    return indexed(
        SessionKeys.person(realm, person),
        session -> session.realm().equals(realm) && session.person().equals(person));
  }

  @Override
  public final List<S> byIndex(String indexKey) {
    return indexed(SessionKeys.index(indexKey), session -> session.indexKeys().contains(indexKey));
  }

  @Override
  public final List<S> page(String realm, String after, int most) {
    return ordered(realm, after, most, session -> session.realm().equals(realm));
  }

  /** The live sessions that may have that key, as far as they fit. */
  abstract List<S> indexed(String key, Predicate<S> fits);

  /** The first live sessions after that id that fit, in the order of ids. */
  abstract List<S> ordered(String realm, String after, int most, Predicate<S> fits);
}
