package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.ConfiguredArchive;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.shared.EventFollower;
import dev.gatehouse.common.audit.shared.EventFollower.FollowedLog;
import dev.gatehouse.common.audit.shared.EventRetention;
import dev.gatehouse.common.audit.shared.SharedEvents;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The search of the events of all nodes in the database, and what loads those of this node. */
final class SharedAudit {

  private static final Duration LOADED_EVERY = Duration.ofMillis(500);
  private static final Duration TIDIED_EVERY = Duration.ofMinutes(1);

  /** A follower that is behind for longer is a problem. */
  private static final Duration TOLERATED = Duration.ofSeconds(10);

  private final Supplier<PostgresDatabase> place;
  private final Function<PostgresDatabase, EventFollower> followers;
  private volatile EventFollower follower;
  // Used only by the thread that loads.
  private PostgresDatabase followed;
  private final AuditSearch search;

  SharedAudit(
      Node.AuditConfig auditing,
      SharedState state,
      JsonLinesAuditLog log,
      AuditSegments segments,
      ConfiguredArchive archive,
      InstantSource time,
      OtpNode otp) {
    FollowedLog own =
        new FollowedLog(
            log, segments, auditing.unsearchable(),
            () -> archive.archive().isPresent() ? archive.archive().get().unarchivedSince(segments) : Optional.empty());
    // Replicas of one-time passwords load their events into the database of the primary, which may become another one.
    this.place = () -> otp.auditDatabase(state.database());
    this.followers = database -> new EventFollower(database, state.nodes()::self, own, auditing.searchable(), time);
    this.followed = place.get();
    this.follower = followers.apply(followed);
    EventRetention retention = new EventRetention(state.database(), auditing.searchable());
    RepeatedTask tidied =
        RepeatedTask.every(
            TIDIED_EVERY, "audit-partitions", "Partitions of audit events in the database can neither be made nor removed",
            () -> {
              if (!otp.isReplica() && state.leases().take(EventRetention.WORK).isPresent()) {
                retention.run();
              }
            });
    RepeatedTask loaded =
        RepeatedTask.every(LOADED_EVERY, "audit-follower", "Events of the audit log cannot be loaded into the database", this::load);
    this.search = AuditSearch.of(new SharedEvents(state.database()), List.<AutoCloseable>of(tidied, loaded, () -> follower.close()));
  }

  private void load() throws Exception {
    PostgresDatabase now = place.get();
    if (now != followed) {
      follower.abandon();
      followed = now;
      follower = followers.apply(now);
    }
    follower.follow();
  }

  AuditSearch search() {
    return search;
  }

  /** Returns why events of this node cannot be found; empty if all can but those of the last seconds. */
  Optional<String> problem() {
    Duration lag = follower.lag();
    if (lag.compareTo(TOLERATED) <= 0) {
      return Optional.empty();
    }
    return Optional.of(behind() + " events of this node are not in the database yet, the oldest since " + lag.toSeconds() + " s");
  }

  private long behind() {
    try {
      return follower.behind();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void publish(MetricFamilies metrics) {
    SampleFamily.builder("gatehouse.audit.follower.lag")
        .description("Seconds since all audit events of this node were in the shared database")
        .gauge(() -> Map.of(List.of(), follower.lag().toNanos() / 1e9))
        .register(metrics);
    SampleFamily.builder("gatehouse.audit.follower.behind")
        .description("Audit events of this node that are not in the shared database yet")
        .gauge(() -> Map.of(List.of(), (double) behind()))
        .register(metrics);
  }
}
