package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sign-on by HTTP Basic (RFC 7617): {@code /basic/} for people, {@code /admin/} for administrators, the rest by form. */
final class BasicTest {

  private static final String CHALLENGE = "Basic realm=\"demo\", charset=\"UTF-8\"";

  private RawApp app;
  private TestGateway gateway;

  @BeforeEach
  void start() throws IOException {
    app = RawApp.answering(RawApp.ok("page"));
    gateway = TestGateway.of(realm(URI.create("http://127.0.0.1:" + app.port())));
  }

  @AfterEach
  void stop() throws IOException {
    gateway.close();
    app.close();
  }

  private static Realm realm(URI app) {
    SignOnContract basic = new SignOnContract.Basic(Duration.ofMinutes(1));
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withSignOn(TestRealms.route("basic", "/basic/", app, new Access.Protected()), basic, SessionDemand.NONE),
            TestRoutes.withSignOn(
                TestRealms.route("admin", "/admin/", app, new Access.RequiresRole(Set.of("admin"))),
                basic, SessionDemand.NONE),
            TestRealms.route("app", "/", app, new Access.Protected()))
        .realm();
  }

  private static String basic(String name, String password) {
    byte[] utf8 = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(utf8);
  }

  private static String cookie(Response response) {
    return "Cookie: " + response.field("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private Response get(String path, String... lines) throws IOException {
    try (RawClient client = gateway.connect()) {
      return client.get(path, lines).read();
    }
  }

  @Test
  void whoeverSendsNothingIsAskedAndNotSentAway() throws IOException {
    Response asked = get("/basic/x", "Accept: text/html", "Sec-Fetch-Mode: navigate");

    assertThat(asked.status()).isEqualTo(401);
    assertThat(asked.field("WWW-Authenticate")).contains(CHALLENGE);
    assertThat(asked.field("Location")).isEmpty();
    assertThat(gateway.serviceProvider().challenged()).isEmpty();
    assertThat(app.received()).isEmpty();
  }

  @Test
  void aPasswordOpensASessionWhoseCookieServesFromThenOn() throws IOException {
    try (RawClient client = gateway.connect()) {
      assertThat(client.get("/basic/x").read().status()).isEqualTo(401);
      Response page = client.get("/basic/x", basic("alice", "demo")).read();
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.field("Set-Cookie").orElseThrow()).startsWith("gh_app=").contains("HttpOnly", "SameSite=Lax");
      assertThat(page.field("Cache-Control")).contains("private");
      assertThat(client.get("/basic/y", cookie(page)).read().status()).isEqualTo(200);
      assertThat(client.get("/by-form", cookie(page)).read().status()).isEqualTo(200);
    }
    assertThat(gateway.signOn().asked()).containsExactly("alice");
  }

  @Test
  void theAppLearnsWhoItIsAndNeverThePassword() throws IOException {
    get("/basic/x", basic("jörg", "pässwörd"));

    assertThat(app.received().stream().map(RawApp.Received::head)).singleElement().satisfies(request -> {
      assertThat(request.toLowerCase(java.util.Locale.ROOT)).doesNotContain("authorization");
      assertThat(request).contains("Remote-User: " + new String("jörg".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    });
  }

  /** Browsers send them to the whole host (RFC 7617, section 2.2). */
  @Test
  void otherAppsOfTheHostGetNoPasswordEither() throws IOException {
    String cookie = cookie(get("/basic/x", basic("alice", "demo")));
    assertThat(get("/by-form", cookie, basic("alice", "demo")).status()).isEqualTo(200);
    assertThat(get("/by-form", cookie, "Authorization: bAsIc  x", "Authorization: Bearer mine").status()).isEqualTo(200);
    assertThat(get("/by-form", cookie, "Authorization: Bearer mine").status()).isEqualTo(200);

    List<String> heads = app.received().stream().map(RawApp.Received::head).toList();
    assertThat(heads.subList(1, 3)).noneMatch(head -> head.toLowerCase(java.util.Locale.ROOT).contains("authorization"));
    assertThat(heads.getLast()).contains("Authorization: Bearer mine");
  }

  @Test
  void theDirectoryIsAskedOnceForManyRequests() throws IOException {
    try (RawClient client = gateway.connect()) {
      Response first = client.get("/basic/x", basic("alice", "demo")).read();
      for (int i = 0; i < 5; i++) {
        Response more = client.get("/basic/x", basic("alice", "demo")).read();
        assertThat(more.status()).isEqualTo(200);
        assertThat(more.field("Set-Cookie")).as("told on this connection before").isEmpty();
      }
      assertThat(get("/basic/x", basic("alice", "demo")).field("Set-Cookie"))
          .as("another connection gets the same session")
          .isEqualTo(first.field("Set-Cookie"));
    }
    assertThat(gateway.signOn().asked()).containsExactly("alice");
    assertThat(gateway.sessions().open()).isEqualTo(1);
  }

  @Test
  void theCookieIsToldAgainToWhoWasAskedAgain() throws IOException {
    try (RawClient client = gateway.connect()) {
      Response first = client.get("/basic/x", basic("alice", "demo")).read();
      assertThat(client.get("/basic/x").read().status()).isEqualTo(401);
      assertThat(client.get("/basic/x", basic("alice", "demo")).read().field("Set-Cookie"))
          .isEqualTo(first.field("Set-Cookie"));
    }
  }

  /** A balancer sends requests of several clients of one person over the same connection. */
  @Test
  void eachClientBehindAProxyGetsTheCookie() throws IOException {
    try (TestGateway behind =
            TestGateway.trusting(realm(URI.create("http://127.0.0.1:" + app.port())), new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32), limits -> limits);
        RawClient proxy = behind.connect()) {
      Response first = proxy.get("/basic/x", basic("alice", "demo")).read();
      Response second = proxy.get("/basic/x", basic("alice", "demo")).read();
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.field("Set-Cookie")).isPresent().isEqualTo(first.field("Set-Cookie"));
    }
  }

  @Test
  void aWrongPasswordIsNeverRemembered() throws IOException {
    for (int i = 0; i < 3; i++) {
      Response refused = get("/basic/x", basic("alice", "wrong"));
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.field("WWW-Authenticate")).contains(CHALLENGE);
      assertThat(refused.field("Set-Cookie")).isEmpty();
    }
    assertThat(gateway.signOn().asked()).hasSize(3);
    assertThat(gateway.denials()).containsOnly("CREDENTIALS_REFUSED");
    gateway.signOn().password("alice", "wrong");
    assertThat(get("/basic/x", basic("alice", "wrong")).status()).isEqualTo(200);
  }

  @Test
  void anEndedSessionCountsAtTheNextRequest() throws IOException {
    try (RawClient client = gateway.connect()) {
      Response page = client.get("/basic/x", basic("alice", "demo")).read();
      gateway.sessions().end(cookie(page).replace("Cookie: gh_app=", ""));

      assertThat(client.get("/basic/x", cookie(page)).read().status()).isEqualTo(401);
      gateway.signOn().password("alice", "another");
      Response old = client.get("/basic/x", basic("alice", "demo")).read();
      assertThat(old.status()).isEqualTo(401);
      assertThat(client.get("/basic/x", basic("alice", "another")).read().status()).isEqualTo(200);
    }
    assertThat(gateway.signOn().asked()).hasSize(3);
  }

  @Test
  void afterAWhileTheDirectoryIsAskedAgainAndTheSessionGoesOn() throws IOException {
    Response first = get("/basic/x", basic("alice", "demo"));
    gateway.time().advance(Duration.ofSeconds(59));
    get("/basic/x", basic("alice", "demo"));
    assertThat(gateway.signOn().asked()).hasSize(1);
    gateway.time().advance(Duration.ofSeconds(1));
    assertThat(get("/basic/x", basic("alice", "demo")).field("Set-Cookie")).isEqualTo(first.field("Set-Cookie"));
    assertThat(gateway.signOn().asked()).hasSize(2);

    gateway.time().advance(Duration.ofSeconds(60));
    gateway.signOn().password("alice", "changed behind our back");
    assertThat(get("/basic/x", basic("alice", "demo")).status()).isEqualTo(401);
  }

  @Test
  void anotherConfigurationOfTheRealmAsksTheDirectoryAgain() throws IOException {
    get("/basic/x", basic("alice", "demo"));
    gateway.realms().set(realm(URI.create("http://127.0.0.1:" + app.port())));
    assertThat(get("/basic/x", basic("alice", "demo")).status()).isEqualTo(200);
    assertThat(gateway.signOn().asked()).hasSize(2);
  }

  @Test
  void manyWhoComeAtOnceWithTheSameCredentialsMakeOneLogin() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    gateway.signOn().hold(gate);
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(gateway.connect().get("/basic/x", basic("alice", "demo")));
    }
    Thread.sleep(200);
    gate.countDown();
    Set<String> cookies = new java.util.HashSet<>();
    for (RawClient client : clients) {
      Response page = client.read();
      assertThat(page.status()).isEqualTo(200);
      cookies.add(cookie(page));
      client.close();
    }
    assertThat(cookies).hasSize(1);
    assertThat(gateway.signOn().asked()).containsExactly("alice");
    assertThat(gateway.sessions().open()).isEqualTo(1);
  }

  /** SECURITY-CASES 40. */
  @Test
  void aSessionThatTheBrowserBroughtIsReplacedAndNotRaised() throws IOException {
    String planted = gateway.sessions().open("mallory", List.of(), List.of());

    Response page = get("/basic/x", "Cookie: gh_app=" + planted, basic("alice", "demo"));

    assertThat(page.status()).isEqualTo(200);
    assertThat(cookie(page)).isNotEqualTo("Cookie: gh_app=" + planted);
    assertThat(app.received().getLast().head()).contains("Remote-User: alice");
    assertThat(get("/basic/x", "Cookie: gh_app=" + planted).status()).as("it has ended").isEqualTo(401);
  }

  @Test
  void credentialsSayWhoAsksAlsoBesideSomebodyElsesCookie() throws IOException {
    get("/basic/x", basic("alice", "demo"));
    String other = gateway.sessions().open("mallory", List.of(), List.of());

    get("/basic/x", "Cookie: gh_app=" + other, basic("alice", "demo"));

    assertThat(app.received().getLast().head()).contains("Remote-User: alice").doesNotContain("mallory");
  }

  @Test
  void rolesCount() throws IOException {
    assertThat(get("/admin/x", basic("alice", "demo")).status()).isEqualTo(403);
    assertThat(gateway.denials()).containsExactly("ROLE_MISSING");
    assertThat(gateway.audit().events(AccessDenied.class).getFirst().person()).isEqualTo("id-alice");
  }

  @Test
  void whoNeedsMoreThanAPasswordIsRefusedWithTheReason() throws IOException {
    assertThat(get("/basic/x", basic(FakeSignOn.SECOND_FACTOR, "x")).status()).isEqualTo(403);
    assertThat(get("/basic/x", basic(FakeSignOn.MUST_CHANGE, "x")).status()).isEqualTo(403);
    Response throttled = get("/basic/x", basic(FakeSignOn.THROTTLED, "x"));
    assertThat(throttled.status()).isEqualTo(429);
    assertThat(throttled.field("Retry-After")).contains("90");
    assertThat(gateway.denials()).containsExactly("SECOND_FACTOR_NEEDED", "PASSWORD_MUST_CHANGE", "THROTTLED");
  }

  @Test
  void aBrokenDirectoryIsOurFaultAndNotThePersons() throws IOException {
    assertThat(get("/basic/x", basic(FakeSignOn.BROKEN, "x")).status()).isEqualTo(500);
    assertThat(get("/basic/x", basic(FakeSignOn.UNAVAILABLE, "x")).status()).isEqualTo(503);
    assertThat(gateway.audit().events(AccessDenied.class)).isEmpty();
    assertThat(get("/basic/x", basic("alice", "demo")).status()).isEqualTo(200);
  }

  @Test
  void whatCannotBeReadIsRefused() throws IOException {
    String two = basic("alice", "demo");
    for (String[] lines :
        List.of(
            new String[] {"Authorization: Basic *"},
            new String[] {"Authorization: Basic " + Base64.getEncoder().encodeToString(new byte[] {'a', ':', (byte) 0xff})},
            new String[] {"Authorization: Basic " + Base64.getEncoder().encodeToString("alice".getBytes(StandardCharsets.UTF_8))},
            new String[] {basic("al\nice", "demo")},
            new String[] {"Authorization: Basic ="},
            new String[] {"Authorization: Basic " + "QUFB".repeat(1100)},
            new String[] {two, two})) {
      Response refused = get("/basic/x", lines);
      assertThat(refused.status()).as(lines[0]).isEqualTo(401);
      assertThat(refused.field("WWW-Authenticate")).contains(CHALLENGE);
    }
    assertThat(gateway.denials()).hasSize(7).containsOnly("CREDENTIALS_UNREADABLE");
    assertThat(gateway.signOn().asked()).isEmpty();
  }

  @Test
  void anotherSchemeIsNoAnswer() throws IOException {
    assertThat(get("/basic/x", "Authorization: Bearer abc").status()).isEqualTo(401);
    assertThat(get("/basic/x", "Authorization: basic " + basic("alice", "demo").substring(21)).status()).isEqualTo(200);
  }

  @Test
  void aRouteByFormTakesNoPasswords() throws IOException {
    assertThat(get("/by-form", basic("alice", "demo")).status()).isEqualTo(303);
    assertThat(gateway.signOn().asked()).isEmpty();
  }

  @Test
  void whenMemoryIsShortWhoHasASessionIsAskedAboutAgainAndNobodyNewIs() throws Exception {
    assertThat(get("/basic/x", basic("alice", "demo")).status()).isEqualTo(200);
    gateway.freeMemory(0.05);
    // As long as a look at the memory counts.
    Thread.sleep(300);
    gateway.time().advance(Duration.ofMinutes(2));

    assertThat(get("/basic/x", basic("jörg", "pässwörd")).status()).isEqualTo(503);
    assertThat(get("/basic/x", basic("alice", "demo")).status()).isEqualTo(200);
    assertThat(gateway.signOn().asked()).containsExactly("alice", "alice");
  }
}
