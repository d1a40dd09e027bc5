package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What PostgreSQL of a server needs to be the primary of one-time passwords. */
public final class OtpCheck {

  private OtpCheck() {}

  /** Returns what is missing, in sentences with the remedy; nothing if the database does not answer. */
  public static List<String> problems(PostgresConfig own) {
    try (PostgresDatabase database = OtherServers.connect(own, asked -> {}).orElse(null)) {
      return database == null
          ? List.of()
          : Stream.of(new Replication(database).unpublishable(), new Slots(database).unbounded()).flatMap(Optional::stream).toList();
    }
  }
}
