package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.UpstreamConfig.Connections;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Retries;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.common.realm.UpstreamConfig.Times;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code upstream} of a route: one URL, or servers and the distribution of requests among them. */
final class UpstreamYaml {

  /** A request records the servers that it has tried in the bits of one number. */
  private static final int MAX_SERVERS = 64;

  private static final String REMEDY = "write the app's origin, like http://127.0.0.1:9000";
  private static final Type<Integer> STATUS_500 = Type.integer(500, 599);

  private static final Type<YamlValue> SERVER_URL =
      Type.matching("URL", "^[Hh][Tt][Tt][Pp][Ss]?://", Optional::of).reaching(Reach.UPSTREAM);

  private static final Section SERVER = new Section();
  private static final Key<YamlValue> URL =
      SERVER.required(
          "url", SERVER_URL, "http://10.0.0.2:8080", REMEDY,
          "The server's origin and base path.");
  private static final Key<Integer> WEIGHT = SERVER.key("weight", Type.integer(1, 1000), "1", "The server's share of requests.");
  private static final Key<Boolean> BACKUP = SERVER.key("backup", Type.BOOL, "false",
      "Whether the server is used only while the others are out of use.");

  private static final Type<String> TOKEN =
      Type.matching("name", "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}", "is no name of a cookie or header", "use letters, digits and hyphens");
  private static final Section HASH = new Section();
  private static final Key<String> COOKIE = HASH.key("cookie", TOKEN, "e.g. JSESSIONID",
      "Requests are distributed by this cookie of the app.");
  private static final Key<String> HEADER = HASH.key("header", TOKEN, "e.g. X-Tenant",
      "Requests are distributed by this field of the request.");

  private static final Section HEALTH = new Section();
  private static final Key<String> PATH =
      HEALTH.required(
          "path", Type.string("path", UpstreamYaml::path), "/health", "write one that tells whether the app is well, like /health",
          "The path that is requested.");
  private static final Key<Duration> EVERY = HEALTH.key("every", Type.duration("100ms", "1d"), "5s",
      "The time between two checks.");
  private static final Key<Duration> TIMEOUT = HEALTH.key("timeout", Type.duration("50ms", "1m"), "2s",
      "Maximum time until a response.");
  private static final Key<List<Integer>> STATUS =
      HEALTH.key(
          "status", new Type<>("status or range of them", Map.of("type", List.of("string", "integer")), UpstreamYaml::statuses),
          "200-399", "The statuses of a healthy server.");
  private static final Key<Integer> HEALTHY =
      HEALTH.key("healthy", Type.integer(1, 100), "2", "Number of successful checks in a row that bring a server back.");
  private static final Key<Integer> UNHEALTHY = HEALTH.key("unhealthy", Type.integer(1, 100), "3",
      "Number of failed checks in a row that take a server out of use.");

  private static final Section PASSIVE = new Section();
  private static final Key<Integer> FAILURES =
      PASSIVE.key("failures", Type.integer(0, 1000), "3", "Number of failures in a row that take a server out of use; 0: never.");
  private static final Key<Duration> WINDOW =
      PASSIVE.key("window", Type.duration("100ms", "1d"), "10s", "The time within which they count.");
  private static final Key<Duration> OUT_FOR = PASSIVE.key("outFor", Type.duration("100ms", "1d"), "10s",
      "The time for which the server stays out of use.");
  private static final Key<Integer> STATUSES =
      PASSIVE.list("statuses", STATUS_500, "[]", "Statuses that are failures, e.g. `[502, 503, 504]`.");

  private static final Section RETRIES = new Section();
  private static final Key<Integer> MAX =
      RETRIES.key("most", Type.integer(0, 10), "2", "Maximum number of retries of a request that is safe to repeat.");
  private static final Key<Integer> BUDGET = RETRIES.key(
      "budget",
      Type.integer(0, 100),
      "50",
      "Maximum share of retries among running requests, in percent.");

  private static final Section TLS = new Section();
  private static final Key<List<X509Certificate>> CA =
      TLS.key("ca", Pems.CHAIN, "e.g. ca.pem", "Authorities of the servers' certificates; the JDK's unless configured.");
  private static final Key<YamlValue> CLIENT_CERTIFICATE =
      TLS.key("clientCertificate", Type.FILE, "e.g. us.pem", "The gateway's client certificate: a PEM chain, with `clientKey`.");
  private static final Key<YamlValue> CLIENT_KEY = TLS.key("clientKey", Type.SECRET_FILE, "e.g. us.key",
      "The key of `clientCertificate`: PKCS#8 PEM.");
  private static final Key<String> SERVER_NAME =
      TLS.key(
          "serverName",
          Type.matching("host", "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", "is no host name", "write the name in the servers' certificate")
              .reaching(Reach.NAME_ONLY),
          "e.g. app.internal", "The name in the servers' certificates; the URL's host unless configured.");

  private static final Section CONNECTIONS = new Section();
  private static final Key<Integer> PER_SERVER =
      CONNECTIONS.key("perServer", Type.integer(0, 1_000_000), "0",
          "Maximum number of simultaneous connections to one server; 0: only the node's limit.");
  private static final Key<Integer> IDLE =
      CONNECTIONS.key(
          "idle", Type.integer(0, 100_000), "e.g. 256",
          "Number of idle connections that are kept; `limits.appConnections` unless configured.");

  private static final Section TIMEOUTS = new Section();
  private static final Key<Duration> CONNECT = time("connect", "e.g. 5s", "Maximum time to connect.");
  private static final Key<Duration> TLS_TIME = time("tls", "e.g. 5s", "Maximum time for the TLS handshake.");
  private static final Key<Duration> FIRST_BYTE = time("firstByte", "e.g. 60s", "Maximum time until a response begins.");
  private static final Key<Duration> BETWEEN_BYTES = time("betweenBytes", "e.g. 60s", "Maximum time between two parts of a response.");
  private static final Key<Duration> WHOLE = time("whole", "e.g. 5m",
      "Maximum time for the whole exchange; no limit unless configured.");

  static final Section KEYS = new Section();
  private static final Key<YamlValue> SERVERS =
      KEYS.either(
          "servers", Set.of(Form.LIST, Form.SECTIONS), SERVER_URL, SERVER,
          "e.g. [http://10.0.0.1:8080, http://10.0.0.2:8080]", "The app's servers, at most 64; required.");
  private static final Key<Balance> BALANCE =
      KEYS.either(
          "balance", Set.of(Form.SCALAR, Form.SECTION),
          Type.choice(UpstreamYaml::word, new Balance.LeastOutstanding(), new Balance.ByAddress(), new Balance.BySession()),
          HASH, "leastOutstanding", "How requests are distributed; all but leastOutstanding keep a person at one server.");
  private static final Key<Void> CHECKS = KEYS.section("health", HEALTH,
      "Active health checks of the servers; none unless configured.");
  private static final Key<Void> WATCHES = KEYS.section("passive", PASSIVE,
      "Passive health checks: servers that fail are taken out of use.");
  private static final Key<Void> REPETITIONS =
      KEYS.section("retries", RETRIES, "Retries at another server of requests that are safe to repeat.");
  private static final Key<Void> SECURITY = KEYS.section("tls", TLS, "TLS to servers with https. No key turns verification off.");
  private static final Key<Duration> KEEP_ALIVE =
      KEYS.key(
          "keepAlive", Type.duration("0s", "1d"), "e.g. 30s",
          "How long an idle connection is kept; `limits.times.appIdle` unless configured.");
  private static final Key<Void> LIMITS = KEYS.section("connections", CONNECTIONS, "Connections to the servers.");
  private static final Key<Void> TIMES =
      KEYS.section("timeouts", TIMEOUTS, "Timeouts of each phase; those of `limits.times` unless configured.");

  private static Key<Duration> time(String name, String example, String sentence) {
    return TIMEOUTS.key(name, Type.duration("50ms", "1d"), example, sentence);
  }

  private static String word(Balance balance) {
    return switch (balance) {
      case Balance.ByAddress b -> "hash-address";
      case Balance.BySession b -> "hash-session";
      default -> "leastOutstanding";
    };
  }

  private final YamlSection route;
  private final Set<Origin> ownOrigins;

  UpstreamYaml(YamlSection route, Set<Origin> ownOrigins) {
    this.route = route;
    this.ownOrigins = ownOrigins;
  }

  Optional<UpstreamConfig> read() {
    if (!route.isMapping(RouteKeys.UPSTREAM)) {
      if (!route.has(RouteKeys.UPSTREAM)) {
        route.problem(RouteKeys.UPSTREAM, "is missing", REMEDY);
      }
      return route.find(RouteKeys.UPSTREAM).flatMap(this::url).map(UpstreamConfig::of);
    }
    return route.section(RouteKeys.UPSTREAM).flatMap(this::several);
  }

  private Optional<UpstreamConfig> several(YamlSection section) {
    List<Server> servers = servers(section);
    Balance balance = balance(section);
    Optional<Health> health = section.section(CHECKS).map(UpstreamYaml::health);
    Passive passive = passive(section.sectionOrEmpty(WATCHES));
    Tls tls = tls(section, servers);
    Connections connections = connections(section);
    Times times = times(section.sectionOrEmpty(TIMES));
    YamlSection repetitions = section.sectionOrEmpty(REPETITIONS);
    Retries retries = new Retries(repetitions.get(MAX), repetitions.get(BUDGET));
    return servers.isEmpty()
        ? Optional.empty()
        : Optional.of(new UpstreamConfig(servers, balance, health, passive, tls, connections, times, retries));
  }

  private List<Server> servers(YamlSection section) {
    List<Server> servers = new ArrayList<>();
    Set<Origin> seen = new HashSet<>();
    section.each(
        SERVERS,
        value -> url(value).filter(url -> isNew(seen, url, value)).map(Server::of).ifPresent(servers::add),
        mapping -> server(mapping, seen).ifPresent(servers::add));
    if (!section.has(SERVERS)) {
      section.problem(SERVERS, "is missing", "write one URL or more, like [http://10.0.0.1:8080, http://10.0.0.2:8080]");
    } else if (!servers.isEmpty() && servers.stream().allMatch(Server::backup)) {
      section.problem(SERVERS, "are all backups", "remove backup: true from those that serve always");
      return List.of();
    } else if (servers.size() > MAX_SERVERS) {
      section.problem(SERVERS, "are more than " + MAX_SERVERS, "put a load balancer between");
      return List.of();
    }
    return servers;
  }

  private Optional<Server> server(YamlSection section, Set<Origin> seen) {
    Optional<URI> url = section.find(URL).flatMap(v -> url(v).filter(u -> isNew(seen, u, v)));
    int weight = section.get(WEIGHT);
    boolean backup = section.get(BACKUP);
    return url.map(u -> new Server(u, weight, backup));
  }

  private static boolean isNew(Set<Origin> seen, URI url, YamlValue value) {
    return seen.add(Origin.of(url)) || value.wrong(value.shown() + " is there twice", "keep one of them").isPresent();
  }

  private Optional<URI> url(YamlValue value) {
    Optional<URI> url = value.url();
    if (url.filter(u -> u.getRawQuery() != null).isPresent()) {
      return value.wrong(value.shown() + " has a query", "write origin and base path only");
    }
    if (url.map(Origin::of).filter(ownOrigins::contains).isPresent()) {
      return value.wrong(value.shown() + " is this gateway itself", "write the origin where the app listens");
    }
    return url;
  }

  private static Balance balance(YamlSection section) {
    if (!section.isMapping(BALANCE)) {
      return section.get(BALANCE);
    }
    YamlSection hash = section.sectionOrEmpty(BALANCE);
    Optional<Balance> byCookie = hash.find(COOKIE).map(Balance.ByCookie::new);
    Optional<Balance> byHeader = hash.find(HEADER).map(Balance.ByHeader::new);
    if (hash.has(COOKIE) == hash.has(HEADER)) {
      section.problem(BALANCE, "names " + (hash.has(COOKIE) ? "a cookie and a header" : "neither cookie nor header"),
          "write {cookie: NAME} or {header: NAME}");
    }
    return byCookie.or(() -> byHeader).orElse(new Balance.LeastOutstanding());
  }

  private static Health health(YamlSection section) {
    List<Integer> status = section.get(STATUS);
    return new Health(
        section.find(PATH).orElse("/"), section.get(EVERY), section.get(TIMEOUT), status.getFirst(), status.getLast(),
        section.get(HEALTHY), section.get(UNHEALTHY));
  }

  private static Optional<String> path(YamlValue value) {
    return value.text().matches("/[!-~]*") && !value.text().contains("#")
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is no path", "begin with a slash, without spaces");
  }

  private static Optional<List<Integer>> statuses(YamlValue value) {
    if (!value.text().matches("[2-5]\\d\\d(-[2-5]\\d\\d)?")) {
      return value.wrong(value.shown() + " is no status", "write one from 200 to 599, or a range like 200-399");
    }
    int least = Integer.parseInt(value.text().substring(0, 3));
    int most = value.text().length() > 3 ? Integer.parseInt(value.text().substring(4)) : least;
    return least <= most
        ? Optional.of(List.of(least, most))
        : value.wrong(value.shown() + " is no status", "write the lesser one first");
  }

  private static Passive passive(YamlSection section) {
    return new Passive(
        section.get(FAILURES), section.get(WINDOW), section.get(OUT_FOR), new HashSet<>(section.all(STATUSES)));
  }

  private static Connections connections(YamlSection section) {
    YamlSection limits = section.sectionOrEmpty(LIMITS);
    return new Connections(limits.get(PER_SERVER), limits.find(IDLE), section.find(KEEP_ALIVE));
  }

  private static Times times(YamlSection section) {
    return new Times(
        section.find(CONNECT), section.find(TLS_TIME), section.find(FIRST_BYTE), section.find(BETWEEN_BYTES),
        section.find(WHOLE));
  }

  /** The contents of the files belong to the revision, so that a renewed certificate is a change like any other. */
  private static Tls tls(YamlSection upstream, List<Server> servers) {
    Optional<YamlSection> found = upstream.section(SECURITY);
    if (found.isEmpty()) {
      return Tls.PUBLIC;
    }
    if (!servers.isEmpty() && servers.stream().noneMatch(s -> "https".equalsIgnoreCase(s.url().getScheme()))) {
      upstream.problem(SECURITY, "is set, but no server uses https", "write https:// in the servers' URLs, or remove it");
    }
    YamlSection tls = found.get();
    return new Tls(tls.get(CA, List.of()), client(tls), tls.find(SERVER_NAME));
  }

  private static Optional<ClientKey> client(YamlSection tls) {
    Optional<YamlValue> certificate = tls.find(CLIENT_CERTIFICATE);
    Optional<YamlValue> key = tls.find(CLIENT_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      Key<?> there = certificate.isPresent() ? CLIENT_CERTIFICATE : CLIENT_KEY;
      Key<?> missing = certificate.isPresent() ? CLIENT_KEY : CLIENT_CERTIFICATE;
      tls.problem(there, "stands without " + missing, "write both, or neither");
      return Optional.empty();
    }
    if (certificate.isEmpty() || key.isEmpty() || Pems.pair(key.get(), certificate.get()).isEmpty()) {
      return Optional.empty();
    }
    Optional<Secret> secret = key.get().secretContent().map(c -> new Secret(new String(c, StandardCharsets.US_ASCII)));
    return Pems.CHAIN.parser().apply(certificate.get()).flatMap(chain -> secret.map(s -> new ClientKey(chain, s)));
  }
}
