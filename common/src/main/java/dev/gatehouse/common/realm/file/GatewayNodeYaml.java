package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.common.node.GatewayNodeConfig;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.node.NodeLimits.Apps;
import dev.gatehouse.common.node.NodeLimits.Flow;
import dev.gatehouse.common.node.NodeLimits.Times;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Reads the gateway's part of {@code gatehouse.yaml}, except its listeners. */
final class GatewayNodeYaml {

  private static final Type<Duration> TIME = Type.duration("100ms", "1h");
  private static final Type<Integer> MANY = Type.integer(1, 10_000_000);

  private static final Section APPS = new Section();
  private static final Key<Integer> APP_CONNECTIONS =
      APPS.key("connections", MANY, "8000", "To all servers together at the same time.");
  private static final Key<Integer> PER_SERVER =
      APPS.key("perServer", MANY, "e.g. 2000", "To one server. 2000, or `connections` where that is less.");
  private static final Key<Integer> QUEUE =
      APPS.key("queue", Type.integer(0, 1_000_000), "1000", "Requests that wait for a connection to one server.");
  private static final Key<Duration> QUEUE_TIME = APPS.key("queueTime", TIME, "5s", "How long each of them waits.");

  private static final Section TIMES = new Section();
  private static final Key<Duration> HEAD_TIME =
      TIMES.key("head", TIME, "10s", "From a request's first byte to the end of its head.");
  private static final Key<Duration> BODY_TIME =
      TIMES.key("body", TIME, "30s", "For a body to go on, where it comes slower than `minRate`.");
  private static final Key<Duration> IDLE = TIMES.key("idle", TIME, "75s", "Between two requests.");
  private static final Key<Duration> WRITE =
      TIMES.key("write", TIME, "60s", "For a client to take what is waiting for it, where it takes it slower than `minRate`.");
  private static final Key<Duration> CONNECT = TIMES.key("connect", TIME, "5s", "To connect to an app.");
  private static final Key<Duration> RESPONSE = TIMES.key("response", TIME, "60s", "For an app's response to begin, and to go on.");
  private static final Key<Duration> APP_IDLE =
      TIMES.key("appIdle", TIME, "30s", "How long an unused connection to an app is kept.");
  private static final Key<Duration> APP_SAFE =
      TIMES.key("appSafe", TIME, "2s", "How long it is young enough for a request that must not be sent twice.");
  private static final Key<Duration> DRAIN =
      TIMES.key("drain", TIME, "15s", "How long running requests are waited for at shutdown.");

  private static final Section LIMITS = new Section();
  private static final Key<Integer> CONNECTIONS =
      LIMITS.key("connections", Type.integer(10, 10_000_000), "20000", "Connections of clients at the same time.");
  private static final Key<Integer> PER_ADDRESS =
      LIMITS.key(
          "connectionsPerAddress", MANY, "e.g. 1000",
          "Maximum of one client address (IPv6: of a network of 64 bits); default: 1000, at most a quarter of `connections`. "
              + "Those of `trustedProxies` do not count. One more is answered with 503 (HTTP/2: GOAWAY).");
  private static final Key<Long> HEAD =
      LIMITS.key("head", Type.size(4, 1024), "32KB", "A request's or response's line and fields.");
  private static final Key<Long> TARGET = LIMITS.key("target", Type.size(1, 1024), "8KB", "A request's path and query.");
  private static final Key<Integer> FIELDS = LIMITS.key("fields", Type.integer(16, 10_000), "128", "Fields in one head.");
  static final Type<Long> BODY_SIZE = Type.size(1, 1L << 40);
  private static final Key<Long> BODY =
      LIMITS.key("body", BODY_SIZE, "e.g. 100MB", "A request's body, where its route says nothing else; any unless configured.");
  private static final Key<Long> ENDPOINT_BODY =
      LIMITS.key("endpointBody", Type.size(64, 65_536), "512KB", "A body of requests to `/.gatehouse/`.");
  private static final Key<Long> REPLAY_BODY =
      LIMITS.key("replayBody", Type.size(1, 65_536), "64KB", "The body of a POST that is kept for after the login.");
  private static final Key<Integer> IDLE_CONNECTIONS =
      LIMITS.key("appConnections", Type.integer(0, 1_000_000), "256", "Idle connections kept per app and event loop.");
  private static final Key<Long> BUFFER =
      LIMITS.key(
          "connectionBuffer", Type.size(16, 16_384), "128KB",
          "What is read from apps ahead of one client's connection, over all its streams.");
  private static final Key<Integer> MIN_RATE =
      LIMITS.key(
          "minRate", Type.integer(1, 1_000_000), "500",
          "Minimum rate of a client in bytes per second; a slower one is ended after `times.write` or `times.body`.");
  private static final Key<Void> TO_APPS =
      LIMITS.section(
          "apps", APPS,
          "Connections to apps. Requests beyond wait, and get 503 with Retry-After where `queue` is full or `queueTime` over.");
  private static final Key<Void> LIMIT_TIMES = LIMITS.section("times", TIMES, "Times of each phase.");

  private static final Section CACHE = new Section();
  private static final Key<Long> CACHE_MEMORY =
      CACHE.key("memory", Type.size(1 << 10, 16L << 20), "64MB", "Memory for kept responses of all routes.");

  private static final Section MEMORY = new Section();
  private static final Key<Integer> RESERVE =
      MEMORY.key(
          "reserve", Type.matching("percentage, 0% to 50%", "^\\d{1,2}%$", GatewayNodeYaml::percent), "10%",
          "Share of the heap and of direct memory. With less of either free, requests without a session are refused (503); people with a session are served.");
  private static final Key<Long> BUFFERS =
      MEMORY.key(
          "buffers", Type.size(16 << 10, 64L << 20), "e.g. 256MB",
          "Direct memory for all connections; what -XX:MaxDirectMemorySize leaves beside `cache.memory` unless configured. "
              + "Where three quarters are taken, the connections that hold most are ended.");

  private static final Section ACCESS_LOG = new Section();
  private static final Key<Path> FILE =
      ACCESS_LOG.required(
          "file", Type.PATH, "log/access.log", "write the file to append to, like log/access.log", "The file to append to.");
  private static final Key<Format> FORMAT = ACCESS_LOG.key("format", Type.choice(Format.class), "json", "The format of lines.");
  private static final Key<Boolean> QUERY =
      ACCESS_LOG.key("query", Type.BOOL, "false", "Whether queries of requests to apps are written.");
  private static final Key<Long> FILE_SIZE =
      ACCESS_LOG.key("maxFileSize", Type.size(64, 64L << 20), "256MB", "A file is rotated at this size.");
  private static final Key<Integer> KEEP = ACCESS_LOG.key("keep", Type.integer(1, 1000), "10", "Rotated files that are kept.");

  private static final Section KEYS = new Section();
  private static final Key<Void> NODE_LIMITS = KEYS.section("limits", LIMITS, "Limits of the gateway.");
  private static final Key<Void> NODE_CACHE = KEYS.section("cache", CACHE, "The cache of responses.");
  private static final Key<Void> NODE_MEMORY = KEYS.section("memory", MEMORY, "Memory that stays free.");
  private static final Key<Void> LOG = KEYS.section("accessLog", ACCESS_LOG, "One line for each request; none unless configured.");

  private GatewayNodeYaml() {}

  static void declare(Section node) {
    node.keys().addAll(KEYS.keys());
  }

  static GatewayNodeConfig read(YamlSection root) {
    YamlSection memory = root.sectionOrEmpty(NODE_MEMORY);
    return new GatewayNodeConfig(
        root.section(LOG).flatMap(GatewayNodeYaml::accessLog), limits(root.sectionOrEmpty(NODE_LIMITS)), memory.get(RESERVE),
        root.sectionOrEmpty(NODE_CACHE).get(CACHE_MEMORY), memory.find(BUFFERS));
  }

  private static Optional<AccessLogConfig> accessLog(YamlSection log) {
    return log.find(FILE)
        .map(path -> new AccessLogConfig(path, log.get(FORMAT), log.get(QUERY), log.get(FILE_SIZE), log.get(KEEP)));
  }

  private static NodeLimits limits(YamlSection limits) {
    int connections = limits.get(CONNECTIONS);
    // By default one client cannot use up the connections of all others.
    int usual = Math.min(NodeLimits.USUAL.connectionsPerAddress(), Math.max(1, connections / 4));
    int perAddress = limits.get(PER_ADDRESS, usual);
    atMost(limits, PER_ADDRESS, perAddress, connections);
    return new NodeLimits(
        connections, perAddress,
        new NodeLimits.Messages(
            size(limits, HEAD), size(limits, TARGET), limits.get(FIELDS), limits.get(BODY, NodeLimits.UNLIMITED),
            size(limits, ENDPOINT_BODY), size(limits, REPLAY_BODY)),
        limits.get(IDLE_CONNECTIONS), times(limits.sectionOrEmpty(LIMIT_TIMES)),
        new Flow(size(limits, BUFFER), limits.get(MIN_RATE)), apps(limits.sectionOrEmpty(TO_APPS)));
  }

  private static Apps apps(YamlSection apps) {
    int connections = apps.get(APP_CONNECTIONS);
    int perServer = apps.get(PER_SERVER, Math.min(Apps.USUAL.perServer(), connections));
    atMost(apps, PER_SERVER, perServer, connections);
    return new Apps(connections, perServer, apps.get(QUEUE), apps.get(QUEUE_TIME));
  }

  private static void atMost(YamlSection section, Key<?> key, int value, int connections) {
    if (value > connections) {
      section.problem(key, "is more than all connections together", "write at most " + connections);
    }
  }

  private static int size(YamlSection limits, Key<Long> key) {
    return Math.toIntExact(limits.get(key));
  }

  private static Times times(YamlSection times) {
    return new Times(
        times.get(HEAD_TIME), times.get(BODY_TIME), times.get(IDLE), times.get(WRITE), times.get(CONNECT),
        times.get(RESPONSE), times.get(APP_IDLE), times.get(APP_SAFE), times.get(DRAIN));
  }

  /** Reads a percentage like {@code 10%}. */
  private static Optional<Integer> percent(YamlValue value) {
    return value.text().matches("([0-9]|[1-4][0-9]|50)%")
        ? Optional.of(Integer.parseInt(value.text().substring(0, value.text().length() - 1)))
        : value.wrong(value.shown() + " is not a share of the memory", "write a percentage from 0% to 50%, like 10%");
  }
}
