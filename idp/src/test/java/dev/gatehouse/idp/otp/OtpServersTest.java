package dev.gatehouse.idp.otp;

import static dev.gatehouse.idp.otp.OtpServers.CAROL;
import static dev.gatehouse.idp.otp.OtpServers.HOTP;
import static dev.gatehouse.idp.otp.OtpServers.MOST;
import static dev.gatehouse.idp.otp.OtpServers.REALM;
import static dev.gatehouse.idp.otp.OtpServers.assign;
import static dev.gatehouse.idp.otp.OtpServers.await;
import static dev.gatehouse.idp.otp.OtpServers.row;
import static dev.gatehouse.idp.otp.OtpServers.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.node.OtpServerConfig.Role;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.replica.ReplicationRefused;
import dev.gatehouse.common.otp.replica.ServerState;
import dev.gatehouse.common.otp.replica.ServerTable;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One primary and its replicas: a code counts once, changes arrive, and who was cut off is noticed. */
class OtpServersTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /** When the last mark of all ends: the first eight bytes of a mark are its end in milliseconds. */
  private static final String LAST_END =
      "local last = 0 for _, key in ipairs(redis.call('KEYS', '*:m:*')) do "
          + "if redis.call('TYPE', key).ok == 'string' then last = math.max(last, (struct.unpack('>I8', redis.call('GET', key)))) end end return last";

  @Test
  void replicasFollowThePrimaryAndACodeCountsOnce() throws Exception {
    try (OtpServers world = new OtpServers("berlin", "paris")) {
      OtpServers.Server berlin = world.start(Role.PRIMARY, "berlin", Duration.ZERO);
      assign(berlin.tokens, "t", CAROL);
      berlin.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {1}), false);
      assertThatThrownBy(() -> world.start(Role.REPLICA, "paris", Duration.ZERO)).isInstanceOf(ReplicationRefused.class).hasMessageContaining("otp push");
      List<String> said = world.push("paris", false);
      assertThat(said.getFirst()).matches("Copying 13 tables of berlin \\(epoch 1\\) with about [0-9]+ rows");
      assertThat(said.getLast()).startsWith("Copied 13 tables of berlin (epoch 1)");
      assertThatThrownBy(() -> world.push("paris", false)).isInstanceOf(ReplicationRefused.class).hasMessageContaining("--replace");
      OtpServers.Server paris = startedWhereTheConnectionStays(world);
      assertThat(paris.tokens.find(REALM, "t").flatMap(Token::person)).contains(CAROL);

      long step = step();
      // Four nodes, two of each database, each with memory of its own, over one Valkey.
      List<CodeUses> nodes = List.of(berlin.uses, paris.uses, berlin.anotherNode(), paris.anotherNode());
      List<Boolean> won = Race.of(64, i -> () -> (i % 2 == 0 ? berlin : paris).use(nodes.get(i % 4), "t", CAROL, step));
      assertThat(won).filteredOn(one -> one).hasSize(1);
      assertThat(paris.use("t", CAROL, step + 1)).as("a use at the replica").isTrue();
      await(() -> berlin.tokens.find(REALM, "t").orElseThrow().lastUsed() == step + 1);
      await(() -> paris.tokens.find(REALM, "t").orElseThrow().lastUsed() == step + 1);
      assertThat(berlin.use("t", CAROL, step + 1)).isFalse();

      wrongPasscodesCountOnceForAll(berlin, paris);
      whatPeopleChangeAtAReplicaIsChangedAtThePrimary(berlin, paris);
      codesOfTokensWithACounterCountAtThePrimary(berlin, paris);
      changesArriveWithinASecond(berlin, paris);

      assertThatThrownBy(() -> world.cluster("paris").execute("update otp_token set drift = 9")).hasMessageContaining("at the primary");
      assertThatThrownBy(() -> world.cluster("paris").execute("delete from key_file")).hasMessageContaining("at the primary");
      assertThatThrownBy(() -> new TokenRegister(paris.database).change(REALM, paris.tokens.find(REALM, "t").orElseThrow(), Token.State.LOST))
          .isInstanceOfSatisfying(DataAccessException.class, refused -> assertThat(ReplicationRefused.isMeantBy(refused)).isTrue());
      assertThatThrownBy(() -> world.cluster("berlin").execute("set gatehouse.otp_primary = '2 paris'; update otp_token set drift = 9"))
          .as("another server writes here in the belief that this is the primary").hasMessageContaining("not that of the primary");
      aBrokenSubscriptionIsNoticed(world, paris);
      await(() -> new ServerTable(berlin.database).replicas().stream().anyMatch(one -> one.told().isPresent() && one.slot().filter(ServerTable.Slot::isConnected).isPresent()));
      assertThat(world.status(Role.REPLICA, "paris"))
          .hasSize(3)
          .anyMatch(line -> line.startsWith("this server paris: follows") && line.endsWith("0 uses of tokens wait for the primary, marks waiting 0"))
          .anyMatch(line -> line.startsWith("replica paris: connected, behind "));
      assertThat(paris.stores.problem()).isEmpty();
      OtpServers.Server follower = theReplicaIsNominated(world, berlin, paris);

      world.valkey.kill();
      await(() -> paris.stores.problem().isPresent() && follower.stores.problem().isPresent());
      assertThatThrownBy(() -> follower.use("t", CAROL, step + 9)).as("not isolated: refused").isInstanceOf(StoreUnavailable.class);
      assertThatThrownBy(() -> paris.tokens.keepPins(REALM, CAROL, Optional.empty(), false)).isInstanceOf(StoreUnavailable.class);
    }
  }

  /** As planned; {@code OtpNominationTest} has what may go wrong. Returns the former primary, which is a replica then. */
  private static OtpServers.Server theReplicaIsNominated(OtpServers world, OtpServers.Server berlin, OtpServers.Server paris)
      throws Exception {
    assign(berlin.tokens, "n", CAROL);
    long step = step();
    assertThat(berlin.use("n", CAROL, step)).isTrue();
    assertThat(world.nominate("paris"))
        .anyMatch(line -> line.startsWith("berlin serves nothing"))
        .last().asString().startsWith("paris is the primary of one-time passwords at epoch 2");
    await(() -> paris.server.isPrimary() && berlin.server.state() == ServerState.REPLACED);
    assertThatThrownBy(() -> berlin.use("n", CAROL, step + 1)).isInstanceOf(StoreUnavailable.class).hasMessageContaining("paris");
    assertThatThrownBy(() -> berlin.tokens.keepPins(REALM, CAROL, Optional.empty(), false)).isInstanceOf(StoreUnavailable.class);
    assertThat(paris.use("n", CAROL, step)).as("used at the former primary").isFalse();
    assertThat(paris.use("n", CAROL, step + 1)).isTrue();
    berlin.close();
    assertThatThrownBy(() -> world.start(Role.PRIMARY, "berlin", Duration.ZERO))
        .isInstanceOf(ReplicationRefused.class).hasMessageContaining("paris is, since epoch 2");
    assertThat(world.push("berlin", true).getLast()).startsWith("Copied 13 tables of paris (epoch 2)");
    OtpServers.Server follower = startedWithAFormerConnection(world);
    assign(paris.tokens, "later", CAROL);
    await(() -> follower.tokens.find(REALM, "later").isPresent());
    assertThat(follower.use("n", CAROL, step + 1)).as("used at the primary").isFalse();
    assertThat(follower.use("n", CAROL, step + 2)).isTrue();
    await(() -> paris.tokens.find(REALM, "n").orElseThrow().lastUsed() == step + 2);
    return follower;
  }

  /** PostgreSQL refuses to change its subscription, whose connection is right. */
  private static OtpServers.Server startedWhereTheConnectionStays(OtpServers world) throws Exception {
    world.cluster("paris")
        .execute(
            "create function refuse() returns event_trigger language plpgsql as 'begin raise exception ''refused''; end'",
            "create event trigger refuse on ddl_command_start when tag in ('ALTER SUBSCRIPTION') execute function refuse()");
    OtpServers.Server started = world.start(Role.REPLICA, "paris", Duration.ZERO);
    await(() -> started.server.state() == ServerState.REPLICA);
    world.cluster("paris").execute("drop event trigger refuse");
    return started;
  }

  /** Its subscription has the options of an earlier version, and a port at which the primary is no longer. */
  private static OtpServers.Server startedWithAFormerConnection(OtpServers world) throws Exception {
    String former = "host=127.0.0.1 port=1 dbname=postgres user=gatehouse connect_timeout=5";
    world.cluster("berlin").execute("alter subscription gatehouse_otp_berlin connection '" + former + "'");
    OtpServers.Server started = world.start(Role.REPLICA, "berlin", Duration.ZERO);
    String now = "select count(*) from pg_subscription where subconninfo like '% tcp_user_timeout=10000 %'";
    assertThat(world.number("berlin", now)).isEqualTo(1);
    await(() -> started.server.state() == ServerState.REPLICA);
    return started;
  }

  private static void aBrokenSubscriptionIsNoticed(OtpServers world, OtpServers.Server paris) throws Exception {
    world.cluster("paris").execute("alter subscription gatehouse_otp_paris disable");
    await(() -> row(paris, "select count(*) from pg_stat_subscription where pid is not null") == 0);
    world.cluster("paris").execute("set session_replication_role = replica; update otp_heartbeat set beat_at = beat_at - interval '1 minute'");
    await(() -> paris.server.state() == ServerState.BEHIND);
    assertThatThrownBy(() -> paris.use("t", CAROL, step() + 8)).isInstanceOf(StoreUnavailable.class).hasMessageContaining("behind the primary");
    world.cluster("paris").execute("alter subscription gatehouse_otp_paris enable");
    await(() -> paris.server.state() == ServerState.REPLICA);
    assertThat(paris.changes()).containsExactly("behind", "caught-up");
  }

  private static void wrongPasscodesCountOnceForAll(OtpServers.Server berlin, OtpServers.Server paris) throws Exception {
    Optional<Instant> lock = Optional.of(Instant.now().plusSeconds(600));
    for (int i = 1; i <= MOST; i++) {
      assertThat((i % 2 == 0 ? berlin : paris).tokens.countWrong(REALM, CAROL, MOST, lock)).isEqualTo(i);
    }
    assertThat(paris.tokens.holder(REALM, CAROL).lockedUntil()).isPresent();
    assertThat(berlin.tokens.holder(REALM, CAROL).wrong()).isEqualTo(MOST);
    assertThat(paris.use("t", CAROL, step() + 2)).as("locked").isFalse();
    paris.tokens.endLock(REALM, CAROL, 3, Instant.now());
    assertThat(berlin.tokens.holder(REALM, CAROL).wrong()).as("it lasts").isEqualTo(MOST);
    await(() -> row(berlin, "select wrong_passcodes from otp_person") == MOST);
    paris.tokens.forgive(REALM, CAROL);
    assertThat(berlin.tokens.holder(REALM, CAROL).wrong()).isZero();
    await(() -> row(paris, "select wrong_passcodes from otp_person") == 0);
    JdbcClient.create(berlin.database.dataSource()).sql("update otp_count set changed_at = now() - interval '1 hour'").update();
    await(() -> row(berlin, "select count(*) from otp_count") == 0);
  }

  private static void whatPeopleChangeAtAReplicaIsChangedAtThePrimary(OtpServers.Server berlin, OtpServers.Server paris) throws Exception {
    assertThat(paris.tokens.replacePins(REALM, CAROL, Optional.of(new byte[] {1}), new byte[] {2}, false)).isTrue();
    assertThat(berlin.tokens.holder(REALM, CAROL).sealedPins()).contains(new byte[] {2});
    await(() -> paris.tokens.holder(REALM, CAROL).sealedPins().orElseThrow()[0] == 2);
    assertThatThrownBy(() -> paris.tokens.change(REALM, "t", Token.State.DISABLED)).as("administered at the primary").isInstanceOf(DataAccessException.class);
    assertThatThrownBy(() -> paris.tokens.replacePins(REALM, CAROL, Optional.of(new byte[] {2}), new byte[] {3}, true))
        .isInstanceOf(DataAccessException.class);
    berlin.tokens.keepEmergency(REALM, CAROL, Set.of("digest"), false, Instant.now().plusSeconds(60));
    await(() -> paris.tokens.emergencyLeft(REALM, CAROL, Instant.now()) == 1);
    List<Boolean> won = Race.of(8, i -> () -> (i % 2 == 0 ? berlin : paris).tokens.useEmergency(REALM, CAROL, "digest", Instant.now(), MOST));
    assertThat(won).filteredOn(one -> one).hasSize(1);
  }

  private static void codesOfTokensWithACounterCountAtThePrimary(OtpServers.Server berlin, OtpServers.Server paris) throws Exception {
    berlin.tokens.add(REALM, List.of(Token.created("h", HOTP, new byte[] {7}, -1, Optional.empty())));
    berlin.tokens.assign(REALM, "h", CAROL);
    await(() -> paris.tokens.find(REALM, "h").flatMap(Token::person).isPresent());
    List<Boolean> won = Race.of(16, i -> () -> (i % 2 == 0 ? berlin : paris).use("h", CAROL, 5));
    assertThat(won).filteredOn(one -> one).hasSize(1);
  }

  private static void changesArriveWithinASecond(OtpServers.Server berlin, OtpServers.Server paris) throws Exception {
    List<Long> micros = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Token.State to = i % 2 == 0 ? Token.State.DISABLED : Token.State.ENABLED;
      berlin.tokens.change(REALM, "t", to);
      long begun = System.nanoTime();
      await(() -> paris.tokens.find(REALM, "t").orElseThrow().state() == to);
      micros.add((System.nanoTime() - begun) / 1_000);
    }
    micros.sort(null);
    System.out.println("A change is valid at the replica after " + micros.get(25) + " us, at most " + micros.getLast() + " us");
    assertThat(micros.get(25)).as("median in microseconds").isLessThan(1_000_000);
  }

  @Test
  void anIsolatedServerGoesOnAndComparesItsMarksAfterwards() throws Exception {
    try (OtpServers world = new OtpServers("berlin", "paris")) {
      OtpServers.Server berlin = world.start(Role.PRIMARY, "berlin", Duration.ZERO);
      for (int i = 0; i < 20; i++) {
        assign(berlin.tokens, "t" + i, new PersonId("p" + i));
      }
      OtpServerLogins.prepare(berlin);
      world.push("paris", false);
      OtpServers.Server paris = world.start(Role.REPLICA, "paris", HOUR);
      await(() -> paris.server.state() == ServerState.REPLICA);
      long step = step();
      assertThat(paris.use("t0", new PersonId("p0"), step)).isTrue();
      paris.uses.write();

      // As another node of this server has marked it.
      world.cluster("paris")
          .execute("insert into otp_isolated_mark values ('" + REALM + "', 'otp-token', 't0 " + (step + 7) + "', now(), false)");
      assertThat(paris.use("t0", new PersonId("p0"), step + 7)).isFalse();

      // Days of an agent, in the same eight days before and while it is isolated, and others; nothing of that is a code.
      ReplayCache marks = paris.tokens.marks(paris.stores.replayCache());
      ReplayKey given = new ReplayKey(REALM, "otp-offline-given", "t1 2500");
      assertThat(marks.firstSeen(given, Instant.now().plusSeconds(600))).isTrue();

      Objects.requireNonNull(world.lines.get("berlin")).cut();
      OtpServerLogins logins = new OtpServerLogins(paris);
      logins.wrongPasscodesCountWithoutThePrimary();
      logins.aReplacementLogsInWithoutThePrimary();
      PersonId guessed = new PersonId("p2");
      paris.tokens.countWrong(REALM, guessed, MOST, Optional.empty());
      paris.tokens.countWrong(REALM, guessed, MOST, Optional.empty());
      paris.toValkey.cut();
      await(paris.stores::isOutOfReach);
      logins.theLastWrongPasscodeLocksWithoutAnyOtherServer();
      assertThat(marks.firstSeen(given, Instant.now().plusSeconds(600))).isTrue();
      Instant weeks = Instant.now().plus(Duration.ofDays(60));
      assertThat(marks.firstSeen(new ReplayKey(REALM, "otp-offline-given", "t2 2500"), weeks)).isTrue();
      assertThat(paris.use("t0", new PersonId("p0"), step)).as("used before").isFalse();
      Set<String> both = new TreeSet<>();
      for (int i = 1; i < 20; i++) {
        PersonId person = new PersonId("p" + i);
        boolean there = i % 3 == 0 && berlin.use("t" + i, person, step);
        assertThat(paris.use("t" + i, person, step)).as("isolated").isTrue();
        assertThat(paris.use("t" + i, person, step)).as("once here").isFalse();
        if (there) {
          both.add("t" + i);
        }
      }
      assertThat(both).isNotEmpty();
      assertThat(paris.tokens.countWrong(REALM, guessed, MOST, Optional.empty())).as("what Valkey had is known here").isEqualTo(3);
      for (int i = 1; i <= MOST; i++) {
        assertThat(paris.tokens.countWrong(REALM, new PersonId("p1"), MOST, Optional.empty())).isEqualTo(i);
      }
      assertThatThrownBy(() -> paris.tokens.replacePins(REALM, CAROL, Optional.empty(), new byte[] {3}, false)).isInstanceOf(StoreUnavailable.class);
      paris.uses.write();

      paris.toValkey.repair();
      Objects.requireNonNull(world.lines.get("berlin")).repair();
      await(() -> paris.changes().contains("rejoined"));
      assertThat(paris.audit.events(AuditEvent.CodeCountedTwice.class))
          .extracting(AuditEvent.CodeCountedTwice::token)
          .containsExactlyInAnyOrderElementsOf(both);
      String end = world.valkey.command("EVAL", LAST_END, "0").lines().findFirst().orElseThrow();
      assertThat(Instant.ofEpochMilli(Long.parseLong(end.substring(1)))).as("the end of a mark is kept").isEqualTo(weeks.truncatedTo(ChronoUnit.MILLIS));
      assertThat(berlin.tokens.holder(REALM, new PersonId("p1")).wrong()).as("counted while isolated").isEqualTo(MOST);
      for (int i = 0; i < 20; i++) {
        assertThat(berlin.use("t" + i, new PersonId("p" + i), step)).as("t" + i + " was used").isFalse();
      }
      await(() -> row(berlin, "select count(*) from otp_token where last_used = " + step) == 20);
      await(() -> row(paris, "select count(*) from otp_use") == 0);
      await(() -> row(berlin, "select wrong_passcodes from otp_person where person_id = 'p1'") == MOST);
      assertThat(paris.changes()).contains("isolated", "rejoined").doesNotContain("compared-late");
      logins.theReplacementIsFinishedWithThePrimary(berlin);

      // Valkey answers, and is not what this server knows: somebody has to correct that, and nobody is let in by marks of one server.
      paris.audit.clear();
      world.valkey.command("replicaof", "127.0.0.1", "1");
      await(() -> paris.stores.problem().isPresent());
      assertThatThrownBy(() -> paris.use("t4", new PersonId("p4"), step + 9))
          .isInstanceOf(StoreUnavailable.class).hasMessageContaining("otp.isolated is for a Valkey that is out of reach");
      world.valkey.command("replicaof", "no", "one");
      await(() -> paris.stores.problem().isEmpty());
      world.valkey.command("flushall");
      await(() -> paris.stores.problem().isPresent());
      assertThatThrownBy(() -> paris.tokens.countWrong(REALM, new PersonId("p4"), MOST, Optional.empty()))
          .isInstanceOf(StoreUnavailable.class).hasMessageContaining("its data are older");
      assertThat(paris.changes()).as("isolated by no answer").isEmpty();
    }
  }
}
