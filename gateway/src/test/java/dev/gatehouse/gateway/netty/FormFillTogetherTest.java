package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.ResponseConfig;
import dev.gatehouse.common.realm.ResponseConfig.SecurityField;
import dev.gatehouse.common.realm.RewriteConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Form fill together with what else a route has, and with itself. */
@Timeout(60)
class FormFillTogetherTest {

  private static final String PAGE = "Accept: text/html";

  private static FormFillConfig fill(String page) {
    return new FormFillConfig(
        "legacy",
        new FormRule(page, Set.of(200), Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
        Map.of("username", new Source.User(), "password", new Source.Stored("password")),
        Optional.empty(), Failure.NONE, Optional.empty(), 20);
  }

  private static void store(TestGateway gateway) {
    gateway
        .secrets()
        .put(
            new AuditEvent.Context("demo", "-", Optional.empty()), new PersonId("idp!alice"), "legacy",
            Map.of("password", "sesame"));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAppUnderAnotherPathIsLoggedInToInTheBrowsersWords() throws Exception {
    RawApp.Behaviour behaviour =
        (request, in, out, socket) -> {
          String body = new String(RawApp.readBody(request, in), StandardCharsets.UTF_8);
          String html =
              "<form method=post action=login><input name=username><input type=password name=password></form>";
          boolean known = request.head().contains("\r\nCookie: sid=1; theme=dark") && body.contains("password=sesame");
          String answer =
              request.requestLine().startsWith("GET /base/login ")
                  ? "200 OK\r\nContent-Type: text/html\r\nSet-Cookie: sid=1; Path=/base\r\n"
                      + "Set-Cookie: theme=dark; Path=/base\r\nContent-Length: " + html.length() + "\r\n\r\n" + html
                  : known
                      ? "302 Found\r\nLocation: /base/home\r\nSet-Cookie: sid=2; Path=/base\r\n"
                          + "Content-Length: 0\r\n\r\n"
                      : "403 Forbidden\r\nContent-Length: 0\r\n\r\n";
          out.write(("HTTP/1.1 " + answer).getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(behaviour)) {
      URI upstream = URI.create("http://127.0.0.1:" + app.port() + "/base");
      RouteConfig route =
          TestRoutes.withResponse(
              TestRoutes.withRewrite(
                  TestRoutes.withFormFill(
                      TestRealms.route("old", "/old/", upstream, new Access.Protected()), fill("/old/login")),
                  new RewriteConfig(Optional.of(new RewriteConfig.Paths("/old/", "/")), true, true)),
              new ResponseConfig(
                  List.of(new SecurityField("X-Frame-Options", "SAMEORIGIN")),
                  ResponseConfig.PLAIN.errorPages(),
                  Optional.empty()));
      Realm realm =
          TestRealms.change(TestRealms.demo())
              .spUrls("http://app.localhost", "https://app.localhost")
              .routes(route)
              .realm();
      try (TestGateway gateway = TestGateway.of(realm);
          RawClient client = gateway.connect()) {
        String token = gateway.sessions().open("alice", List.of(), List.of());
        store(gateway);
        Response answer = client.get("/old/login", PAGE, "Cookie: gh_app=" + token).read();
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.field("Location")).contains("/old/home");
        assertThat(answer.fields())
            .contains(
                "Set-Cookie: sid=2; Path=/old", "Set-Cookie: theme=dark; Path=/old", "X-Frame-Options: SAMEORIGIN");
        assertThat(answer.fields()).noneMatch(field -> field.contains("sid=1"));
      }
    }
  }

  @Test
  void tabsThatAskTogetherAreAllLoggedIn() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    try (LoginApp app = new LoginApp();
        TestGateway gateway = TestGateway.of(FormFillTest.realm(app.app().port(), fill("/legacy/login")));
        RawClient one = gateway.connect();
        RawClient other = gateway.connect()) {
      app.page(
          html -> {
            asked.countDown();
            await(go);
            return html;
          });
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway);
      one.get("/legacy/login", PAGE, "Cookie: gh_app=" + token);
      other.get("/legacy/login", PAGE, "Cookie: gh_app=" + token);
      await(asked);
      gateway.time().advance(Duration.ofSeconds(1));
      go.countDown();
      for (RawClient tab : List.of(one, other)) {
        Response answer = tab.read();
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.field("Location")).contains("/legacy/");
      }
      assertThat(app.posted()).hasSize(2);
      // A form that is asked for after the answer says no, as ever.
      assertThat(one.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read().field("Location"))
          .hasValueSatisfying(to -> assertThat(to).contains("why=wrong"));
      assertThat(app.posted()).hasSize(2);
    }
  }
}
