package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Basic;
import dev.gatehouse.common.realm.InjectConfig.Convention;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.InjectConfig.Password;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other proxies ask whether a request may pass: the answer is the one that the request itself would have got. */
@Timeout(60)
class ForwardAuthTest {

  private static final Cidr LOOPBACK = new Cidr(InetAddress.ofLiteral("127.0.0.0"), 8);
  private static final String NAVIGATION = "Accept: text/html";

  private interface Use {
    void with(TestGateway gateway, RawClient client, RawApp app) throws IOException;
  }

  private static void asked(Use use) throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("app"));
        TestGateway gateway = TestGateway.trusting(app, LOOPBACK);
        RawClient client = gateway.connect()) {
      use.with(gateway, client, app);
      assertThat(app.received()).as("nothing is forwarded").isEmpty();
    }
  }

  /** A question as that proxy asks it, about a GET of {@code http://app.localhost} and that target. */
  private static Response ask(RawClient client, String proxy, String target, String... lines) throws IOException {
    List<String> question = new ArrayList<>(List.of(lines));
    String path = "/.gatehouse/forward-auth/" + proxy;
    String host = "auth.internal:8080";
    switch (proxy) {
      case "nginx" -> {
        question.add("X-Original-URL: http://app.localhost" + target);
        question.add("X-Original-Method: GET");
      }
      case "envoy" -> {
        path += target;
        host = "app.localhost";
        question.add("X-Forwarded-Proto: http");
      }
      default -> {
        question.add("X-Forwarded-Method: GET");
        question.add("X-Forwarded-Proto: http");
        question.add("X-Forwarded-Host: app.localhost");
        question.add("X-Forwarded-Uri: " + target);
      }
    }
    return client
        .send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + String.join("\r\n", question) + "\r\n\r\n")
        .read();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "traefik", "caddy", "haproxy", "envoy"})
  void whoMayPassIsTold(String proxy) throws IOException {
    asked(
        (gateway, client, app) -> {
          String alice =
              gateway.sessions().open("j\u00f6rg", List.of(), List.of("staff", "a,b"), Map.of("mail", List.of("a@b"), "cn", List.of("J")));
          Response response = ask(client, proxy, "/page?x=1", "Cookie: gh_app=" + alice, "Remote-User: forged");
          assertThat(response.status()).isEqualTo(200);
          assertThat(response.body()).isEmpty();
          assertThat(response.fields())
              .contains(
                  "Remote-User: j\u00c3\u00b6rg", "Remote-Groups: staff,a%2cb", "Remote-Name: J", "Remote-Email: a@b",
                  "X-Auth-Request-User: j\u00c3\u00b6rg", "X-Auth-Request-Preferred-Username: j\u00c3\u00b6rg",
                  "X-Auth-Request-Groups: staff,a%2cb", "X-Auth-Request-Email: a@b", "X-Identity: j\u00c3\u00b6rg", "X-Mail: a@b",
                  "Cache-Control: no-store")
              .doesNotHaveDuplicates()
              .noneMatch(field -> field.contains("forged"));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "traefik", "caddy", "haproxy", "envoy"})
  void whoMayNotIsDeniedWithTheReasonOfADirectRequest(String proxy) throws IOException {
    asked(
        (gateway, client, app) -> {
          String alice = gateway.sessions().open("alice", List.of("employee"), List.of());
          Response response = ask(client, proxy, "/manager/x", "Cookie: gh_app=" + alice, "X-Forwarded-For: 203.0.113.7");
          assertThat(response.status()).isEqualTo(403);
          assertThat(response.field("X-Gatehouse-Reason")).contains("ROLE_MISSING");
          AccessDenied event = gateway.audit().events(AccessDenied.class).getFirst();
          assertThat(event.person()).isEqualTo("idp!alice");
          assertThat(event.route()).isEqualTo("manager");
          assertThat(event.reason()).isEqualTo("ROLE_MISSING");
          assertThat(event.context().toString()).contains("203.0.113.7");
        });
  }

  @Test
  void nginxIsToldWhereTheLoginBegins() throws IOException {
    asked(
        (gateway, client, app) -> {
          Response navigation = ask(client, "nginx", "/page", NAVIGATION);
          assertThat(navigation.status()).isEqualTo(401);
          assertThat(navigation.field("X-Gatehouse-Login")).contains("http://app.localhost/.gatehouse/login?return=/page");
          Response script = ask(client, "nginx", "/page", "Sec-Fetch-Mode: cors", NAVIGATION);
          assertThat(script.status()).isEqualTo(401);
          assertThat(script.field("X-Gatehouse-Login")).isEmpty();
          assertThat(gateway.serviceProvider().challenged()).isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"traefik", "caddy", "haproxy", "envoy"})
  void othersRedirectToTheLogin(String proxy) throws IOException {
    asked(
        (gateway, client, app) -> {
          Response response = ask(client, proxy, "/page", NAVIGATION);
          assertThat(response.status()).isEqualTo(302);
          assertThat(response.field("Location")).contains("http://app.localhost/.gatehouse/login?return=/page");
          assertThat(response.field("Set-Cookie")).isEmpty();
        });
  }

  @Test
  void aPublicPageTellsOfNobodyAndEnvoyRemovesWhatTheClientSays() throws IOException {
    asked(
        (gateway, client, app) -> {
          String alice = gateway.sessions().open("alice", List.of(), List.of());
          Response response = ask(client, "envoy", "/public/", "Cookie: gh_app=" + alice);
          assertThat(response.status()).isEqualTo(200);
          assertThat(response.fields()).noneMatch(field -> field.contains("alice"));
          assertThat(response.field("X-Envoy-Auth-Headers-To-Remove").orElseThrow())
              .contains("remote-user", "remote-groups", "remote-email", "remote-name", "x-auth-request-user");
          assertThat(ask(client, "nginx", "/public/").field("X-Envoy-Auth-Headers-To-Remove")).isEmpty();
        });
  }

  @Test
  void onlyTrustedProxiesMayAsk() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("app"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      for (String proxy : List.of("nginx", "traefik", "envoy")) {
        Response response = ask(client, proxy, "/page", "Cookie: gh_app=" + alice);
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.fields()).noneMatch(field -> field.contains("alice"));
      }
      assertThat(gateway.denials()).hasSize(3).containsOnly("FORWARD_AUTH_UNTRUSTED");
      assertThat(app.received()).isEmpty();
    }
  }

  /** The other proxy sends the path on as it came: nothing may be decided about another reading of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/public/../page", "/public/%2e%2e/page", "//page", "/page/.", "/a/./b", "/public/..;/manager/", "/a%2fb", "/a%5cb",
        "/%252e%252e/x", "/.gatehouse/login", "/%2egatehouse/login", "/.gatehouse", "/manager/../public/"
      })
  void whatReadersDifferAboutMayNotPass(String target) throws IOException {
    asked(
        (gateway, client, app) -> {
          String bob = gateway.sessions().open("bob", List.of("manager"), List.of());
          Response response = ask(client, "nginx", target, "Cookie: gh_app=" + bob);
          assertThat(response.status()).isEqualTo(403);
          assertThat(response.field("X-Gatehouse-Reason").orElseThrow()).isIn("PATH_AMBIGUOUS", "ROUTE_NOT_FOUND");
          int traefik = ask(client, "traefik", target, "Cookie: gh_app=" + bob).status();
          assertThat(traefik).isIn(400, 404);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "'X-Original-URL: http://app.localhost/page'",
    "'X-Original-Method: GET'",
    "'X-Original-Method: GET|X-Original-URL: /page'",
    "'X-Original-Method: GET|X-Original-URL: http://app.localhost'",
    "'X-Original-Method: GET|X-Original-URL: gopher://app.localhost/page'",
    "'X-Original-Method: GET|X-Original-URL: http://app.localhost/a b'",
    "'X-Original-Method: get|X-Original-URL: http://app.localhost/page'",
    "'X-Original-Method: TRACE|X-Original-URL: http://app.localhost/page'",
    "'X-Original-Method: GET /x|X-Original-URL: http://app.localhost/page'",
    "'X-Original-Method: GET|X-Original-Method: POST|X-Original-URL: http://app.localhost/page'",
    "'X-Original-Method: GET|X-Original-URL: http://app.localhost/page|X-Original-URL: http://app.localhost/public/'",
    "'X-Original-Method: GET|X-Original-URL: http://alice@app.localhost/page'",
    "'X-Original-Method: GET|X-Original-URL: http://app.localhost, evil/page'",
  })
  void aQuestionThatIsNoneIsRefused(String lines) throws IOException {
    asked(
        (gateway, client, app) -> {
          String alice = gateway.sessions().open("alice", List.of(), List.of());
          client.send(
              "GET /.gatehouse/forward-auth/nginx HTTP/1.1\r\nHost: auth\r\nCookie: gh_app=" + alice + "\r\n"
                  + lines.replace("|", "\r\n") + "\r\n\r\n");
          Response response = client.read();
          assertThat(response.status()).isIn(400, 403);
          assertThat(response.fields()).noneMatch(field -> field.contains("alice"));
          assertThat(gateway.denials().getFirst()).isIn("FORWARD_AUTH_UNREADABLE", "HOST");
        });
  }

  @Test
  void hostsOfNobodyAndUnknownProxiesGetNothing() throws IOException {
    asked(
        (gateway, client, app) -> {
          client.send(
              "GET /.gatehouse/forward-auth/nginx HTTP/1.1\r\nHost: app.localhost\r\nX-Original-Method: GET\r\n"
                  + "X-Original-URL: http://evil.localhost/public/\r\n\r\n");
          Response unknown = client.read();
          assertThat(unknown.status()).isEqualTo(403);
          assertThat(unknown.field("X-Gatehouse-Reason")).contains("HOST_UNKNOWN");
          assertThat(ask(client, "apache", "/page").status()).isEqualTo(404);
          assertThat(ask(client, "traefik/x", "/page").status()).isEqualTo(404);
        });
  }

  @Test
  void theMethodThatIsAskedForIsWhatIsDecided() throws IOException {
    asked(
        (gateway, client, app) -> {
          client.send(
              "GET /.gatehouse/forward-auth/traefik HTTP/1.1\r\nHost: auth\r\nX-Forwarded-Method: POST\r\n"
                  + "X-Forwarded-Proto: http\r\nX-Forwarded-Host: app.localhost\r\nX-Forwarded-Uri: /form/\r\n"
                  + "Accept: text/html\r\n\r\n");
          Response response = client.read();
          // A form that met a login: the page that says so, and nothing is kept of what another proxy holds.
          assertThat(response.status()).isEqualTo(409);
          assertThat(response.body()).isEqualTo("not kept");
          assertThat(gateway.serviceProvider().challenged().getFirst().method()).isEqualTo("POST");
        });
  }

  @Test
  void aNameThatCannotBeSentDoesNotPass() throws IOException {
    asked(
        (gateway, client, app) -> {
          String odd = gateway.sessions().open("a\nb", List.of(), List.of());
          Response response = ask(client, "nginx", "/page", "Cookie: gh_app=" + odd);
          assertThat(response.status()).isEqualTo(403);
          assertThat(response.field("X-Gatehouse-Reason")).contains("IDENTITY_NOT_SENDABLE");
        });
  }

  @Test
  void aPasswordForTheAppIsToldToNobodyAndATokenIs() throws IOException {
    Basic basic = new Basic("user", new Password.Shared(new Secret("s3cret")));
    Jwt jwt = new Jwt("X-Token", List.of("app"), Map.of(), Duration.ofSeconds(60), Algorithm.ES256);
    try (RawApp app = RawApp.answering(RawApp.ok("app"));
        TestGateway gateway =
            TestGateway.trusting(
                app,
                LOOPBACK,
                new InjectConfig(
                    Map.of(), Map.of("uid", "user"), Map.of("C", "user"), Optional.of(basic), Optional.of(jwt),
                    Set.of(Convention.REMOTE)));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      Response response = ask(client, "traefik", "/page", "Cookie: gh_app=" + alice);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.field("Remote-User")).contains("alice");
      assertThat(response.field("X-Token").orElseThrow()).startsWith("ey");
      assertThat(response.field("Authorization")).isEmpty();
      assertThat(response.field("X-Auth-Request-User")).isEmpty();
    }
  }

  @Test
  void aRouteThatAnotherProxyServesAnswersNobodyDirectly() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("app"));
        TestGateway gateway = TestGateway.trusting(app, LOOPBACK, InjectConfig.headers(Map.of("Remote-User", "user")), UpstreamConfig.NONE);
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      assertThat(client.get("/page", "Cookie: gh_app=" + alice).read().status()).isEqualTo(404);
      assertThat(gateway.denials()).containsExactly("ROUTE_NOT_FOUND");
      assertThat(ask(client, "caddy", "/page", "Cookie: gh_app=" + alice).field("Remote-User")).contains("alice");
    }
  }
}
