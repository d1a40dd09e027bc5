package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.net.URI;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Logout at and by an OpenID provider (RP-Initiated, Back-Channel and Front-Channel Logout 1.0). */
class OpenIdLogoutTest {

  private static final String BACK_CHANNEL = SpWorld.HOME + "/.gatehouse/oidc/backchannel";

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final TestProvider provider = new TestProvider(time);
  private final TestProvider other = new TestProvider(time);
  private final SpWorld world =
      new SpWorld(
          change -> change.providers(provider.config(), other.config()).identityProviders(provider.issuer()));
  private final TestBrowser browser = new TestBrowser(world);
  private final TestBrowser server = new TestBrowser(world, "192.0.2.99");

  @BeforeEach
  void known() {
    provider.awaitKnown(world);
    other.awaitKnown(world);
  }

  @AfterEach
  void close() {
    world.close();
    provider.close();
    other.close();
  }

  private void login(TestBrowser who, String user) {
    AuthenticationRequest request = provider.request(SpWorld.location(who.open(SpWorld.HOME + "/here")));
    who.get(provider.callback(request, provider.login(request, user)), "cross-site");
    assertThat(world.session(who, SpWorld.HOME)).isPresent();
  }

  private EdgeReply tell(String logoutToken) {
    return server.postFromElsewhere(BACK_CHANNEL, Map.of("logout_token", logoutToken));
  }

  private String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return provider.sign(change.apply(provider.logoutToken()).build(), Optional.of("logout+jwt"));
  }

  @Test
  void aPersonLogsOutHereAndAtTheProvider() throws ParseException {
    login(browser, "alice");

    EdgeReply reply = browser.get(SpWorld.HOME + "/.gatehouse/logout", "same-origin");

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
    LogoutRequest request = LogoutRequest.parse(SpWorld.location(reply));
    assertThat(SpWorld.location(reply).toString()).startsWith(provider.issuer() + "/logout?");
    assertThat(request.getIDTokenHint()).isNotNull();
    assertThat(request.getClientID()).hasToString(TestProvider.CLIENT);
    assertThat(request.getPostLogoutRedirectionURI()).hasToString(SpWorld.HOME + "/.gatehouse/oidc/logged-out");

    String back = SpWorld.HOME + "/.gatehouse/oidc/logged-out?state=" + request.getState();
    EdgeReply receipt = browser.get(back, "cross-site");

    assertThat(receipt.status()).isEqualTo(200);
    assertThat(receipt.text()).contains("Test provider");
    assertThat(world.audit.events(AuditEvent.LogoutPropagated.class)).singleElement()
        .satisfies(event -> assertThat(event.outcome()).isEqualTo("done"));
    assertThat(browser.get(back, "cross-site").status()).as("once").isEqualTo(403);
  }

  @Test
  void aForgedReturnShowsNoReceipt() {
    assertThat(browser.get(SpWorld.HOME + "/.gatehouse/oidc/logged-out?state=x", "cross-site").status()).isEqualTo(403);
    assertThat(browser.get(SpWorld.HOME + "/.gatehouse/oidc/logged-out", "cross-site").status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("STATE", "STATE");
  }

  @Test
  void aProviderWithoutEndSessionEndpointIsSaidNotToBeAsked() {
    provider.metadata(metadata -> metadata.setEndSessionEndpointURI(null));
    try (SpWorld there = new SpWorld(change -> change.providers(provider.config()).identityProviders(provider.issuer()))) {
      provider.awaitKnown(there);
      TestBrowser person = new TestBrowser(there);
      AuthenticationRequest request = provider.request(SpWorld.location(person.open(SpWorld.HOME + "/here")));
      person.get(provider.callback(request, provider.login(request, "alice")), "cross-site");

      EdgeReply reply = person.get(SpWorld.HOME + "/.gatehouse/logout", "same-origin");

      assertThat(reply.status()).isEqualTo(200);
      assertThat(there.session(person, SpWorld.HOME)).isEmpty();
    }
  }

  @Test
  void aLogoutTokenEndsTheSessionThatItNames() {
    TestBrowser bob = new TestBrowser(world);
    login(browser, "alice");
    login(bob, "bob");

    EdgeReply reply = tell(token(b -> b.subject("sub-of-alice").claim("sid", "sid-of-alice")));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers().first("Cache-Control")).contains("no-store");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.session(bob, SpWorld.HOME)).isPresent();
    assertThat(world.audit.events(AuditEvent.SessionEnded.class)).singleElement()
        .satisfies(event -> assertThat(event.cause()).isEqualTo("partner"));
  }

  @Test
  void subAloneEndsAllSessionsOfAPersonAndSidAloneThatOne() {
    TestBrowser second = new TestBrowser(world);
    login(browser, "alice");
    login(second, "alice");
    tell(token(b -> b.subject("sub-of-alice")));
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.session(second, SpWorld.HOME)).isEmpty();

    time.advance(Duration.ofSeconds(2));
    world.time.advance(Duration.ofSeconds(2));
    login(browser, "alice");
    tell(token(b -> b.claim("sid", "sid-of-alice")));
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.refusals()).isEmpty();
  }

  @Test
  void anUnknownSessionIsFine() {
    assertThat(tell(token(b -> b.claim("sid", "nobody's"))).status()).isEqualTo(200);
  }

  @Test
  void aLogoutThatComesBeforeItsLoginHolds() {
    AuthenticationRequest request = provider.request(SpWorld.location(browser.open(SpWorld.HOME + "/here")));
    String callback = provider.callback(request, provider.login(request, "alice"));
    tell(token(b -> b.claim("sid", "sid-of-alice")));

    browser.get(callback, "cross-site");

    assertThat(world.refusals()).containsExactly("LOGGED_OUT");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
  }

  static Stream<Arguments> forged() {
    return Stream.of(
        wrong("ISSUER", b -> b.issuer("https://evil.example")),
        wrong("AUDIENCE", b -> b.audience("somebody else")),
        wrong("ISSUED_AT", b -> b.issueTime(null)),
        wrong("ISSUED_AT", b -> b.issueTime(Date.from(SamlFixtures.NOW.minus(Duration.ofMinutes(16))))),
        wrong("ISSUED_AT", b -> b.issueTime(Date.from(SamlFixtures.NOW.plusSeconds(62)))),
        wrong("EXPIRED", b -> b.expirationTime(Date.from(SamlFixtures.NOW.minusSeconds(62)))),
        wrong("EVENTS", b -> b.claim("events", null)),
        wrong("EVENTS", b -> b.claim("events", Map.of("urn:x", Map.of()))),
        wrong("EVENTS", b -> b.claim("events", List.of("http://schemas.openid.net/event/backchannel-logout"))),
        wrong("EVENTS", b -> b.claim("nonce", "n")),
        wrong("SUBJECT_OR_SESSION", b -> b.subject(null).claim("sid", null)),
        wrong("SUBJECT_OR_SESSION", b -> b.jwtID(null)));
  }

  private static Arguments wrong(String reason, UnaryOperator<JWTClaimsSet.Builder> change) {
    return Arguments.of(reason, change);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("forged")
  void aLogoutTokenThatBreaksARuleEndsNothing(String reason, UnaryOperator<JWTClaimsSet.Builder> change) {
    login(browser, "alice");

    EdgeReply reply = tell(token(b -> change.apply(b.subject("sub-of-alice").claim("sid", "sid-of-alice"))));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text()).isEqualTo("{\"error\":\"invalid_request\"}");
    assertThat(world.refusals()).containsExactly(reason);
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void anIdTokenIsNoLogoutToken() {
    login(browser, "alice");
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder(provider.logoutToken().subject("sub-of-alice").build()).claim("events", null).build();
    assertThat(tell(provider.sign(claims, Optional.of("JWT"))).status()).isEqualTo(400);
    assertThat(tell(provider.sign(provider.logoutToken().subject("sub-of-alice").build(), Optional.of("at+jwt"))).status())
        .isEqualTo(400);
    assertThat(world.refusals()).containsExactly("EVENTS", "TOKEN_TYPE");
  }

  @Test
  void anotherProvidersKeyEndsNothing() {
    login(browser, "alice");
    String forged = TestProvider.sign(provider.logoutToken().subject("sub-of-alice").build(), Optional.empty(), other.key());
    assertThat(tell(forged).status()).isEqualTo(400);
    String others =
        other.sign(other.logoutToken().subject("sub-of-alice").claim("sid", "sid-of-alice").build(), Optional.empty());
    assertThat(tell(others).status()).as("of its own people it may speak").isEqualTo(200);
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
    assertThat(world.refusals()).containsExactly("SIGNATURE");
  }

  @Test
  void aLogoutTokenCountsOnce() {
    String token = token(b -> b.subject("sub-of-alice"));
    assertThat(tell(token).status()).isEqualTo(200);
    assertThat(tell(token).status()).isEqualTo(400);
    assertThat(world.refusals()).containsExactly("REPLAYED");
  }

  @Test
  void aFrameOfTheProvidersEndsTheSessionThatItKnows() {
    login(browser, "alice");
    String page = SpWorld.HOME + "/.gatehouse/oidc/frontchannel?iss=";
    String issuer = java.net.URLEncoder.encode(provider.issuer(), java.nio.charset.StandardCharsets.UTF_8);

    assertThat(server.get(page + issuer, "cross-site").status()).isEqualTo(403);
    assertThat(server.get(page + "https://evil.example&sid=sid-of-alice", "cross-site").status()).isEqualTo(403);
    assertThat(server.get(page + issuer + "&sid=guessed", "cross-site").status()).isEqualTo(200);
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();

    EdgeReply reply = server.get(page + issuer + "&sid=sid-of-alice", "cross-site");

    assertThat(reply.headers().first("Content-Security-Policy"))
        .contains("default-src 'none'; frame-ancestors " + origin(provider.issuer()));
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.refusals()).containsExactly("SUBJECT_OR_SESSION", "SUBJECT_OR_SESSION");
  }

  private static String origin(String url) {
    return url.substring(0, url.length() - URI.create(url).getPath().length());
  }
}
