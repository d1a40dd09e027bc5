package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Post;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.FormFillConfig.Type;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.sp.session.AppSession;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An app with a login form of its own: people do not see it, and nobody sees what it is filled with. */
class FormFillTest {

  private static final String PAGE = "Accept: text/html";

  private static final Map<String, Source> STORED =
      Map.of("username", new Source.User(), "password", new Source.Stored("password"));
  private static final Map<String, Source> OF_THE_LOGIN =
      Map.of("username", new Source.User(), "password", new Source.Password());

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private LoginApp app;

  @BeforeEach
  void start() throws IOException {
    app = new LoginApp();
    log.start();
    ((Logger) LoggerFactory.getLogger("ROOT")).addAppender(log);
  }

  @AfterEach
  void stop() throws IOException {
    ((Logger) LoggerFactory.getLogger("ROOT")).detachAppender(log);
    app.close();
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).noneMatch(
        line -> line.contains("sesame") || line.contains("secret-1"));
  }

  static FormFillConfig fill(Map<String, Source> fields) {
    return new FormFillConfig(
        "legacy",
        new FormRule("/legacy/login", Set.of(200), Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
        fields, Optional.empty(), Failure.NONE, Optional.empty(), 20);
  }

  private TestGateway gateway(FormFillConfig fill) {
    return TestGateway.of(realm(app.app().port(), fill));
  }

  static Realm realm(int port, FormFillConfig fill) {
    URI upstream = URI.create("http://127.0.0.1:" + port);
    RouteConfig route = TestRoutes.withFormFill(TestRealms.route("legacy", "/legacy/", upstream, new Access.Protected()), fill);
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(route, TestRealms.route("app", "/", upstream, new Access.Protected()))
        .realm();
  }

  private static void store(TestGateway gateway, String user, String password) {
    gateway
        .secrets()
        .put(
            new AuditEvent.Context("demo", "-", Optional.empty()), new PersonId("idp!" + user), "legacy",
            Map.of("password", password));
  }

  @Test
  void aPersonIsLoggedInWithoutSeeingTheForm() throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token + "; lang=de").read();
      assertThat(answer.status()).isEqualTo(302);
      assertThat(answer.field("Location")).contains("/legacy/");
      assertThat(answer.body()).isEmpty();
      // Both steps' cookies, the later one where both set it, and none of ours.
      assertThat(answer.fields()).filteredOn(f -> f.startsWith("Set-Cookie"))
          .containsExactlyInAnyOrder(
              "Set-Cookie: sid=session2; Path=/legacy; HttpOnly", "Set-Cookie: theme=dark; Path=/legacy");
      assertThat(answer.fields()).anyMatch(f -> f.contains("no-store"));
      // The app got the browser's cookie, its own new one, and nothing of ours.
      String head = app.app().received().get(1).head();
      assertThat(head).contains("Cookie: lang=de; sid=anonymous1; theme=dark").doesNotContain("gh_app");
      assertThat(head).contains("Referer: http://app.localhost/legacy/login").contains("Remote-User: alice");
      assertThat(app.posted()).containsExactly("csrf=token-anonymous1&username=alice&password=sesame&go=Log+in");

      Response page = client.get("/legacy/", PAGE, "Cookie: gh_app=" + token + "; sid=session2").read();
      assertThat(page.body()).contains("Hello alice");
    }
  }

  @Test
  void twoPeopleOnOneConnectionGetTheirOwn() throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      String bob = gateway.sessions().open("bob", List.of(), List.of());
      store(gateway, "alice", "sesame");
      store(gateway, "bob", "open");
      client.get("/legacy/login", PAGE, "Cookie: gh_app=" + alice);
      client.get("/legacy/login", PAGE, "Cookie: gh_app=" + bob);
      assertThat(client.read().status()).isEqualTo(302);
      assertThat(client.read().status()).isEqualTo(302);
      assertThat(app.posted()).extracting(FormFillTest::credentials).containsExactly("alice/sesame", "bob/open");
    }
  }

  private static String credentials(String body) {
    return body.replaceAll(".*username=([^&]*)&password=([^&]*).*", "$1/$2");
  }

  @Test
  void whatIsMissingIsAskedForOnce() throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      Response answer = client.get("/legacy/login?next=1", PAGE, "Cookie: gh_app=" + token).read();
      assertThat(answer.status()).isEqualTo(303);
      assertThat(answer.field("Location"))
          .contains("/.gatehouse/secrets?app=legacy&why=missing&back=%2Flegacy%2Flogin%3Fnext%3D1");
      assertThat(answer.field("Cache-Control")).contains("no-store");
      assertThat(app.posted()).isEmpty();
    }
  }

  @Test
  void whatWasNotAcceptedIsNotTriedAgainUntilItIsCorrected() throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "secret-1");
      for (int i = 0; i < 3; i++) {
        Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read();
        assertThat(answer.field("Location")).hasValueSatisfying(to -> assertThat(to).contains("why=wrong"));
        assertThat(answer.body()).doesNotContain("secret-1");
      }
      assertThat(app.posted()).hasSize(1);
      assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).anyMatch(l -> l.contains("NOT_ACCEPTED"));

      gateway.time().advance(Duration.ofSeconds(1));
      store(gateway, "alice", "sesame");
      assertThat(client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read().status()).isEqualTo(302);
    }
  }

  @Test
  void aFormThatComesAgainAfterARedirectionEndsTheCircle() throws IOException {
    FormFillConfig fill = fill(STORED);
    try (RawApp looping =
            new RawApp(
                (request, in, out, socket) -> {
                  RawApp.readBody(request, in);
                  String html = LoginApp.form("", "x");
                  String answer =
                      request.head().startsWith("POST")
                          ? "HTTP/1.1 302 Found\r\nLocation: /legacy/login\r\nContent-Length: 0\r\n\r\n"
                          : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + html.length() + "\r\n\r\n"
                              + html;
                  out.write(answer.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                });
        TestGateway gateway = TestGateway.of(realm(looping.port(), fill));
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      assertThat(client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read().status()).isEqualTo(302);
      Response second = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read();
      assertThat(second.field("Location")).hasValueSatisfying(to -> assertThat(to).contains("why=wrong"));
      assertThat(looping.received()).filteredOn(r -> r.head().startsWith("POST")).hasSize(1);
    }
  }

  @Test
  void thePasswordOfTheLoginIsOpenedByItsOwnCookieAlone() throws IOException {
    try (TestGateway gateway = gateway(fill(OF_THE_LOGIN)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      AppSession session = gateway.sessions().load("demo", token);
      gateway.passwords().keep(session, new SessionToken(token), "sesame", new java.util.Random(5));
      assertThat(client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read().status()).isEqualTo(302);
      assertThat(app.posted()).extracting(FormFillTest::credentials).containsExactly("alice/sesame");
      // A person whose login gave no password is asked to log in once more.
      String other = gateway.sessions().open("alice", List.of(), List.of());
      Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + other).read();
      assertThat(answer.field("Location")).hasValueSatisfying(to -> assertThat(to).contains("why=password-unknown"));
      assertThat(gateway.passwords().of(session, new SessionToken(other))).isEmpty();
    }
  }

  @Test
  void nothingIsFilledForScriptsNorAtOtherPages() throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      String cookie = "Cookie: gh_app=" + token;
      Response script = client.get("/legacy/login", "Accept: */*", "Sec-Fetch-Mode: cors", cookie).read();
      assertThat(script.body()).contains("<form id=login");
      assertThat(client.get("/legacy/login/other", PAGE, cookie).read().body()).contains("<form id=login");
      assertThat(app.posted()).isEmpty();
    }
  }

  @Test
  void theAppIsAskedForAWholePageThatCanBeRead() throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token, "Accept-Encoding: gzip, br", "If-None-Match: \"x\"",
          "Range: bytes=0-9").read();
      String head = app.app().only().head();
      assertThat(head).contains("\r\nAccept-Encoding: identity").doesNotContain("gzip").doesNotContain("If-None-Match")
          .doesNotContain("Range: bytes");
    }
  }

  @Test
  void aFormThatIsSentToAnotherHostIsShownAsItIs() throws IOException {
    app.page(html -> html.replace("action=/legacy/login", "action=https://evil.example/legacy/login"));
    assertUntouched("ACTION_ELSEWHERE");
  }

  @Test
  void aPageWithAnotherBaseIsShownAsItIs() throws IOException {
    app.page(html -> html.replace("<body>", "<base href=\"https://evil.example/\"><body>"));
    assertUntouched("ACTION_ELSEWHERE");
  }

  @Test
  void aFormThatIsSentToAnotherPathOfTheAppIsShownAsItIs() throws IOException {
    app.page(html -> html.replace("action=/legacy/login", "action=/legacy/comments"));
    assertUntouched("ACTION_UNEXPECTED");
  }

  @Test
  void aFormThatWouldPutTheSecretIntoAnAddressIsShownAsItIs() throws IOException {
    app.page(html -> html.replace("method=post", "method=get"));
    assertUntouched("METHOD_GET");
  }

  @Test
  void twoFormsThatFitAreShownAsTheyAre() throws IOException {
    app.page(html -> html.replace("</body>", LoginApp.form("", "x") + "</body>"));
    assertUntouched("FORM_AMBIGUOUS");
  }

  @Test
  void aFieldThatIsThereTwiceIsNotFilled() throws IOException {
    app.page(html -> html.replace("<input name=username>", "<input name=username><input type=hidden name=password>"));
    assertUntouched("FIELD_TWICE");
  }

  private void assertUntouched(String reason) throws IOException {
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).contains("<form id=login").doesNotContain("sesame");
      assertThat(app.posted()).isEmpty();
      assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).anyMatch(l -> l.contains(reason));
    }
  }

  @Test
  void anErrorPageWithAFormIsNotTheLoginPage() throws IOException {
    FormFillConfig fill = fill(STORED);
    String html = LoginApp.form("", "x");
    try (RawApp broken =
            RawApp.answering(
                "HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\nContent-Length: " + html.length() + "\r\n\r\n" + html);
        TestGateway gateway = TestGateway.of(realm(broken.port(), fill));
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read();
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.body()).isEqualTo(html);
      assertThat(broken.received()).hasSize(1);
    }
  }

  @Test
  void aHugePageGoesOnAsItComes() throws IOException {
    app.page(html -> html + "x".repeat(700_000));
    try (TestGateway gateway = gateway(fill(STORED)); RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read();
      assertThat(answer.complete()).isTrue();
      assertThat(answer.body().length()).isGreaterThan(700_000);
      assertThat(app.posted()).isEmpty();
    }
  }

  @Test
  void aFormThatAScriptWouldSendIsSentForIt() throws IOException {
    FormFillConfig plain = fill(STORED);
    FormFillConfig script =
        new FormFillConfig(
            "legacy", plain.form(), Map.of(),
            Optional.of(
                new Post("/legacy/api/login", Type.JSON,
                    Map.of("user", new Source.User(), "pass", new Source.Stored("password"),
                        "token", new Source.Control("csrf")))),
            Failure.NONE, Optional.of("/legacy/start"), 20);
    try (RawApp spa =
            new RawApp(
                (request, in, out, socket) -> {
                  String body = new String(RawApp.readBody(request, in), java.nio.charset.StandardCharsets.UTF_8);
                  boolean right = body.contains("\"pass\":\"sesame\"") && body.contains("\"token\":\"token-x\"");
                  String html = LoginApp.form("", "x");
                  String answer =
                      request.head().startsWith("POST /legacy/api/login ")
                          ? "HTTP/1.1 " + (right ? 200 : 401) + " OK\r\nSet-Cookie: sid=1\r\nContent-Type: application/json\r\n"
                              + "Content-Length: 2\r\n\r\n{}"
                          : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + html.length() + "\r\n\r\n"
                              + html;
                  out.write(answer.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                });
        TestGateway gateway = TestGateway.of(realm(spa.port(), script));
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      store(gateway, "alice", "sesame");
      Response answer = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + token).read();
      assertThat(answer.status()).isEqualTo(303);
      assertThat(answer.field("Location")).contains("/legacy/start");
      assertThat(answer.field("Set-Cookie")).contains("sid=1");
      assertThat(spa.received().get(1).head()).contains("Content-Type: application/json");

      String bob = gateway.sessions().open("bob", List.of(), List.of());
      store(gateway, "bob", "secret-1");
      Response refused = client.get("/legacy/login", PAGE, "Cookie: gh_app=" + bob).read();
      assertThat(refused.field("Location")).hasValueSatisfying(to -> assertThat(to).contains("why=wrong"));
    }
  }
}
