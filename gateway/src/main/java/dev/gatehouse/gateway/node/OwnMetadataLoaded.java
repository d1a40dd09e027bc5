package dev.gatehouse.gateway.node;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderState;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Readiness of a node: it becomes ready when it has requested the metadata of its own identity and service providers,
 * since they are partners of each other and the first login needs them. Other partners are not part of readiness, and a
 * ready node stays ready: neither a partner's failure nor a new configuration takes a node out of service.
 */
final class OwnMetadataLoaded implements HealthIndicator {

  /**
   * The limit of the wait, because the node's own public addresses may lead through a proxy that hangs, or that waits
   * for this node to be ready.
   */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Set<Role> roles;
  private final Realms realms;
  private final PartnerRegistry partners;
  private final Supplier<Stream<OpenIdProviders>> providers;
  private final InstantSource time;
  private Instant firstAsked = Instant.MAX;
  private boolean ready;

  OwnMetadataLoaded(
      Node node,
      Realms realms,
      PartnerRegistry partners,
      Supplier<Stream<OpenIdProviders>> providers,
      InstantSource time) {
    this.roles = node.roles();
    this.realms = realms;
    this.partners = partners;
    this.providers = providers;
    this.time = time;
  }

  @Override
  public synchronized Health health() {
    Instant now = time.instant();
    firstAsked = firstAsked.isAfter(now) ? now : firstAsked;
    ready = ready || !now.isBefore(firstAsked.plus(LONGEST)) || isEachAsked();
    return ready ? Health.up().build() : Health.outOfService().build();
  }

  private boolean isEachAsked() {
    Set<Origin> own = realms.all().stream().flatMap(this::origins).collect(Collectors.toSet());
    return realms.all().stream()
            .flatMap(realm -> partners.all(realm.name()).stream())
            .noneMatch(partner -> isAt(own, partner) && partner.metadata().equals(MetadataState.Unusable.NOT_READ_YET))
        && realms.all().stream()
            .flatMap(realm -> realm.parties().providers().stream())
            .noneMatch(provider -> own.contains(Origin.of(URI.create(provider.issuer()))) && isNotAsked(provider.issuer()));
  }

  private Stream<Origin> origins(Realm realm) {
    Stream<URI> idp = roles.contains(Role.IDP) ? realm.idp().stream().map(config -> config.publicUrl()) : Stream.empty();
    boolean servesApps = roles.contains(Role.SP) || roles.contains(Role.GATEWAY);
    Stream<URI> sp = servesApps ? realm.sp().stream().map(config -> config.publicUrl()) : Stream.empty();
    return Stream.concat(idp, sp).map(Origin::of);
  }

  private static boolean isAt(Set<Origin> own, Partner partner) {
    return switch (partner.config().metadata()) {
      case MetadataSource.Url url -> own.contains(Origin.of(url.url()));
      case MetadataSource.File file -> false;
    };
  }

  private boolean isNotAsked(String issuer) {
    return providers.get().anyMatch(known -> known.state(issuer).equals(ProviderState.Unusable.NOT_ASKED_YET));
  }
}
