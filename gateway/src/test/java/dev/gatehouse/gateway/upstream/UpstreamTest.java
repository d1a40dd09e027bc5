package dev.gatehouse.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Retries;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.gateway.upstream.AppServer.State;
import dev.gatehouse.gateway.upstream.Upstream.Member;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of a server, without a network; times are numbers. */
class UpstreamTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Passive RULE = new Passive(2, Duration.ofSeconds(10), Duration.ofSeconds(10), Set.of());
  private static final Health HEALTH =
      new Health("/", Duration.ofSeconds(5), Duration.ofSeconds(2), 200, 399, 2, 3);

  private static Upstream upstream(Balance balance, Server... servers) {
    UpstreamConfig usual = UpstreamConfig.of(List.of(servers[0].url()));
    return Upstream.of(
        new UpstreamConfig(
            List.of(servers), balance, usual.health(), RULE, usual.tls(), usual.connections(), usual.times(),
            new Retries(2, 50)));
  }

  private static Server server(String name, int weight) {
    return new Server(URI.create("http://" + name), weight, false);
  }

  private static Member choose(Upstream upstream, long now) {
    return Objects.requireNonNull(upstream.choose(0, 0, true, now));
  }

  private static String name(@Nullable Member member) {
    return Objects.requireNonNull(member).server().origin().host();
  }

  @Test
  void weightsShareWhatRunsAtTheSameTime() {
    Upstream upstream = upstream(new Balance.LeastOutstanding(), server("a", 3), server("b", 1));
    Map<String, Integer> running = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      Member member = choose(upstream, 0);
      member.server().begun();
      running.merge(name(member), 1, Integer::sum);
    }
    assertThat(running).isEqualTo(Map.of("a", 30, "b", 10));
  }

  /** Also beside backups and servers that are out: nobody inherits the turns of those that take no part. */
  @Test
  void tiesGoByTurns() {
    Upstream upstream =
        upstream(
            new Balance.LeastOutstanding(), server("a", 1), server("out", 1), server("b", 1),
            new Server(URI.create("http://backup"), 1, true), server("c", 1));
    upstream.members().get(1).server().drain(true, 0);
    Map<String, Integer> turns = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      turns.merge(name(choose(upstream, 0)), 1, Integer::sum);
    }
    assertThat(turns).isEqualTo(Map.of("a", 10, "b", 10, "c", 10));
  }

  @Test
  void aServerThatCameBackIsNotFloodedByTheHerd() {
    Upstream upstream = upstream(new Balance.LeastOutstanding(), server("a", 1), server("b", 1));
    AppServer back = upstream.members().get(1).server();
    back.drain(true, 0);
    for (int i = 0; i < 50; i++) {
      choose(upstream, 0).server().begun();
    }
    back.drain(false, SECOND);
    int atOnce = 0;
    for (int i = 0; i < 50; i++) {
      Member member = choose(upstream, SECOND);
      member.server().begun();
      atOnce += member.server() == back ? 1 : 0;
    }
    // With its full share it would have got all of them.
    assertThat(atOnce).isBetween(1, 15);
    assertThat(back.share(SECOND + 5 * SECOND)).isBetween(0.4, 0.6);
    assertThat(back.share(SECOND + 11 * SECOND)).isEqualTo(1);
  }

  @Test
  void failuresInARowTakeAServerOutForLongerEachTime() {
    AppServer server = upstream(new Balance.LeastOutstanding(), server("a", 1)).members().getFirst().server();
    server.failed(RULE, 0);
    server.succeeded();
    server.failed(RULE, 1);
    assertThat(server.state(1)).isEqualTo(State.UP);
    server.failed(RULE, 2);
    assertThat(server.state(2)).isEqualTo(State.OUT);
    assertThat(server.state(2 + 10 * SECOND)).isEqualTo(State.ON_TRIAL);
    server.failed(RULE, 3 + 10 * SECOND);
    assertThat(server.state(3 + 29 * SECOND)).isEqualTo(State.OUT);
    assertThat(server.state(3 + 30 * SECOND)).isEqualTo(State.ON_TRIAL);
    server.succeeded();
    assertThat(server.state(3 + 30 * SECOND)).isEqualTo(State.UP);
  }

  @Test
  void oldFailuresAreForgotten() {
    AppServer server = upstream(new Balance.LeastOutstanding(), server("a", 1)).members().getFirst().server();
    server.failed(RULE, 0);
    server.failed(RULE, 11 * SECOND);
    assertThat(server.state(11 * SECOND)).isEqualTo(State.UP);
  }

  @Test
  void oneRequestAloneTriesAServerThatWasOut() {
    Upstream upstream = upstream(new Balance.LeastOutstanding(), server("a", 1), server("b", 1));
    AppServer ill = upstream.members().getFirst().server();
    ill.failed(RULE, 0);
    ill.failed(RULE, 0);
    long later = 11 * SECOND;
    assertThat(name(upstream.choose(0, 0, false, later))).as("a POST tries nobody").isEqualTo("b");
    assertThat(name(upstream.choose(0, 0, true, later))).isEqualTo("a");
    ill.begun();
    assertThat(name(upstream.choose(0, 0, true, later))).as("one at a time").isEqualTo("b");
    ill.ended();
    assertThat(name(upstream.choose(0, 0, true, later))).as("the trial told nothing").isEqualTo("a");
  }

  @Test
  void healthChecksCountInARow() {
    AppServer server = upstream(new Balance.LeastOutstanding(), server("a", 1)).members().getFirst().server();
    assertThat(server.checked(false, HEALTH, 0)).isFalse();
    assertThat(server.checked(false, HEALTH, 0)).isFalse();
    assertThat(server.checked(true, HEALTH, 0)).isFalse();
    assertThat(server.checked(false, HEALTH, 0)).isFalse();
    assertThat(server.checked(false, HEALTH, 0)).isFalse();
    assertThat(server.checked(false, HEALTH, 0)).isTrue();
    assertThat(server.state(0)).isEqualTo(State.DOWN);
    assertThat(server.checked(true, HEALTH, 0)).isFalse();
    assertThat(server.checked(true, HEALTH, 0)).isTrue();
    assertThat(server.state(0)).isEqualTo(State.UP);
  }

  @Test
  void noServerIsTriedTwice() {
    Upstream upstream = upstream(new Balance.LeastOutstanding(), server("a", 1), server("b", 1));
    long tried = 0;
    for (int i = 0; i < 2; i++) {
      tried |= Objects.requireNonNull(upstream.choose(0, tried, true, 0)).bit();
    }
    assertThat(upstream.choose(0, tried, true, 0)).isNull();
  }

  @Test
  void atMostHalfOfWhatRunsMayBeRepeats() {
    Upstream upstream = upstream(new Balance.LeastOutstanding(), server("a", 1), server("b", 1));
    for (int i = 0; i < 240; i++) {
      choose(upstream, 0).server().begun();
    }
    int allowed = 0;
    while (upstream.mayRetry()) {
      allowed++;
    }
    assertThat(allowed).isEqualTo(120);
    upstream.retryEnded();
    assertThat(upstream.mayRetry()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void hashingIsFairAndMovesOnlyWhoLostTheirServer(long seed) {
    Upstream upstream =
        upstream(new Balance.ByAddress(), server("a", 1), server("b", 1), server("c", 2), server("d", 1));
    AppServer lost = upstream.members().get(1).server();
    Random random = new Random(seed);
    Map<String, Integer> shares = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      long key = random.nextLong();
      String before = name(upstream.choose(key, 0, true, 0));
      shares.merge(before, 1, Integer::sum);
      lost.drain(true, 0);
      String without = name(upstream.choose(key, 0, true, 0));
      lost.drain(false, 0);
      assertThat(without).isNotEqualTo("b");
      assertThat(before.equals("b") || before.equals(without)).as("seed %d, key %d", seed, key).isTrue();
    }
    assertThat(shares.get("a")).isBetween(1800, 2200);
    assertThat(shares.get("c")).isBetween(3700, 4300);
  }
}
