package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From the authorization request to the tokens (RFC 6749, section 4.1; OpenID Connect Core 3.1). */
final class AuthorizationCodeFlowTest {

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));

  @Test
  void aPersonLogsInAndTheAppGetsItsTokens() {
    TestBrowser browser = idp.browser();
    EdgeReply form = app.ask(browser);
    assertThat(form.text()).contains("to continue to The &lt;b&gt;app&lt;/b&gt;");
    EdgeReply answer = browser.follow(browser.login(form, "alice", "demo"));
    Parameters query = OAuthApp.query(answer);
    assertThat(query.one("state")).contains("st&te=1 <b>");
    assertThat(query.one("iss")).contains(Idp.ENTITY);

    JsonNode tokens = app.exchange(idp, OAuthApp.code(answer));
    assertThat(tokens.path("token_type").asString()).isEqualTo("Bearer");
    JsonNode idToken = OAuthApp.claims(tokens.path("id_token").asString());
    assertThat(idToken.path("nonce").asString()).isEqualTo("n-0S6_WzA2Mj");
    assertThat(idToken.path("aud").asString()).isEqualTo(OAuthApp.ID);
    assertThat(idp.audit.events(AuditEvent.AuthorizationGranted.class))
        .singleElement()
        .satisfies(granted -> assertThat(granted.scopes()).isEqualTo("openid profile"));
  }

  @Test
  void whoIsLoggedInSeesNoPage() {
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    assertThat(app.exchange(idp, OAuthApp.code(app.ask(browser))).path("access_token").asString()).isNotEmpty();
  }

  @Test
  void aRequestByPostIsOne() {
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    assertThat(OAuthApp.code(browser.post(OAuthApp.AUTHORIZE, app.request()))).isNotEmpty();
  }

  @Test
  void aPostFromAnotherSiteFindsTheSessionAfterOneStep() {
    TestBrowser browser = OAuthApp.signedIn(idp, "alice");
    EdgeReply saved = browser.postFromElsewhere(OAuthApp.AUTHORIZE, app.request());
    assertThat(saved.headers().first("Location").orElse("")).contains("?resume=");
    assertThat(OAuthApp.code(browser.follow(saved))).isNotEmpty();
    assertThat(browser.follow(saved).status()).as("once").isEqualTo(400);
    assertThat(reasons()).containsExactly("PENDING_LOGIN_REPLAYED");
  }

  @Test
  void chromiumIsTakenOnByAPageWhereARedirectWouldFollowAForm() {
    TestBrowser browser = idp.browser();
    browser.headers = Map.of("Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "none");
    EdgeReply form = browser.follow(app.ask(browser));
    browser.headers = Map.of("Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "same-origin");
    EdgeReply redirect = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(redirect.status()).isEqualTo(200);
    assertThat(redirect.headers().first("Refresh").orElse("")).startsWith("0;url=" + OAuthApp.CALLBACK + "?code=");
  }

  @Test
  void twoTabsAreAnsweredEachOnce() {
    TestBrowser browser = idp.browser();
    EdgeReply one = app.ask(browser, "state", "one");
    EdgeReply two = app.ask(browser, "state", "two");
    EdgeReply answer = browser.follow(browser.login(browser.follow(one), "alice", "demo"));
    assertThat(OAuthApp.query(answer).one("state")).contains("one");
    EdgeReply second = browser.follow(browser.follow(two));
    assertThat(OAuthApp.query(second).one("state")).contains("two");
    assertThat(browser.follow(two).status()).as("answered already").isEqualTo(400);
  }

  @Test
  void cancellingTheLoginTellsTheApp() {
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.follow(app.ask(browser));
    String cancel = form.text().replaceAll("(?s).*action=\"([^\"]*oauth/cancel[^\"]*)\".*", "$1");
    EdgeReply answer = browser.post(cancel, Map.of("csrf", TestBrowser.field(form.text(), "csrf")));
    assertThat(OAuthApp.error(answer)).isEqualTo("access_denied: the login was cancelled");
    assertThat(OAuthApp.query(answer).one("iss")).contains(Idp.ENTITY);
  }

  @Test
  void theLoginFormKnowsTheHintAndSpeaksTheLanguage() {
    TestBrowser browser = idp.browser();
    String html = browser.follow(app.ask(browser, "login_hint", "ali\"ce", "ui_locales", "fr de")).text();
    assertThat(html).contains("value=\"ali&quot;ce\"").contains("lang=\"de\"");
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream().map(AuditEvent.MessageRefused::reason).toList();
  }
}
