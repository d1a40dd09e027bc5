package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Implicit and hybrid flow, if enabled (OpenID Connect Core 3.2, 3.3), and the response modes. */
final class HistoricalFlowTest {

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");

  @BeforeEach
  void turnedOn() {
    app.grants = Set.of(GrantType.CODE, GrantType.IMPLICIT, GrantType.HYBRID);
    idp.realms.set(OAuthApp.realm(app));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"token", "id_token", "id_token token", "token id_token", "code id_token", "code token", "code id_token token"})
  void eachBringsWhatItIsAskedFor(String types) throws Exception {
    Parameters fragment = OAuthApp.fragment(app.ask(browser, "response_type", types));
    Set<String> asked = Set.of(types.split(" "));
    assertThat(fragment.one("code").isPresent()).isEqualTo(asked.contains("code"));
    assertThat(fragment.one("access_token").isPresent()).isEqualTo(asked.contains("token"));
    assertThat(fragment.one("id_token").isPresent()).isEqualTo(asked.contains("id_token"));
    assertThat(fragment.one("token_type").isPresent()).isEqualTo(asked.contains("token"));
    assertThat(fragment.one("state")).contains("st&te=1 <b>");
    assertThat(fragment.one("iss")).contains(Idp.ENTITY);
    if (asked.contains("id_token")) {
      JsonNode claims = OAuthApp.claims(fragment.one("id_token").orElseThrow());
      assertThat(claims.path("nonce").asString()).isEqualTo("n-0S6_WzA2Mj");
      assertThat(claims.path("at_hash").asString("none")).isEqualTo(fragment.one("access_token").map(this::half).orElse("none"));
      assertThat(claims.path("c_hash").asString("none")).isEqualTo(fragment.one("code").map(this::half).orElse("none"));
    }
    if (asked.contains("code")) {
      assertThat(app.exchange(idp, fragment.one("code").orElseThrow()).path("access_token").asString()).isNotEmpty();
    }
    if (asked.contains("token")) {
      assertThat(active(fragment.one("access_token").orElseThrow())).isTrue();
    }
  }

  @Test
  void tokensEndWithTheSession() {
    String token = OAuthApp.fragment(app.ask(browser, "response_type", "token")).one("access_token").orElseThrow();
    EdgeReply page = browser.get("/realms/demo/account");
    browser.post(
        "/realms/demo/account", Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "action", "end-all"));
    assertThat(active(token)).isFalse();
  }

  /** It has passed through the browser, and no refresh token comes with it; what came of the code is for the time after the logout. */
  @ParameterizedTest
  @ValueSource(strings = {"openid profile offline_access", "offline_access"})
  void withOfflineAccessTooTheyEndWithTheSession(String scope) {
    app.grants = Set.of(GrantType.CODE, GrantType.REFRESH, GrantType.HYBRID);
    idp.realms.set(OAuthApp.realm(app));
    Parameters fragment = OAuthApp.fragment(app.ask(browser, "response_type", "code token", "scope", scope));
    String front = fragment.one("access_token").orElseThrow();
    assertThat(fragment.one("scope").orElse("none")).isEqualTo(scope.contains("openid") ? "openid profile" : "none");
    JsonNode back = app.exchange(idp, fragment.one("code").orElseThrow());
    assertThat(back.path("scope").asString()).contains("offline_access");
    assertThat(active(front)).isTrue();

    EdgeReply page = browser.get("/realms/demo/logout");
    browser.post("/realms/demo/logout", Map.of("csrf", TestBrowser.field(page.text(), "csrf")));

    assertThat(active(front)).isFalse();
    TestBrowser holder = idp.browser();
    holder.headers = Map.of("Authorization", "Bearer " + front);
    assertThat(holder.get("/realms/demo/oauth/userinfo").status()).isEqualTo(401);
    assertThat(active(back.path("access_token").asString())).isTrue();
    Map<String, String> refresh = Map.of("grant_type", "refresh_token", "refresh_token", back.path("refresh_token").asString());
    assertThat(app.server(idp).post("/realms/demo/oauth/token", refresh).status()).isEqualTo(200);
  }

  @Test
  void anIdTokenFromHereNeedsANonce() {
    EdgeReply reply = app.ask(browser, "response_type", "code id_token", "nonce", "");
    assertThat(OAuthApp.fragment(reply).one("error_description")).contains("nonce is missing");
    assertThat(OAuthApp.fragment(app.ask(browser, "response_type", "id_token", "scope", "profile")).one("error"))
        .contains("invalid_scope");
  }

  @Test
  void noTokenStandsInAQuery() {
    EdgeReply reply = app.ask(browser, "response_type", "id_token token", "response_mode", "query");
    assertThat(OAuthApp.fragment(reply).one("error_description")).contains("response_mode query is not for tokens");
  }

  @Test
  void aCodeMayComeInTheFragment() {
    assertThat(OAuthApp.fragment(app.ask(browser, "response_mode", "fragment")).one("code")).isPresent();
  }

  @Test
  void aFormSubmitsItselfAndEscapesWhatItEchoes() {
    String state = "\"><script>alert(1)</script>&'";
    EdgeReply page = app.ask(browser, "response_mode", "form_post", "state", state);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text()).doesNotContain("<script>alert").contains("<button type=\"submit\"");
    assertThat(TestBrowser.attribute(page.text(), "action")).isEqualTo(OAuthApp.CALLBACK);
    assertThat(TestBrowser.field(page.text(), "state")).isEqualTo(state);
    assertThat(TestBrowser.field(page.text(), "iss")).isEqualTo(Idp.ENTITY);
    String policy = page.headers().first("Content-Security-Policy").orElse("");
    assertThat(policy).contains("default-src 'none'", "script-src 'sha256-").doesNotContain("unsafe-inline", "form-action");
    assertThat(page.headers().first("Cache-Control")).contains("no-store");
    assertThat(app.exchange(idp, TestBrowser.field(page.text(), "code")).path("id_token").asString()).isNotEmpty();
  }

  @Test
  void errorsTravelByFormToo() {
    EdgeReply page = app.ask(browser, "response_mode", "form_post", "scope", "admin");
    assertThat(TestBrowser.field(page.text(), "error")).isEqualTo("invalid_scope");
  }

  @Test
  void anAppsOwnSchemeTakesNoForm() {
    app.redirectUris = java.util.List.of("org.example.app:/callback");
    idp.realms.set(OAuthApp.realm(app));
    EdgeReply reply = app.ask(browser, "response_mode", "form_post");
    assertThat(reply.headers().first("Location").orElse(""))
        .startsWith("org.example.app:/callback?error=invalid_request&");
    assertThat(app.ask(browser).headers().first("Location").orElse("")).startsWith("org.example.app:/callback?code=");
  }

  @Test
  void aRedirectUriKeepsItsQuery() {
    app.redirectUris = java.util.List.of("https://app.example/callback?tenant=1");
    idp.realms.set(OAuthApp.realm(app));
    assertThat(app.ask(browser).headers().first("Location").orElse(""))
        .startsWith("https://app.example/callback?tenant=1&code=");
  }

  private boolean active(String token) {
    return OAuthApp.json(app.server(idp).post("/realms/demo/oauth/introspect", Map.of("token", token)))
        .path("active")
        .asBoolean();
  }

  /** OpenID Connect Core 3.3.2.11, for RS256. */
  private String half(String value) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 16));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
