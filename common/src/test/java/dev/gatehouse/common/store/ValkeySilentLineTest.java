package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.faults.CutLine;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One of a node's connections is cut without a word, as by a firewall on the way that forgot it, while those that write go on. */
class ValkeySilentLineTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));
  private static final Pattern CLIENT =
      Pattern.compile("(?m)^.*\\baddr=127\\.0\\.0\\.1:(?<port>\\d+) .* flags=(?<flags>\\S+) .* cmd=(?<command>\\S+) .*$");

  private final Random random = new Random();
  @AutoClose private final ValkeyServer server = ValkeyServer.start();
  @AutoClose private final CutLine line = new CutLine(server.port());
  @AutoClose private final ValkeyStores behind = node(line.port());
  @AutoClose private final ValkeyStores other = node(server.port());
  private final SessionStore<PlainSession> one = behind.sessions("app", PlainSession.CODEC);
  private final SessionStore<PlainSession> two = other.sessions("app", PlainSession.CODEC);

  ValkeySilentLineTest() throws IOException {}

  private ValkeyStores node(int port) {
    ValkeyConfig config = server.config("nodes", Acknowledge.LOCAL);
    return new ValkeyStores(
        new ValkeyConfig(
            new Place.Direct(new Server("127.0.0.1", port)), config.account(), config.security(), config.acknowledge(), config.staleness(),
            config.timeout(), config.namespace()),
        new ValkeyStores.Node(SEALING, InstantSource.system(), random, MetricFamilies.unpublished()),
        probe -> Optional.empty());
  }

  private PlainSession created() {
    Instant now = Instant.ofEpochMilli(InstantSource.system().millis());
    PlainSession session =
        new PlainSession(SessionToken.create(random).id(), "demo", new PersonId("alice"), now, now.plusSeconds(600), Set.of("a"), 0);
    two.create(session);
    return session;
  }

  /** Cuts those that the server lists so; only connections of the one node go through the line. */
  private void cut(Predicate<MatchResult> which) {
    Set<Integer> ports =
        CLIENT.matcher(server.command("CLIENT", "LIST")).results()
            .filter(which)
            .map(client -> Integer.valueOf(client.group("port")))
            .collect(Collectors.toSet());
    assertThat(ports).hasSize(2);
    line.cutAt(ports);
  }

  private static boolean isTracked(MatchResult client) {
    return client.group("flags").contains("t");
  }

  private static boolean reads(MatchResult client) {
    return !isTracked(client) && Set.of("get", "mget", "exists", "ping", "time").contains(client.group("command"));
  }

  /** The server has told of the end, where nobody hears it. */
  @Test
  void whatEndsElsewhereEndsHereAlthoughReportsDoNotArrive() {
    PlainSession session = created();
    Eventually.holds(() -> one.find(session.id()).equals(Optional.of(session)) && one.peek(session.id()).isPresent());
    cut(ValkeySilentLineTest::isTracked);
    assertThat(two.end(session.id())).contains(session);
    Eventually.holds(() -> one.peek(session.id()).isEmpty());
    Eventually.holds(() -> behind.problem().isEmpty() && one.find(session.id()).isEmpty());
    PlainSession later = created();
    Eventually.holds(() -> isFound(later));
  }

  @Test
  void aNodeReadsAgainWhoseConnectionForReadingWasCut() {
    PlainSession session = created();
    assertThat(one.find(SessionToken.create(random).id())).isEmpty();
    assertThat(two.find(SessionToken.create(random).id())).isEmpty();
    cut(ValkeySilentLineTest::reads);
    Eventually.holds(() -> isFound(session));
  }

  private boolean isFound(PlainSession session) {
    try {
      return one.find(session.id()).equals(Optional.of(session));
    } catch (StoreUnavailable e) {
      return false;
    }
  }
}
