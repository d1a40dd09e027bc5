package dev.gatehouse.gateway.admin.health;

import dev.gatehouse.common.admin.AdminResource.UpstreamView;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.health.HealthView.DependencyView;
import dev.gatehouse.gateway.admin.route.UpstreamEndpoint;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;
import org.springframework.boot.health.contributor.Status;

/** Collects what a node depends on. */
final class Dependencies {

  private static final Set<String> IN_USE = Set.of("up", "on-trial");

  private final HealthEndpoint health;
  private final Realms realms;
  private final Optional<Directories> directories;
  private final PartnerRegistry partners;
  private final Optional<OpenIdProviders> providers;
  private final UpstreamEndpoint upstreams;

  /**
   * @param directories empty on a node that reads none
   * @param providers empty on a node that asks none
   */
  Dependencies(
      HealthEndpoint health,
      Realms realms,
      Optional<Directories> directories,
      PartnerRegistry partners,
      Optional<OpenIdProviders> providers,
      UpstreamEndpoint upstreams) {
    this.health = health;
    this.realms = realms;
    this.directories = directories;
    this.partners = partners;
    this.providers = providers;
    this.upstreams = upstreams;
  }

  /** Returns the node's parts, and what belongs to the realms that the administrator may read. */
  Stream<DependencyView> of(AdminRights rights) {
    List<Realm> readable = realms.all().stream().filter(realm -> rights.may(AdministratorRole.VIEWER, realm.name())).toList();
    return Stream.of(
            parts(rights),
            readable.stream().flatMap(this::directory),
            readable.stream().flatMap(realm -> partners.all(realm.name()).stream().map(partner -> partner(realm.name(), partner))),
            readable.stream().flatMap(this::providers),
            upstreams.all(rights).upstreams().stream().map(Dependencies::app))
        .flatMap(some -> some);
  }

  /** Sentences of parts may name other realms: administrators of all realms alone read them. */
  private Stream<DependencyView> parts(AdminRights rights) {
    boolean readsAll = rights.mayEverywhere(AdministratorRole.VIEWER);
    Map<String, HealthDescriptor> parts =
        health.health() instanceof CompositeHealthDescriptor all ? Optional.ofNullable(all.getComponents()).orElse(Map.of()) : Map.of();
    return parts.entrySet().stream()
        .map(
            part -> {
              Status status = part.getValue().getStatus();
              return new DependencyView(
                  "part", Optional.empty(), part.getKey(), status.equals(Status.UP), status.getCode(),
                  readsAll ? problem(part.getValue()) : Optional.empty());
            });
  }

  /** Returns the sentences that a part says to operators; its other details, such as places of files, are left out. */
  private static Optional<String> problem(HealthDescriptor part) {
    Map<String, Object> details =
        part instanceof IndicatedHealthDescriptor own ? Optional.ofNullable(own.getDetails()).orElse(Map.of()) : Map.of();
    String sentences =
        Stream.concat(
                Stream.ofNullable(details.get("problem")),
                details.get("problems") instanceof List<?> several ? several.stream() : Stream.empty())
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    return Optional.of(sentences).filter(text -> !text.isEmpty());
  }

  private Stream<DependencyView> directory(Realm realm) {
    if (realm.directory().isEmpty()) {
      return Stream.empty();
    }
    return directories.stream()
        .map(
            all -> {
              boolean up = all.of(realm).isAvailable();
              Optional<String> problem = up ? Optional.empty() : Optional.of("No server answers; existing sessions go on.");
              return new DependencyView("directory", Optional.of(realm.name()), "directory", up, up ? "UP" : "DOWN", problem);
            });
  }

  private Stream<DependencyView> providers(Realm realm) {
    return providers.stream()
        .flatMap(
            all ->
                realm.parties().providers().stream()
                    .map(provider -> provider(realm.name(), provider.issuer(), all.state(provider.issuer()))));
  }

  private static DependencyView provider(String realm, String issuer, ProviderState state) {
    return switch (state) {
      case ProviderState.Usable usable -> document("provider", realm, issuer, true, usable.lastProblem());
      case ProviderState.Unusable(String why) -> document("provider", realm, issuer, false, Optional.of(why));
    };
  }

  private static DependencyView partner(String realm, Partner partner) {
    return switch (partner.metadata()) {
      case MetadataState.Usable usable -> document("partner", realm, partner.entityId(), true, usable.lastProblem());
      case MetadataState.Unusable(String why) -> document("partner", realm, partner.entityId(), false, Optional.of(why));
    };
  }

  /** Somebody of whom the node has a document, and fetches it again and again. */
  private static DependencyView document(String kind, String realm, String name, boolean usable, Optional<String> problem) {
    String state = !usable ? "unusable" : problem.isPresent() ? "not refreshed" : "usable";
    return new DependencyView(kind, Optional.of(realm), name, problem.isEmpty(), state, problem);
  }

  private static DependencyView app(UpstreamView server) {
    boolean up = IN_USE.contains(server.state());
    String failed = server.failures() + " of " + server.requests() + " requests failed, and attempts to connect.";
    String problem = server.state().equals("draining") ? "Drained here." : failed;
    return new DependencyView("app", Optional.empty(), server.server(), up, server.state(), up ? Optional.empty() : Optional.of(problem));
  }
}
