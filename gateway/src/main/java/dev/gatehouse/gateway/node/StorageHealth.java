package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.KeyManifest;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.space.SpaceState;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.gateway.metrics.ActuatorReport;
import dev.gatehouse.gateway.netty.GatewayServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The health of stores, audit log, disks and listeners. A node is ready if everything that its roles need can be
 * written; a disk that is filling up is reported but leaves the node ready, for existing sessions.
 */
@Configuration(proxyBeanMethods = false)
class StorageHealth {

  private static final String AUDIT = "audit";
  private static final String DATA = "data";

  @Bean
  SpaceWatch spaceWatch(Node node, JsonLinesAuditLog audit, ObjectProvider<Database> database) {
    Map<String, Path> directories = new LinkedHashMap<>();
    if (node.storage() != Node.Storage.VOLATILE) {
      // Ensures that the database is open, so that its folder exists.
      database.getObject();
      directories.put(DATA, node.data());
    }
    directories.put(AUDIT, node.audit().directory());
    SpaceWatch space = new SpaceWatch(directories, node.space());
    audit.relievedBy(space::relieve);
    return space;
  }

  @Bean
  List<Gauge> spaceGauges(SpaceWatch space, PrometheusMeterRegistry meters) {
    return space.disks().stream()
        .map(SpaceWatch.Disk::name)
        .flatMap(
            name ->
                Stream.of(
                    Gauge.builder("gatehouse.space.state", () -> disk(space, name).map(d -> d.state().ordinal()).orElse(0))
                        .description("0: plenty, 1: scarce, 2: low, nothing new is stored, 3: nothing can be written")
                        .tag("disk", name)
                        .register(meters),
                    Gauge.builder("gatehouse.space.free", () -> disk(space, name).map(SpaceWatch.Disk::free).orElse(0L))
                        .description("Free space on the disk")
                        .baseUnit("bytes")
                        .tag("disk", name)
                        .register(meters)))
        .toList();
  }

  private static Optional<SpaceWatch.Disk> disk(SpaceWatch space, String name) {
    return space.disks().stream().filter(disk -> disk.name().equals(name)).findFirst();
  }

  /** Out of service if sign-ons are refused because a disk is nearly full; an earlier warning is a detail. */
  @Bean("spaceHealthIndicator")
  HealthIndicator spaceHealth(SpaceWatch space) {
    return () -> {
      boolean plenty = space.disks().stream().allMatch(disk -> disk.state() == SpaceState.PLENTY);
      Health.Builder health = space.isLow() ? Health.outOfService() : plenty ? Health.up() : Health.status("WARNING");
      space.disks().stream()
          .filter(disk -> disk.state() != SpaceState.PLENTY)
          .forEach(disk -> health.withDetail(disk.name(), disk.state() + ", " + (disk.free() >> 20) + " MB free"));
      return health.build();
    };
  }

  @Bean("storesHealthIndicator")
  HealthIndicator storesHealth(Stores stores, SpaceWatch space, ObjectProvider<SharedState> shared) {
    return () -> {
      Optional<SharedState> state = Optional.ofNullable(shared.getIfAvailable());
      // One node of several leaves people to the others before its disk is full: it would refuse every login.
      Optional<String> own =
          unwritable(space, DATA)
              .or(() -> state.isPresent() && space.isLow() ? Optional.of("The disk is nearly full") : Optional.empty())
              .or(() -> state.flatMap(SharedState::clockProblem));
      return state.isPresent() ? ofShared(stores, own) : health(stores.problem().or(() -> own));
    };
  }

  /** Tells also why a shared store is refused: the other nodes refuse it, too. @param own what is wrong with this node alone */
  static Health ofShared(Stores stores, Optional<String> own) {
    Optional<String> problem = stores.problem();
    return own.isEmpty() && problem.isPresent()
        ? Health.status(ActuatorReport.AWAY).withDetail("problem", problem.get()).build()
        : health(problem.or(() -> own));
  }

  /** A server of one-time passwords that checks none leaves clients to the others. */
  @Bean("otpHealthIndicator")
  HealthIndicator otpHealth(OtpNode otp) {
    return () -> otp.problem().map(text -> Health.outOfService().withDetail("problem", text).build()).orElseGet(() -> Health.up().build());
  }

  /** A node serves on without the records of another version, which nodes of that version use. */
  @Bean("storedRecordsHealthIndicator")
  HealthIndicator storedRecordsHealth(Stores stores) {
    return () -> ofUnread(stores.unread());
  }

  static Health ofUnread(SortedMap<String, Integer> byStore) {
    String unread = byStore.entrySet().stream().map(kind -> kind.getKey() + " " + kind.getValue()).collect(Collectors.joining(", "));
    return unread.isEmpty()
        ? Health.up().build()
        : Health.status("DEGRADED")
            .withDetail(
                "problem",
                "Stored records of another version stay and are not used by this node (" + unread + "). Bring all nodes to the same version, or one "
                    + "next to it.")
            .build();
  }

  /** Sessions and pages need no database, but the identity provider does. */
  @Bean("databaseHealthIndicator")
  HealthIndicator databaseHealth(Node node, Database database, SpaceWatch space, ObjectProvider<SharedState> shared) {
    boolean needed = node.roles().contains(Role.IDP);
    return () -> {
      Health health = health(database.problem().or(() -> unwritable(space, DATA)));
      SharedState state = shared.getIfAvailable();
      if (state != null) {
        health = withDetails(health, state);
      }
      // All nodes have the same database: one that is out of service leaves its people to nobody.
      boolean tolerated = (!needed || state != null) && !health.getStatus().equals(Health.up().build().getStatus());
      return tolerated ? Health.status("DEGRADED").withDetails(health.getDetails()).build() : health;
    };
  }

  /** What the server guarantees, and which revision each node serves. */
  static Health withDetails(Health health, SharedState state) {
    Health.Builder builder = Health.status(health.getStatus()).withDetails(health.getDetails());
    state.database().guarantees().ifPresent(server -> builder.withDetail("postgresql", server.sentences()));
    state.snapshot().problem().ifPresent(problem -> builder.withDetail("snapshot", problem));
    if (state.database().problem().isEmpty()) {
      // Nothing is asked here: a balancer would take the node out of service while the database hangs.
      builder.withDetail("nodes", state.nodes().known());
      state.nodes().otherVersions().ifPresent(sentence -> builder.withDetail("versions", sentence));
    }
    return builder.build();
  }

  @Bean("auditLogHealthIndicator")
  HealthIndicator auditHealth(JsonLinesAuditLog audit, SpaceWatch space) {
    return () ->
        health(
            audit.problem()
                .or(() -> disk(space, AUDIT).isPresent() ? unwritable(space, AUDIT) : unwritable(space, DATA)));
  }

  /**
   * Reports key files that were lost while the node runs: it continues with the keys in memory, but cannot start again.
   */
  @Bean
  HealthIndicator keyFiles(Node node) {
    KeyManifest manifest = new KeyManifest(node.data().resolve("keys"));
    return () -> {
      List<KeyManifest.Problem> problems;
      try {
        problems = manifest.missing();
      } catch (FileUnreadable e) {
        return Health.status("REJECTED").withDetail("problems", List.of(String.valueOf(e.getMessage()))).build();
      }
      Health.Builder health = problems.isEmpty() ? Health.up() : Health.status("REJECTED");
      return problems.isEmpty() ? health.build() : health.withDetail("problems", problems).build();
    };
  }

  /** Up if every listener that the node's roles need is open. */
  @Bean
  NodeDrain drain(Node node) {
    return new NodeDrain(node.gateway().drainDelay());
  }

  @Bean
  HealthIndicator listeners(ObjectProvider<GatewayServer> gateway, ListenersReady edges) {
    return () -> {
      boolean up = gateway.stream().allMatch(GatewayServer::isListening) && edges.isListening();
      return up ? Health.up().build() : Health.outOfService().build();
    };
  }

  @Bean
  ListenersReady listening() {
    return new ListenersReady();
  }

  private static Optional<String> unwritable(SpaceWatch space, String name) {
    return disk(space, name).flatMap(SpaceWatch.Disk::problem);
  }

  private static Health health(Optional<String> problem) {
    return problem.map(text -> Health.down().withDetail("problem", text).build()).orElseGet(() -> Health.up().build());
  }
}
