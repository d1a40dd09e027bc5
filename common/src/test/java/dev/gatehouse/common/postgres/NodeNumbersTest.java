package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.postgres.NodeTable.Numbering;
import dev.gatehouse.common.postgres.NodeTable.Self;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that take their numbers by themselves, as the pods of one Deployment do. */
@Timeout(120)
class NodeNumbersTest {

  private static final NodeTable.Drain NO_DRAIN = new NodeTable.Drain(() -> false, wanted -> {});

  private Postgres server;
  private PostgresDatabase database;

  @BeforeEach
  void start() throws Exception {
    server = Postgres.withTables();
    database = PostgresDatabase.open(server.config());
  }

  @AfterEach
  void stop() {
    database.close();
    server.close();
  }

  private NodeTable join(String instance) throws PostgresUnusable {
    return join(instance, 0, Numbering.FREE);
  }

  private NodeTable join(String instance, int number, Numbering numbering) throws PostgresUnusable {
    return NodeTable.join(database, new Self(instance, number, "host " + instance, "1", true), numbering);
  }

  private void silent(String instance, String interval) throws Exception {
    server.execute("update node set seen_at = now() - interval '" + interval + "' where instance = '" + instance + "'");
  }

  @Test
  void podsThatStartTogetherHaveNumbersOfTheirOwn() throws Exception {
    int pods = 6;
    Set<Integer> numbers = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> starts = new ArrayList<>();
      IntStream.range(0, pods).forEach(pod -> starts.add(() -> join("pod" + pod).number()));
      for (Future<Integer> number : threads.invokeAll(starts)) {
        numbers.add(number.get());
      }
    }
    assertThat(numbers).containsExactlyInAnyOrderElementsOf(IntStream.range(0, pods).boxed().toList());
  }

  @Test
  void aRollOutAddsAPodBeforeAFormerOneEnds() throws Exception {
    NodeTable former = join("former0");
    NodeTable other = join("former1");
    NodeTable surge = join("new0");
    assertThat(List.of(former.number(), other.number(), surge.number())).containsExactly(0, 1, 2);

    former.close();
    NodeTable next = join("new1");
    assertThat(next.number()).as("released at the end").isZero();
    assertThat(next.members()).extracting(NodeTable.Member::host).containsExactly("host new1", "host former1", "host new0");
    other.close();
    assertThat(next.members()).extracting(NodeTable.Member::number).containsExactly(0, 2);
  }

  @Test
  void aNodeThatWasKilledTakesItsNumberAgainAndIsFollowedWhenItIsGone() throws Exception {
    join("a");
    assertThat(join("b").number()).isEqualTo(1);
    silent("a", "23 hours");
    assertThat(join("c").number()).as("it may be cut off only").isEqualTo(2);
    assertThat(join("a", 7, Numbering.FREE).number()).isZero();

    silent("a", "25 hours");
    assertThat(join("d").number()).isZero();
    assertThat(join("a").number()).isEqualTo(3);
  }

  @Test
  void aNodeThatWasStoppedPrefersItsFormerNumber() throws Exception {
    NodeTable zero = join("a");
    NodeTable one = join("b");
    zero.close();
    one.close();
    assertThat(join("b").number()).isEqualTo(1);
    assertThat(join("restored", 5, Numbering.FREE).number()).as("which its folder remembers").isEqualTo(5);
  }

  @Test
  void aNodeWhoseNumberWasTakenWhileItWasAwayTakesAnother() throws Exception {
    try (NodeTable away = join("away")) {
      assertThat(away.number()).isZero();
      silent("away", "25 hours");
      assertThat(join("successor").number()).isZero();

      away.begin(() -> 12, NO_DRAIN);
      Eventually.holds(() -> away.number() == 1);
      assertThat(away.self().number()).isEqualTo(1);
      Eventually.holds(() -> away.members().stream().filter(NodeTable.Member::isRunning).count() == 2);
      assertThat(away.members()).extracting(NodeTable.Member::host).containsExactly("host successor", "host away");
    }
  }

  @Test
  void aNodeWhoseFixedNumberWasTakenWhileItWasAwayIsNotListedBesideTheOtherOne() throws Exception {
    AtomicInteger beats = new AtomicInteger();
    try (NodeTable away = join("away", 3, Numbering.FIXED)) {
      silent("away", "1 minute");
      try (NodeTable successor = join("successor", 3, Numbering.FIXED)) {
        away.begin(beats::incrementAndGet, NO_DRAIN);
        Eventually.holds(() -> beats.get() > 1);
        assertThat(successor.members()).extracting(NodeTable.Member::host).containsExactly("host successor");
      }
      Eventually.holds(() -> away.members().stream().anyMatch(member -> member.host().equals("host away")));
    }
  }

  @Test
  void aFixedNumberIsNeverGivenTwice() throws Exception {
    join("fixed", 0, Numbering.FIXED);
    NodeTable free = join("free");
    assertThat(free.number()).isEqualTo(1);
    assertThatThrownBy(() -> join("other", 1, Numbering.FIXED))
        .isInstanceOf(PostgresUnusable.class)
        .hasMessageContaining("another node that runs with index 1, on host free: give each node its own index");
    // A node of a fixed number comes in place of one that is only cut off, which then takes another number.
    silent("free", "1 minute");
    try (NodeTable fixed = join("other", 1, Numbering.FIXED)) {
      free.begin(() -> 1, NO_DRAIN);
      Eventually.holds(() -> free.number() == 2);
      assertThat(fixed.number()).isEqualTo(1);
    }
    free.close();
  }

  @Test
  void howFarALogWasCountedSaysNothingAboutThatOfTheNextHolder() throws Exception {
    JdbcRollups rollups = new JdbcRollups(database);
    NodeTable first = join("a");
    rollups.begin(first.number(), 5_000);
    first.close();
    assertThat(join("a").number()).isZero();
    assertThat(rollups.progress(0).orElseThrow().followed()).as("its own log").isEqualTo(5_000);

    silent("a", "25 hours");
    assertThat(join("b").number()).isZero();
    assertThat(rollups.progress(0).orElseThrow().followed()).as("beyond the end of any log").isEqualTo(Long.MAX_VALUE);
  }
}
