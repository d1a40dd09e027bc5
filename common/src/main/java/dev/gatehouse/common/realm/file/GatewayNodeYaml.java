package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
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
      APPS.key("connections", MANY, "8000", "Maximum number of simultaneous connections to all servers together.");
  private static final Key<Integer> PER_SERVER =
      APPS.key("perServer", MANY, "e.g. 2000",
          "Maximum number of connections to one server. Default: 2000, or `connections` if that is less.");
  private static final Key<Integer> QUEUE =
      APPS.key("queue", Type.integer(0, 1_000_000), "1000", "Maximum number of requests that wait for a connection to one server.");
  private static final Key<Duration> QUEUE_TIME = APPS.key("queueTime", TIME, "5s",
      "Maximum time that a request waits for a connection.");

  private static final Section TIMES = new Section();
  private static final Key<Duration> HEAD_TIME =
      TIMES.key("head", TIME, "10s", "Maximum time from a request's first byte to the end of its head.");
  private static final Key<Duration> BODY_TIME =
      TIMES.key("body", TIME, "30s", "Maximum time for which a body may arrive slower than `minRate`.");
  private static final Key<Duration> IDLE = TIMES.key("idle", TIME, "75s", "Maximum time between two requests of a connection.");
  private static final Key<Duration> WRITE =
      TIMES.key("write", TIME, "60s", "Maximum time for which a client may read a response slower than `minRate`.");
  private static final Key<Duration> CONNECT = TIMES.key("connect", TIME, "5s", "Maximum time to connect to an app.");
  private static final Key<Duration> RESPONSE = TIMES.key("response", TIME, "60s",
      "Maximum time until an app's response begins, and between two parts of it.");
  private static final Key<Duration> APP_IDLE =
      TIMES.key("appIdle", TIME, "30s", "How long an unused connection to an app is kept.");
  private static final Key<Duration> APP_SAFE =
      TIMES.key("appSafe", TIME, "2s",
          "Maximum idle time of a connection to an app that may still carry a request that must not be sent twice.");
  private static final Key<Duration> DRAIN =
      TIMES.key("drain", TIME, "e.g. 20s", "The former name of `drain.grace`.");

  private static final Section LIMITS = new Section();
  private static final Key<Integer> CONNECTIONS =
      LIMITS.key("connections", Type.integer(10, 10_000_000), "20000", "Maximum number of simultaneous connections of clients.");
  private static final Key<Integer> PER_ADDRESS =
      LIMITS.key(
          "connectionsPerAddress", MANY, "e.g. 1000",
          "Maximum number of connections of one client address (IPv6: of a network of 64 bits); default: 1000, at most a "
              + "quarter of `connections`. Connections of `trustedProxies` do not count. A further connection is answered with "
              + "503 (HTTP/2: GOAWAY).");
  private static final Key<Long> HEAD =
      LIMITS.key("head", Type.size(4, 1024), "32KB", "Maximum size of the first line and the fields of a request or response.");
  private static final Key<Long> TARGET = LIMITS.key("target", Type.size(1, 1024), "8KB",
      "Maximum size of a request's path and query.");
  private static final Key<Integer> FIELDS = LIMITS.key("fields", Type.integer(16, 10_000), "128",
      "Maximum number of fields in one head.");
  static final Type<Long> BODY_SIZE = Type.size(1, 1L << 40);
  private static final Key<Long> BODY =
      LIMITS.key("body", BODY_SIZE, "e.g. 100MB",
          "Maximum size of a request's body on routes without a limit of their own; no limit unless configured.");
  private static final Key<Long> ENDPOINT_BODY =
      LIMITS.key("endpointBody", Type.size(64, 65_536), "512KB", "Maximum size of the body of a request to `/.gatehouse/`.");
  private static final Key<Long> REPLAY_BODY =
      LIMITS.key("replayBody", Type.size(1, 65_536), "64KB",
          "Maximum size of the body of a POST that is kept until after the login.");
  private static final Key<Integer> IDLE_CONNECTIONS =
      LIMITS.key("appConnections", Type.integer(0, 1_000_000), "256", "Idle connections kept per app and event loop.");
  private static final Key<Long> BUFFER =
      LIMITS.key(
          "connectionBuffer", Type.size(16, 16_384), "128KB",
          "Maximum number of bytes read from apps before one client connection takes them, over all its streams.");
  private static final Key<Integer> MIN_RATE =
      LIMITS.key(
          "minRate", Type.integer(1, 1_000_000), "500",
          "Minimum rate of a client in bytes per second; a slower one is ended after `times.write` or `times.body`.");
  private static final Key<Void> TO_APPS =
      LIMITS.section(
          "apps", APPS,
          "Connections to apps. Further requests wait; if `queue` is full or `queueTime` is over, they get 503 with Retry-After.");
  private static final Key<Void> LIMIT_TIMES = LIMITS.section("times", TIMES, "Timeouts of each phase.");

  private static final Section CACHE = new Section();
  private static final Key<Long> CACHE_MEMORY =
      CACHE.key("memory", Type.size(1 << 10, 16L << 20), "64MB", "Memory for the stored responses of all routes.");

  private static final Section MEMORY = new Section();
  private static final Key<Integer> RESERVE =
      MEMORY.key(
          "reserve", Type.matching("percentage, 0% to 50%", "^\\d{1,2}%$", GatewayNodeYaml::percent), "10%",
          "Share of the heap and of direct memory. With less of either free, requests without a session are refused (503); people with a session "
              + "are served.");
  private static final Key<Long> BUFFERS =
      MEMORY.key(
          "buffers", Type.size(16 << 10, 64L << 20), "e.g. 256MB",
          "Direct memory for all connections; default: what -XX:MaxDirectMemorySize leaves beside `cache.memory`. If three "
              + "quarters of it are used, the connections that hold most are closed.");

  private static final Section ACCESS_LOG = new Section();
  private static final Key<Path> FILE =
      ACCESS_LOG.required(
          "file", Type.PATH, "log/access.log", "write the file to append to, like log/access.log", "The file to append to.");
  private static final Key<Format> FORMAT = ACCESS_LOG.key("format", Type.choice(Format.class), "json", "The format of lines.");
  private static final Key<Boolean> QUERY =
      ACCESS_LOG.key("query", Type.BOOL, "false", "Whether queries of requests to apps are written.");
  private static final Key<Long> FILE_SIZE =
      ACCESS_LOG.key("maxFileSize", Type.size(64, 64L << 20), "256MB", "A file is rotated at this size.");
  private static final Key<Integer> KEEP = ACCESS_LOG.key("keep", Type.integer(1, 1000), "10",
      "Number of rotated files that are kept.");

  private static final Section METRICS = new Section();
  private static final Key<Integer> LABEL_VALUES =
      METRICS.key(
          "labelValues", Type.integer(1, 100_000), Integer.toString(GatewayNodeConfig.USUAL_LABEL_VALUES),
          "Number of routes, servers of apps, partners and clients each that have metrics of their own; all further ones are counted as "
              + "`other`.");

  private static final Section ANALYTICS = new Section();
  private static final Key<Duration> MINUTES =
      ANALYTICS.key("minutes", Type.duration("1h", "60d"), "2d", "How long sums by minute are kept.");
  private static final Key<Duration> HOURS = ANALYTICS.key("hours", Type.duration("1d", "1826d"), "60d", "How long sums by hour are kept.");
  private static final Key<Duration> DAYS = ANALYTICS.key("days", Type.duration("1d", "36500d"), "1825d", "How long sums by day are kept.");
  private static final Key<Duration> PATTERNS =
      ANALYTICS.key(
          "patterns", Type.duration("1d", "3650d"), "30d", "How long unusual patterns are kept; they name people and addresses.");
  private static final Key<Integer> VALUES =
      ANALYTICS.key(
          "values", Type.integer(1, 1000), "50",
          "Number of routes, partners, clients, reasons and so on each that have sums of their own in an hour; all further ones are added "
              + "up as `other`.");
  private static final Key<Path> PLACES =
      ANALYTICS.key(
          "places", Type.PATH, "e.g. /usr/share/GeoIP/GeoLite2-City.mmdb",
          "File of cities in MaxMind's format, for logins of one person from places that are too far apart.");

  private static final Section STOP = new Section();
  private static final Key<Duration> DELAY =
      STOP.key(
          "delay", Type.duration("0s", "5m"), "e.g. 10s",
          "How long a node that was told to stop serves on, not ready, until balancers send it nothing more. Default: 5s if somebody "
              + "has asked for readiness twice within a minute, else 0s.");
  private static final Key<Duration> GRACE =
      STOP.key(
          "grace", TIME, "e.g. 20s",
          "How long running requests and WebSockets may then take to end. Default: 15s. With `delay` it should be less than the time "
              + "after which the node is killed (30s by Kubernetes, 90s by systemd).");

  private static final Section KEYS = new Section();
  private static final Key<Void> NODE_LIMITS = KEYS.section("limits", LIMITS, "Limits of the gateway.");
  private static final Key<Void> NODE_CACHE = KEYS.section("cache", CACHE, "The cache of responses.");
  private static final Key<Void> NODE_MEMORY = KEYS.section("memory", MEMORY, "Memory that stays free.");
  private static final Key<Void> LOG = KEYS.section("accessLog", ACCESS_LOG,
      "A log with one line for each request; off unless configured.");
  private static final Key<Void> NODE_STOP =
      KEYS.section("drain", STOP, "How a node stops without a failed request, behind a balancer that asks whether it is ready.");
  private static final Key<Void> NODE_METRICS = KEYS.section("metrics", METRICS, "Metrics of this node.");
  private static final Key<Void> TRACING =
      KEYS.section("tracing", NodeYaml.TracingYaml.KEYS, "Traces of requests for an OpenTelemetry collector; off unless configured.");
  private static final Key<Void> NODE_ANALYTICS =
      KEYS.section("analytics", ANALYTICS, "Sums by minute, hour and day for charts and reports.");

  private GatewayNodeYaml() {}

  static void declare(Section node) {
    node.keys().addAll(KEYS.keys());
  }

  static GatewayNodeConfig read(YamlSection root) {
    YamlSection memory = root.sectionOrEmpty(NODE_MEMORY);
    return new GatewayNodeConfig(
        root.section(LOG).flatMap(GatewayNodeYaml::accessLog),
        limits(root.sectionOrEmpty(NODE_LIMITS), root.sectionOrEmpty(NODE_STOP)), memory.get(RESERVE),
        root.sectionOrEmpty(NODE_CACHE).get(CACHE_MEMORY), memory.find(BUFFERS),
        root.sectionOrEmpty(NODE_METRICS).get(LABEL_VALUES), root.section(TRACING).flatMap(NodeYaml.TracingYaml::read),
        analytics(root.sectionOrEmpty(NODE_ANALYTICS)), root.sectionOrEmpty(NODE_STOP).find(DELAY));
  }

  private static AnalyticsNodeConfig analytics(YamlSection analytics) {
    return new AnalyticsNodeConfig(
        analytics.get(MINUTES), analytics.get(HOURS), analytics.get(DAYS), analytics.get(PATTERNS), analytics.get(VALUES),
        analytics.find(PLACES));
  }

  private static Optional<AccessLogConfig> accessLog(YamlSection log) {
    return log.find(FILE)
        .map(path -> new AccessLogConfig(path, log.get(FORMAT), log.get(QUERY), log.get(FILE_SIZE), log.get(KEEP)));
  }

  private static NodeLimits limits(YamlSection limits, YamlSection stop) {
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
        limits.get(IDLE_CONNECTIONS), times(limits.sectionOrEmpty(LIMIT_TIMES), stop),
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

  private static Times times(YamlSection times, YamlSection stop) {
    if (times.has(DRAIN) && stop.has(GRACE)) {
      times.problem(DRAIN, "is the former name of drain.grace, which is there, too", "remove this one");
    }
    Duration grace = stop.get(GRACE, times.get(DRAIN, NodeLimits.USUAL.times().drain()));
    return new Times(
        times.get(HEAD_TIME), times.get(BODY_TIME), times.get(IDLE), times.get(WRITE), times.get(CONNECT),
        times.get(RESPONSE), times.get(APP_IDLE), times.get(APP_SAFE), grace);
  }

  /** Reads a percentage like {@code 10%}. */
  private static Optional<Integer> percent(YamlValue value) {
    return value.text().matches("([0-9]|[1-4][0-9]|50)%")
        ? Optional.of(Integer.parseInt(value.text().substring(0, value.text().length() - 1)))
        : value.wrong(value.shown() + " is not a share of the memory", "write a percentage from 0% to 50%, like 10%");
  }
}
