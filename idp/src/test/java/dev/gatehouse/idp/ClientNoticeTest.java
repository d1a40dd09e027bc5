package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Clients are notified of logouts, like service providers (OpenID Connect Back-Channel Logout 1.0, Front-Channel Logout
 * 1.0): one logout ends everything, with one receipt.
 */
final class ClientNoticeTest {

  private static final String FRAME = "https://app.example/logout?x=1";

  private final HttpServer server;
  private final List<String> received = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private final OAuthApp app = new OAuthApp();

  ClientNoticeTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/backchannel", this::receive);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    received.add(Parameters.parse(body).one("logout_token").orElse("none"));
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private Idp idp(boolean front, boolean back) {
    URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/backchannel");
    app.logout =
        new Logout(
            List.of("https://app.example/"),
            front ? Optional.of(URI.create(FRAME)) : Optional.empty(),
            true,
            back ? Optional.of(endpoint) : Optional.empty(),
            true);
    return new Idp(OAuthApp.realm(app));
  }

  private JsonNode idToken(Idp idp, TestBrowser browser) {
    return OAuthApp.claims(app.exchange(idp, OAuthApp.code(app.ask(browser))).path("id_token").asString());
  }

  private static EdgeReply logOut(TestBrowser browser) {
    String csrf = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    return browser.post("/realms/demo/logout", Map.of("csrf", csrf));
  }

  private static List<String> outcomes(Idp idp) {
    return idp.audit.events(LogoutPropagated.class).stream()
        .map(event -> event.partner() + " " + event.outcome())
        .toList();
  }

  private void await(int count) {
    Eventually.holds(() -> received.size() >= count);
    assertThat(received).hasSize(count);
  }

  /** The client's answer is recorded a moment after it arrived. */
  private static void awaitOutcomes(Idp idp, int count) {
    Eventually.holds(() -> outcomes(idp).size() >= count);
  }

  @Test
  void theBackChannelBringsALogoutToken() throws Exception {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    JsonNode idToken = idToken(idp, browser);
    EdgeReply receipt = browser.follow(logOut(browser));
    assertThat(receipt.text()).contains("every app that you used has confirmed it").doesNotContain("<iframe");
    assertThat(received).hasSize(1);
    JWSObject token = JWSObject.parse(received.getFirst());
    assertThat(token.getHeader().getType().getType()).isEqualTo("logout+jwt");
    JsonNode claims = OAuthApp.claims(received.getFirst());
    assertThat(claims.propertyNames()).containsExactly("iss", "sub", "aud", "iat", "exp", "jti", "events", "sid");
    assertThat(claims.path("iss").asString()).isEqualTo(Idp.ENTITY);
    assertThat(claims.path("aud").asString()).isEqualTo(OAuthApp.ID);
    assertThat(claims.path("sub")).isEqualTo(idToken.path("sub"));
    assertThat(claims.path("sid")).isEqualTo(idToken.path("sid"));
    assertThat(claims.path("events").toString())
        .isEqualTo("{\"http://schemas.openid.net/event/backchannel-logout\":{}}");
    assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(120);
    assertThat(outcomes(idp)).containsExactly("app done");
  }

  /**
   * The client's authorization may remain, and the client is notified that the person has logged out (Back-Channel
   * Logout 1.0, section 2.7).
   */
  @Test
  void aClientWithOfflineAccessIsToldToo() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    JsonNode tokens = app.exchange(idp, OAuthApp.code(app.ask(browser, "scope", "openid offline_access")));
    assertThat(tokens.path("scope").asString()).contains("offline_access");
    String sid = OAuthApp.claims(tokens.path("id_token").asString()).path("sid").asString();
    assertThat(sid).isNotEmpty();

    assertThat(browser.follow(logOut(browser)).text()).contains("every app that you used has confirmed it");
    assertThat(received).hasSize(1);
    assertThat(OAuthApp.claims(received.getFirst()).path("sid").asString()).isEqualTo(sid);
  }

  /** A logout token is neither an ID token nor a hint. */
  @Test
  void aLogoutTokenIsNothingElse() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    logOut(browser);
    EdgeReply reply = browser.get("/realms/demo/oauth/logout?id_token_hint=" + received.getFirst());
    assertThat(reply.status()).isEqualTo(400);
  }

  @Test
  void whoDoesNotConfirmIsToldAgain() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    status = 503;
    EdgeReply redirected = logOut(browser);
    assertThat(browser.follow(redirected).text())
        .contains("not signed out everywhere", "The &lt;b&gt;app&lt;/b&gt;", "not reachable, will be notified again");
    status = 200;
    idp.time.advance(Duration.ofSeconds(10));
    idp.tend();
    await(2);
    awaitOutcomes(idp, 2);
    assertThat(browser.follow(redirected).text()).contains("every app that you used has confirmed it");
    assertThat(OAuthApp.claims(received.get(0)).path("jti")).isNotEqualTo(OAuthApp.claims(received.get(1)).path("jti"));
    assertThat(outcomes(idp)).containsExactly("app unreachable", "app done");
  }

  @Test
  void aFrameGoesToTheClientsPageWithIssuerAndSid() {
    Idp idp = idp(true, false);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    String sid = idToken(idp, browser).path("sid").asString();
    EdgeReply redirected = logOut(browser);
    EdgeReply receipt = browser.follow(redirected);
    assertThat(receipt.headers().first("Content-Security-Policy").orElse("")).contains("frame-src https://app.example ");
    assertThat(frame(browser, receipt))
        .isEqualTo(FRAME + "&iss=http%3A%2F%2Fidp.localhost%3A8080%2Frealms%2Fdemo&sid=" + sid);
    assertThat(browser.follow(redirected).text()).as("while it loads").contains("<iframe");
    idp.time.advance(Duration.ofSeconds(2));
    assertThat(browser.follow(redirected).text()).contains("asked to sign out").doesNotContain("<iframe");
    assertThat(outcomes(idp)).containsExactly("app asked");
  }

  private static String frame(TestBrowser browser, EdgeReply receipt) {
    Matcher frame = Pattern.compile("<iframe[^>]*src=\"([^\"]*logout/frame[^\"]*)\"").matcher(receipt.text());
    assertThat(frame.find()).as(receipt.text()).isTrue();
    return browser.get(frame.group(1).replace("&amp;", "&")).headers().first("Location").orElseThrow();
  }

  @Test
  void oneLogoutEndsBothKinds() {
    Idp idp = idp(false, true);
    idp.partners.withoutLogout(Idp.WIKI);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply redirected = logOut(browser);
    EdgeReply receipt = browser.follow(redirected);
    await(1);
    assertThat(receipt.text()).contains("logout/frame");
    Partner.answers(idp, browser, receipt, SamlStatus.success());
    awaitOutcomes(idp, 2);
    assertThat(browser.follow(redirected).text())
        .contains("every app that you used has confirmed it", "The app", "The &lt;b&gt;app&lt;/b&gt;");
    assertThat(outcomes(idp)).containsExactlyInAnyOrder("app done", Idp.APP + " done");
  }

  /**
   * The browser returns to the initiating client, with the receipt in between if not all participants have confirmed.
   */
  @Test
  void whoAskedGetsItsBrowserBackInTheEnd() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    JsonNode tokens = app.exchange(idp, OAuthApp.code(app.ask(browser)));
    String ask =
        "/realms/demo/oauth/logout?post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F&state=s&id_token_hint="
            + tokens.path("id_token").asString();
    EdgeReply receipt = browser.get(ask);
    assertThat(receipt.headers().first("Location").orElse("")).contains("/logout/receipt?id=");
    assertThat(browser.follow(receipt).headers().first("Location")).hasValue("https://app.example/?state=s");
    assertThat(received).as("a broker that waits for its browser would lose what it waits with").isEmpty();
    idp.time.advance(Duration.ofSeconds(3));
    idp.tend();
    await(1);
  }

  @Test
  void administratorsAndTimeEndItToo() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    String id = idp.sessions().page("demo", "", 10).getFirst().id();
    assertThat(idp.sessions().end("demo", id, "root")).isTrue();
    await(1);
    // In an hour the lease of a delivery under way would be over, and another one would begin.
    awaitOutcomes(idp, 1);
    TestBrowser another = OAuthApp.signedIn(idp, "bob");
    idToken(idp, another);
    idp.time.advance(Duration.ofHours(1));
    idp.tend();
    await(2);
  }

  /** A new session of the same person continues for its clients: the same sid, and the same tokens. */
  @Test
  void aNewLoginOfTheSamePersonKeepsTheSid() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    JsonNode tokens = app.exchange(idp, OAuthApp.code(app.ask(browser)));
    String sid = OAuthApp.claims(tokens.path("id_token").asString()).path("sid").asString();
    String cookie = browser.cookies.get("gh_idp.demo");
    idp.time.advance(Duration.ofSeconds(1));
    browser.login(browser.follow(app.ask(browser, "prompt", "login")), "alice", "demo");
    assertThat(browser.cookies.get("gh_idp.demo")).isNotEqualTo(cookie);
    assertThat(idToken(idp, browser).path("sid").asString()).isEqualTo(sid);
    TestBrowser program = idp.browser();
    program.headers = Map.of("Authorization", "Bearer " + tokens.path("access_token").asString());
    assertThat(program.get("/realms/demo/oauth/userinfo").status()).isEqualTo(200);
    logOut(browser);
    assertThat(received).hasSize(1);
    assertThat(OAuthApp.claims(received.getFirst()).path("sid").asString()).isEqualTo(sid);
    assertThat(program.get("/realms/demo/oauth/userinfo").status()).isEqualTo(401);
  }

  /** A client that registered no address for notifications has nothing to confirm. */
  @Test
  void whoRegisteredNoAddressIsNotWaitedFor() {
    Idp idp = idp(false, false);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    assertThat(logOut(browser).text()).contains("You are signed out");
    assertThat(outcomes(idp)).isEmpty();
  }

  /** Without openid the client received no identity. */
  @Test
  void whoGotNoIdTokenHasNoPart() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    app.exchange(idp, OAuthApp.code(app.ask(browser, "scope", "read")));
    logOut(browser);
    assertThat(received).isEmpty();
  }

  /** A service provider's LogoutRequest also ends the client's session. */
  @Test
  void aServiceProvidersRequestReachesTheClient() {
    Idp idp = idp(false, true);
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    Assertion assertion = Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).assertions().getFirst();
    LogoutRequest request =
        new LogoutRequest(
            "_logout",
            idp.time.instant(),
            Idp.APP,
            Optional.of(Idp.SLO),
            Optional.of(idp.time.instant().plusSeconds(60)),
            assertion.subject(),
            List.of());
    PostForm form = new CanonicalSamlWriter().post(request, Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    EdgeReply receipt = browser.postFromElsewhere("/realms/demo/saml/slo", Map.of("SAMLRequest", form.value()));
    await(1);
    awaitOutcomes(idp, 1);
    assertThat(browser.follow(receipt).headers().first("Location").orElse("")).startsWith(Idp.APP_SLO + "?SAMLResponse=");
    assertThat(outcomes(idp)).containsExactly("app done");
  }

  /** SECURITY-CASE 31: a client cannot make us call into a private network. */
  @Test
  void noPrivateAddressIsCalled() {
    app.logout =
        new Logout(
            List.of(), Optional.empty(), true, Optional.of(URI.create("https://10.255.255.1/backchannel")), true);
    Idp idp = new Idp(OAuthApp.realm(app));
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idToken(idp, browser);
    logOut(browser);
    awaitOutcomes(idp, 1);
    assertThat(outcomes(idp)).containsExactly("app unreachable");
    assertThat(idp.waitingLogouts().page("demo", "", 10)).singleElement()
        .satisfies(waiting -> assertThat(waiting.problem().orElse("")).startsWith("the address is not public"));
  }
}
