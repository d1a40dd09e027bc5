package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Pushed authorization requests (RFC 9126; case 31 of the attackers' list). */
final class PushedRequestTest {

  private static final String PAR = "/realms/demo/oauth/par";

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");

  @Test
  void aPushedRequestIsAnsweredOnce() {
    EdgeReply created = app.server(idp).post(PAR, app.request());
    assertThat(created.status()).isEqualTo(201);
    JsonNode json = OAuthApp.json(created);
    assertThat(json.path("expires_in").asLong()).isEqualTo(90);
    String uri = json.path("request_uri").asString();
    assertThat(uri).startsWith("urn:ietf:params:oauth:request_uri:");
    assertThat(created.headers().first("Cache-Control")).contains("no-store");

    // Parameters that the browser adds are ignored.
    EdgeReply answer = bring(uri, "&state=evil&scope=email&redirect_uri=https://evil.example/");
    assertThat(OAuthApp.query(answer).one("state")).contains("st&te=1 <b>");
    assertThat(app.exchange(idp, OAuthApp.code(answer)).path("id_token").asString()).isNotEmpty();
    assertPage(bring(uri, ""), "PUSHED_REQUEST_UNKNOWN");
  }

  @Test
  void thePersonMayReloadUntilItIsAnswered() {
    String uri = push();
    TestBrowser fresh = idp.browser();
    EdgeReply first = fresh.get(address(uri));
    EdgeReply second = fresh.get(address(uri));
    EdgeReply form = fresh.follow(second);
    idp.time.advance(Duration.ofMinutes(20));
    assertThat(OAuthApp.code(fresh.follow(fresh.login(form, "alice", "demo")))).isNotEmpty();
    assertThat(fresh.follow(fresh.follow(first)).status()).as("in the other tab").isEqualTo(400);
    assertThat(reasons()).containsExactly("PUSHED_REQUEST_REPLAYED");
  }

  @Test
  void itExpires() {
    String uri = push();
    idp.time.advance(Duration.ofSeconds(91));
    assertPage(bring(uri, ""), "PUSHED_REQUEST_UNKNOWN");
  }

  @Test
  void itIsItsClientsAlone() {
    OAuthApp other = new OAuthApp();
    other.id = "other";
    idp.realms.set(OAuthApp.realm(app, other));
    String uri = push();
    assertPage(browser.get(OAuthApp.AUTHORIZE + "?client_id=other&request_uri=" + uri), "PUSHED_REQUEST_UNKNOWN");
  }

  @Test
  void aGuessIsNone() {
    assertPage(bring("urn:ietf:params:oauth:request_uri:" + "A".repeat(43), ""), "PUSHED_REQUEST_UNKNOWN");
    assertPage(bring("urn:ietf:params:oauth:request_uri:short", ""), "PUSHED_REQUEST_UNKNOWN");
  }

  @Test
  void whoPushesProvesWhoItIs() {
    TestBrowser nobody = idp.browser();
    nobody.headers = Map.of();
    EdgeReply reply = nobody.post(PAR, app.request());
    assertThat(reply.status()).isEqualTo(401);
    assertThat(OAuthApp.json(reply).path("error").asString()).isEqualTo("invalid_client");
  }

  @Test
  void whatIsWrongIsSaidAtOnce() {
    assertThat(refused("code_challenge", "")).isEqualTo("invalid_request: code_challenge is missing");
    assertThat(refused("redirect_uri", "https://evil.example/"))
        .isEqualTo("invalid_request: redirect_uri is not one of the client's");
    assertThat(refused("request_uri", "urn:ietf:params:oauth:request_uri:x"))
        .isEqualTo("invalid_request: request_uri is not for this endpoint");
    assertThat(refused("scope", "admin")).startsWith("invalid_scope: ");
    assertThat(refused("client_id", "other")).startsWith("invalid_");
  }

  @Test
  void aClientThatMustPushIsNotAnsweredOtherwise() {
    app.pushed = true;
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.error(app.ask(browser))).isEqualTo("invalid_request: the client must push its requests");
    assertThat(OAuthApp.code(bring(push(), ""))).isNotEmpty();
  }

  @Test
  void aPageOfAPublicClientMayReadTheAnswer() {
    app.methods = Set.of(Method.NONE);
    idp.realms.set(OAuthApp.realm(app));
    TestBrowser page = idp.browser();
    page.headers = Map.of("Origin", "https://app.example");
    assertThat(page.post(PAR, app.request()).headers().first("Access-Control-Allow-Origin"))
        .contains("https://app.example");
    page.headers = Map.of("Origin", "https://evil.example");
    assertThat(page.post(PAR, app.request()).headers().first("Access-Control-Allow-Origin")).isEmpty();
    TestBrowser at = idp.browser();
    at.headers = Map.of("Origin", "https://app.example");
    assertThat(app.ask(at).headers().first("Access-Control-Allow-Origin")).as("never at authorize").isEmpty();
  }

  /** More often than places of a network last; a client whose proofs need a nonce comes twice for each request. */
  @Test
  void aRequestWithoutAValidProofTakesNoPlace() {
    app.methods = Set.of(Method.NONE);
    idp.realms.set(OAuthApp.realm(app));
    TestBrowser page = idp.browser();
    page.headers = Map.of("DPoP", "none");
    for (int i = 0; i < 1_000; i++) {
      assertThat(page.post(PAR, app.request()).status()).isEqualTo(400);
    }
    page.headers = Map.of();
    assertThat(page.post(PAR, app.request()).status()).isEqualTo(201);
  }

  private String push() {
    return OAuthApp.json(app.server(idp).post(PAR, app.request())).path("request_uri").asString();
  }

  private String refused(String... changes) {
    JsonNode json = OAuthApp.json(app.server(idp).post(PAR, app.request(changes)));
    return json.path("error").asString() + ": " + json.path("error_description").asString();
  }

  private static String address(String uri) {
    return OAuthApp.AUTHORIZE + "?client_id=app&request_uri=" + uri;
  }

  private EdgeReply bring(String uri, String more) {
    return browser.get(address(uri) + more);
  }

  private void assertPage(EdgeReply reply, String reason) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(reasons()).endsWith(reason);
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream().map(AuditEvent.MessageRefused::reason).toList();
  }
}
