package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.route.Routes;
import dev.gatehouse.gateway.route.VirtualHost;
import dev.gatehouse.gateway.upstream.AppTimers;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import dev.gatehouse.gateway.upstream.Upstreams;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What Prometheus reads of histograms, and that a configuration of thousands of routes does not make it large. */
class PublishedFamilyTest {

  private static final int ROUTES = 10_000;
  private static final int MOST = 50;

  private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MetricFamilies histograms =
      new MetricFamilies(family -> meters.getPrometheusRegistry().register(new PublishedFamily(family)));
  private final Upstreams upstreams = new Upstreams(UpstreamTimeouts.of(NodeLimits.USUAL), AppTimers.of(histograms, MOST));

  private static Realm realm(int from, int count) {
    List<RouteConfig> routes = IntStream.range(from, from + count).mapToObj(PublishedFamilyTest::route).toList();
    return TestRealms.change(TestRealms.demo()).spUrls("http://app.localhost").routes(routes.toArray(RouteConfig[]::new)).realm();
  }

  private static RouteConfig route(int i) {
    URI app = URI.create("http://10.1." + i / 250 + "." + (i % 250 + 1) + ":9000");
    return TestRealms.route("route-" + i, "/" + i + "/", app, new Access.Public());
  }

  @Test
  void tenThousandRoutesAndServersHaveABoundedNumberOfSeries() {
    FixedRealms realms = new FixedRealms(realm(0, ROUTES));
    Routes routes = new Routes(realms, true, upstreams);
    for (int i = 0; i < ROUTES; i++) {
      Route route = find(routes, i);
      route.timer().record(200, 2_000_000);
      route.timer().record(503, 2_000_000);
      route.upstream().members().getFirst().server().took(200, 1_000_000);
    }
    String scrape = meters.scrape();
    assertThat(series(scrape, "gatehouse_gateway_request_duration_seconds_count")).hasSize(2 * (MOST + 1));
    assertThat(series(scrape, "gatehouse_gateway_upstream_duration_seconds_count")).hasSize(MOST + 1);
    assertThat(series(scrape, "gatehouse_gateway_request_duration_seconds_count"))
        .contains(
            "gatehouse_gateway_request_duration_seconds_count{realm=\"demo\",route=\"route-7\",status=\"2xx\",upstream=\"10.1.0.8:9000\"} 1",
            "gatehouse_gateway_request_duration_seconds_count{realm=\"other\",route=\"other\",status=\"5xx\",upstream=\"other\"} "
                + (ROUTES - MOST));
    assertThat(scrape.length()).isLessThan(1_000_000);

    // Hundreds of configurations one after the other do not add up.
    for (int i = 1; i <= 300; i++) {
      realms.set(realm(i * 40, 40));
      find(routes, i * 40).timer().record(200, 1);
    }
    assertThat(series(meters.scrape(), "gatehouse_gateway_request_duration_seconds_count")).hasSizeLessThanOrEqualTo(2 * (MOST + 1));
  }

  @Test
  void bucketsAreCumulativeAsPrometheusWantsThem() {
    Routes routes = new Routes(new FixedRealms(realm(0, 1)), true, upstreams);
    find(routes, 0).timer().record(200, 300_000);
    find(routes, 0).timer().record(200, 30_000_000);
    find(routes, 0).timer().record(200, 30_000_000_000L);
    String labels = "{realm=\"demo\",route=\"route-0\",status=\"2xx\",upstream=\"10.1.0.1:9000\"";
    assertThat(meters.scrape())
        .contains(
            "# TYPE gatehouse_gateway_request_duration_seconds histogram\n",
            "gatehouse_gateway_request_duration_seconds_bucket" + labels + ",le=\"2.5E-4\"} 0\n",
            "gatehouse_gateway_request_duration_seconds_bucket" + labels + ",le=\"5.0E-4\"} 1\n",
            "gatehouse_gateway_request_duration_seconds_bucket" + labels + ",le=\"0.05\"} 2\n",
            "gatehouse_gateway_request_duration_seconds_bucket" + labels + ",le=\"10.0\"} 2\n",
            "gatehouse_gateway_request_duration_seconds_bucket" + labels + ",le=\"+Inf\"} 3\n",
            "gatehouse_gateway_request_duration_seconds_count" + labels + "} 3\n",
            "gatehouse_gateway_request_duration_seconds_sum" + labels + "} 30.0303\n");
  }

  private static List<String> series(String scrape, String name) {
    return scrape.lines().filter(line -> line.startsWith(name + "{")).toList();
  }

  private static Route find(Routes routes, int i) {
    byte[] bytes = ("/" + i + "/x").getBytes(StandardCharsets.US_ASCII);
    VirtualHost site = routes.table().site("app.localhost").orElseThrow();
    RequestPath path = RequestPath.of(bytes, 0, bytes.length).orElseThrow();
    return switch (site.find(site.origins().iterator().next(), path, "GET")) {
      case Match.Found(Route route) -> route;
      case Match other -> throw new AssertionError(other);
    };
  }
}
