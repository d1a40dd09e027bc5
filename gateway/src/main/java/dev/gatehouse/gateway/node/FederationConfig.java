package dev.gatehouse.gateway.node;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PairedAccountLinks;
import dev.gatehouse.common.federation.PairedPersistentNameIds;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.federation.RealmNamePairs;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.remembered.RowChanges;
import dev.gatehouse.common.remembered.RowChanges.Table;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes persistent names and links to local accounts. */
@Configuration(proxyBeanMethods = false)
public class FederationConfig {

  @Bean
  PersistentNameIds persistentNameIds(
      Realms realms, Database database, LdapDirectories directories, RowChanges changes, InstantSource time) {
    return new PairedPersistentNameIds(pairs(Kind.GIVEN, realms, database, directories, changes, time));
  }

  @Bean
  AccountLinks accountLinks(Realms realms, Database database, LdapDirectories directories, RowChanges changes, InstantSource time) {
    return new PairedAccountLinks(pairs(Kind.LINKED, realms, database, directories, changes, time));
  }

  @Bean
  BulkFederation bulkFederation(
      Directories directories, PersistentNameIds nameIds, AccountLinks links, SecureRandom random) {
    return new BulkFederation(directories, nameIds, links, random);
  }

  /** @param changes of rows in the database, beside those through these pairs */
  public static RealmNamePairs pairs(
      Kind kind, Realms realms, Database database, LdapDirectories directories, RowChanges changes, InstantSource time) {
    Table table =
        switch (kind) {
          case GIVEN -> Table.PERSISTENT_NAME_ID;
          case LINKED -> Table.ACCOUNT_LINK;
        };
    return new RealmNamePairs(
        realms,
        new JdbcNamePairs(kind, database, time),
        () -> changes.heard(table),
        realm -> directories.namePairs(realm, kind, time));
  }
}
