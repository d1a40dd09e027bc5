package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The data that a client gets only with the person's consent, and its revocation (cases 38 and 39 of the attackers'
 * list).
 */
final class OAuthConsentTest {

  private static final String PARTNER = "oauth:" + OAuthApp.ID;

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");

  @BeforeEach
  void clientThatNeedsConsent() {
    app.consent = true;
    idp.realms.set(OAuthApp.realm(app));
  }

  @Test
  void thePersonSeesInWordsWhatIsAskedForAndAgrees() {
    EdgeReply question = ask("scope", "openid profile email read offline_access");
    assertThat(question.text())
        .contains("The &lt;b&gt;app&lt;/b&gt;")
        .contains("Recognise you when you come again", "Your name", "Your e-mail address", "<small>alice@example.com</small>")
        .contains("Act for you: “read”", "Stay connected while you are signed out")
        .contains("<small>Alice &lt;Ängström&gt; &amp; Söhne</small>")
        .doesNotContain("<Ängström>");
    assertThat(question.headers().first("Content-Security-Policy").orElse("")).contains("frame-ancestors 'none'");
    assertThat(question.headers().first("X-Frame-Options")).contains("DENY");
    String code = OAuthApp.code(browser.follow(OAuthApp.answer(browser, question, "allow")));
    assertThat(app.exchange(idp, code).path("access_token").asString()).isNotEmpty();
    assertThat(idp.consents.find("demo", PARTNER, FakeDirectory.ALICE.id()).orElseThrow().attributes())
        .containsExactlyInAnyOrder("openid", "profile", "email", "read", "offline_access");
  }

  @Test
  void theQuestionSpeaksTheLanguageThatTheAppWants() {
    assertThat(ask("scope", "openid email", "ui_locales", "de").text()).contains("Ihre E-Mail-Adresse");
  }

  @Test
  void theAnswerIsRememberedForWhatItWasAbout() {
    browser.follow(OAuthApp.answer(browser, ask("scope", "openid profile"), "allow"));
    assertThat(OAuthApp.code(app.ask(browser, "scope", "openid profile"))).isNotEmpty();
    assertThat(OAuthApp.code(app.ask(browser, "scope", "openid"))).as("less").isNotEmpty();
    assertThat(ask("scope", "openid profile email").text()).contains("Your e-mail address");
    assertThat(ask("scope", "openid", "claims", "{\"userinfo\":{\"email\":null}}").text())
        .contains("The detail “email”");
  }

  @Test
  void nobodyIsAskedForAClaimThatTheClientMayNotHave() {
    EdgeReply question = ask("scope", "openid", "claims", "{\"userinfo\":{\"groups\":null,\"email\":null}}");
    assertThat(question.text()).contains("The detail “email”").doesNotContain("The detail “groups”");
    assertThat(OAuthApp.code(browser.follow(OAuthApp.answer(browser, question, "allow")))).isNotEmpty();
    assertThat(idp.consents.find("demo", PARTNER, FakeDirectory.ALICE.id()).orElseThrow().attributes())
        .containsExactlyInAnyOrder("openid", "claim:email");
  }

  /** Line feeds in a claim's name once turned one harmless item of the page into consent to everything after it. */
  @Test
  void aClaimThatNamesSeveralIsRefusedAndNothingIsAgreedTo() {
    assertThat(
            OAuthApp.error(
                app.ask(
                    browser, "scope", "openid",
                    "claims", "{\"userinfo\":{\"theme\\nemail\\noffline_access\":null}}")))
        .startsWith("invalid_request: claims cannot be read");
    assertThat(idp.consents.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void promptConsentAlwaysAsks() {
    app.consent = false;
    idp.realms.set(OAuthApp.realm(app));
    for (int i = 0; i < 2; i++) {
      EdgeReply question = ask("prompt", "consent");
      assertThat(OAuthApp.code(browser.follow(OAuthApp.answer(browser, question, "allow")))).isNotEmpty();
      idp.time.advance(Duration.ofSeconds(1));
    }
    EdgeReply start = app.ask(browser, "prompt", "consent");
    String key = TestSp.parameter(start, "pending");
    assertThat(browser.get(OAuthApp.AUTHORIZE + "?pending=" + key).headers().first("Location").orElse(""))
        .as("an answer of before does not count")
        .contains("/consent?pending=");
  }

  @Test
  void whoIsNotToBeAskedIsNotAnswered() {
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none")))
        .isEqualTo("consent_required: the person has not agreed yet");
  }

  @Test
  void whoDoesNotAgreeTellsTheApp() {
    EdgeReply question = ask();
    assertThat(OAuthApp.error(OAuthApp.answer(browser, question, "deny")))
        .isEqualTo("access_denied: the person did not agree");
    assertThat(OAuthApp.answer(browser, question, "allow").status()).as("the question is over").isEqualTo(400);
    assertThat(idp.consents.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void anAnswerFromElsewhereIsNone() {
    EdgeReply question = ask();
    String address = TestBrowser.attribute(question.text(), "action");
    String csrf = TestBrowser.field(question.text(), "csrf");
    assertThat(browser.post(address, Map.of("csrf", "forged", "answer", "allow")).status()).isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Sec-Fetch-Site", "cross-site");
    assertThat(browser.post(address, Map.of("csrf", csrf, "answer", "allow")).status()).isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Origin", "https://evil.example");
    assertThat(browser.post(address, Map.of("csrf", csrf, "answer", "allow")).status()).isEqualTo(403);
    assertThat(idp.consents.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void takingItBackEndsWhatTheClientMayDo() {
    String code = OAuthApp.code(browser.follow(OAuthApp.answer(browser, ask("scope", "openid offline_access"), "allow")));
    String refresh = app.exchange(idp, code).path("refresh_token").asString();
    EdgeReply page = browser.get("/realms/demo/account/consents");
    assertThat(page.text()).contains("The &lt;b&gt;app&lt;/b&gt;", "Stay connected");
    EdgeReply done =
        browser.post(
            "/realms/demo/account/consents",
            Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "partner", PARTNER));
    assertThat(browser.follow(done).text()).doesNotContain("name=\"partner\"");
    assertThat(refreshed(refresh).path("error").asString()).isEqualTo("invalid_grant");
    assertThat(idp.audit.events(AuditEvent.AuthorizationEnded.class)).extracting(e -> e.cause()).containsExactly("account");
    assertThat(ask().text()).contains("name=\"answer\"");
  }

  @Test
  void whatStandsWithoutAQuestionCanBeEndedToo() {
    app.consent = false;
    idp.realms.set(OAuthApp.realm(app));
    String refresh = app.exchange(idp, OAuthApp.code(app.ask(browser))).path("refresh_token").asString();
    assertThat(refreshed(refresh).path("refresh_token").asString()).isNotEmpty();
    EdgeReply page = browser.get("/realms/demo/account/consents");
    String csrf = TestBrowser.field(page.text(), "csrf");
    browser.post("/realms/demo/account/consents", Map.of("csrf", csrf, "partner", PARTNER));
    assertThat(idp.audit.events(AuditEvent.ConsentChanged.class)).last().extracting(e -> e.given()).isEqualTo(false);
    assertThat(browser.get("/realms/demo/account/consents").text()).doesNotContain("name=\"partner\"");
  }

  private JsonNode refreshed(String token) {
    return OAuthApp.json(
        app.server(idp)
            .post("/realms/demo/oauth/token", Map.of("grant_type", "refresh_token", "refresh_token", token)));
  }

  private EdgeReply ask(String... changes) {
    EdgeReply question = browser.follow(app.ask(browser, changes));
    assertThat(question.text()).contains("name=\"answer\"");
    return question;
  }
}
