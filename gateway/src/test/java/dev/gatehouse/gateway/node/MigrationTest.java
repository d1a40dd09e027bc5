package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.admin.AdminResource.Maintenances;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseUnavailable;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.MoveMark.Target;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.UseJournal;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.gateway.launch.Launcher;
import dev.gatehouse.gateway.recovery.RecoveryFailed;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import dev.gatehouse.idp.oauth.MovedIdpStores;
import dev.gatehouse.sp.session.MovedAppStores;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Moves of an installation between embedded stores and a real PostgreSQL with a real Valkey. */
@Timeout(600)
class MigrationTest {


  /** The line of the command at which some tables are copied. */
  private static final int IN_TABLES = 20;

  private static final List<StoredKind> KINDS =
      Stream.of(MovedAppStores.ends(), MovedIdpStores.ends(), MovedAppStores.grants(), MovedIdpStores.grants())
          .flatMap(List::stream)
          .toList();

  @TempDir Path folder;
  private MigrationWorld world;

  @BeforeEach
  void start() throws Exception {
    world = new MigrationWorld(folder);
  }

  @AfterEach
  void stop() {
    world.close();
  }

  /** Ends a move as a kill does: nothing of the command runs after it but the closing of files. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private boolean move(Target target, Consumer<String> progress) throws Exception {
    return move(world.shared(), target, progress);
  }

  private boolean move(Node node, Target target, Consumer<String> progress) throws Exception {
    try (JsonLinesAuditLog audit = NodeAudit.open(node, world.time)) {
      return new SharedMigration(node, KINDS, audit, world.time, world.random).run(target, true, progress);
    }
  }

  /** Moves, and is killed at every line that it says; then ends. Returns the number of kills. */
  private int moveWithKills(Target target) throws Exception {
    for (int kills = 0; true; kills++) {
      int last = kills;
      int[] lines = {0};
      try {
        assertThat(
                move(
                    target,
                    line -> {
                      if (lines[0]++ == last) {
                        throw new Killed();
                      }
                    }))
            .isTrue();
        return kills;
      } catch (Killed e) {
        Optional<MoveMark.State> state = new MoveMark(world.data()).read();
        boolean isDone = target == Target.SHARED ? state.filter(MoveMark.State::finished).isPresent() : state.isEmpty() && kills > 0;
        if (isDone) {
          return kills;
        }
        if (state.filter(mark -> !mark.finished()).isPresent()) {
          requireNobodyStarts(target);
        }
        if (kills == IN_TABLES) {
          // A node of another machine has no mark in its folder.
          assertThatThrownBy(() -> world.shared(world.shared("other", "gatehouse", new byte[32]), (database, stores, keys) -> {}))
              .isInstanceOf(PostgresUnusable.class)
              .hasMessageContainingAll("a part of a move that was interrupted", "--to " + target.word());
        }
      }
    }
  }

  private void requireNobodyStarts(Target target) {
    assertThatThrownBy(() -> world.embedded((database, stores, keys) -> {}))
        .isInstanceOf(MoveMark.Moved.class)
        .hasMessageContainingAll("was interrupted: give the same command again", "--to " + target.word());
    assertThatThrownBy(() -> world.shared(world.shared(), (database, stores, keys) -> {})).isInstanceOf(MoveMark.Moved.class);
  }

  @Test
  @Tag("long")
  void aMoveThereAndBackThatIsKilledEverywhereLosesNothing() throws Exception {
    byte[] sealed = world.begun();
    Map<String, List<String>> before = new TreeMap<>();
    world.embedded((database, stores, keys) -> before.putAll(MigrationWorld.rows(database)));

    assertThat(moveWithKills(Target.SHARED)).isGreaterThan(30);
    assertThat(world.data().resolve("keys/sealing")).doesNotExist();
    assertThatThrownBy(() -> world.embedded((database, stores, keys) -> {}))
        .isInstanceOf(MoveMark.Moved.class)
        .hasMessageContainingAll("were moved to shared stores", "--from shared --to embedded");
    world.shared(world.shared(), (database, stores, keys) -> world.requireAllThere(database, stores, keys, before, sealed));
    // A node of another machine needs nothing else.
    world.postgres.execute("delete from node");
    world.shared(world.shared("other", "gatehouse", new byte[32]), (database, stores, keys) -> assertThat(stores.problem()).isEmpty());
    assertThatThrownBy(() -> move(Target.SHARED, line -> {})).isInstanceOf(RecoveryFailed.class).hasMessageContaining("already");

    world.postgres.execute("delete from node");
    assertThat(moveWithKills(Target.EMBEDDED)).isGreaterThan(30);
    world.embedded((database, stores, keys) -> world.requireAllThere(database, stores, keys, before, sealed));
    // What was left never serves again, whoever asks.
    for (String data : List.of("other", "data")) {
      assertThatThrownBy(() -> world.shared(world.shared(data, "gatehouse", new byte[32]), (database, stores, keys) -> {}))
          .isInstanceOf(PostgresUnusable.class)
          .hasMessageContaining("was left by its deployment");
    }
    assertThatThrownBy(() -> move(Target.SHARED, line -> {}))
        .isInstanceOf(PostgresUnusable.class)
        .hasMessageContaining("give the deployment an empty database");
  }

  @Test
  void aMoveThatIsNotConfirmedChangesNothing() throws Exception {
    world.begun();
    List<String> lines = new ArrayList<>();
    try (JsonLinesAuditLog audit = NodeAudit.open(world.shared(), world.time)) {
      assertThat(new SharedMigration(world.shared(), KINDS, audit, world.time, world.random).run(Target.SHARED, false, lines::add)).isFalse();
    }
    assertThat(String.join("\n", lines)).contains("app: 1", "idp-logout-notices: 1", "Nothing was changed. Add --confirm");
    world.embedded((database, stores, keys) -> assertThat(MigrationWorld.sessions(stores).find(world.alice)).isPresent());
  }

  @Test
  void aTargetThatIsNotEmptyOrNotOursOrRunningIsRefusedInASentence() throws Exception {
    // The database of another deployment, which runs.
    world.shared(
        world.shared("other", "another", new byte[32]),
        (database, stores, keys) ->
            assertThatThrownBy(() -> move(Target.SHARED, line -> {})).isInstanceOf(SharedUnusable.class).hasMessageContaining("Nodes run"));
    world.begun();
    assertThatThrownBy(() -> move(Target.SHARED, line -> {}))
        .isInstanceOf(PostgresUnusable.class)
        .hasMessageContaining("belongs to the deployment another, and this node to gatehouse");
    assertThatThrownBy(() -> move(world.shared("data", "another", new byte[32]), Target.SHARED, line -> {}))
        .isInstanceOf(PostgresUnusable.class)
        .hasMessageContaining("holds a deployment already");
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 1);
    assertThatThrownBy(() -> move(world.shared("data", "another", key), Target.EMBEDDED, line -> {}))
        .isInstanceOf(PostgresUnusable.class)
        .hasMessageContaining("another master key sealed");
    assertThatThrownBy(() -> move(world.shared("data", "another", new byte[32]), Target.EMBEDDED, line -> {}))
        .isInstanceOf(RecoveryFailed.class)
        .hasMessageContaining("belong to another installation");
    world.embedded((database, stores, keys) -> assertThat(MigrationWorld.sessions(stores).find(world.alice)).isPresent());
  }

  @Test
  void whatIsInTheWayIsToldBeforeAnythingIsChanged() throws Exception {
    world.begun();
    world.valkey.command("set", "gatehouse:m:x", "1");
    assertThatThrownBy(() -> move(Target.SHARED, line -> {})).isInstanceOf(RecoveryFailed.class).hasMessageContaining("Valkey is not empty");
    world.valkey.command("del", "gatehouse:m:x");
    world.postgres.execute("alter table consent add column later varchar(10)");
    assertThatThrownBy(() -> move(Target.SHARED, line -> {}))
        .isInstanceOf(DatabaseUnavailable.class)
        .hasMessageContainingAll("The table consent is not the same in both databases", "another version");
    world.postgres.execute("alter table consent drop column later");
    world.embedded((database, stores, keys) -> assertThat(MigrationWorld.sessions(stores).find(world.alice)).isPresent());
    assertThat(move(Target.SHARED, line -> {})).isTrue();
  }

  /** A use whose row does not have it when the node is killed: its journal is not closed. */
  private static void use(Database database, Stores stores) {
    JdbcTokens rows = new JdbcTokens(database);
    rows.add("office", List.of(Token.created("waits", TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
    Tokens.Use use = new Tokens.Use("waits", new PersonId("alice"), 7, 0, Instant.now());
    Tokens journaled = UseJournal.open(database, stores, InstantSource.system()).orElseThrow().tokens(rows);
    journaled.keepUses("office", List.of(new Tokens.Used(rows.find("office", "waits").orElseThrow(), use)));
  }

  @Test
  void switchesOfMaintenanceMoveBothWaysAndUsesOfTokensToTheirRows() throws Exception {
    world.begun();
    world.embedded((database, stores, keys) -> use(database, stores));
    Path file = world.data().resolve("maintenance");
    MaintenanceSwitches before = new MaintenanceSwitches(Optional.of(file));
    Maintenances.Switched on = new Maintenances.Switched(true, Optional.of(Instant.parse("2030-01-02T03:04:05Z")));
    before.set("office", "pay roll", on);
    before.set("office", "wiki", new Maintenances.Switched(false, Optional.empty()));

    assertThat(move(Target.SHARED, line -> {})).isTrue();
    assertThat(file).doesNotExist();
    Map<String, String> shared = new TreeMap<>();
    world.shared(
        world.shared(),
        (database, stores, keys) -> {
          JdbcClient.create(database.dataSource()).sql("select kind || ' ' || name as name, setting from node_switch")
              .query(row -> { shared.put(row.getString("name"), row.getString("setting")); });
          assertThat(new JdbcTokens(database).find("office", "waits").orElseThrow().lastUsed()).isEqualTo(7);
        });
    assertThat(shared).isEqualTo(Map.of("maintenance office pay roll", "on 2030-01-02T03:04:05Z", "maintenance office wiki", "off"));

    world.postgres.execute("delete from node");
    assertThat(move(Target.EMBEDDED, line -> {})).isTrue();
    MaintenanceSwitches after = new MaintenanceSwitches(Optional.of(file));
    assertThat(after.find("office", "pay roll")).contains(on);
    assertThat(after.find("office", "wiki")).contains(new Maintenances.Switched(false, Optional.empty()));
  }

  /** At each step of the move: the source serves as before, and the same move succeeds later. */
  @Test
  void aMoveThatBeganCanBeGivenUp() throws Exception {
    byte[] sealed = world.begun();
    Map<String, List<String>> before = new TreeMap<>();
    world.embedded((database, stores, keys) -> before.putAll(MigrationWorld.rows(database)));
    for (String last : List.of("Tables:", "  app: 1")) {
      stopAt(Target.SHARED, last);
      List<String> said = abandon(Target.SHARED);
      assertThat(said).anyMatch(line -> line.startsWith("Given up.")).anyMatch(line -> line.startsWith("What remains:"));
      world.embedded((database, stores, keys) -> {
        assertThat(MigrationWorld.rows(database)).isEqualTo(before);
        assertThat(MigrationWorld.sessions(stores).find(world.alice)).isPresent();
      });
    }
    assertThatThrownBy(() -> abandon(Target.SHARED)).isInstanceOf(RecoveryFailed.class).hasMessageContaining("No move has begun");
    stopAt(Target.SHARED, "Keys:");
    assertThatThrownBy(() -> abandon(Target.EMBEDDED)).isInstanceOf(RecoveryFailed.class).hasMessageContaining("in the other direction");
    assertThat(move(Target.SHARED, line -> {})).isTrue();

    for (String last : List.of("Keys:", "H2 and RocksDB are complete.")) {
      stopAt(Target.EMBEDDED, last);
      abandon(Target.EMBEDDED);
      assertThat(world.data().resolve("h2")).doesNotExist();
      assertThat(world.data().resolve("keys/sealing")).doesNotExist();
      world.shared(world.shared(), (database, stores, keys) -> world.requireAllThere(database, stores, keys, before, sealed));
      world.postgres.execute("delete from node");
    }
    assertThat(move(Target.EMBEDDED, line -> {})).isTrue();
    world.embedded((database, stores, keys) -> world.requireAllThere(database, stores, keys, before, sealed));
  }

  /** Kills the move at a line that it says after it has begun. */
  private void stopAt(Target target, String last) {
    AtomicBoolean begun = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                move(
                    target,
                    line -> {
                      begun.compareAndSet(false, line.equals("Tables:"));
                      if (begun.get() && line.startsWith(last)) {
                        throw new Killed();
                      }
                    }))
        .isInstanceOf(Killed.class);
  }

  private List<String> abandon(Target target) throws Exception {
    List<String> lines = new ArrayList<>();
    try (JsonLinesAuditLog audit = NodeAudit.open(world.shared(), world.time)) {
      new SharedMigration(world.shared(), KINDS, audit, world.time, world.random).abandon(target, lines::add);
    }
    return lines;
  }

  /** Kills the process of the command, as the kernel does when memory is short. */
  @Test
  void aCommandThatIsKilledGoesOn() throws Exception {
    byte[] sealed = world.begun();
    Map<String, List<String>> before = new TreeMap<>();
    world.embedded((database, stores, keys) -> before.putAll(MigrationWorld.rows(database)));
    Map<Target, List<String>> places =
        Map.of(Target.SHARED, List.of("  recent_login:", "Keys:", "  idp-logout-notices:"), Target.EMBEDDED, List.of("Keys:"));
    for (Target target : List.of(Target.SHARED, Target.EMBEDDED)) {
      for (String line : places.getOrDefault(target, List.of())) {
        killAt(target, line);
        requireNobodyStarts(target);
      }
      assertThat(move(target, said -> {})).isTrue();
    }
    world.embedded((database, stores, keys) -> world.requireAllThere(database, stores, keys, before, sealed));
  }

  private void killAt(Target target, String last) throws Exception {
    ProcessBuilder builder =
        JavaProcess.of(
            Launcher.class, "migrate", "--config", world.configuration().toString(), "--from", target.other().word(), "--to", target.word(),
            "--confirm");
    world.shared();
    builder.environment().putAll(world.environment("data", new byte[32]));
    Process process = builder.redirectErrorStream(true).start();
    List<String> output = new ArrayList<>();
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        output.add(line);
        if (output.contains("Tables:") && line.startsWith(last)) {
          process.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(process.waitFor()).as(String.join("\n", output)).isEqualTo(137);
  }
}
