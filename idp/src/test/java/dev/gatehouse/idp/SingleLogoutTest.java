package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single Logout from both sides, with participants that answer, refuse and stay silent. */
final class SingleLogoutTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private NameId appName = NameId.of("", "");
  private String appIndex = "";

  @BeforeEach
  void signIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    var assertion = Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).assertions().getFirst();
    appName = assertion.subject();
    appIndex = assertion.authnStatement().orElseThrow().sessionIndex().orElseThrow();
  }

  @Test
  void aLogoutAtTheOnlyAppIsAnsweredAtOnce() {
    LogoutRequest request = request(Idp.APP, appName, List.of(appIndex));
    // A POST from another site: no cookie is sent, and none is needed.
    EdgeReply reply = browser.postFromElsewhere("/realms/demo/saml/slo", form(request));
    LogoutResponse response = answer(reply);
    assertThat(response.inResponseTo()).contains(request.id());
    assertThat(response.destination()).contains(Idp.APP_SLO);
    assertThat(response.status()).isEqualTo(SamlStatus.success());
    assertThat(idp.sessions().ofPerson("demo", "alice")).isEmpty();
    assertThat(browser.get("/realms/demo/account").status()).as("the cookie opens nothing any more").isEqualTo(303);
  }

  @Test
  void theAnswerGoesByTheBindingThatTheRequestCameBy() {
    PartnerMetadata metadata = Idp.metadata(Idp.APP, false);
    SpRole role = metadata.sp().orElseThrow();
    List<Endpoint> both =
        List.of(
            new Endpoint(Binding.REDIRECT, Idp.APP_SLO, Optional.empty()),
            new Endpoint(Binding.POST, Idp.APP_SLO + "/post", Optional.empty()));
    idp.partners.put(
        Idp.config(Idp.APP, NameIdFormat.TRANSIENT),
        new PartnerMetadata(
            Idp.APP, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(
                new SpRole(role.signing(), false, true, role.assertionConsumers(), both, role.sso().nameIdFormats()))));

    EdgeReply reply =
        browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of(appIndex))));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("action=\"" + Idp.APP_SLO + "/post\"");
  }

  @Test
  void theCookieGoesWithTheSessionThatItBelongedTo() {
    TestBrowser other = idp.browser();
    other.login(other.get("/realms/demo/login"), "alice", "demo");
    EdgeReply elsewhere = other.post("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of("_none"))));
    assertThat(elsewhere.headers().first("Set-Cookie")).isEmpty();
    EdgeReply here = browser.post("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of(appIndex))));
    assertThat(here.headers().first("Set-Cookie").orElse("")).startsWith("gh_idp.demo=;").contains("Max-Age=0");
  }

  @Test
  void theSessionIndexIsNotTheSession() {
    String id = idp.sessions().ofPerson("demo", "alice").getFirst().id();
    assertThat(appIndex).isNotEqualTo(id).doesNotContain(browser.cookies.get("gh_idp.demo"));
    assertThat(index(Idp.WIKI)).isNotEqualTo(appIndex);
  }

  @Test
  void aLogoutAtOneAppTellsTheOtherAndThenComesBackByItself() {
    joinWiki();
    LogoutRequest request = request(Idp.APP, appName, List.of(appIndex));
    EdgeReply redirected = browser.postFromElsewhere("/realms/demo/saml/slo", form(request));
    EdgeReply receipt = browser.follow(redirected);
    assertThat(receipt.text()).contains("The wiki").doesNotContain("The app<");
    assertThat(receipt.headers().first("Refresh")).contains("6");
    assertThat(receipt.headers().first("Content-Security-Policy").orElse(""))
        .contains("frame-src https://wiki.example http://idp.localhost:8080");

    EdgeReply status = browser.get(frames(receipt).getFirst());
    assertThat(status.text()).contains("being notified");
    assertThat(status.headers().first("Refresh")).contains("1");
    EdgeReply told = wikiAnswers(receipt, SamlStatus.success());
    assertThat(told.headers().first("Content-Security-Policy").orElse(""))
        .contains("frame-ancestors http://idp.localhost:8080");
    assertThat(told.text()).contains("target=\"_top\"").contains("submit()");

    LogoutResponse response = answer(browser.follow(redirected));
    assertThat(response.inResponseTo()).contains(request.id());
    assertThat(response.status()).isEqualTo(SamlStatus.success());
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void whoStaysSilentIsNamedAndTheInitiatorHearsOfIt() {
    joinWiki();
    EdgeReply redirected =
        browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of(appIndex))));
    browser.follow(redirected);
    idp.time.advance(Duration.ofSeconds(5));
    EdgeReply result = browser.follow(redirected);
    assertThat(result.text()).contains("not signed out everywhere", "The wiki", "no answer", "Sign out of The wiki now");
    assertThat(result.headers().first("Refresh")).isPresent();
    assertThat(outcomes()).containsExactly("unreachable");
    EdgeReply goOn = browser.get(redirected.headers().first("Location").orElseThrow() + "&part=continue");
    assertThat(answer(goOn).status()).isEqualTo(SamlStatus.of(SamlStatus.SUCCESS, SamlStatus.PARTIAL_LOGOUT));
    idp.time.advance(Duration.ofSeconds(10));
    assertThat(answer(browser.follow(redirected)).status().subCode()).contains(SamlStatus.PARTIAL_LOGOUT);
    assertThat(outcomes()).as("said once").containsExactly("unreachable");
  }

  @Test
  void whoRefusesIsNamed() {
    joinWiki();
    EdgeReply redirected =
        browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of(appIndex))));
    wikiAnswers(browser.follow(redirected), SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_DENIED));
    assertThat(browser.follow(redirected).text()).contains("could not sign out");
    assertThat(outcomes()).containsExactly("failed");
  }

  @Test
  void aLogoutHereAsksFirstAndTellsEverybody() {
    joinWiki();
    EdgeReply question = browser.get("/realms/demo/logout");
    assertThat(question.text()).contains("alice");
    assertThat(browser.post("/realms/demo/logout", Map.of("csrf", "x")).text()).as("forged").contains("Do you want");
    EdgeReply redirected =
        browser.post("/realms/demo/logout", Map.of("csrf", TestBrowser.field(question.text(), "csrf")));
    EdgeReply receipt = browser.follow(redirected);
    assertThat(receipt.text()).contains("The wiki", "The app");
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
    wikiAnswers(receipt, SamlStatus.success());
    // The app has only the Redirect binding.
    EdgeReply toApp = browser.get(frame(receipt, 0));
    assertThat(toApp.status()).isEqualTo(303);
    appAnswers(toApp);
    assertThat(browser.follow(redirected).text()).contains("every app that you used has confirmed it");
    assertThat(outcomes()).containsExactlyInAnyOrder("done", "done");
  }

  @Test
  void aPartnerThatCannotBeToldIsSaidSo() {
    joinWiki();
    idp.partners.withoutLogout(Idp.WIKI);
    EdgeReply redirected =
        browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of(appIndex))));
    EdgeReply result = browser.follow(redirected);
    assertThat(result.text()).contains("cannot be notified").doesNotContain("Sign out of The wiki now");
    assertThat(outcomes()).containsExactly("unreachable");
  }

  @Test
  void case17AForgedLogoutRequestEndsNothing() {
    NameId other = NameId.of("_someone", appName.format());
    LogoutRequest signed = request(Idp.APP, appName, List.of(appIndex));
    String redirect =
        new CanonicalSamlWriter().redirect(signed, Idp.SLO, Optional.empty(), SamlFixtures.spKey()).toString();
    PostForm byStranger = new CanonicalSamlWriter().post(signed, Idp.SLO, Optional.empty(), SamlFixtures.strangerKey());
    assertThat(browser.get(redirect.substring(0, redirect.indexOf("&SigAlg"))).status()).isEqualTo(400);
    assertThat(browser.postFromElsewhere("/realms/demo/saml/slo", Map.of("SAMLRequest", byStranger.value())).status())
        .isEqualTo(400);
    answer(browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, other, List.of()))));
    answer(browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of("_other")))));
    browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.WIKI, appName, List.of(appIndex))));
    LogoutRequest late =
        new LogoutRequest(
            "_late", idp.time.instant(), Idp.APP, Optional.of(Idp.SLO),
            Optional.of(idp.time.instant().minusSeconds(61)), appName, List.of(appIndex));
    assertThat(browser.postFromElsewhere("/realms/demo/saml/slo", form(late)).status()).isEqualTo(400);
    assertThat(idp.sessions().ofPerson("demo", "alice")).hasSize(1);
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::reason)
        .containsExactly("SIGNATURE_MISSING", "SIGNATURE_INVALID", "EXPIRED");
  }

  @Test
  void anAnswerNobodyAskedForIsRefused() {
    LogoutResponse stray =
        new LogoutResponse(
            "_stray", idp.time.instant(), Idp.APP, Optional.of(Idp.SLO), Optional.of("_unknown"), SamlStatus.success());
    PostForm form = new CanonicalSamlWriter().post(stray, Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    assertThat(browser.postFromElsewhere("/realms/demo/saml/slo", Map.of("SAMLResponse", form.value())).status())
        .isEqualTo(400);
  }

  @Test
  void anotherPartnersAnswerDoesNotCount() {
    joinWiki();
    EdgeReply redirected =
        browser.postFromElsewhere("/realms/demo/saml/slo", form(request(Idp.APP, appName, List.of(appIndex))));
    EdgeReply frame = browser.get(frame(browser.follow(redirected), 0));
    LogoutRequest toWiki = received(frame);
    LogoutResponse response =
        new LogoutResponse(
            "_forged", idp.time.instant(), Idp.APP, Optional.of(Idp.SLO), Optional.of(toWiki.id()), SamlStatus.success());
    PostForm form = new CanonicalSamlWriter().post(response, Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    assertThat(browser.postFromElsewhere("/realms/demo/saml/slo", Map.of("SAMLResponse", form.value())).status())
        .isEqualTo(400);
    assertThat(outcomes()).isEmpty();
  }

  private void joinWiki() {
    Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.WIKI))));
  }

  private String index(String partner) {
    return Idp.response(browser.get(Idp.redirect(idp.authnRequest(partner))))
        .assertions()
        .getFirst()
        .authnStatement()
        .orElseThrow()
        .sessionIndex()
        .orElseThrow();
  }

  private int made;

  private LogoutRequest request(String issuer, NameId nameId, List<String> indexes) {
    return new LogoutRequest(
        "_logout" + ++made,
        idp.time.instant(),
        issuer,
        Optional.of(Idp.SLO),
        Optional.of(idp.time.instant().plusSeconds(60)),
        nameId,
        indexes);
  }

  private static Map<String, String> form(LogoutRequest request) {
    PostForm form = new CanonicalSamlWriter().post(request, Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    return Map.of("SAMLRequest", form.value());
  }

  /** The LogoutResponse that the reply sends by Redirect to the app. */
  private static LogoutResponse answer(EdgeReply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(303);
    URI location = URI.create(reply.headers().first("Location").orElseThrow());
    return switch (new StrictSamlReader()
        .logoutResponse(SamlFixtures.followed(location), SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received.message();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  /** The LogoutRequest in a frame: by POST for the wiki, by Redirect for the app. */
  private static LogoutRequest received(EdgeReply frame) {
    var sent =
        frame.status() == 303
            ? SamlFixtures.followed(URI.create(frame.headers().first("Location").orElseThrow()))
            : SamlFixtures.posted(
                new PostForm(
                    TestBrowser.attribute(frame.text(), "action"),
                    "SAMLRequest",
                    TestBrowser.field(frame.text(), "SAMLRequest"),
                    Optional.empty()));
    return switch (new StrictSamlReader().logoutRequest(sent, SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received.message();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private EdgeReply wikiAnswers(EdgeReply receipt, SamlStatus status) {
    String address =
        frames(receipt).stream().filter(f -> f.contains("frame") && browser.get(f).status() == 200).findFirst().orElseThrow();
    EdgeReply frame = browser.get(address);
    assertThat(frame.headers().first("Content-Security-Policy").orElse(""))
        .contains("frame-ancestors http://idp.localhost:8080");
    LogoutRequest request = received(frame);
    assertThat(request.destination()).contains(Idp.WIKI_SLO);
    return respond(Idp.WIKI, request, status);
  }

  private void appAnswers(EdgeReply frame) {
    LogoutRequest request = received(frame);
    assertThat(request.nameId()).isEqualTo(appName);
    assertThat(request.sessionIndexes()).containsExactly(appIndex);
    respond(Idp.APP, request, SamlStatus.success());
  }

  private EdgeReply respond(String partner, LogoutRequest request, SamlStatus status) {
    LogoutResponse response =
        new LogoutResponse(
            "_answer" + ++made, idp.time.instant(), partner, Optional.of(Idp.SLO), Optional.of(request.id()), status);
    PostForm form = new CanonicalSamlWriter().post(response, Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    EdgeReply reply = browser.postFromElsewhere("/realms/demo/saml/slo", Map.of("SAMLResponse", form.value()));
    assertThat(reply.status()).isEqualTo(200);
    return reply;
  }

  private static String frame(EdgeReply receipt, int number) {
    return frames(receipt).stream().filter(address -> address.endsWith("&n=" + number)).findFirst().orElseThrow();
  }

  private static List<String> frames(EdgeReply receipt) {
    List<String> all = new ArrayList<>();
    Matcher matcher = Pattern.compile("<iframe[^>]*src=\"([^\"]*)\"").matcher(receipt.text());
    while (matcher.find()) {
      all.add(matcher.group(1).replace("&amp;", "&"));
    }
    return all;
  }

  private List<String> outcomes() {
    return idp.audit.events(AuditEvent.LogoutPropagated.class).stream().map(e -> e.outcome()).toList();
  }
}
