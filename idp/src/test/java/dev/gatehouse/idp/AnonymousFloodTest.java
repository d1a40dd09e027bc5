package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.WrittenMessage;
import dev.gatehouse.common.store.MemoryStores;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Nothing is stored for unauthenticated clients unless a protocol demands it, then within bounds; and they displace nobody. */
final class AnonymousFloodTest {

  private static final String SSO = "/realms/demo/saml/sso";
  private static final String PAR = "/realms/demo/oauth/par";
  private static final String DEVICE = "/realms/demo/oauth/device_authorization";

  private final OAuthApp app = new OAuthApp();
  private final OAuthApp mobile = new OAuthApp();
  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final CountingStores stores = new CountingStores(new MemoryStores(time));
  private final Idp idp;

  AnonymousFloodTest() {
    mobile.id = "mobile";
    mobile.methods = Set.of(Method.NONE);
    mobile.grants = Set.of(GrantType.CODE, GrantType.DEVICE);
    idp = new Idp(time, stores, SealingKey.inMemory(new SecureRandom()), OAuthApp.realm(app, mobile));
  }

  @Test
  void startsFromTwoHundredAddressesWriteNothingAndALoginWorks() {
    String init = "/realms/demo/saml/init?sp=" + Idp.APP;
    String authorize = OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request());
    AuthnRequest one = idp.authnRequest(Idp.APP);
    String redirect = Idp.redirect(one);
    Map<String, String> posted = Idp.posted(one);
    for (int i = 0; i < 200 * 25; i++) {
      TestBrowser stranger = stranger(i % 200);
      EdgeReply reply =
          switch (i % 5) {
            case 0 -> stranger.get(init);
            case 1 -> stranger.get(authorize);
            case 2 -> stranger.get(redirect);
            case 3 -> stranger.postFromElsewhere(SSO, posted);
            default -> stranger.postFromElsewhere(OAuthApp.AUTHORIZE, app.request());
          };
      assertThat(reply.status()).as("start %d", i).isEqualTo(i % 5 < 3 ? 200 : 303);
    }
    assertThat(stores.writes).as("nothing is stored for any of them").isEmpty();
    assertLoginsWork(stranger(7));
  }

  @Test
  void whatIsTooLargeForACookieTakesNobodysPlace() {
    String large = "s".repeat(12_000);
    String authorize = OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request("state", large));
    for (int i = 0; i < 200 * 30; i++) {
      EdgeReply reply = stranger(i % 200).get(authorize);
      if (reply.status() != 200) {
        // Each has as much as all others, so nobody can be displaced.
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.headers().first("Retry-After")).isPresent();
        assertThat(reply.text()).contains("Too many sign-ins are waiting", "not locked");
      }
    }
    assertThat(stores.writes).isEmpty();
    TestBrowser alice = idp.browser();
    EdgeReply answer =
        alice.follow(alice.login(alice.follow(app.ask(alice, "state", large + "!")), "alice", "demo"));
    assertThat(OAuthApp.query(answer).one("state")).contains(large + "!");
    assertLoginsWork(stranger(7));
  }

  @Test
  void whoCancelsOrIsAnsweredWithoutALoginLeavesNothing() {
    TestBrowser stranger = idp.browser();
    EdgeReply form = stranger.follow(stranger.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    String key = TestBrowser.attribute(form.text(), "action").replaceAll(".*pending=", "");
    Map<String, String> csrf = Map.of("csrf", TestBrowser.field(form.text(), "csrf"));
    EdgeReply cancelled = stranger.post("/realms/demo/saml/cancel?pending=" + key, csrf);
    assertThat(Idp.response(cancelled).response().assertions()).isEmpty();
    assertThat(stranger.post("/realms/demo/saml/cancel?pending=" + key, csrf).status()).as("once").isEqualTo(400);
    EdgeReply passive =
        stranger.get(Idp.redirect(Requests.asking(idp.authnRequest(Idp.APP), false, true)));
    assertThat(Idp.response(passive).response().status().subCode().orElse("")).endsWith("NoPassive");
    assertThat(OAuthApp.error(app.ask(stranger, "prompt", "none"))).startsWith("login_required");
    EdgeReply logout = stranger.postFromElsewhere("/realms/demo/oauth/logout", Map.of("client_id", OAuthApp.ID, "state", "x"));
    assertThat(stranger.follow(logout).status()).isEqualTo(200);
    assertThat(stores.writes).isEmpty();
  }

  @Test
  void answersByArtifactAreBoundedInAllWithoutALoginAndApartFromThoseOfOne() {
    ArtifactMap held = idp.context.getBean("idpHeldArtifacts", ArtifactMap.class);
    for (int i = 0; i < 20_000; i++) {
      InetAddress network = InetAddress.ofLiteral("10.0." + i / 256 + "." + i % 256);
      assertThat(held.holdFor(network, Idp.ENTITY, 0, Idp.APP, new WrittenMessage("<Response/>")))
          .isInstanceOf(ArtifactMap.Holding.Held.class);
    }
    EdgeReply full = stranger(1).get(Idp.redirect(Requests.asking(byArtifact(), false, true)));
    // Each network has as much as all others, so nobody can be displaced.
    assertThat(full.status()).isEqualTo(503);
    assertThat(full.headers().first("Retry-After")).contains("60");
    assertThat(full.text()).contains("Too many sign-ins are waiting");
    TestBrowser alice = stranger(1);
    alice.login(alice.get("/realms/demo/login"), "alice", "demo");
    assertThat(TestSp.fetch(idp, Idp.APP, alice.get(Idp.redirect(byArtifact()))).assertions()).hasSize(1);
    time.advance(Duration.ofSeconds(60));
    EdgeReply later = stranger(1).get(Idp.redirect(Requests.asking(byArtifact(), false, true)));
    assertThat(TestSp.fetch(idp, Idp.APP, later).assertions()).isEmpty();
  }

  private AuthnRequest byArtifact() {
    return Requests.binding(idp.authnRequest(Idp.APP), Binding.ARTIFACT.uri());
  }

  @Test
  void pushedRequestsOfPublicClientsAreBoundedByNetworkAndClientsThatAuthenticateApart() {
    Map<String, String> request = mobile.request("state", "s".repeat(10_000));
    TestBrowser crowd = stranger(1);
    int pushed = 0;
    EdgeReply reply = crowd.post(PAR, request);
    while (reply.status() == 201 && pushed < 1_000) {
      pushed++;
      reply = crowd.post(PAR, request);
    }
    assertThat(pushed).isBetween(10, 60);
    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.headers().first("Retry-After")).contains("90");
    assertThat(OAuthApp.json(reply).path("error").asString()).isEqualTo("temporarily_unavailable");
    assertThat(stranger(2).post(PAR, request).status()).as("the same client elsewhere").isEqualTo(201);
    TestBrowser server = app.server(idp);
    server.address = crowd.address;
    assertThat(server.post(PAR, app.request()).status()).as("a client that authenticates, there").isEqualTo(201);
    time.advance(Duration.ofSeconds(91));
    assertThat(crowd.post(PAR, request).status()).isEqualTo(201);
  }

  @Test
  void aPushedRequestCountsAsItIsStored() {
    // In JSON a control character is six bytes.
    assertThat(pushedUntilFull(mobile.request("state", "\u0001".repeat(5_000)), address -> {})).isBetween(10, 20);
  }

  @Test
  void whatIsAnsweredWithoutALoginKeepsItsPlace() {
    int passive =
        pushedUntilFull(
            mobile.request("prompt", "none", "state", "s".repeat(10_000)),
            address -> {
              assertThat(OAuthApp.error(stranger(1).get(address))).startsWith("login_required");
              assertThat(stranger(1).get(address).status()).as("once").isEqualTo(400);
            });
    assertThat(passive).isBetween(10, 60);
    time.advance(Duration.ofSeconds(91));
    int cancelled = pushedUntilFull(mobile.request("state", "s".repeat(2_000)), address -> cancel(stranger(1), address));
    assertThat(cancelled).isBetween(50, 250);
    assertThat(Collections.frequency(stores.writes, "oauth-pushed-answered put"))
        .as("one mark for each place")
        .isEqualTo(passive + cancelled);
  }

  private static void cancel(TestBrowser browser, String address) {
    EdgeReply form = browser.follow(browser.get(address));
    String key = TestBrowser.attribute(form.text(), "action").replaceAll(".*pending=", "");
    Map<String, String> csrf = Map.of("csrf", TestBrowser.field(form.text(), "csrf"));
    assertThat(OAuthApp.error(browser.post("/realms/demo/oauth/cancel?pending=" + key, csrf))).startsWith("access_denied");
  }

  /** Pushes the request, and does this with its address, until the share of the network is used; returns how often it was taken. */
  private int pushedUntilFull(Map<String, String> request, Consumer<String> answer) {
    int pushed = 0;
    EdgeReply reply = stranger(1).post(PAR, request);
    while (reply.status() == 201 && pushed < 1_000) {
      pushed++;
      String uri = OAuthApp.json(reply).path("request_uri").asString();
      answer.accept(OAuthApp.AUTHORIZE + "?client_id=mobile&request_uri=" + uri);
      reply = stranger(1).post(PAR, request);
    }
    assertThat(reply.status()).isEqualTo(429);
    return pushed;
  }

  @Test
  void anAnsweredPushedRequestGivesItsPlaceBack() {
    TestBrowser alice = OAuthApp.signedIn(idp, "alice");
    Map<String, String> request = mobile.request("state", "s".repeat(10_000));
    for (int i = 0; i < 100; i++) {
      String uri = OAuthApp.json(stranger(1).post(PAR, request)).path("request_uri").asString();
      assertThat(OAuthApp.code(alice.get(OAuthApp.AUTHORIZE + "?client_id=mobile&request_uri=" + uri))).isNotEmpty();
    }
  }

  @Test
  void deviceCodesOfPublicClientsAreBoundedByNetworkAndClientsThatAuthenticateApart() {
    TestBrowser crowd = stranger(1);
    Map<String, String> request = Map.of("client_id", "mobile", "scope", "openid");
    int issued = 0;
    EdgeReply reply = crowd.post(DEVICE, request);
    while (reply.status() == 200 && issued < 5_000) {
      issued++;
      reply = crowd.post(DEVICE, request);
    }
    assertThat(issued).isBetween(100, 2_000);
    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.headers().first("Retry-After")).isPresent();
    assertThat(stranger(2).post(DEVICE, request).status()).isEqualTo(200);
    TestBrowser server = app.server(idp);
    server.address = crowd.address;
    assertThat(server.post(DEVICE, Map.of("scope", "openid")).status()).isEqualTo(200);
  }

  private void assertLoginsWork(TestBrowser alice) {
    EdgeReply form = alice.follow(alice.get(Idp.redirect(idp.authnRequest(Idp.APP), Optional.of("state"))));
    EdgeReply page = alice.follow(alice.login(form, "alice", "demo"));
    assertThat(Idp.response(page).assertions()).isNotEmpty();
    TestBrowser bob = idp.browser();
    bob.address = alice.address;
    EdgeReply answer = bob.follow(bob.login(bob.follow(app.ask(bob)), "bob", "demo"));
    assertThat(app.exchange(idp, OAuthApp.code(answer)).path("id_token").asString()).isNotEmpty();
  }

  /** A browser without cookies. */
  private TestBrowser stranger(int network) {
    TestBrowser browser = idp.browser();
    browser.address = InetAddress.ofLiteral("198.51.100." + network);
    return browser;
  }
}
