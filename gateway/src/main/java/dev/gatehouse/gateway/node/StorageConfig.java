package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcAdministratorGrants;
import dev.gatehouse.common.db.JdbcConsents;
import dev.gatehouse.common.db.JdbcPersonSecrets;
import dev.gatehouse.common.db.JdbcRegisteredClients;
import dev.gatehouse.common.db.PersonSecrets;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.UseJournal;
import dev.gatehouse.common.otp.WaitingUses;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.passkey.JdbcPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.remembered.RowChanges;
import dev.gatehouse.common.space.GuardedClients;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.Turns;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Makes the stores and what is kept in the database. */
@Configuration(proxyBeanMethods = false)
class StorageConfig {

  @Bean
  Stores stores(
      Node node,
      InstantSource time,
      ObjectProvider<StoredState> state,
      ObjectProvider<SharedStores> shared,
      SpaceWatch space,
      Database database,
      MetricFamilies metrics) {
    database.publish(metrics);
    return switch (node.storage()) {
      case EMBEDDED -> guarded(state.getObject().stores(), space, metrics);
      case VOLATILE -> guarded(RocksStores.inMemory(time), space, metrics);
      case SHARED -> new GuardedStores(shared.getObject().stores(), space::isLow);
    };
  }

  private static Stores guarded(RocksStores stores, SpaceWatch space, MetricFamilies metrics) {
    stores.publish(metrics);
    return new GuardedStores(stores, () -> space.isLow() || stores.isFull());
  }

  @Bean
  @Lazy
  SharedStores sharedStores(
      Node node,
      SharedState state,
      SealingKey sealing,
      InstantSource time,
      SecureRandom random,
      MetricFamilies metrics,
      JsonLinesAuditLog audit) {
    ValkeyStores.Node own = new ValkeyStores.Node(sealing, time, random, metrics, Optional.of(node.data().resolve("pending-ends")));
    SharedStores opened = SharedStores.open(node.state().requireShared().valkey(), own, state);
    opened.stores().audit(audit);
    return opened;
  }

  @Bean
  OtpNode otpNode(
      Node node, ObjectProvider<SharedState> shared, Stores stores, JsonLinesAuditLog audit, InstantSource time, MetricFamilies metrics) {
    return node.state()
        .shared()
        .flatMap(SharedConfig::otp)
        .map(config -> OtpNode.of(config, shared.getObject(), stores, audit, time, metrics))
        .orElseGet(OtpNode::alone);
  }

  @Bean
  Turns turns(ObjectProvider<SharedState> shared, OtpNode otp) {
    SharedState state = shared.getIfAvailable();
    return otp.turns(state == null ? Turns.ALONE : state.leases());
  }

  @Bean
  RowChanges rowChanges(ObjectProvider<SharedState> shared, Database database) {
    SharedState state = shared.getIfAvailable();
    return state == null ? database.rowChanges() : state.announcements();
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
  Passkeys passkeys(Database database) {
    return new JdbcPasskeys(database);
  }

  /** Where codes are checked, and stores are this node's own and on its disk, rows of tokens follow their uses. */
  @Bean
  WaitingUses waitingUses(Node node, Database database, Stores stores, InstantSource time) {
    Optional<UseJournal> journal = node.roles().contains(Role.IDP) ? UseJournal.open(database, stores, time) : Optional.empty();
    return journal.<WaitingUses>map(Function.identity()).orElse(WaitingUses.NONE);
  }

  @Bean
  Tokens tokens(Database database, OtpNode otp, WaitingUses waiting) {
    return otp.tokens(database, waiting);
  }

  @Bean
  KnownPeople knownPeople(Database database) {
    return new KnownPeople(database);
  }

  @Bean
  TokenRegister tokenRegister(Database database, WaitingUses waiting) {
    return new TokenRegister(database, waiting);
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
