package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
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

/** Routes that ask how long ago somebody logged in, and used their session: {@code /till/} for an hour, and five minutes. */
final class SessionAgeTest {

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
    SessionDemand till = new SessionDemand(Optional.of(Duration.ofMinutes(5)), Optional.of(Duration.ofHours(1)));
    SessionDemand hour = new SessionDemand(Optional.empty(), Optional.of(Duration.ofHours(1)));
    SignOnContract basic = new SignOnContract.Basic(Duration.ofHours(8));
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withSignOn(TestRealms.route("till", "/till/", app, new Access.Protected()), SignOnContract.FORM, till),
            TestRoutes.withSignOn(
                TestRealms.route("boss", "/boss/", app, new Access.RequiresRole(Set.of("boss"))),
                SignOnContract.FORM, hour),
            TestRoutes.withSignOn(TestRealms.route("basic", "/basic/", app, new Access.Protected()), basic, hour),
            TestRoutes.withSignOn(
                TestRealms.route("short", "/short/", app, new Access.Protected()),
                new SignOnContract.Basic(Duration.ofMinutes(1)), hour),
            TestRoutes.withSignOn(strong(app), basic, SessionDemand.NONE),
            TestRealms.route("app", "/", app, new Access.Protected()))
        .realm();
  }

  /** Asks for more than a password. */
  private static RouteConfig strong(URI app) {
    return new RouteConfig(
        "strong", new GatewayConfig.Match(Set.of("app.localhost"), "/strong/"), app, new Access.Protected(), Map.of(),
        GatewayConfig.SignOn.form(false, Optional.empty(), List.of("urn:test:strong"), Optional.empty()));
  }

  private String login(Duration ago) {
    return "Cookie: gh_app="
        + gateway.sessions().open("alice", List.of(), List.of(), Map.of(), gateway.time().instant().minus(ago));
  }

  private Response get(String path, String... lines) throws IOException {
    try (RawClient client = gateway.connect()) {
      return client.get(path, lines).read();
    }
  }

  private boolean serves(String path, String cookie) throws IOException {
    Response answer = get(path, cookie);
    assertThat(answer.status()).isIn(200, 303);
    return answer.status() == 200;
  }

  @Test
  void useKeepsASessionYoungUntilTheLoginIsTooLongAgo() throws IOException {
    String alice = login(Duration.ZERO);
    for (int minutes = 0; minutes < 60; minutes += 4) {
      assertThat(serves("/till/x", alice)).as(minutes + " minutes").isTrue();
      gateway.time().advance(Duration.ofMinutes(4));
    }
    assertThat(serves("/till/x", alice)).as("an hour").isFalse();
    assertThat(serves("/x", alice)).as("where nobody asks for more").isTrue();
  }

  @Test
  void aPauseMakesItTooOldToTheMillisecond() throws IOException {
    String alice = login(Duration.ZERO);
    gateway.time().advance(Duration.ofMinutes(2));
    assertThat(serves("/till/x", alice)).isTrue();
    gateway.time().advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(serves("/till/x", alice)).isTrue();
    gateway.time().advance(Duration.ofMinutes(5));
    assertThat(serves("/till/x", alice)).isFalse();
    assertThat(serves("/till/x", alice)).as("being refused is no use").isFalse();
  }

  @Test
  void useElsewhereDoesNotCount() throws IOException {
    String alice = login(Duration.ZERO);
    assertThat(serves("/till/x", alice)).isTrue();
    for (int i = 0; i < 3; i++) {
      gateway.time().advance(Duration.ofMinutes(2));
      assertThat(serves("/x", alice)).isTrue();
    }
    assertThat(serves("/till/x", alice)).isFalse();
  }

  @Test
  void nobodyIsSentToLogInOnlyToBeDenied() throws IOException {
    assertThat(get("/boss/x", login(Duration.ofHours(2))).status()).isEqualTo(403);
    assertThat(gateway.denials()).containsExactly("ROLE_MISSING");
  }

  @Test
  void anOldSessionByPasswordIsReplacedByAFreshOne() throws IOException {
    String basic = "Authorization: Basic YWxpY2U6ZGVtbw==";
    String first = get("/basic/x", basic).field("Set-Cookie").orElseThrow();
    gateway.time().advance(Duration.ofHours(1));

    assertThat(get("/basic/x", "Cookie: " + first.split(";", 2)[0]).status()).as("by cookie alone").isEqualTo(401);
    Response again = get("/basic/x", basic);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.field("Set-Cookie").orElseThrow()).isNotEqualTo(first);
    assertThat(gateway.signOn().asked()).hasSize(2);
  }

  @Test
  void whoseSessionIsTooOldIsServedAlsoWhereTheDirectoryHasToBeAskedAgain() throws IOException {
    String basic = "Authorization: Basic YWxpY2U6ZGVtbw==";
    String first = get("/short/x", basic).field("Set-Cookie").orElseThrow();
    gateway.time().advance(Duration.ofHours(1));

    Response again = get("/short/x", basic);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.field("Set-Cookie").orElseThrow()).isNotEqualTo(first);
  }

  @Test
  void aPasswordThatIsNotEnoughOpensOneSessionAndIsNotAskedForAgain() throws IOException {
    String basic = "Authorization: Basic YWxpY2U6ZGVtbw==";
    for (int i = 0; i < 3; i++) {
      Response refused = get("/strong/x", basic);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.field("WWW-Authenticate")).isEmpty();
    }
    assertThat(gateway.denials()).hasSize(3).containsOnly("AUTHENTICATION_TOO_WEAK");
    assertThat(gateway.signOn().asked()).containsExactly("alice");
    assertThat(gateway.sessions().open()).isEqualTo(1);
  }
}
