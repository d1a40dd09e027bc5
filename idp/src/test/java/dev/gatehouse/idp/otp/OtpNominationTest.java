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

import dev.gatehouse.common.faults.CutLine;
import dev.gatehouse.common.node.OtpServerConfig.Role;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.replica.ReplicationRefused;
import dev.gatehouse.common.otp.replica.ServerState;
import dev.gatehouse.common.otp.replica.ServerTable;
import dev.gatehouse.common.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

/** A replica becomes the primary: with the former one's agreement or without, and not where another one has more. */
class OtpNominationTest {

  @Test
  @Tag("long")
  void aNominatedReplicaIsThePrimaryAndTheFormerOneAcceptsNothing() throws Exception {
    try (OtpServers world = new OtpServers("berlin", "paris", "oslo")) {
      OtpServers.Server berlin = world.start(Role.PRIMARY, "berlin", Duration.ZERO);
      assign(berlin.tokens, "t", CAROL);
      berlin.tokens.add(REALM, List.of(Token.created("h", HOTP, new byte[] {7}, -1, Optional.empty())));
      berlin.tokens.assign(REALM, "h", CAROL);
      berlin.tokens.keepEmergency(REALM, CAROL, Set.of("digest"), false, Instant.now().plusSeconds(3_600));
      world.push("paris", false);
      assertThat(world.status(Role.PRIMARY, "berlin"))
          .contains("replica oslo: NOT BROUGHT UP: ./gatehouse otp push there")
          .first().asString().isEqualTo("primary berlin, epoch 1 (this server), marks waiting 0");
      world.push("oslo", false);
      world.cluster("oslo").execute("update otp_followed set whole = false");
      assertThatThrownBy(() -> world.nominate("oslo")).isInstanceOf(ReplicationRefused.class).hasMessageContaining("not whole");
      OtpServers.Server paris = world.start(Role.REPLICA, "paris", Duration.ZERO);
      OtpServers.Server oslo = world.start(Role.REPLICA, "oslo", Duration.ZERO);
      await(() -> paris.server.state() == ServerState.REPLICA && oslo.server.state() == ServerState.REPLICA);
      long step = step();

      // The primary is cut off from its replicas, and goes on: it does not know that another one was nominated.
      world.cutWhileEqual("berlin", "paris", "oslo");
      // The nominated one does not reach the other one, and makes no slot for it.
      Objects.requireNonNull(world.lines.get("oslo")).cut();
      assertThat(berlin.use("h", CAROL, 5)).as("no replica gets this row").isTrue();
      assertThat(berlin.tokens.useEmergency(REALM, CAROL, "digest", Instant.now(), MOST)).isTrue();
      berlin.toValkey.cut();
      long begun = System.nanoTime();
      assertThat(world.nominateTwiceAndLoseTheAnswer("paris"))
          .anyMatch(line -> line.startsWith("oslo serves nothing") && line.contains("./gatehouse otp push --replace"))
          .last().asString().startsWith("paris is the primary of one-time passwords at epoch 2");
      Objects.requireNonNull(world.lines.get("oslo")).repair();
      await(() -> paris.server.isPrimary());
      assertThat(paris.use("t", CAROL, step)).isTrue();
      System.out.println("Nominated, and a code counted, after " + (System.nanoTime() - begun) / 1_000_000 + " ms");
      paris.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {4}), false);
      assertThat(paris.use("h", CAROL, 5)).as("used at the former primary").isFalse();
      assertThat(paris.use("h", CAROL, 6)).isTrue();
      assertThat(paris.tokens.useEmergency(REALM, CAROL, "digest", Instant.now(), MOST)).as("used at the former primary").isFalse();

      await(() -> oslo.server.state() == ServerState.OUTDATED);
      assertThatThrownBy(() -> oslo.use("t", CAROL, step + 1)).isInstanceOf(StoreUnavailable.class).hasMessageContaining("otp push --replace");
      assertThat(row(oslo, "select count(*) from otp_token")).as("it keeps its copy").isEqualTo(2);
      assertThat(paris.changes()).containsExactly("nominated");
      assertThat(oslo.changes()).containsExactly("outdated");
      world.cluster("paris").execute("alter publication gatehouse_otp_tokens drop table otp_person");
      assertThatThrownBy(() -> world.push("oslo", true)).isInstanceOf(ReplicationRefused.class).hasMessageContaining("publishes 12 tables");
      assertThat(row(oslo, "select count(*) from otp_token")).as("nothing was emptied").isEqualTo(2);
      assertThat(row(oslo, "select count(*) from otp_followed where server = 'berlin'")).isEqualTo(1);
      world.cluster("paris").execute("alter publication gatehouse_otp_tokens add table otp_person");
      oslo.close();
      assertThat(world.push("oslo", true).getLast()).startsWith("Copied 13 tables of paris (epoch 2)");
      OtpServers.Server again = world.start(Role.REPLICA, "oslo", Duration.ZERO);
      await(() -> again.server.state() == ServerState.REPLICA);
      assertThat(again.use("t", CAROL, step + 1)).isTrue();
      await(() -> paris.tokens.find(REALM, "t").orElseThrow().lastUsed() == step + 1);

      berlin.toValkey.repair();
      Objects.requireNonNull(world.lines.get("berlin")).repair();
      await(() -> berlin.server.state() == ServerState.REPLACED);
      assertThatThrownBy(() -> berlin.use("t", CAROL, step + 2)).isInstanceOf(StoreUnavailable.class).hasMessageContaining("paris");
      assertThatThrownBy(() -> berlin.tokens.keepPins(REALM, CAROL, Optional.empty(), true)).isInstanceOf(StoreUnavailable.class);
      await(() -> row(berlin, "select count(*) from otp_followed") == 1);
      assertThatThrownBy(() -> world.cluster("berlin").execute("update otp_token set drift = 9")).hasMessageContaining("at the primary");
      berlin.close();
      aFormerPrimarySaysWhoIs(world);
      assertThatThrownBy(() -> world.start(Role.PRIMARY, "berlin", Duration.ZERO))
          .isInstanceOf(ReplicationRefused.class).hasMessageContaining("paris is, since epoch 2");

      assertThat(world.push("berlin", true).getLast()).startsWith("Copied 13 tables of paris (epoch 2)");
      // As a nomination leaves it that is killed before the epoch rises.
      world.cluster("berlin").execute("alter subscription gatehouse_otp_berlin disable");
      OtpServers.Server back = world.start(Role.REPLICA, "berlin", Duration.ZERO);
      await(() -> back.server.state() == ServerState.REPLICA);
      assertThat(world.number("berlin", "select count(*) from pg_subscription where subenabled")).isEqualTo(1);
      await(() -> back.tokens.find(REALM, "t").orElseThrow().lastUsed() == step + 1);
      assertThat(back.use("t", CAROL, step + 1)).isFalse();
      assertThat(back.use("t", CAROL, step + 3)).isTrue();
      whoIsGoneIsForgotten(world, paris);

      whatFailsMidwayChangesNothing(world, paris, back, again);

      // Planned: the primary's database answers, and the nominated replica has all of it first. So has the other one, which goes on.
      paris.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {5}), false);
      crashesMidway(world, "oslo");
      assertThat(world.nominate("berlin"))
          .contains("oslo has the same copy, and follows by itself within some seconds")
          .anyMatch(line -> line.startsWith("paris serves nothing"))
          .last().asString().startsWith("berlin is the primary of one-time passwords at epoch 3");
      await(() -> back.server.isPrimary() && paris.server.state() == ServerState.REPLACED);
      await(() -> world.number("oslo", "select count(*) from crashes where is_called") == 1);
      assertThat(row(back, "select count(*) from otp_follower")).as("nothing was read from its slot").isEqualTo(1);
      await(() -> again.server.state() == ServerState.OUTDATED);
      world.cluster("oslo").execute("drop trigger crash on otp_followed");
      await(() -> again.server.state() == ServerState.REPLICA && again.server.primary().epoch() == 3);
      assertThat(again.tokens.epoch()).hasValue(3);
      assertThat(row(back, "select count(*) from otp_follower")).as("it may go on once").isZero();
      assertThat(again.changes()).containsSubsequence("followed");
      back.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {6}), false);
      await(() -> again.tokens.holder(REALM, CAROL).sealedPins().orElseThrow()[0] == 6);
      assertThat(again.use("t", CAROL, step + 5)).as("a use at the one that follows").isTrue();
      await(() -> back.tokens.find(REALM, "t").orElseThrow().lastUsed() == step + 5);
      back.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {5}), false);
      assertThat(back.tokens.holder(REALM, CAROL).sealedPins()).contains(new byte[] {5});
      assertThat(back.use("t", CAROL, step + 6)).isTrue();

      // Valkey is lost, and with it who the primary is: the databases of the others tell.
      paris.close();
      back.close();
      world.valkey.command("flushall");
      world.cluster("paris").execute("delete from otp_followed");
      assertThatThrownBy(() -> world.start(Role.PRIMARY, "paris", Duration.ZERO))
          .isInstanceOf(ReplicationRefused.class).hasMessageContaining("berlin is, since epoch 3");
      whoHasMoreIsNominatedOrNobody(world);
    }
  }

  private static void aFormerPrimarySaysWhoIs(OtpServers world) throws Exception {
    String said = "this server berlin was the primary of epoch 1 and accepts nothing any more: paris is the primary since epoch 2";
    assertThat(world.status(Role.PRIMARY, "berlin")).singleElement().asString().startsWith(said);
    // As if its node had not run since, so that the database does not know.
    world.cluster("berlin").execute("delete from otp_followed");
    assertThat(world.status(Role.PRIMARY, "berlin")).singleElement().asString().startsWith(said);
  }

  /** A replica that is nominated cannot publish: no server and no agent learns of an epoch, and all go on. */
  private static void whatFailsMidwayChangesNothing(OtpServers world, OtpServers.Server primary, OtpServers.Server... replicas) throws Exception {
    world.cluster("berlin")
        .execute(
            "create function broken() returns event_trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$",
            "create event trigger broken on ddl_command_start when tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION') execute function broken()",
            "drop publication if exists gatehouse_otp");
    assertThatThrownBy(() -> world.nominate("berlin")).isInstanceOf(DataAccessException.class).hasMessageContaining("the disk is full");
    assertThat(world.number("paris", "select count(*) from otp_followed")).as("the primary was told nothing").isZero();
    assertThat(world.number("berlin", "select count(*) from pg_subscription where subenabled")).isEqualTo(1);
    primary.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {8}), false);
    for (OtpServers.Server replica : replicas) {
      await(() -> replica.tokens.holder(REALM, CAROL).sealedPins().orElseThrow()[0] == 8);
      assertThat(replica.tokens.epoch()).hasValue(2);
    }
    world.cluster("berlin").execute("drop event trigger broken");
  }

  /** The transaction by which a replica follows ends before its commit. */
  private static void crashesMidway(OtpServers world, String replica) throws Exception {
    world.cluster(replica)
        .execute(
            "create sequence crashes",
            "create function crash() returns trigger language plpgsql as $$ begin if new.epoch <> old.epoch then perform nextval('crashes'); "
                + "raise exception 'crash'; end if; return new; end $$",
            "create trigger crash before update on otp_followed for each row execute function crash()");
  }

  private static void whoIsGoneIsForgotten(OtpServers world, OtpServers.Server primary) throws Exception {
    assertThatThrownBy(() -> world.forget("paris", "oslo", true)).isInstanceOf(ReplicationRefused.class).hasMessageContaining("is connected");
    assertThatThrownBy(() -> world.forget("paris", "rome", true)).isInstanceOf(ReplicationRefused.class).hasMessageContaining("no replica rome");
    assertThatThrownBy(() -> world.forget("oslo", "rome", true)).isInstanceOf(ReplicationRefused.class).hasMessageContaining("at paris");
    world.cluster("paris")
        .execute(
            "select pg_create_logical_replication_slot('gatehouse_otp_rome', 'pgoutput')",
            "insert into otp_server values ('rome', 2, 0, 0, now() - interval '1 day')");
    assertThat(primary.server.overview().replicas()).extracting(ServerTable.Replica::server).containsExactly("berlin", "oslo", "rome");
    assertThat(world.forget("paris", "rome", false).getLast()).contains("rome is forgotten", "With --confirm it is done");
    assertThat(world.forget("paris", "rome", true)).containsExactly("rome is forgotten");
    assertThat(row(primary, "select count(*) from pg_replication_slots where slot_name = 'gatehouse_otp_rome'")).isZero();
    assertThat(primary.server.overview().replicas()).extracting(ServerTable.Replica::server).containsExactly("berlin", "oslo");
  }

  /** A replica stops receiving, and the primary is lost after a change that only the other one has. */
  private static void whoHasMoreIsNominatedOrNobody(OtpServers world) throws Exception {
    OtpServers.Server primary = world.start(Role.REPLICA, "berlin", Duration.ZERO);
    await(primary.server::isPrimary);
    world.push("paris", true);
    // Where it is in the log is known from the first transaction after the copy on.
    await(() -> world.number("paris", "select count(*) from pg_subscription_rel where srsubstate <> 'r'") == 0);
    await(() -> !world.positions("paris").contains(0L));
    world.cluster("paris").execute("alter subscription gatehouse_otp_paris disable");
    await(() -> world.number("paris", "select count(*) from pg_stat_subscription where pid is not null") == 0);
    primary.tokens.keepPins(REALM, CAROL, Optional.of(new byte[] {7}), false);
    await(() -> world.number("oslo", "select count(*) from otp_person where sealed_pins = '\\x07'") == 1);
    Objects.requireNonNull(world.lines.get("berlin")).cut();
    // Heartbeats are coarse: by them, it would be nominated.
    world.cluster("paris")
        .execute("set session_replication_role = replica; update otp_heartbeat set beat_at = beat_at + interval '1 hour'");
    assertThatThrownBy(() -> world.nominate("paris"))
        .isInstanceOf(ReplicationRefused.class).hasMessageContaining("The copy of oslo is newer (by ").hasMessageContaining("bytes");
    // PostgreSQL does not tell how far a copy is that has not ended.
    world.cluster("paris").execute("update pg_subscription_rel set srsubstate = 'd' where srrelid = 'otp_token'::regclass");
    assertThatThrownBy(() -> world.nominate("paris"))
        .isInstanceOf(ReplicationRefused.class).hasMessageContaining("PostgreSQL of paris does not tell").hasMessageContaining("--by-time");
    world.cluster("paris").execute("update pg_subscription_rel set srsubstate = 'r' where srrelid = 'otp_token'::regclass");
    anotherOneGetsMoreAfterItWasAsked(world);
  }

  /** Two replicas have the same, one is nominated, and the former primary still reaches the other one. */
  private static void anotherOneGetsMoreAfterItWasAsked(OtpServers world) throws Exception {
    CutLine toFormer = Objects.requireNonNull(world.lines.get("berlin"));
    world.cluster("paris").execute("alter subscription gatehouse_otp_paris enable");
    toFormer.repair();
    await(() -> !world.positions("paris").contains(0L));
    world.cutWhileEqual("berlin", "paris", "oslo");
    world.cluster("paris").execute("alter subscription gatehouse_otp_paris disable");
    Set<Long> before = world.positions("oslo");
    assertThatThrownBy(
            () ->
                world.nominate(
                    "paris",
                    false,
                    said -> {
                      if (said.startsWith("No replica that answers has more")) {
                        toFormer.repair();
                        until(() -> !world.positions("oslo").equals(before));
                        toFormer.cut();
                      }
                    }))
        .isInstanceOf(ReplicationRefused.class).hasMessageContaining("The copy of oslo is newer (");
    assertThat(world.number("paris", "select count(*) from pg_subscription where subenabled")).as("it was taken back").isEqualTo(1);
    assertThat(world.nominate("oslo")).last().asString().startsWith("oslo is the primary of one-time passwords at epoch 4");
  }

  private static void until(BooleanSupplier condition) {
    try {
      await(condition);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
