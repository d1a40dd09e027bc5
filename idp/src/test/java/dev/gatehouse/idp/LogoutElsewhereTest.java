package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * LogoutRequests that another browser than that of the session brings, or a server of the partner: they end the session and reach the
 * participants, and who sent them hears neither of other apps nor of names there.
 */
final class LogoutElsewhereTest {

  private static final SamlStatus PARTIAL = SamlStatus.of(SamlStatus.SUCCESS, SamlStatus.PARTIAL_LOGOUT);
  private static final String RECEIPT = "/realms/demo/logout/receipt?id=";
  private static final String FRAME = "/realms/demo/logout/frame?id=";

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private final TestBrowser stranger = idp.browser();
  private int made;

  @BeforeEach
  void signIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }

  private Assertion signOn(TestBrowser at, String partner) {
    return Idp.response(at.get(Idp.redirect(idp.authnRequest(partner)))).assertions().getFirst();
  }

  /** Alice is logged in at both; of the wiki the app must not hear. */
  private LogoutRequest requestOfTheApp() {
    signOn(browser, Idp.WIKI);
    Assertion app = signOn(browser, Idp.APP);
    return request(app, List.of(app.authnStatement().orElseThrow().sessionIndex().orElseThrow()));
  }

  private LogoutRequest request(Assertion subject, List<String> indexes) {
    return new LogoutRequest(
        "_elsewhere" + ++made, idp.time.instant(), Idp.APP, Optional.of(Idp.SLO), Optional.of(idp.time.instant().plusSeconds(60)),
        subject.subject(), indexes);
  }

  private void theWikiAlsoHasSoap() {
    idp.partners.withLogout(
        Idp.WIKI, Logout.FRONT,
        new Endpoint(Binding.POST, Idp.WIKI_SLO, Optional.empty()),
        new Endpoint(Binding.SOAP, Idp.WIKI_SLO + "/soap", Optional.empty()));
  }

  private static EdgeReply redirect(TestBrowser by, LogoutRequest request) {
    return by.get(new CanonicalSamlWriter().redirect(request, Idp.SLO, Optional.empty(), SamlFixtures.spKey()).toString());
  }

  private static Map<String, String> form(LogoutRequest request) {
    return Map.of(
        "SAMLRequest", new CanonicalSamlWriter().post(request, Idp.SLO, Optional.empty(), SamlFixtures.spKey()).value());
  }

  private static EdgeReply postFromElsewhere(TestBrowser by, LogoutRequest request) {
    return by.postFromElsewhere("/realms/demo/saml/slo", form(request));
  }

  /** The status in the LogoutResponse that the reply brings to the app by Redirect. */
  private static SamlStatus answer(EdgeReply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(303);
    URI location = URI.create(reply.headers().first("Location").orElseThrow());
    assertThat(location.toString()).startsWith(Idp.APP_SLO + "?SAMLResponse=");
    return switch (new StrictSamlReader().logoutResponse(SamlFixtures.followed(location), SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received.message().status();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private static String id(EdgeReply redirected) {
    String location = redirected.headers().first("Location").orElse("");
    assertThat(location).startsWith(RECEIPT);
    return location.substring(RECEIPT.length());
  }

  private List<String> outcomes() {
    return idp.audit.events(LogoutPropagated.class).stream().map(event -> event.partner() + " " + event.outcome()).toList();
  }

  private void isLoggedOut() {
    assertThat(idp.sessions().ofPerson("demo", "alice")).isEmpty();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
  }

  @Test
  void byRedirectTheInitiatorGetsItsAnswerAndNoPage() {
    LogoutRequest request = requestOfTheApp();
    EdgeReply reply = redirect(stranger, request);
    assertThat(answer(reply)).isEqualTo(PARTIAL);
    isLoggedOut();
    assertThat(outcomes()).as("only a browser reaches it").containsExactly(Idp.WIKI + " unreachable");
  }

  @Test
  void byRedirectTheServersNotifyThem() {
    theWikiAlsoHasSoap();
    assertThat(answer(redirect(stranger, requestOfTheApp()))).isEqualTo(SamlStatus.success());
    isLoggedOut();
    assertThat(idp.backChannel.sent).singleElement().satisfies(notice -> assertThat(notice.partner()).isEqualTo(Idp.WIKI));
    assertThat(outcomes()).containsExactly(Idp.WIKI + " done");
  }

  @Test
  void byPostThereIsNeitherAListNorAFrame() {
    EdgeReply redirected = postFromElsewhere(stranger, requestOfTheApp());
    isLoggedOut();
    EdgeReply frame = stranger.get(FRAME + id(redirected) + "&n=0");
    assertThat(frame.status()).isEqualTo(400);
    assertThat(frame.text()).doesNotContain("SAMLRequest", Idp.WIKI_SLO);
    assertThat(answer(stranger.get(RECEIPT + id(redirected) + "&part=status"))).isEqualTo(PARTIAL);
    assertThat(answer(stranger.follow(redirected))).isEqualTo(PARTIAL);
    assertThat(outcomes()).as("said once").containsExactly(Idp.WIKI + " unreachable");
  }

  @Test
  void byPostTheServersNotifyThemAtOnce() {
    theWikiAlsoHasSoap();
    EdgeReply redirected = postFromElsewhere(stranger, requestOfTheApp());
    isLoggedOut();
    assertThat(idp.backChannel.sent).as("a browser may come").isEmpty();
    Eventually.holds(
        () -> {
          EdgeReply reply = stranger.follow(redirected);
          assertThat(reply.text()).doesNotContain("wiki", "<iframe");
          assertThat(reply.status() == 303 || reply.headers().first("Refresh").isPresent()).isTrue();
          return reply.status() == 303;
        });
    assertThat(answer(stranger.follow(redirected))).isEqualTo(SamlStatus.success());
    assertThat(idp.backChannel.sent).as("sent once").hasSize(1);
    // The attempt runs on another thread, and is recorded last.
    Eventually.holds(() -> !outcomes().isEmpty());
    assertThat(outcomes()).containsExactly(Idp.WIKI + " done");
  }

  @Test
  void aPostOfWhichNobodyLoadsThePageReachesThemLater() {
    theWikiAlsoHasSoap();
    postFromElsewhere(stranger, requestOfTheApp());
    idp.time.advance(Duration.ofSeconds(15));
    idp.tend();
    assertThat(outcomes()).containsExactly(Idp.WIKI + " done");
  }

  /** Whoever knows the address needs the cookie all the same. */
  @Test
  void thePersonsOwnBrowserSeesWhatAStrangerWithTheSameAddressDoesNot() {
    EdgeReply redirected = postFromElsewhere(browser, requestOfTheApp());
    assertThat(browser.follow(redirected).text()).contains("The wiki", "<iframe");
    assertThat(browser.get(FRAME + id(redirected) + "&n=0").text()).contains("SAMLRequest", Idp.WIKI_SLO);
    assertThat(stranger.get(FRAME + id(redirected) + "&n=0").status()).isEqualTo(400);
    assertThat(stranger.follow(redirected).text()).doesNotContain("wiki");
    assertThat(browser.follow(redirected).text()).as("as before").contains("The wiki");
  }

  @Test
  void anotherPersonsBrowserKeepsItsSessionAndSeesNothing() {
    stranger.login(stranger.get("/realms/demo/login"), "bob", "demo");
    EdgeReply reply = stranger.post("/realms/demo/saml/slo", form(requestOfTheApp()));
    assertThat(answer(reply)).isEqualTo(PARTIAL);
    assertThat(reply.headers().first("Set-Cookie")).isEmpty();
    isLoggedOut();
    assertThat(stranger.get("/realms/demo/account").status()).isEqualTo(200);

    TestBrowser third = idp.browser();
    third.login(third.get("/realms/demo/login"), "bob", "demo");
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    EdgeReply redirected = postFromElsewhere(third, requestOfTheApp());
    assertThat(third.follow(redirected).text()).doesNotContain("wiki");
  }

  @Test
  void ofSeveralSessionsEachBrowserSeesThePage() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), Idp.metadata(Idp.APP, false));
    TestBrowser phone = idp.browser();
    phone.login(phone.get("/realms/demo/login"), "alice", "demo");
    signOn(phone, Idp.APP);
    signOn(browser, Idp.WIKI);
    EdgeReply redirected = postFromElsewhere(phone, request(signOn(browser, Idp.APP), List.of()));
    isLoggedOut();
    assertThat(phone.follow(redirected).text()).contains("The wiki");
    assertThat(browser.follow(redirected).text()).contains("The wiki");
    assertThat(stranger.follow(redirected).text()).doesNotContain("wiki");
  }
}
