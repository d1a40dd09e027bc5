package dev.gatehouse.gateway.node;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.netty.GatewayServer;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the indicators of health; those of storage are in {@link StorageHealth}. */
@Configuration(proxyBeanMethods = false)
class HealthConfig {

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
  HealthIndicator configuration(RealmsInUse realms) {
    return () ->
        realms.status().rejection().isEmpty() ? Health.up().build() : Health.status("REJECTED").build();
  }
}
