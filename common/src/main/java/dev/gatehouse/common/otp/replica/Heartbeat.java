package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The row that the primary writes once a second. A subscription may be broken while PostgreSQL still calls all tables ready. */
final class Heartbeat {

  /** A copy that is farther behind a primary that answers counts as broken: revocations are missing in it. */
  static final Duration BEHIND = Duration.ofSeconds(30);

  /** For so long a copy serves while its primary does not answer; one of the replicas is nominated before. */
  static final Duration ALONE = Duration.ofDays(3);

  static final String TABLE = "otp_heartbeat";

  private final JdbcClient jdbc;

  Heartbeat(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  /** Writes it, at the primary. */
  void beat() {
    jdbc.sql(
            "insert into otp_heartbeat (id, beat_at) values (1, clock_timestamp())"
                + " on conflict (id) do update set beat_at = excluded.beat_at")
        .update();
  }

  /** Returns the last one that this database has, by the clock of the primary; empty if none. */
  Optional<Instant> last() {
    return jdbc.sql("select beat_at from otp_heartbeat").query(OffsetDateTime.class).optional().map(OffsetDateTime::toInstant);
  }

  /**
   * Returns why a copy is too old, as a sentence; empty if it is not.
   *
   * @param primary what the primary wrote last; empty if it does not answer
   */
  static Optional<String> problem(Optional<Instant> copied, Optional<Instant> primary, Instant now) {
    if (copied.isEmpty()) {
      return Optional.of(
          "The copy of the primary's tokens has no heartbeat: start the primary, or see the log of PostgreSQL of this server");
    }
    if (primary.isPresent()) {
      Duration behind = Duration.between(copied.get(), primary.get());
      return behind.compareTo(BEHIND) > 0
          ? Optional.of(
              "The copy is " + behind.toSeconds() + " s behind the primary, which answers: its subscription is broken or slow (see the log "
                  + "of PostgreSQL here); if it does not go on, stop this node, and give the command ./gatehouse otp push --replace")
          : Optional.empty();
    }
    return Duration.between(copied.get(), now).compareTo(ALONE) > 0
        ? Optional.of(
            "The primary does not answer, and the copy of its tokens is from " + copied.get() + ", more than " + ALONE.toDays()
                + " days ago: bring the primary back, or nominate a replica (./gatehouse otp nominate)")
        : Optional.empty();
  }
}
