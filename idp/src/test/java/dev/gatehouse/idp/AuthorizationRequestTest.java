package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.idp.oidc.ClaimsRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Refused authorization requests, the reason, and the recipient of the error (cases 24, 25 and 27 of the attackers'
 * list).
 */
final class AuthorizationRequestTest {

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example/callback/",
        "https://app.example/callback/more",
        "https://app.example/callback?more=1",
        "https://app.example/callback#more",
        "https://app.example/Callback",
        "https://APP.example/callback",
        "https://app.example:443/callback",
        "https://app.example/%2e%2e/callback",
        "https://app.example/a/../callback",
        "https://app.example\\@evil.example/callback",
        "https://app.example@evil.example/callback",
        "https://user@app.example/callback",
        "https://app.example.evil.example/callback",
        "https://evil.example/https://app.example/callback",
        "http://app.example/callback",
        "//app.example/callback",
        "https://app.example/callback ",
        "javascript:alert(1)",
        "app"
      })
  void noRedirectToWhatIsNotRegistered(String uri) {
    assertPage(app.ask(browser, "redirect_uri", uri), "REDIRECT_URI_UNKNOWN");
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:9999/callback, true",
    "http://127.0.0.1/callback, true",
    "http://127.0.0.1:1/callback, true",
    "http://127.0.0.1:65536/callback, false",
    "http://127.0.0.1:0/callback, false",
    "http://127.0.0.1:9999/callback2, false",
    "http://127.0.0.1:9999@evil.example/callback, false",
    "http://127.0.0.1.evil.example/callback, false",
    "http://127.0.0.2:9999/callback, false",
    "https://127.0.0.1:9999/callback, false",
    "http://[::1]:4711/callback, true",
    "http://app.localhost:4711/callback, true",
    "http://other.localhost:4711/callback, false",
    "http://127.0.0.1:/callback, false",
    "http://127.0.0.1:00080/callback, true",
  })
  void onLoopbackThePortAloneMayDiffer(String uri, boolean isOurs) {
    app.redirectUris =
        List.of("http://127.0.0.1:3000/callback", "http://[::1]/callback", "http://app.localhost/callback");
    idp.realms.set(OAuthApp.realm(app));
    EdgeReply reply = app.ask(browser, "redirect_uri", uri);
    if (isOurs) {
      assertThat(reply.headers().first("Location").orElse("")).startsWith(uri + "?code=");
    } else {
      assertPage(reply, "REDIRECT_URI_UNKNOWN");
    }
  }

  @Test
  void onAnOrdinaryHostThePortCounts() {
    app.redirectUris = List.of("https://app.example:8443/callback");
    idp.realms.set(OAuthApp.realm(app));
    assertPage(app.ask(browser, "redirect_uri", "https://app.example:9443/callback"), "REDIRECT_URI_UNKNOWN");
  }

  @Test
  void whoAsksMustBeKnown() {
    assertPage(app.ask(browser, "client_id", "nobody"), "CLIENT_UNKNOWN");
    assertPage(app.ask(browser, "client_id", ""), "CLIENT_UNKNOWN", "NO_CLIENT");
  }

  @Test
  void aRequestWithoutRedirectUriIsNotOpenIds() {
    assertPage(app.ask(browser, "redirect_uri", ""), "REDIRECT_URI_MISSING");
    EdgeReply plain = app.ask(browser, "redirect_uri", "", "scope", "read", "nonce", "");
    assertThat(OAuthApp.query(plain).one("code")).isPresent();
    app.redirectUris = List.of(OAuthApp.CALLBACK, "https://app.example/other");
    idp.realms.set(OAuthApp.realm(app));
    assertPage(app.ask(browser, "redirect_uri", "", "scope", "read"), "REDIRECT_URI_MISSING", "REDIRECT_URI_MISSING");
  }

  @ParameterizedTest
  @ValueSource(strings = {"scope=openid", "response_type=code", "state=x", "nonce=n", "response_mode=query", "prompt=login", "foo=1&foo=2"})
  void nothingStandsTwice(String more) {
    EdgeReply reply =
        browser.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request("response_mode", "query", "prompt", "consent")) + "&" + more);
    assertThat(OAuthApp.error(reply)).isEqualTo("invalid_request: a parameter occurs more than once");
    assertThat(OAuthApp.query(reply).one("iss")).contains(Idp.ENTITY);
  }

  @Test
  void whatDecidesWhereTheAnswerGoesStandsOnceOrThereIsNone() {
    String query = OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request());
    assertPage(browser.get(query + "&redirect_uri=https://evil.example/"), "REDIRECT_URI_TWICE");
    assertPage(browser.get(query + "&client_id=other"), "REDIRECT_URI_TWICE", "NO_CLIENT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "response_type|x|unsupported_response_type: there is no such response_type",
        "response_type|code code|unsupported_response_type: there is no such response_type",
        "scope|admin write|invalid_scope: scope names nothing that the client may have",
        "code_challenge|''|invalid_request: code_challenge is missing",
        "code_challenge_method|plain|invalid_request: code_challenge_method must be S256",
        "code_challenge_method|''|invalid_request: code_challenge_method must be S256",
        "code_challenge|short|invalid_request: code_challenge is not an S256 one",
        "response_mode|jwt|invalid_request: response_mode is not supported",
        "prompt|none login|invalid_request: prompt has a value that cannot be followed",
        "prompt|create|invalid_request: prompt has a value that cannot be followed",
        "max_age|-1|invalid_request: max_age is not a number of seconds",
        "max_age|soon|invalid_request: max_age is not a number of seconds",
        "dpop_jkt|x|invalid_request: dpop_jkt is not a thumbprint",
        "resource|https://other.example|invalid_target: resource is not one of the client's",
        "claims|{|invalid_request: claims cannot be read: " + ClaimsRequest.FORM,
        "claims|[]|invalid_request: claims cannot be read: " + ClaimsRequest.FORM,
        "registration|{}|registration_not_supported: clients register beforehand",
        "id_token_hint|x.y.z|invalid_request: id_token_hint is no ID token of ours",
      })
  void whatIsWrongIsSaidToTheApp(String name, String value, String error) {
    EdgeReply reply = app.ask(browser, name, value);
    assertThat(OAuthApp.error(reply)).isEqualTo(error);
    assertThat(OAuthApp.query(reply).one("state")).contains("st&te=1 <b>");
    assertThat(OAuthApp.query(reply).one("iss")).contains(Idp.ENTITY);
    assertThat(idp.audit.events(AuditEvent.AuthorizationGranted.class)).isEmpty();
  }

  @Test
  void aRequestObjectWithoutSignatureIsNone() {
    String none = "eyJhbGciOiJub25lIn0.eyJpc3MiOiJhcHAifQ.";
    assertThat(OAuthApp.error(app.ask(browser, "request", none))).startsWith("invalid_request_object: ");
    assertThat(OAuthApp.error(app.ask(browser, "request_uri", "http://169.254.169.254/")))
        .startsWith("invalid_request_uri: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "id_token", "id_token token", "code id_token", "code token", "code id_token token"})
  void whatWasNotTurnedOnIsNotGiven(String types) {
    EdgeReply reply = app.ask(browser, "response_type", types);
    assertThat(OAuthApp.fragment(reply).one("error")).contains("unauthorized_client");
  }

  @Test
  void aClientMayGoWithoutPkceOnlyWhereItIsRegisteredSo() {
    app.pkce = false;
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.code(app.ask(browser, "code_challenge", "", "code_challenge_method", ""))).isNotEmpty();
    app.methods = Set.of(Method.NONE);
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.error(app.ask(browser, "code_challenge", "", "code_challenge_method", "")))
        .as("a public client never")
        .isEqualTo("invalid_request: code_challenge is missing");
  }

  @Test
  void scopesThatTheClientMayNotHaveArePassedOver() {
    String code = OAuthApp.code(app.ask(browser, "scope", "openid admin profile"));
    assertThat(app.exchange(idp, code).path("scope").asString().split(" "))
        .containsExactlyInAnyOrder("openid", "profile");
  }

  @Test
  void offlineAccessNeedsARefreshToken() {
    app.grants = Set.of(GrantType.CODE);
    idp.realms.set(OAuthApp.realm(app));
    String code = OAuthApp.code(app.ask(browser, "scope", "openid offline_access"));
    assertThat(app.exchange(idp, code).path("scope").asString()).isEqualTo("openid");
  }

  @Test
  void aClientThatIsToBindItsTokensGetsNoneAtThisEndpoint() {
    Tokens t = Tokens.USUAL;
    app.grants = Set.of(GrantType.IMPLICIT);
    app.tokens =
        new Tokens(
            t.accessToken(), t.accessTokenAlgorithm(), Optional.empty(), Optional.empty(), Duration.ZERO,
            t.idTokenAlgorithm(), Optional.empty(), Optional.empty(), Optional.empty(), ClientConfig.Binding.DPOP);
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.fragment(app.ask(browser, "response_type", "id_token token")).one("error_description"))
        .contains("a token from here cannot be bound to a key of the client");
  }

  @Test
  void whatTheClientMayNotDoAnyMoreIsNotDoneThoughItWaited() {
    TestBrowser other = idp.browser();
    EdgeReply form = other.follow(app.ask(other));
    app.grants = Set.of(GrantType.DEVICE);
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.query(other.follow(other.login(form, "alice", "demo"))).one("error"))
        .contains("unauthorized_client");
  }

  @Test
  void aRedirectUriThatWasTakenAwayMeanwhileIsNotUsed() {
    TestBrowser other = idp.browser();
    EdgeReply form = other.follow(app.ask(other));
    app.redirectUris = List.of("https://app.example/new");
    idp.realms.set(OAuthApp.realm(app));
    assertPage(other.follow(other.login(form, "alice", "demo")), "REDIRECT_URI_UNKNOWN");
  }

  @Test
  void aWaitingRequestBelongsToItsBrowser() {
    TestBrowser victim = idp.browser();
    EdgeReply start = app.ask(victim);
    String pending = TestSp.parameter(start, "pending");
    assertThat(browser.get(OAuthApp.AUTHORIZE + "?pending=" + pending).status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("NO_SUCH_PENDING_LOGIN");
  }

  @Test
  void aSessionOfAnotherRealmCountsForNothing() {
    EdgeReply reply = browser.get("/realms/other/oauth/authorize?" + TestBrowser.encode(app.request()));
    assertThat(reply.status()).isEqualTo(404);
  }

  @Test
  void anErrorPageShowsNothingOfTheRequest() {
    EdgeReply page = app.ask(browser, "redirect_uri", "https://evil.example/<script>alert(1)</script>");
    assertThat(page.text()).doesNotContain("evil", "alert(1)");
    assertThat(page.headers().first("Content-Security-Policy").orElse("")).contains("frame-ancestors 'none'");
  }

  @Test
  void aLongRequestIsRefused() {
    Map<String, String> form = app.request("state", "x".repeat(20_000));
    assertPage(browser.post(OAuthApp.AUTHORIZE, form), "TOO_LONG");
  }

  private void assertPage(EdgeReply reply, String... reasons) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(reply.headers().first("Refresh")).isEmpty();
    assertThat(reasons()).endsWith(reasons[reasons.length - 1]);
    assertThat(reply.text()).contains("class=\"reference\"");
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream().map(AuditEvent.MessageRefused::reason).toList();
  }
}
