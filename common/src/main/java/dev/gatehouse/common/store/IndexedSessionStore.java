package dev.gatehouse.common.store;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import java.util.List;
import java.util.function.Predicate;

/**
 * Common part of the stores that find sessions by hashes of keys. Each session found is checked against the key itself,
 * because two keys may have the same hash and because readers of an index take no lock.
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
  public final List<S> page(String realm, String after, int limit) {
    return ordered(realm, after, limit, session -> session.realm().equals(realm));
  }

  /** Returns the live sessions indexed by that key that satisfy {@code fits}. */
  abstract List<S> indexed(String key, Predicate<S> fits);

  /** Returns the first live sessions with greater ids that satisfy {@code fits}, in the order of ids. */
  abstract List<S> ordered(String realm, String after, int limit, Predicate<S> fits);
}
