package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayNodeConfig;
import dev.gatehouse.common.realm.NodeLimits;
import dev.gatehouse.common.realm.NodeLimits.Times;
import java.time.Duration;
import java.util.Optional;

/** Reads the gateway's part of {@code gatehouse.yaml}, except its listeners. */
final class GatewayNodeYaml {

  private static final NodeLimits USUAL = NodeLimits.USUAL;

  private final YamlSection root;

  GatewayNodeYaml(YamlSection root) {
    this.root = root;
  }

  GatewayNodeConfig read() {
    YamlSection memory = root.sectionOrEmpty("memory");
    int reserve = memory.read("reserve", 10, GatewayNodeYaml::percent);
    Optional<Long> buffers = 
        memory.read("buffers", Optional.empty(), v -> v.size(16L << 20, 64L << 30).map(Optional::of));
    long cache =
        root.sectionOrEmpty("cache").read("memory", GatewayNodeConfig.USUAL_CACHE, v -> v.size(1L << 20, 16L << 30));
    return new GatewayNodeConfig(new AccessLogYaml(root).read(), limits(root.sectionOrEmpty("limits")), reserve, cache, buffers);
  }

  private static NodeLimits limits(YamlSection limits) {
    int connections = limits.read("connections", USUAL.connections(), v -> v.integer(10, 10_000_000));
    // By default one client cannot use up the connections of all others.
    int usual = Math.min(USUAL.connectionsPerAddress(), Math.max(1, connections / 4));
    int perAddress = limits.read("connectionsPerAddress", usual, v -> v.integer(1, 10_000_000));
    if (perAddress > connections) {
      limits.problem("connectionsPerAddress", "is more than all connections together", "write at most " + connections);
    }
    return new NodeLimits(
        connections,
        perAddress,
        size(limits, "head", USUAL.head(), 4, 1024),
        size(limits, "target", USUAL.target(), 1, 1024),
        limits.read("fields", USUAL.fields(), v -> v.integer(16, 10_000)),
        limits.read("body", USUAL.body(), v -> v.size(1 << 10, 1L << 50)),
        size(limits, "endpointBody", USUAL.endpointBody(), 64, 65_536),
        size(limits, "replayBody", USUAL.replayBody(), 1, 65_536),
        limits.read("appConnections", USUAL.appConnections(), v -> v.integer(0, 1_000_000)),
        times(limits.sectionOrEmpty("times")),
        flow(limits),
        apps(limits.sectionOrEmpty("apps")));
  }

  private static NodeLimits.Flow flow(YamlSection limits) {
    return new NodeLimits.Flow(
        size(limits, "connectionBuffer", NodeLimits.Flow.USUAL.connectionBuffer(), 16, 16_384),
        limits.read("minRate", NodeLimits.Flow.USUAL.minRate(), v -> v.integer(1, 1_000_000)));
  }

  private static NodeLimits.Apps apps(YamlSection apps) {
    NodeLimits.Apps usual = NodeLimits.Apps.USUAL;
    int connections = apps.read("connections", usual.connections(), v -> v.integer(1, 10_000_000));
    int perServer =
        apps.read("perServer", Math.min(usual.perServer(), connections), v -> v.integer(1, 10_000_000));
    if (perServer > connections) {
      apps.problem("perServer", "is more than all connections together", "write at most " + connections);
    }
    return new NodeLimits.Apps(
        connections,
        perServer,
        apps.read("queue", usual.queue(), v -> v.integer(0, 1_000_000)),
        time(apps, "queueTime", usual.queueTime()));
  }

  private static int size(YamlSection limits, String key, int usual, int leastKb, int mostKb) {
    return limits.read(key, (long) usual, v -> v.size((long) leastKb << 10, (long) mostKb << 10)).intValue();
  }

  private static Times times(YamlSection times) {
    Times usual = USUAL.times();
    return new Times(
        time(times, "head", usual.head()),
        time(times, "body", usual.body()),
        time(times, "idle", usual.idle()),
        time(times, "write", usual.write()),
        time(times, "connect", usual.connect()),
        time(times, "response", usual.response()),
        time(times, "appIdle", usual.appIdle()),
        time(times, "appSafe", usual.appSafe()),
        time(times, "drain", usual.drain()));
  }

  private static Duration time(YamlSection times, String key, Duration usual) {
    return times.read(key, usual, v -> v.duration(Duration.ofMillis(100), Duration.ofHours(1)));
  }

  /** Reads a percentage like {@code 10%}. */
  private static Optional<Integer> percent(YamlValue value) {
    return value.text().matches("([0-9]|[1-4][0-9]|50)%")
        ? Optional.of(Integer.parseInt(value.text().substring(0, value.text().length() - 1)))
        : value.wrong(value.shown() + " is not a share of the memory", "write a percentage from 0% to 50%, like 10%");
  }
}
