package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.idp.admin.IdpPersonData;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Device authorization (RFC 8628) from the device to its tokens, and the results for a guesser and a phisher. */
final class DeviceFlowTest {

  private static final String DEVICE = "/realms/demo/device";

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));

  @Test
  void aPersonConnectsADevice() {
    JsonNode codes = begin("openid profile");
    assertThat(codes.path("user_code").asString()).matches("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}");
    assertThat(codes.path("verification_uri").asString()).isEqualTo(Idp.ENTITY + "/device");
    assertThat(codes.path("verification_uri_complete").asString())
        .isEqualTo(Idp.ENTITY + "/device?user_code=" + codes.path("user_code").asString());
    assertThat(codes.path("interval").asInt()).isEqualTo(5);
    assertThat(codes.path("expires_in").asInt()).isEqualTo(600);
    assertThat(poll(codes)).isEqualTo("authorization_pending");

    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    EdgeReply question = enter(browser, codes.path("user_code").asString().toLowerCase().replace("-", " "));
    assertThat(question.text())
        .contains("The &lt;b&gt;app&lt;/b&gt;", codes.path("user_code").asString(), "Your name", "alice");
    EdgeReply done = OAuthApp.answer(browser, question, "allow");
    assertThat(done.text()).contains("The device is connected");
    idp.time.advance(Duration.ofSeconds(5));
    JsonNode tokens = token(codes);
    assertThat(tokens.path("access_token").asString()).isNotEmpty();
    assertThat(OAuthApp.claims(tokens.path("id_token").asString()).path("amr").toString()).contains("pwd");
    idp.time.advance(Duration.ofSeconds(5));
    assertThat(poll(codes)).as("once").isEqualTo("invalid_grant");
    assertThat(idp.audit.events(AuditEvent.AuthorizationGranted.class)).extracting(e -> e.how()).containsExactly("device");
  }

  @Test
  void theMethodsAreThoseOfTheAuthenticationThatCounts() {
    JsonNode codes = begin("openid");
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    idp.time.advance(Duration.ofMinutes(5));
    RaisedSession.by(LoginContract.PASSKEY, idp, browser);
    OAuthApp.answer(browser, enter(browser, codes.path("user_code").asString()), "allow");
    JsonNode idToken = OAuthApp.claims(token(codes).path("id_token").asString());
    assertThat(idToken.path("amr").toString()).isEqualTo("[\"hwk\",\"user\",\"mfa\"]");
    assertThat(idToken.path("auth_time").asLong()).isEqualTo(idp.time.instant().getEpochSecond());
  }

  @Test
  void theLoginLeadsBackWithTheCode() {
    String userCode = begin("openid").path("user_code").asString();
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.follow(browser.get(DEVICE + "?user_code=" + userCode));
    EdgeReply entry = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(TestBrowser.field(entry.text(), "user_code")).isEqualTo(userCode);
    assertThat(idp.audit.events(AuditEvent.AuthorizationGranted.class)).as("nothing by a link alone").isEmpty();
  }

  @Test
  void whoDoesNotAgreeTellsTheDevice() {
    JsonNode codes = begin("openid");
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    EdgeReply done = OAuthApp.answer(browser, enter(browser, codes.path("user_code").asString()), "deny");
    assertThat(done.text()).contains("The device is not connected");
    assertThat(poll(codes)).isEqualTo("access_denied");
    idp.time.advance(Duration.ofSeconds(5));
    assertThat(poll(codes)).isEqualTo("invalid_grant");
  }

  /** Whoever made a person agree, and does not poll before the person has noticed (RFC 8628, section 5.4). */
  @Test
  void aNewPasswordEndsADeviceThatHasNotPolled() {
    JsonNode codes = begin("openid");
    TestBrowser browser = agreed(codes);
    EdgeReply form = browser.get("/realms/demo/password");
    EdgeReply changed =
        browser.post(
            TestBrowser.attribute(form.text(), "action"),
            Map.of(
                "old", "demo", "new", "new-password", "again", "new-password",
                "csrf", TestBrowser.field(form.text(), "csrf")));
    assertThat(changed.status()).isEqualTo(303);
    assertThat(poll(codes)).isEqualTo("invalid_grant");
    assertThat(ends()).containsExactly("password changed");
  }

  @Test
  void theAccountPageShowsAndEndsADeviceThatHasNotPolled() {
    JsonNode codes = begin("openid profile");
    TestBrowser browser = agreed(codes);
    EdgeReply page = browser.get("/realms/demo/account/consents");
    assertThat(page.text()).contains("The &lt;b&gt;app&lt;/b&gt;");
    browser.post(
        "/realms/demo/account/consents",
        Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "partner", "oauth:" + OAuthApp.ID));
    assertThat(poll(codes)).isEqualTo("invalid_grant");
    assertThat(ends()).containsExactly("account");
  }

  @Test
  void erasureEndsADeviceThatHasNotPolled() {
    JsonNode codes = begin("openid");
    agreed(codes);
    idp.context
        .getBean(IdpPersonData.class)
        .erase("demo", new AdminResource.PersonReference(FakeDirectory.ALICE.id().value(), "alice"), "ops");
    assertThat(poll(codes)).isEqualTo("invalid_grant");
    assertThat(ends()).containsExactly("erased");
  }

  @Test
  void aDeviceThatNeverPollsLeavesNothing() {
    agreed(begin("openid"));
    Authorizations authorizations = idp.context.getBean(Authorizations.class);
    assertThat(authorizations.ofPerson("demo", FakeDirectory.ALICE.id())).hasSize(1);
    idp.time.advance(Duration.ofMinutes(10));
    assertThat(authorizations.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void tokensOutliveTheDeviceCode() {
    JsonNode codes = begin("openid");
    agreed(codes);
    String refresh = token(codes).path("refresh_token").asString();
    idp.time.advance(Duration.ofHours(1));
    Map<String, String> form = Map.of("grant_type", "refresh_token", "refresh_token", refresh);
    assertThat(app.server(idp).post("/realms/demo/oauth/token", form).status()).isEqualTo(200);
    assertThat(idp.context.getBean(Authorizations.class).ofPerson("demo", FakeDirectory.ALICE.id()))
        .as("one, with the tokens")
        .hasSize(1);
  }

  @Test
  void aDeviceThatIsTooQuickHasToWaitLonger() {
    JsonNode codes = begin("openid");
    assertThat(poll(codes)).isEqualTo("authorization_pending");
    idp.time.advance(Duration.ofSeconds(4));
    assertThat(poll(codes)).isEqualTo("slow_down");
    idp.time.advance(Duration.ofSeconds(6));
    assertThat(poll(codes)).as("ten seconds now").isEqualTo("slow_down");
    idp.time.advance(Duration.ofSeconds(15));
    assertThat(poll(codes)).isEqualTo("authorization_pending");
  }

  @Test
  void codesExpire() {
    JsonNode codes = begin("openid");
    idp.time.advance(Duration.ofMinutes(10));
    assertThat(poll(codes)).isEqualTo("expired_token");
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    assertThat(send(browser, codes.path("user_code").asString()).status()).isEqualTo(403);
  }

  @Test
  void aDeviceCodeIsItsClientsAlone() {
    OAuthApp other = new OAuthApp();
    other.id = "other";
    idp.realms.set(OAuthApp.realm(app, other));
    JsonNode codes = begin("openid");
    assertThat(
            OAuthApp.json(other.server(idp).post("/realms/demo/oauth/token", form(codes))).path("error").asString())
        .isEqualTo("invalid_grant");
  }

  @Test
  void guessesAreThrottledAndCodesOfOnesOwnBuyNone() {
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    for (int i = 0; i < 9; i++) {
      assertThat(send(browser, "BBBB-BBBB").status()).isEqualTo(403);
    }
    assertThat(send(browser, begin("openid").path("user_code").asString()).status()).isEqualTo(303);
    assertThat(send(browser, "BBBB-BBBB").status()).isEqualTo(403);
    EdgeReply refused = send(browser, begin("openid").path("user_code").asString());
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers().first("Retry-After")).isPresent();
  }

  @Test
  void theLoginPageDoesNotTellWhetherACodeIsThere() {
    String real = begin("openid").path("user_code").asString();
    TestBrowser browser = idp.browser();
    String known = browser.follow(browser.get(DEVICE + "?user_code=" + real)).text();
    String unknown = browser.follow(browser.get(DEVICE + "?user_code=BBBB-BBBB")).text();
    assertThat(known.replace(real.replace("-", ""), "")).isEqualTo(unknown.replace("BBBBBBBB", ""));
  }

  @Test
  void anAnswerFromElsewhereOrOfAnotherPersonIsNone() {
    JsonNode codes = begin("openid");
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    EdgeReply question = enter(browser, codes.path("user_code").asString());
    String address = TestBrowser.attribute(question.text(), "action");
    String csrf = TestBrowser.field(question.text(), "csrf");
    assertThat(browser.post(address, Map.of("csrf", "forged", "answer", "allow")).status()).isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Origin", "https://evil.example");
    assertThat(browser.post(address, Map.of("csrf", csrf, "answer", "allow")).status()).isEqualTo(403);
    TestBrowser bob = OAuthApp.signedIn(idp, "bob");
    assertThat(bob.get(address).status()).isEqualTo(400);
    assertThat(poll(codes)).isEqualTo("authorization_pending");
  }

  @Test
  void ofTwoWhoAnswerOneCounts() {
    JsonNode codes = begin("openid");
    TestBrowser alice = OAuthApp.signedIn(idp, "alice");
    TestBrowser bob = OAuthApp.signedIn(idp, "bob");
    EdgeReply first = enter(alice, codes.path("user_code").asString());
    EdgeReply second = enter(bob, codes.path("user_code").asString());
    assertThat(OAuthApp.answer(alice, first, "allow").status()).isEqualTo(200);
    assertThat(OAuthApp.answer(bob, second, "allow").status()).isEqualTo(400);
    assertThat(idp.audit.events(AuditEvent.AuthorizationGranted.class)).extracting(e -> e.person())
        .containsExactly(FakeDirectory.ALICE.id().value());
  }

  @Test
  void theClientsLeastContractHolds() {
    app.contract = Optional.of("totp");
    idp.realms.set(OAuthApp.realm(app));
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    EdgeReply sent = send(browser, begin("openid").path("user_code").asString());
    EdgeReply login = browser.follow(sent);
    assertThat(login.headers().first("Location").orElse("")).contains("/login?pending=");
    assertThat(browser.follow(login).headers().first("Location").orElse("")).contains("/login/second?pending=");
  }

  @Test
  void whoMayNotIsRefused() {
    app.grants = Set.of(GrantType.CODE);
    idp.realms.set(OAuthApp.realm(app));
    assertThat(begin("openid").path("error").asString()).isEqualTo("unauthorized_client");
    app.grants = Set.of(GrantType.DEVICE);
    idp.realms.set(OAuthApp.realm(app));
    assertThat(begin("admin").path("error").asString()).isEqualTo("invalid_scope");
    TestBrowser nobody = idp.browser();
    nobody.headers = Map.of();
    EdgeReply reply = nobody.post("/realms/demo/oauth/device_authorization", Map.of("client_id", "app", "scope", "openid"));
    assertThat(reply.status()).isEqualTo(401);
    app.methods = Set.of(Method.NONE);
    idp.realms.set(OAuthApp.realm(app));
    assertThat(nobody.post("/realms/demo/oauth/device_authorization", Map.of("client_id", "app", "scope", "openid")).status())
        .as("a public client says who it is")
        .isEqualTo(200);
  }

  private JsonNode begin(String scope) {
    return OAuthApp.json(
        app.server(idp).post("/realms/demo/oauth/device_authorization", Map.of("scope", scope)));
  }

  private static EdgeReply send(TestBrowser browser, String userCode) {
    String csrf = TestBrowser.field(browser.get(DEVICE).text(), "csrf");
    return browser.post(DEVICE, Map.of("csrf", csrf, "user_code", userCode));
  }

  private static EdgeReply enter(TestBrowser browser, String userCode) {
    return browser.follow(send(browser, userCode));
  }

  /** Alice agrees, and the device does not poll. */
  private TestBrowser agreed(JsonNode codes) {
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    EdgeReply done = OAuthApp.answer(browser, enter(browser, codes.path("user_code").asString()), "allow");
    assertThat(done.text()).contains("The device is connected");
    return browser;
  }

  private List<String> ends() {
    return idp.audit.events(AuditEvent.AuthorizationEnded.class).stream().map(e -> e.cause()).toList();
  }

  private static Map<String, String> form(JsonNode codes) {
    return Map.of(
        "grant_type", "urn:ietf:params:oauth:grant-type:device_code",
        "device_code", codes.path("device_code").asString());
  }

  private JsonNode token(JsonNode codes) {
    return OAuthApp.json(app.server(idp).post("/realms/demo/oauth/token", form(codes)));
  }

  private String poll(JsonNode codes) {
    return token(codes).path("error").asString("none");
  }
}
