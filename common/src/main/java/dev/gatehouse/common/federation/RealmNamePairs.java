package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.CachedNamePairs;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The pairs of each realm, in the storage that its configuration selects ({@code federation.store}). */
public final class RealmNamePairs implements Function<String, NamePairs> {

  private final Realms realms;
  private final NamePairs database;
  private final Function<Realm, NamePairs> directory;

  /**
   * @param database the pairs of every realm that stores them there
   * @param heard the number of changes in the database, beside those through these pairs, that this node has heard of; empty while one
   *     could stay unheard
   * @param directory returns the pairs of a realm that stores them in its directory
   */
  public RealmNamePairs(Realms realms, NamePairs database, Supplier<OptionalLong> heard, Function<Realm, NamePairs> directory) {
    this.realms = realms;
    this.database = new CachedNamePairs(database, heard);
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
