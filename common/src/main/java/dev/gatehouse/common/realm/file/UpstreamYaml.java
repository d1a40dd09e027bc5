package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.common.realm.UpstreamConfig.Connections;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Retries;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.common.realm.UpstreamConfig.Times;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code upstream} of a route: one URL, or servers and the distribution of requests among them. */
final class UpstreamYaml {

  /** A request records the servers that it has tried in the bits of one number. */
  private static final int MAX_SERVERS = 64;

  private static final Duration DAY = Duration.ofDays(1);
  private static final String REMEDY = "write the app's origin, like http://127.0.0.1:9000";
  private static final Map<String, Balance> BALANCES = new LinkedHashMap<>();

  static {
    BALANCES.put("leastOutstanding", new Balance.LeastOutstanding());
    BALANCES.put("hash-address", new Balance.ByAddress());
    BALANCES.put("hash-session", new Balance.BySession());
  }

  private final YamlSection route;
  private final Set<Origin> ownOrigins;

  UpstreamYaml(YamlSection route, Set<Origin> ownOrigins) {
    this.route = route;
    this.ownOrigins = ownOrigins;
  }

  Optional<UpstreamConfig> read() {
    if (!route.isMapping("upstream")) {
      return route.required("upstream", this::url, REMEDY).map(UpstreamConfig::of);
    }
    return route.section("upstream").flatMap(this::several);
  }

  private Optional<UpstreamConfig> several(YamlSection section) {
    List<Server> servers = servers(section);
    UpstreamConfig config =
        new UpstreamConfig(
            List.of(Server.of(URI.create("http://unread.invalid"))),
            balance(section),
            section.section("health").map(UpstreamYaml::health),
            passive(section.sectionOrEmpty("passive")),
            new UpstreamTlsYaml(section, servers).read(),
            connections(section),
            times(section.sectionOrEmpty("timeouts")),
            retries(section.sectionOrEmpty("retries")));
    return servers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new UpstreamConfig(
                servers, config.balance(), config.health(), config.passive(), config.tls(), config.connections(),
                config.times(), config.retries()));
  }

  private List<Server> servers(YamlSection section) {
    List<Server> servers = new ArrayList<>();
    Set<Origin> seen = new HashSet<>();
    section.each(
        "servers",
        value -> url(value).filter(url -> isNew(seen, url, value)).map(Server::of).ifPresent(servers::add),
        mapping -> server(mapping, seen).ifPresent(servers::add));
    if (!section.has("servers")) {
      section.problem("servers", "is missing", "write one URL or more, like [http://10.0.0.1:8080, http://10.0.0.2:8080]");
    } else if (!servers.isEmpty() && servers.stream().allMatch(Server::backup)) {
      section.problem("servers", "are all backups", "remove backup: true from those that serve always");
      return List.of();
    } else if (servers.size() > MAX_SERVERS) {
      section.problem("servers", "are more than " + MAX_SERVERS, "put a load balancer between");
      return List.of();
    }
    return servers;
  }

  private Optional<Server> server(YamlSection section, Set<Origin> seen) {
    Optional<URI> url = section.required("url", v -> url(v).filter(u -> isNew(seen, u, v)), REMEDY);
    int weight = section.read("weight", 1, v -> v.integer(1, 1000));
    boolean backup = section.read("backup", false, YamlValue::bool);
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
    if (!section.isMapping("balance")) {
      return section.read("balance", new Balance.LeastOutstanding(), v -> v.choice(BALANCES));
    }
    YamlSection hash = section.sectionOrEmpty("balance");
    Optional<Balance> byCookie = hash.value("cookie").flatMap(UpstreamYaml::token).map(Balance.ByCookie::new);
    Optional<Balance> byHeader = hash.value("header").flatMap(UpstreamYaml::token).map(Balance.ByHeader::new);
    if (hash.has("cookie") == hash.has("header")) {
      section.problem("balance", "names " + (hash.has("cookie") ? "a cookie and a header" : "neither cookie nor header"),
          "write {cookie: NAME} or {header: NAME}");
    }
    return byCookie.or(() -> byHeader).orElse(new Balance.LeastOutstanding());
  }

  private static Optional<String> token(YamlValue value) {
    return value.text().matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is no name of a cookie or header", "use letters, digits and hyphens");
  }

  private static Health health(YamlSection section) {
    Duration every = section.read("every", Duration.ofSeconds(5), v -> v.duration(Duration.ofMillis(100), DAY));
    List<Integer> status =
        section.value("status").flatMap(UpstreamYaml::statuses).orElse(List.of(200, 399));
    return new Health(
        section.required("path", UpstreamYaml::path, "write one that tells whether the app is well, like /health").orElse("/"),
        every,
        section.read("timeout", Duration.ofSeconds(2), v -> v.duration(Duration.ofMillis(50), Duration.ofMinutes(1))),
        status.getFirst(),
        status.getLast(),
        section.read("healthy", 2, v -> v.integer(1, 100)),
        section.read("unhealthy", 3, v -> v.integer(1, 100)));
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
        section.read("failures", Passive.USUAL.failures(), v -> v.integer(0, 1000)),
        section.read("window", Passive.USUAL.window(), v -> v.duration(Duration.ofMillis(100), DAY)),
        section.read("outFor", Passive.USUAL.outFor(), v -> v.duration(Duration.ofMillis(100), DAY)),
        new HashSet<>(
            section.values("statuses").stream().flatMap(v -> v.integer(500, 599).stream()).toList()));
  }

  private static Connections connections(YamlSection section) {
    YamlSection limits = section.sectionOrEmpty("connections");
    return new Connections(
        limits.read("perServer", 0, v -> v.integer(0, 1_000_000)),
        limits.value("idle").flatMap(v -> v.integer(0, 100_000)),
        section.value("keepAlive").flatMap(v -> v.duration(Duration.ZERO, DAY)));
  }

  private static Times times(YamlSection section) {
    return new Times(
        time(section, "connect"), time(section, "tls"), time(section, "firstByte"), time(section, "betweenBytes"),
        time(section, "whole"));
  }

  private static Optional<Duration> time(YamlSection section, String name) {
    return section.value(name).flatMap(v -> v.duration(Duration.ofMillis(50), DAY));
  }

  private static Retries retries(YamlSection section) {
    return new Retries(
        section.read("most", Retries.USUAL.most(), v -> v.integer(0, 10)),
        section.read("budget", Retries.USUAL.budget(), v -> v.integer(0, 100)));
  }
}
