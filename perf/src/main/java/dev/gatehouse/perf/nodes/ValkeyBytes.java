package dev.gatehouse.perf.nodes;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.perf.sessions.SessionKind;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of Valkey for sessions: {@code used_memory} with them minus without, and what the largest parts have of it.
 *
 * @param kind where the sessions are
 * @param bytes of one session, with everything
 * @param value of one session's value alone, key included
 * @param expiries of one session's entry in the order of expiries
 * @param realm of one session's entry in the order of its realm
 */
record ValkeyBytes(String kind, int sessions, double bytes, double value, double expiries, double realm) {

  /** Most allowed at the identity provider, with ten attributes and two participants. */
  static final double WANTED = 1200;

  private static final String NAMESPACE = "gatehouse";
  private static final long CALM_MILLIS = 2_000;
  private static final Pattern NUMBER = Pattern.compile("[:](\\d+)");
  private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

  /** Fills an empty server, as {@code docs/how-to/run-valkey.md} configures it. */
  static <S extends Session> ValkeyBytes measure(SessionKind<S> kind, int sessions) throws IOException, InterruptedException {
    try (ValkeyServer server = ValkeyServer.start("--zset-max-listpack-entries", "512");
        ValkeyStores stores =
            new ValkeyStores(
                server.config(NAMESPACE, Acknowledge.LOCAL),
                new ValkeyStores.Node(
                    SealingKey.inMemory(new Random(3)), InstantSource.system(), new Random(5), MetricFamilies.unpublished()),
                probe -> Optional.empty())) {
      Thread.sleep(CALM_MILLIS);
      long before = number(USED, server.command("INFO", "memory"));
      kind.fill(stores, sessions, Instant.now().truncatedTo(ChronoUnit.MILLIS));
      Thread.sleep(CALM_MILLIS);
      long after = number(USED, server.command("INFO", "memory"));
      String first = ":s:" + kind.store() + ":";
      return new ValkeyBytes(
          kind.name(), sessions, (double) (after - before) / sessions, usage(server, first + "*"),
          usage(server, ":xs:" + kind.store()) / sessions, usage(server, ":rs:" + kind.store() + ":*") / sessions);
    }
  }

  /** Bytes of all keys that match, without those of samples: of one if there are many. */
  private static double usage(ValkeyServer server, String keys) throws IOException {
    String script =
        """
        local cursor, sum, count = '0', 0, 0
        repeat
          local found = redis.call('SCAN', cursor, 'MATCH', ARGV[1], 'COUNT', 10000)
          cursor = found[1]
          for _, key in ipairs(found[2]) do
            sum = sum + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0)
            count = count + 1
          end
        until cursor == '0' or count > 1000
        return count > 1000 and math.floor(sum / count) or sum
        """;
    return number(NUMBER, server.command("EVAL", script, "0", NAMESPACE + keys));
  }

  private static long number(Pattern pattern, String answer) throws IOException {
    Matcher matcher = pattern.matcher(answer);
    if (!matcher.find()) {
      throw new IOException("Valkey answered: " + answer);
    }
    return Long.parseLong(matcher.group(1));
  }
}
