package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditPace;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcConsents;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.db.JdbcPersonSecrets;
import dev.gatehouse.common.db.JdbcRegisteredClients;
import dev.gatehouse.common.db.JdbcSecondFactors;
import dev.gatehouse.common.db.PersonSecrets;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PairedAccountLinks;
import dev.gatehouse.common.federation.PairedPersistentNameIds;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.federation.RealmNamePairs;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.OutboundTrust;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.RegistrationKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.FileRealms;
import dev.gatehouse.common.registry.MetadataPartnerRegistry;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.space.GuardedClients;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.WindowGuessThrottle;
import dev.gatehouse.gateway.admin.ConfigurationControl;
import dev.gatehouse.gateway.netty.GatewayServer;
import dev.gatehouse.sp.provider.OpenIdProviders;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans of every node, regardless of its roles: the implementations of the interfaces of common. The configuration,
 * the audit log, time and randomness are created before this context.
 */
@Configuration(proxyBeanMethods = false)
class NodeAssembly {

  @Bean
  Stores stores(Node node, InstantSource time, ObjectProvider<StoredState> state, SpaceWatch space) {
    RocksStores stores =
        switch (node.storage()) {
          case EMBEDDED -> state.getObject().stores();
          case VOLATILE -> RocksStores.inMemory(time);
        };
    return new GuardedStores(stores, () -> space.isLow() || stores.isFull());
  }

  @Bean
  ReplayCache replayCache(Stores stores) {
    return stores.replayCache();
  }

  @Bean
  PersistentNameIds persistentNameIds(
      Realms realms, Database database, LdapDirectories directories, InstantSource time) {
    return new PairedPersistentNameIds(pairs(Kind.GIVEN, realms, database, directories, time));
  }

  @Bean
  AccountLinks accountLinks(Realms realms, Database database, LdapDirectories directories, InstantSource time) {
    return new PairedAccountLinks(pairs(Kind.LINKED, realms, database, directories, time));
  }

  @Bean
  BulkFederation bulkFederation(
      Directories directories, PersistentNameIds nameIds, AccountLinks links, SecureRandom random) {
    return new BulkFederation(directories, nameIds, links, random);
  }

  static RealmNamePairs pairs(
      Kind kind, Realms realms, Database database, LdapDirectories directories, InstantSource time) {
    return new RealmNamePairs(
        realms, new JdbcNamePairs(kind, database, time), realm -> directories.namePairs(realm, kind, time));
  }

  @Bean
  Consents consents(Database database, InstantSource time) {
    return new JdbcConsents(database, time);
  }

  @Bean
  SoapCall soapCalls(OutboundHttp http, SamlReader reader, SamlWriter writer) {
    return new SoapCall(http, reader, writer);
  }

  @Bean
  KeyRings keyRings(Node node, InstantSource time, SecureRandom random) {
    return new FileKeyRings(node.data(), time, random);
  }

  @Bean
  PasswordChanges passwordChanges() {
    return new PasswordChanges();
  }

  @Bean
  LdapDirectories directories(Realms realms) {
    return new LdapDirectories(realms);
  }

  @Bean
  OutboundHttp outbound(Node node) {
    return new OutboundHttp(OutboundHttp.Limits.USUAL, OutboundTrust.with(node.outbound().authorities()));
  }

  @Bean
  PublicHttp publicHttp(Node node) {
    return new PublicHttp(
        address -> node.outbound().allow().stream().anyMatch(block -> block.contains(address)),
        OutboundTrust.with(node.outbound().authorities()));
  }

  @Bean
  PartnerRegistry partnerRegistry(
      Realms realms,
      MetadataCodec codec,
      OutboundHttp http,
      Node node,
      AuditLog audit,
      InstantSource time,
      SecureRandom random,
      CountDownLatch listening) {
    return new MetadataPartnerRegistry(
        realms, codec, http, node.data().resolve("metadata"), audit, time, random, listening);
  }

  @Bean
  GuessThrottle throttle(InstantSource time) {
    return new WindowGuessThrottle(time);
  }

  @Bean
  SamlReader samlReader() {
    return new StrictSamlReader();
  }

  @Bean
  SamlWriter samlWriter() {
    return new CanonicalSamlWriter();
  }

  @Bean
  MetadataCodec metadataCodec() {
    return new CanonicalMetadataCodec();
  }

  @Bean
  Pages pages() {
    return new ThymeleafPages();
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
  SealingKey sealingKey(Node node, SecureRandom random) {
    return switch (node.storage()) {
      case EMBEDDED -> new SealingKey(node.data(), random);
      case VOLATILE -> SealingKey.inMemory(random);
    };
  }

  @Bean
  RefusalLog refusalLog(AuditLog audit, PrometheusMeterRegistry meters, InstantSource time, SecureRandom random) {
    return new RefusalLog(audit, new AuditPace(time), meters.counter("gatehouse.refusals.unwritten"), random);
  }

  @Bean
  RegisteredClients registeredClients(Database database, SpaceWatch space) {
    return new GuardedClients(new JdbcRegisteredClients(database), space::isLow);
  }

  @Bean
  RegistrationKeys registrationKeys(Node node, InstantSource time, SecureRandom random) {
    return new RegistrationKeys(node.data(), time, random);
  }

  @Bean
  AdministratorKeys administratorKeys(Node node, InstantSource time, SecureRandom random) {
    return new AdministratorKeys(node.data(), time, random);
  }

  @Bean
  ConfigurationControl configurationControl(FileRealms realms) {
    return new RealmReload(realms);
  }

  @Bean
  PrometheusMeterRegistry meters() {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(meters);
    new JvmThreadMetrics().bindTo(meters);
    new ProcessorMetrics().bindTo(meters);
    new FileDescriptorMetrics().bindTo(meters);
    new UptimeMetrics().bindTo(meters);
    return meters;
  }

  /** Gauges for alerts: partners with a signing certificate that expires soon, which the audit log reports as well. */
  @Bean
  List<Gauge> partnersWithEndingCertificates(
      Realms realms, PartnerRegistry partners, InstantSource time, PrometheusMeterRegistry meters) {
    return Stream.of(30, 7, 1, 0)
        .map(
            days ->
                Gauge.builder("gatehouse.partners.certificates.ending", () -> ending(realms, partners, time, days))
                    .description("Partners with a signing certificate that ends within so many days")
                    .tag("days", String.valueOf(days))
                    .register(meters))
        .toList();
  }

  private static long ending(Realms realms, PartnerRegistry partners, InstantSource time, int days) {
    Instant horizon = time.instant().plus(Duration.ofDays(days));
    return realms.all().stream()
        .flatMap(realm -> partners.all(realm.name()).stream())
        .filter(partner -> partner.certificatesEnd().filter(end -> !end.isAfter(horizon)).isPresent())
        .count();
  }

  @Bean
  JvmGcMetrics garbageCollection(PrometheusMeterRegistry meters) {
    JvmGcMetrics metrics = new JvmGcMetrics();
    metrics.bindTo(meters);
    return metrics;
  }

  /** Reported, but not part of readiness, because existing sessions need no directory. */
  @Bean
  HealthIndicator directory(Realms realms, Directories directories) {
    return () -> {
      Health.Builder health = Health.up();
      for (Realm realm : realms.all()) {
        if (realm.directory().isPresent() && !directories.of(realm).isAvailable()) {
          health.down().withDetail(realm.name(), "no server answers");
        }
      }
      return health.build();
    };
  }

  /** The part of readiness that needs outbound calls; see {@link OwnMetadataLoaded}. */
  @Bean
  OwnMetadataLoaded ownParts(
      Node node, Realms realms, PartnerRegistry partners, ObjectProvider<OpenIdProviders> providers, InstantSource time) {
    return new OwnMetadataLoaded(node, realms, partners, providers::stream, time);
  }

  /** Reported, but not part of readiness: whether the metadata of each partner was requested once. */
  @Bean
  HealthIndicator partners(Realms realms, PartnerRegistry partners) {
    return () -> {
      boolean asked =
          realms.all().stream()
              .flatMap(realm -> partners.all(realm.name()).stream())
              .noneMatch(partner -> partner.metadata().equals(MetadataState.Unusable.NOT_READ_YET));
      return asked ? Health.up().build() : Health.unknown().build();
    };
  }

  /** Reported, but not part of readiness: whether each OpenID provider was asked once. */
  @Bean
  HealthIndicator providersAsked(ObjectProvider<OpenIdProviders> providers) {
    return () -> providers.stream().allMatch(OpenIdProviders::wereAsked) ? Health.up().build() : Health.unknown().build();
  }

  /**
   * Reports certificates of listeners that were changed on disk and cannot be used; the previous ones stay in use until
   * they expire.
   */
  @Bean
  HealthIndicator certificates(ObjectProvider<GatewayServer> gateway) {
    return () -> {
      List<String> problems = gateway.stream().flatMap(server -> server.certificateProblems().stream()).toList();
      Health.Builder health = problems.isEmpty() ? Health.up() : Health.status("REJECTED");
      return problems.isEmpty() ? health.build() : health.withDetail("problems", problems).build();
    };
  }

  /**
   * Reports that a change on disk was rejected: the node serves, but not the configuration that its operators wrote.
   */
  @Bean
  HealthIndicator configuration(FileRealms realms) {
    return () ->
        realms.status().rejection().isEmpty() ? Health.up().build() : Health.status("REJECTED").build();
  }
}
