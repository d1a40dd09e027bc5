package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.common.saml.metadata.UiInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data that a partner receives only with the person's consent. */
final class ConsentTest {

  private static final String PIXEL = "data:image/png;base64,iVBORw0KGgo=";

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @BeforeEach
  void partnerThatNeedsConsent() {
    release("uid");
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }

  @Test
  void thePersonSeesWhatIsToldAndAgrees() {
    EdgeReply question = ask();
    assertThat(question.text())
        .contains("The app", "<dd>alice</dd>", PIXEL, "href=\"https://app.example/privacy\"")
        .doesNotContain("tracker.example", "a11ce");
    EdgeReply page = browser.follow(answer(question, "allow"));
    Response response = Idp.response(page).response();
    assertThat(response.consent()).contains(Response.CONSENT_NOW);
    assertThat(response.assertions().getFirst().attributes()).extracting(SamlAttribute::name).containsExactly("uid");
    assertThat(idp.audit.events(AuditEvent.ConsentChanged.class))
        .containsExactly(
            new AuditEvent.ConsentChanged(
                idp.audit.events(AuditEvent.ConsentChanged.class).getFirst().context(),
                FakeDirectory.ALICE.id().value(), Idp.APP, true, "uid"));
  }

  @Test
  void theAnswerIsRememberedAndGrowsStaleWhenMoreIsTold() {
    browser.follow(answer(ask(), "allow"));
    idp.time.advance(Duration.ofMinutes(1));
    Response response = Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).response();
    assertThat(response.consent()).contains(Response.CONSENT_BEFORE);

    release("uid", "cn");
    EdgeReply question = ask();
    assertThat(question.text()).contains("Alice &lt;Ängström&gt; &amp; Söhne").doesNotContain("<Ängström>");
    browser.follow(answer(question, "allow"));
    release("cn");
    assertThat(Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).assertions()).hasSize(1);
  }

  @Test
  void whoDoesNotAgreeIsNotTalkedAbout() {
    EdgeReply question = ask();
    Response response = Idp.response(answer(question, "deny")).response();
    assertThat(response.status()).isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_DENIED));
    assertThat(response.assertions()).isEmpty();
    assertThat(idp.audit.events(AuditEvent.AssertionIssued.class)).isEmpty();
    assertThat(answer(question, "allow").status()).as("the question is over").isEqualTo(400);
    assertThat(idp.consents.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void aRefusalOfConsentTravelsAsAnArtifactByAPage() {
    AuthnRequest request = Requests.binding(idp.authnRequest(Idp.APP), Binding.ARTIFACT.uri());
    EdgeReply question = browser.follow(browser.get(Idp.redirect(request)));
    EdgeReply page = answer(question, "deny");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.headers().first("Refresh").orElse("")).contains("SAMLart=");
  }

  @Test
  void aPassiveRequestShowsNoQuestion() {
    AuthnRequest passive = Requests.asking(idp.authnRequest(Idp.APP), false, true);
    assertThat(Idp.response(browser.get(Idp.redirect(passive))).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
    browser.follow(answer(ask(), "allow"));
    AuthnRequest again = Requests.asking(idp.authnRequest(Idp.APP), false, true);
    assertThat(Idp.response(browser.get(Idp.redirect(again))).assertions()).hasSize(1);
  }

  @Test
  void aQuestionBelongsToItsBrowser() {
    EdgeReply start = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    TestBrowser other = idp.browser();
    other.login(other.get("/realms/demo/login"), "bob", "demo");
    assertThat(other.follow(start).status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("NO_SUCH_PENDING_CONSENT");
  }

  @Test
  void anAnswerFromElsewhereOrToAnotherQuestionIsNone() {
    EdgeReply start = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    String address = start.headers().first("Location").orElseThrow();
    EdgeReply question = browser.follow(start);
    String csrf = TestBrowser.field(question.text(), "csrf");
    assertThat(browser.post(address, Map.of("csrf", "forged", "answer", "allow")).status()).isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Sec-Fetch-Site", "cross-site");
    assertThat(browser.post(address, Map.of("csrf", csrf, "answer", "allow")).status()).isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html");
    // More would be released by the time the answer arrives: the answer did not cover that.
    release("uid", "cn");
    EdgeReply again = browser.post(address, Map.of("csrf", csrf, "answer", "allow"));
    assertThat(again.status()).isEqualTo(403);
    assertThat(again.text()).contains("Söhne");
    assertThat(idp.consents.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
    assertThat(answer(again, "maybe").status()).isEqualTo(400);
    assertThat(Idp.response(browser.follow(answer(again, "allow"))).assertions()).hasSize(1);
  }

  @Test
  void anAnswerIsThePersonsWhoWasAsked() {
    EdgeReply question = ask();
    // Another person logs in at this browser in another tab, with the same attributes.
    browser.cookies.remove("gh_idp.demo");
    browser.login(browser.get("/realms/demo/login"), "bob", "demo");
    EdgeReply again = answer(question, "allow");
    assertThat(again.status()).isEqualTo(403);
    assertThat(again.text()).contains("bob").doesNotContain("alice");
    assertThat(idp.consents.ofPerson("demo", FakeDirectory.BOB.id())).isEmpty();
  }

  @Test
  void whoDidNotAnswerCannotGoOn() {
    EdgeReply start = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    String key = TestSp.parameter(start, "pending");
    EdgeReply shortcut = browser.get("/realms/demo/saml/sso?pending=" + key);
    assertThat(shortcut.headers().first("Location").orElse("")).contains("/consent?pending=" + key);
  }

  @Test
  void whatIsRequiredAndMissingIsSaidAndTheRestIsSent() {
    AttributeConsumingService service =
        new AttributeConsumingService(
            4, true, Map.of("en", "App"), List.of(wish("uid", false), wish("urn:oid:2.5.4.12", true)));
    AuthnRequest request = Requests.attributes(idp.authnRequest(Idp.APP), 4);
    idp.partners.put(config("uid", "cn"), TestSp.asking(Idp.APP, service));
    EdgeReply question = browser.follow(browser.get(Idp.redirect(request)));
    assertThat(question.text()).contains("title").doesNotContain("Söhne");
    assertThat(Idp.response(browser.follow(answer(question, "allow"))).assertions().getFirst().attributes())
        .extracting(SamlAttribute::name)
        .containsExactly("uid");
  }

  @Test
  void aMailAddressAsNameIsToldToo() {
    PartnerConfig c = config();
    idp.partners.put(
        new PartnerConfig(
            c.entityId(), c.displayName(), c.metadata(), c.release(), NameIdFormat.EMAIL, c.logout(),
            c.asServiceProvider(), c.asIdentityProvider(), false),
        Idp.metadata(Idp.APP, false));
    EdgeReply question = ask();
    assertThat(question.text()).contains("alice@example.com");
    browser.follow(answer(question, "allow"));
    assertThat(idp.consents.find("demo", Idp.APP, FakeDirectory.ALICE.id()).orElseThrow().attributes())
        .containsExactly(NameIdFormat.EMAIL.uri());
  }

  @Test
  void anAnswerIsTakenBackOnTheAccountPage() {
    browser.follow(answer(ask(), "allow"));
    assertThat(browser.get("/realms/demo/account").text()).contains("/realms/demo/account/consents");
    EdgeReply page = browser.get("/realms/demo/account/consents");
    assertThat(page.text()).contains("The app", "uid");
    String csrf = TestBrowser.field(page.text(), "csrf");
    assertThat(revoke(Map.of("csrf", "forged", "partner", Idp.APP)).status()).isEqualTo(403);
    EdgeReply gone = revoke(Map.of("csrf", csrf, "partner", Idp.APP));
    assertThat(browser.follow(gone).text()).doesNotContain("name=\"partner\"");
    assertThat(idp.audit.events(AuditEvent.ConsentChanged.class)).last().extracting(e -> e.given()).isEqualTo(false);
    assertThat(ask().status()).isEqualTo(200);
  }

  private EdgeReply revoke(Map<String, String> form) {
    return browser.post("/realms/demo/account/consents", form);
  }

  private EdgeReply ask() {
    EdgeReply question = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    assertThat(question.text()).contains("name=\"answer\"");
    return question;
  }

  private EdgeReply answer(EdgeReply question, String answer) {
    String html = question.text();
    return browser.post(
        TestBrowser.attribute(html, "action"), Map.of("csrf", TestBrowser.field(html, "csrf"), "answer", answer));
  }

  private void release(String... names) {
    UiInfo ui =
        new UiInfo(
            Map.of(),
            Map.of(),
            List.of(
                new UiInfo.Logo("https://tracker.example/logo.png", 48, 48, Optional.empty()),
                new UiInfo.Logo(PIXEL, 16, 16, Optional.empty())),
            Map.of("en", "https://app.example/privacy"),
            Map.of());
    idp.partners.put(config(names), TestSp.metadata(Idp.APP, true, List.of(), List.of(), ui));
  }

  private static PartnerConfig config(String... names) {
    Map<String, Release> release = new java.util.HashMap<>();
    for (String name : names) {
      release.put(name, Release.of(name));
    }
    return TestSp.as(
        TestSp.releasing(Idp.config(Idp.APP, NameIdFormat.TRANSIENT), release),
        new AsServiceProvider(Set.of(), true, Optional.empty()));
  }

  private static RequestedAttribute wish(String name, boolean required) {
    return new RequestedAttribute(name, SamlAttribute.UNSPECIFIED, Optional.empty(), required, List.of());
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream()
        .map(AuditEvent.MessageRefused::reason)
        .toList();
  }
}
