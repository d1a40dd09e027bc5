package dev.gatehouse.common.federation;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.Duration;
import java.util.function.Function;

/** The pairs of each realm, where its configuration wants them kept ({@code federation.store}). */
public final class RealmNamePairs implements Function<String, NamePairs> {

  /** The database is this node's alone, so nothing changes behind the cache's back. */
  private static final Duration DATABASE_FRESH = Duration.ofMinutes(10);

  private final Realms realms;
  private final NamePairs database;
  private final Function<Realm, NamePairs> directory;

  /**
   * @param database those of every realm that keeps them there
   * @param directory those of a realm that keeps them in its directory
   */
  public RealmNamePairs(Realms realms, NamePairs database, Function<Realm, NamePairs> directory) {
    this.realms = realms;
    this.database = new CachedNamePairs(database, DATABASE_FRESH);
    this.directory = directory;
  }

  @Override
  public NamePairs apply(String name) {
    Realm realm =
        realms.find(name).orElseThrow(() -> new IllegalArgumentException("there is no realm " + name));
    return switch (realm.federation().store()) {
      case DATABASE -> database;
      case DIRECTORY -> directory.apply(realm);
    };
  }
}
