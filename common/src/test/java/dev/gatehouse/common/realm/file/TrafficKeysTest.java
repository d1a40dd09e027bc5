package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.GatewayNodeConfig;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.node.NodeLimits.Times;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.ErrorPages;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.ResponseConfig;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.common.realm.ResponseConfig.SecurityField;
import dev.gatehouse.common.realm.RewriteConfig;
import dev.gatehouse.common.realm.RewriteConfig.Paths;
import dev.gatehouse.common.realm.TrafficConfig;
import dev.gatehouse.common.realm.TrafficConfig.Rate;
import dev.gatehouse.common.realm.WebSocketConfig;
import dev.gatehouse.common.realm.yaml.Type;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key about limits, rewriting, WebSockets, security headers, pages and maintenance, and the defaults. */
class TrafficKeysTest {

  private static final String PLACE = "  - path: /\n    upstream: http://127.0.0.1:9000\n";

  @TempDir Path path;

  private RouteConfig route(String keys) {
    String place = PLACE.replace("path: /", "path: /app/");
    return ConfigurationFolder.minimal(path)
        .write("realms/404.html", "<p>{{status}}</p>")
        .write("realms/work.html", "<p>soon</p>")
        .demo(PLACE, place + keys)
        .realm()
        .gateway()
        .routes()
        .getFirst();
  }

  @Test
  void drainOfANode() {
    GatewayNodeConfig usual = ConfigurationFolder.minimal(path).load().node().gateway();
    assertThat(usual.drainDelay()).isEmpty();
    assertThat(usual.limits().times().drain()).isEqualTo(Duration.ofSeconds(15));
    GatewayNodeConfig set = ConfigurationFolder.minimal(path).node("drain: {delay: 0s, grace: 1m}\n").load().node().gateway();
    assertThat(set.drainDelay()).contains(Duration.ZERO);
    assertThat(set.limits().times().drain()).isEqualTo(Duration.ofMinutes(1));
    GatewayNodeConfig former = ConfigurationFolder.minimal(path).node("limits: {times: {drain: 9s}}\n").load().node().gateway();
    assertThat(former.limits().times().drain()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void whatIsMissingIsTheUsual() {
    RouteConfig route = route("");
    assertThat(route.protection().traffic()).isEqualTo(TrafficConfig.USUAL);
    assertThat(route.rewrite()).isEqualTo(RewriteConfig.NONE);
    assertThat(route.response()).isEqualTo(ResponseConfig.PLAIN);
    assertThat(route.protection().webSocket()).isEqualTo(WebSocketConfig.SAME_ORIGIN);
    GatewayNodeConfig node = ConfigurationFolder.minimal(path).load().node().gateway();
    assertThat(node.limits()).isEqualTo(NodeLimits.USUAL);
    assertThat(node.memoryReserve()).isEqualTo(10);
    assertThat(node.bufferMemory()).isEmpty();
  }

  @Test
  void everyKeyOfTheNode() {
    GatewayNodeConfig node =
        ConfigurationFolder.minimal(path)
            .node(
                """
                limits:
                  connections: 5000
                  connectionsPerAddress: 50
                  head: 16KB
                  target: 4KB
                  fields: 64
                  body: 1GB
                  endpointBody: 1MB
                  replayBody: 32KB
                  appConnections: 16
                  connectionBuffer: 64KB
                  minRate: 1000
                  apps: {connections: 400, perServer: 40, queue: 30, queueTime: 3s}
                  times: {head: 1s, body: 2s, idle: 3s, write: 4s, connect: 5s500ms, response: 6s, appIdle: 7s, appSafe: 8s, drain: 9s}
                memory: {reserve: 25%, buffers: 100MB}
                """)
            .load()
            .node()
            .gateway();
    assertThat(node.limits())
        .isEqualTo(
            new NodeLimits(
                5000, 50, new NodeLimits.Messages(16 << 10, 4 << 10, 64, 1L << 30, 1 << 20, 32 << 10), 16,
                new Times(
                    Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(4),
                    Duration.ofMillis(5500), Duration.ofSeconds(6), Duration.ofSeconds(7), Duration.ofSeconds(8),
                    Duration.ofSeconds(9)),
                new NodeLimits.Flow(64 << 10, 1000),
                new NodeLimits.Apps(400, 40, 30, Duration.ofSeconds(3))));
    assertThat(node.memoryReserve()).isEqualTo(25);
    assertThat(node.bufferMemory()).contains(100L << 20);
  }

  @Test
  void placesOfOneFollowThoseOfAllWhereTheyAreFew() {
    ConfigurationFolder folder =
        ConfigurationFolder.minimal(path).node("limits: {connections: 200, apps: {connections: 100}}\n");
    NodeLimits limits = folder.load().node().gateway().limits();
    assertThat(limits.connectionsPerAddress()).isEqualTo(50);
    assertThat(limits.apps().perServer()).isEqualTo(100);
  }

  @Test
  void everyKeyOfARoute() throws Exception {
    RouteConfig route =
        route(
            """
                limits: {body: 10MB, perAddress: 50/s, perPerson: 600/m burst 100, perRoute: 36000/h}
                rewrite: {path: {from: /app, to: /inner}, links: false, cookies: false}
                webSocket: {origins: ["https://pages.example.org"], idle: 1h}
                securityHeaders: {preset: standard, hsts: max-age=60, contentSecurityPolicy: "default-src 'self'",
                  frameOptions: deny, permissionsPolicy: none}
                errorPages: {404: 404.html, 5xx: work.html}
                maintenance: {on: false, until: "2026-12-24T06:00:00+01:00", page: work.html, allow: 10.0.0.0/8, allowRoles: [admin]}
            """);
    assertThat(route.protection().traffic())
        .isEqualTo(
            new TrafficConfig(
                Optional.of(10L << 20),
                Optional.of(new Rate(50, Duration.ofSeconds(1), 50)),
                Optional.of(new Rate(600, Duration.ofMinutes(1), 100)),
                Optional.of(new Rate(36_000, Duration.ofHours(1), 36_000))));
    assertThat(route.rewrite()).isEqualTo(new RewriteConfig(Optional.of(new Paths("/app/", "/inner/")), false, false));
    assertThat(route.protection().webSocket())
        .isEqualTo(new WebSocketConfig(Set.of(new Origin("https", "pages.example.org", 443)), Duration.ofHours(1)));
    assertThat(route.response())
        .isEqualTo(
            new ResponseConfig(
                List.of(
                    new SecurityField("Strict-Transport-Security", "max-age=60"),
                    new SecurityField("Content-Security-Policy", "default-src 'self'"),
                    new SecurityField("X-Frame-Options", "DENY"),
                    new SecurityField("Referrer-Policy", "strict-origin-when-cross-origin"),
                    new SecurityField("X-Content-Type-Options", "nosniff")),
                new ErrorPages(Map.of("404", "<p>{{status}}</p>", "5xx", "<p>soon</p>")),
                Optional.of(
                    new Maintenance(
                        false, Optional.of(Instant.parse("2026-12-24T05:00:00Z")), Optional.of("<p>soon</p>"),
                        List.of(new Cidr(InetAddress.ofLiteral("10.0.0.0"), 8)), Set.of("admin")))));
  }

  @Test
  void shortForms() {
    assertThat(route("    rewrite: {stripPrefix: true}\n").rewrite().paths()).contains(new Paths("/app/", "/"));
    assertThat(route("    securityHeaders: standard\n").response().securityFields())
        .extracting(SecurityField::name)
        .containsExactly(
            "Strict-Transport-Security", "Content-Security-Policy", "X-Frame-Options", "Referrer-Policy",
            "X-Content-Type-Options", "Permissions-Policy");
    assertThat(route("    securityHeaders: none\n").response().securityFields()).isEmpty();
    assertThat(route("    maintenance: {}\n").response().maintenance()).contains(Maintenance.PLAIN.switched(true, Optional.empty()));
  }

  @Test
  void errorPagesOfARealmAndTheMostExactPage() {
    var gateway =
        ConfigurationFolder.minimal(path)
            .write("realms/a.html", "a")
            .write("realms/b.html", "b")
            .write("realms/c.html", "c")
            .demo("routes:\n", "errorPages: {502: a.html, 5xx: b.html, other: c.html}\nroutes:\n")
            .realm()
            .gateway();
    assertThat(gateway.errorPage("/", 502)).contains("a");
    assertThat(gateway.errorPage("/", 503)).contains("b");
    assertThat(gateway.errorPage("-", 404)).contains("c");
  }
}
