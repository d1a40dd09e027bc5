package dev.gatehouse.gateway.node;

import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcAdministratorGrants;
import dev.gatehouse.common.db.JdbcConsents;
import dev.gatehouse.common.db.JdbcPersonSecrets;
import dev.gatehouse.common.db.JdbcRegisteredClients;
import dev.gatehouse.common.db.JdbcSecondFactors;
import dev.gatehouse.common.db.PersonSecrets;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.space.GuardedClients;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.Stores;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the stores and what is kept in the database. */
@Configuration(proxyBeanMethods = false)
class StorageConfig {

  @Bean
  Stores stores(
      Node node, InstantSource time, ObjectProvider<StoredState> state, SpaceWatch space, Database database, MetricFamilies metrics) {
    RocksStores stores =
        switch (node.storage()) {
          case EMBEDDED -> state.getObject().stores();
          case SHARED -> throw new IllegalStateException("wired when they exist");
          case VOLATILE -> RocksStores.inMemory(time);
        };
    stores.publish(metrics);
    database.publish(metrics);
    return new GuardedStores(stores, () -> space.isLow() || stores.isFull());
  }

  @Bean
  ReplayCache replayCache(Stores stores) {
    return stores.replayCache();
  }

  @Bean
  Consents consents(Database database, InstantSource time) {
    return new JdbcConsents(database, time);
  }

  @Bean
  SecondFactors secondFactors(Database database) {
    return new JdbcSecondFactors(database);
  }

  @Bean
  PersonSecrets personSecrets(Database database) {
    return new JdbcPersonSecrets(database);
  }

  @Bean
  AdministratorGrants administratorGrants(Database database) {
    return new JdbcAdministratorGrants(database);
  }

  @Bean
  RegisteredClients registeredClients(Database database, SpaceWatch space) {
    return new GuardedClients(new JdbcRegisteredClients(database), space::isLow);
  }
}
