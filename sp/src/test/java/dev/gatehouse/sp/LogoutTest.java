package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.sp.session.AppSession;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logout that a person starts here. */
final class LogoutTest {

  private static final String LOGOUT = SpWorld.HOME + "/.gatehouse/logout";

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);

  @BeforeEach
  void logIn() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/"));
    browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
  }

  private EdgeReply answered(LogoutRequest request, SamlStatus status) {
    LogoutResponse response =
        new LogoutResponse(
            "_logout-response",
            world.time.instant(),
            SamlFixtures.IDP,
            Optional.of(SamlFixtures.SP_SLO),
            Optional.of(request.id()),
            status);
    URI url = world.writer.redirect(response, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey());
    return browser.get(url.toString(), "cross-site");
  }

  private List<String> outcomes() {
    return world.audit.events(AuditEvent.LogoutPropagated.class).stream()
        .map(AuditEvent.LogoutPropagated::outcome)
        .toList();
  }

  @Test
  void aSameSiteGetEndsTheSessionAndAsksTheIdentityProvider() {
    AppSession session = world.session(browser, SpWorld.HOME).orElseThrow();

    EdgeReply reply = browser.get(LOGOUT, "same-origin");

    LogoutRequest request = world.logoutRequest(reply);
    assertThat(request.nameId().value()).isEqualTo(session.login().nameId().value());
    assertThat(request.nameId().format()).isEqualTo(session.login().nameId().format());
    assertThat(request.sessionIndexes()).containsExactly("_session-1");
    assertThat(request.destination()).contains(SamlFixtures.IDP_SLO);
    assertThat(request.notOnOrAfter()).isPresent();
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
    assertThat(world.sessions.named("demo", SamlFixtures.IDP, session.login().nameId(), List.of())).isEmpty();
    assertThat(world.audit.events(AuditEvent.SessionEnded.class)).singleElement()
        .satisfies(event -> assertThat(event.cause()).isEqualTo("logout"));

    EdgeReply receipt = answered(request, SamlStatus.success());

    assertThat(receipt.status()).isEqualTo(200);
    assertThat(receipt.text()).contains("You are signed out");
    assertThat(receipt.text()).contains("href=\"" + SpWorld.HOME + "/\"");
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void aPartialLogoutIsToldHonestly() {
    LogoutRequest request = world.logoutRequest(browser.get(LOGOUT, "same-origin"));

    EdgeReply receipt = answered(request, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.PARTIAL_LOGOUT));

    assertThat(receipt.text()).contains("not everywhere");
    assertThat(outcomes()).containsExactly("failed");
  }

  @Test
  void aFailedLogoutIsToldHonestly() {
    LogoutRequest request = world.logoutRequest(browser.get(LOGOUT, "same-origin"));

    EdgeReply receipt = answered(request, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_DENIED));

    assertThat(receipt.text()).contains("here only").contains("did not confirm");
  }

  @Test
  void theReceiptMayBeReloadedAndIsAuditedOnce() {
    LogoutRequest request = world.logoutRequest(browser.get(LOGOUT, "same-origin"));
    answered(request, SamlStatus.success());

    assertThat(answered(request, SamlStatus.success()).status()).isEqualTo(200);
    assertThat(outcomes()).hasSize(1);
  }

  @Test
  void aLogoutResponseThatAnswersNothingIsRefused() {
    LogoutRequest never = SamlFixtures.logoutRequest("_never", SamlFixtures.SP);

    assertThat(answered(never, SamlStatus.success()).status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.IN_RESPONSE_TO.name());
  }

  @Test
  void anUnsignedLogoutResponseIsRefused() {
    LogoutRequest request = world.logoutRequest(browser.get(LOGOUT, "same-origin"));
    LogoutResponse response = SamlFixtures.logoutResponse("_r", SamlFixtures.IDP, request.id());
    String signed =
        world.writer.redirect(response, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey()).toString();

    EdgeReply reply = browser.get(signed.substring(0, signed.indexOf("&SigAlg")), "cross-site");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.SIGNATURE_MISSING.name());
  }

  @Test
  void aLinkOfAnotherSiteLeadsToAQuestion() {
    EdgeReply question = browser.get(LOGOUT, "cross-site");

    assertThat(question.status()).isEqualTo(200);
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
    Matcher csrf = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(question.text());
    assertThat(csrf.find()).isTrue();

    EdgeReply leaving = browser.post(LOGOUT, Map.of("csrf", csrf.group(1)));

    assertThat(leaving.status()).as("form-action would stop a redirect to the identity provider").isEqualTo(200);
    assertThat(leaving.headers().first("Refresh")).hasValueSatisfying(
        to -> assertThat(to).startsWith("0;url=" + SamlFixtures.IDP_SLO));
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  @Test
  void aFormOfAnotherSiteLeadsToTheQuestionToo() {
    EdgeReply reply = browser.postFromElsewhere(LOGOUT, Map.of("csrf", "guessed"));

    assertThat(reply.headers().first("Location")).contains("/.gatehouse/logout");
    EdgeReply question = browser.get(LOGOUT, "cross-site");
    assertThat(question.text()).contains("csrf");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void aPageThatABrowserFetchesInAdvanceLogsNobodyOut() {
    EdgeRequest plain = browser.request("GET", LOGOUT, "same-origin", Map.of());
    EdgeRequest prefetch =
        new EdgeRequest(plain.method(), plain.origin(), plain.path(), plain.query(),
            plain.headers().and("Sec-Purpose", "prefetch"), plain.body(), plain.client());

    world.serve(prefetch);

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  /** An app may show pictures chosen by others; their addresses must not log anybody out. */
  @ParameterizedTest
  @CsvSource({"no-cors, image", "cors, empty", "navigate, iframe"})
  void whatAPageLoadsLogsNobodyOut(String mode, String destination) {
    EdgeRequest plain = browser.request("GET", LOGOUT, "same-origin", Map.of());
    List<Headers.Field> fields =
        new ArrayList<>(
            plain.headers().fields().stream().filter(field -> !field.name().equals("Sec-Fetch-Mode")).toList());
    fields.add(new Headers.Field("Sec-Fetch-Mode", mode));
    fields.add(new Headers.Field("Sec-Fetch-Dest", destination));

    world.serve(
        new EdgeRequest(
            "GET", plain.origin(), plain.path(), "", Headers.of(fields), plain.body(), plain.client()));

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void ourOwnFormLogsOutAtOnce() {
    world.logoutRequest(browser.post(LOGOUT, Map.of()));

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  @Test
  void withoutASessionThePageSaysSo() {
    TestBrowser stranger = new TestBrowser(world);

    EdgeReply reply = stranger.get(LOGOUT, "none");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("You are not signed in");
    assertThat(stranger.get(LOGOUT, "cross-site").text()).contains("You are not signed in");
  }

  @Test
  void anIdentityProviderWithoutLogoutIsNotAskedAndThePageSaysSo() {
    PartnerMetadata known = SamlFixtures.idpMetadata();
    IdpRole role = known.idp().orElseThrow();
    world.identityProvider(
        new PartnerMetadata(
            known.entityId(), known.validUntil(), known.cacheDuration(), known.displayName(),
            Optional.of(
                new IdpRole(role.signing(), false, role.singleSignOn(), List.of(), role.sso().nameIdFormats())),
            Optional.empty()));

    EdgeReply receipt = browser.get(LOGOUT, "same-origin");

    assertThat(receipt.status()).isEqualTo(200);
    assertThat(receipt.text()).contains("could not be asked");
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  @Test
  void fromAnotherOriginItEndsTheSessionEverywhereAndLeadsBackThere() {
    browser.follow(browser.open(SpWorld.OTHER + "/wiki"));

    LogoutRequest request = world.logoutRequest(browser.get(SpWorld.OTHER + "/.gatehouse/logout", "same-origin"));

    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(answered(request, SamlStatus.success()).text()).contains("href=\"" + SpWorld.OTHER + "/\"");
  }

  @Test
  void theReceiptSpeaksGerman() {
    TestBrowser stranger = new TestBrowser(world);
    EdgeRequest plain = stranger.request("GET", LOGOUT, "none", Map.of());
    EdgeRequest german =
        new EdgeRequest(plain.method(), plain.origin(), plain.path(), plain.query(),
            plain.headers().and("Accept-Language", "de"), plain.body(), plain.client());

    assertThat(world.serve(german).text()).contains("Sie sind nicht angemeldet");
  }
}
