package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.AdminResource.Switched;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.ErrorPages;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.ResponseConfig;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Error pages of an administrator's own, and maintenance. */
@Timeout(60)
class ErrorPagesTest {

  private static final String BROWSER = "Sec-Fetch-Mode: navigate";

  private static Realm realm(int port, ResponseConfig response, ErrorPages ofRealm) {
    URI app = URI.create("http://127.0.0.1:" + port);
    Realm realm =
        TestRealms.change(TestRealms.demo())
            .spUrls("http://app.localhost", "https://app.localhost")
            .routes(
                TestRoutes.withResponse(TestRealms.route("shop", "/shop/", app, new Access.Public()), response),
                TestRoutes.withResponse(TestRealms.route("people", "/people/", app, new Access.Protected()), response))
            .realm();
    return TestRealms.change(realm).gateway(new GatewayConfig(realm.gateway().routes(), List.of(), ofRealm)).realm();
  }

  private static ResponseConfig pages(Map<String, String> byStatus) {
    return new ResponseConfig(List.of(), new ErrorPages(byStatus), Optional.empty());
  }

  private static ResponseConfig under(Maintenance maintenance) {
    return new ResponseConfig(List.of(), ErrorPages.NONE, Optional.of(maintenance));
  }

  @Test
  void anAppThatFailsIsAnsweredByTheRoutesPageWithStatusAndReference() throws Exception {
    ResponseConfig pages = pages(Map.of("502", "<h1>{{status}}</h1><p>Tell us {{reference}}</p>", "5xx", "other"));
    try (TestGateway gateway = TestGateway.of(realm(1, pages, new ErrorPages(Map.of("404", "<b>nothing</b>"))));
        RawClient client = gateway.connect()) {
      Response failed = client.get("/shop/", BROWSER).read();
      assertThat(failed.status()).isEqualTo(502);
      assertThat(failed.body()).matches("<h1>502</h1><p>Tell us [a-z0-9]{12}</p>");
      assertThat(failed.field("Content-Type")).contains("text/html;charset=utf-8");
      assertThat(failed.field("Content-Security-Policy").orElseThrow()).contains("default-src 'none'");
      assertThat(failed.field("Cache-Control")).contains("no-store");
      // The realm's page where no route is concerned; JSON for who is no browser.
      assertThat(client.get("/nowhere", BROWSER).read().body()).isEqualTo("<b>nothing</b>");
      assertThat(client.get("/nowhere").read().body()).contains("\"error\":\"not-found\"");
    }
  }

  @Test
  void aRouteUnderMaintenanceAnswers503WithItsPageAndWhenToComeBack() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"))) {
      Maintenance on = new Maintenance(true, Optional.empty(), Optional.of("<i>back soon</i>"), List.of(), Set.of("admin"));
      try (TestGateway gateway = TestGateway.of(realm(app.port(), under(on), ErrorPages.NONE));
          RawClient client = gateway.connect()) {
        Response response = client.get("/shop/", BROWSER).read();
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("<i>back soon</i>");
        assertThat(response.field("Retry-After")).contains("300");
        // Nobody is sent to a login for that; who has the role passes.
        assertThat(client.get("/people/", BROWSER).read().status()).isEqualTo(503);
        String admin = gateway.sessions().open("ann", List.of("admin"), List.of());
        String other = gateway.sessions().open("bob", List.of("staff"), List.of());
        assertThat(client.get("/people/", "Cookie: gh_app=" + other).read().status()).isEqualTo(503);
        assertThat(client.get("/people/", "Cookie: gh_app=" + admin).read().status()).isEqualTo(200);
        assertThat(app.received()).hasSize(1);
      }
    }
  }

  @Test
  void maintenanceEndsByItselfAndAddressesMayPass() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"))) {
      Cidr loopback = new Cidr(InetAddress.ofLiteral("127.0.0.0"), 8);
      Maintenance notForUs = new Maintenance(true, Optional.empty(), Optional.empty(), List.of(loopback), Set.of());
      try (TestGateway gateway = TestGateway.of(realm(app.port(), under(notForUs), ErrorPages.NONE));
          RawClient client = gateway.connect()) {
        assertThat(client.get("/shop/").read().status()).isEqualTo(200);
      }
      try (TestGateway gateway = TestGateway.of(realm(app.port(), ResponseConfig.PLAIN, ErrorPages.NONE));
          RawClient client = gateway.connect()) {
        Instant end = gateway.time().instant().plus(Duration.ofMinutes(10));
        gateway.maintenance().set("demo", "shop", new Switched(true, Optional.of(end)));
        assertThat(client.get("/shop/").read().field("Retry-After")).contains("600");
        gateway.time().advance(Duration.ofMinutes(10));
        assertThat(client.get("/shop/").read().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whatIsSwitchedComesBeforeTheConfigurationAndOutlivesARestart(@TempDir Path data) {
    Path file = data.resolve("maintenance");
    var route = realm(1, under(new Maintenance(true, Optional.empty(), Optional.empty(), List.of(), Set.of())), ErrorPages.NONE)
        .gateway().routes().getFirst();
    Instant now = Instant.EPOCH;
    MaintenanceSwitches switches = new MaintenanceSwitches(Optional.of(file));
    assertThat(switches.of("demo", route, now)).isPresent();
    switches.set("demo", "shop", new Switched(false, Optional.empty()));
    assertThat(switches.of("demo", route, now)).isEmpty();
    assertThat(new MaintenanceSwitches(Optional.of(file)).of("demo", route, now)).isEmpty();
    switches.set("demo", "shop", new Switched(true, Optional.of(now.plusSeconds(9))));
    MaintenanceSwitches again = new MaintenanceSwitches(Optional.of(file));
    assertThat(again.of("demo", route, now)).hasValueSatisfying(m -> assertThat(m.until()).contains(now.plusSeconds(9)));
    assertThat(again.of("demo", route, now.plusSeconds(9))).isEmpty();
    assertThat(again.clear("demo", "shop")).isTrue();
    assertThat(again.clear("demo", "shop")).isFalse();
    assertThat(new MaintenanceSwitches(Optional.of(file)).find("demo", "shop")).isEmpty();
  }
}
