package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LogoutRequests of the identity provider; SECURITY-CASES 17. */
final class PartnerLogoutTest {

  private final SpWorld world = new SpWorld();
  private final TestBrowser alice = new TestBrowser(world);
  /** The browser that loads the identity provider's frame: without any cookie of ours. */
  private final TestBrowser frame = new TestBrowser(world, "203.0.113.1");

  private final LogoutRequest honest = SamlFixtures.logoutRequest("_logout-1", SamlFixtures.IDP);

  @BeforeEach
  void logIn() {
    AuthnRequest request = world.authnRequest(alice.open(SpWorld.HOME + "/"));
    alice.follow(alice.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
  }

  private EdgeReply redirected(LogoutRequest request, SigningKey key) {
    return frame.get(
        world.writer.redirect(request, SamlFixtures.SP_SLO, Optional.of("state"), key).toString(), "cross-site");
  }

  private void survives(EdgeReply reply, Reason reason) {
    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(reason.name());
    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  private static LogoutRequest request(
      String id, Optional<String> destination, Optional<Instant> end, NameId nameId, List<String> indexes) {
    return new LogoutRequest(id, SamlFixtures.NOW, SamlFixtures.IDP, destination, end, nameId, indexes);
  }

  @Test
  void endsTheSessionWithoutACookieAndAnswersByRedirect() {
    EdgeReply reply = redirected(honest, SamlFixtures.idpKey());

    LogoutResponse response = world.logoutResponse(reply);
    assertThat(response.status().isSuccess()).isTrue();
    assertThat(response.inResponseTo()).contains("_logout-1");
    assertThat(response.destination()).contains(SamlFixtures.IDP_SLO);
    assertThat(SpWorld.location(reply).getRawQuery()).contains("&RelayState=state&");
    assertThat(world.session(alice, SpWorld.HOME)).isEmpty();
    assertThat(world.audit.events(AuditEvent.SessionEnded.class)).singleElement()
        .satisfies(event -> assertThat(event.cause()).isEqualTo("partner"));
  }

  @Test
  void byPostItWorksToo() {
    EdgeReply reply =
        frame.submitFromElsewhere(
            SamlFixtures.posted(
                world.writer.post(honest, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey())));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("name=\"SAMLResponse\"");
    assertThat(world.session(alice, SpWorld.HOME)).isEmpty();
  }

  @Test
  void whereThePartnerTakesPostsOnlyTheAnswerIsAFormThatItAloneMayFrame() {
    PartnerMetadata known = SamlFixtures.idpMetadata();
    IdpRole role = known.idp().orElseThrow();
    Endpoint post =
        new Endpoint(Binding.POST, SamlFixtures.IDP_SLO, Optional.of(SamlFixtures.IDP_SLO + "/response"));
    world.identityProvider(
        new PartnerMetadata(
            known.entityId(), known.validUntil(), known.cacheDuration(), known.displayName(),
            Optional.of(new IdpRole(role.signing(), false, role.singleSignOn(), List.of(post), List.of())),
            Optional.empty()));

    EdgeReply reply = redirected(honest, SamlFixtures.idpKey());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("action=\"" + SamlFixtures.IDP_SLO + "/response\"");
    assertThat(reply.headers().first("Content-Security-Policy"))
        .hasValueSatisfying(csp -> assertThat(csp).contains("frame-ancestors https://idp.example"));
    assertThat(reply.headers().first("X-Frame-Options")).isEmpty();
  }

  @Test
  void theAnswerGoesByTheBindingThatTheRequestCameBy() {
    PartnerMetadata known = SamlFixtures.idpMetadata();
    IdpRole role = known.idp().orElseThrow();
    List<Endpoint> both =
        List.of(
            new Endpoint(Binding.REDIRECT, SamlFixtures.IDP_SLO, Optional.empty()),
            new Endpoint(Binding.POST, SamlFixtures.IDP_SLO + "/post", Optional.empty()));
    world.identityProvider(
        new PartnerMetadata(
            known.entityId(), known.validUntil(), known.cacheDuration(), known.displayName(),
            Optional.of(new IdpRole(role.signing(), false, role.singleSignOn(), both, List.of())),
            Optional.empty()));

    EdgeReply posted =
        frame.submitFromElsewhere(
            SamlFixtures.posted(
                world.writer.post(honest, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey())));
    assertThat(posted.status()).isEqualTo(200);
    assertThat(posted.text()).contains("action=\"" + SamlFixtures.IDP_SLO + "/post\"");

    LogoutRequest again = request("_again", honest.destination(), honest.notOnOrAfter(), honest.nameId(), List.of());
    assertThat(redirected(again, SamlFixtures.idpKey()).status()).isEqualTo(303);
  }

  @Test
  void withoutASessionIndexEverySessionOfThePersonEnds() {
    redirected(
        request("_all", honest.destination(), honest.notOnOrAfter(), honest.nameId(), List.of()),
        SamlFixtures.idpKey());

    assertThat(world.session(alice, SpWorld.HOME)).isEmpty();
  }

  @Test
  void aRepeatedRequestEndsNoLaterSession() {
    redirected(honest, SamlFixtures.idpKey());
    world.time.advance(Duration.ofSeconds(1));
    logIn();

    survives(redirected(honest, SamlFixtures.idpKey()), Reason.REPLAYED);
  }

  @Test
  void case17AnotherSessionIndex() {
    EdgeReply reply =
        redirected(
            request("_other", honest.destination(), honest.notOnOrAfter(), honest.nameId(), List.of("_session-2")),
            SamlFixtures.idpKey());

    assertThat(world.logoutResponse(reply).status().isSuccess()).as("nothing is left to end").isTrue();
    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  @Test
  void case17AnotherPrincipal() {
    NameId bob = NameId.of("bob@example.com", honest.nameId().format());

    redirected(request("_bob", honest.destination(), honest.notOnOrAfter(), bob, List.of()), SamlFixtures.idpKey());

    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  @Test
  void case17ThePrincipalOfAnotherQualifier() {
    NameId foreign =
        new NameId(honest.nameId().value(), "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
            Optional.of("https://other.example"), Optional.empty());

    redirected(
        request("_foreign", honest.destination(), honest.notOnOrAfter(), foreign, List.of()), SamlFixtures.idpKey());

    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  @Test
  void case17Unsigned() {
    String signed =
        world.writer.redirect(honest, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey()).toString();

    survives(frame.get(signed.substring(0, signed.indexOf("&SigAlg")), "cross-site"), Reason.SIGNATURE_MISSING);
  }

  @Test
  void case17SignedByAStranger() {
    survives(redirected(honest, SamlFixtures.strangerKey()), Reason.SIGNATURE_INVALID);
  }

  @Test
  void case17OfAnIssuerThatIsNoPartner() {
    LogoutRequest foreign =
        new LogoutRequest("_x", SamlFixtures.NOW, "https://evil.example", honest.destination(),
            honest.notOnOrAfter(), honest.nameId(), List.of());

    survives(redirected(foreign, SamlFixtures.idpKey()), Reason.PARTNER_UNKNOWN);
  }

  @Test
  void case17ForAnotherDestination() {
    survives(
        redirected(
            request("_d", Optional.of("https://other.example/slo"), honest.notOnOrAfter(), honest.nameId(), List.of()),
            SamlFixtures.idpKey()),
        Reason.DESTINATION);
  }

  @Test
  void case17Expired() {
    world.time.advance(Duration.ofMinutes(6));

    survives(redirected(honest, SamlFixtures.idpKey()), Reason.EXPIRED);
  }

  @Test
  void case17IssuedInTheFuture() {
    LogoutRequest early =
        new LogoutRequest("_f", SamlFixtures.NOW.plusSeconds(61), SamlFixtures.IDP, honest.destination(),
            honest.notOnOrAfter(), honest.nameId(), List.of());
    survives(redirected(early, SamlFixtures.idpKey()), Reason.NOT_YET_VALID);
  }

  @Test
  void case17ForYears() {
    LogoutRequest forYears =
        request("_y", honest.destination(), Optional.of(SamlFixtures.NOW.plus(Duration.ofDays(400))), honest.nameId(), List.of());
    survives(redirected(forYears, SamlFixtures.idpKey()), Reason.VALIDITY_TOO_LONG);
  }

  @Test
  void case17WithoutNotOnOrAfterItCountsForFiveMinutes() {
    LogoutRequest endless = request("_e", honest.destination(), Optional.empty(), honest.nameId(), List.of());
    world.time.advance(Duration.ofMinutes(6));

    survives(redirected(endless, SamlFixtures.idpKey()), Reason.EXPIRED);
  }

  @Test
  void aLoginThatWaitsForItsBrowserEndsToo() {
    TestBrowser phone = new TestBrowser(world);
    AuthnRequest request = world.authnRequest(phone.open(SpWorld.HOME + "/"));
    EdgeReply saved = phone.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));
    assertThat(saved.status()).isEqualTo(303);
    world.time.advance(Duration.ofSeconds(1));
    redirected(now("_parked", List.of("_session-1")), SamlFixtures.idpKey());

    assertThat(phone.follow(saved).status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.LOGGED_OUT.name());
    assertThat(world.session(phone, SpWorld.HOME)).isEmpty();
  }

  @Test
  void anAssertionThatArrivesAfterTheLogoutEndsToo() {
    TestBrowser phone = new TestBrowser(world);
    AuthnRequest request = world.authnRequest(phone.open(SpWorld.HOME + "/"));
    var late = world.posted(world.response(request), Optional.empty());
    world.time.advance(Duration.ofSeconds(1));
    redirected(now("_before", List.of()), SamlFixtures.idpKey());

    assertThat(phone.follow(phone.submitFromElsewhere(late)).status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.LOGGED_OUT.name());
  }

  /** It may arrive for as long as it is valid. */
  @Test
  void anUnsolicitedAssertionThatArrivesHoursAfterTheLogoutEndsToo() {
    SpWorld open = new SpWorld(change -> change.spUnsolicited(true));
    Instant end = open.time.instant().plus(Duration.ofHours(8));
    Response response = open.response(Optional.empty(), "alice");
    Assertion lasting =
        Change.of(response.assertions().getFirst()).notOnOrAfter(end).confirmedUntil(Optional.of(end)).assertion();
    var late = open.posted(Change.with(response, lasting), Optional.empty());
    open.time.advance(Duration.ofSeconds(1));
    Instant now = open.time.instant();
    LogoutRequest logout =
        new LogoutRequest(
            "_hours", now, SamlFixtures.IDP, honest.destination(), Optional.of(now.plusSeconds(60)), honest.nameId(), List.of());
    String address = open.writer.redirect(logout, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey()).toString();
    new TestBrowser(open).get(address, "cross-site");
    open.time.advance(Duration.ofHours(2));
    TestBrowser phone = new TestBrowser(open);

    assertThat(phone.follow(phone.submitFromElsewhere(late)).status()).isEqualTo(403);
    assertThat(open.refusals()).containsExactly(Reason.LOGGED_OUT.name());
    assertThat(open.session(phone, SpWorld.HOME)).isEmpty();
  }

  @Test
  void whoLogsInAgainAfterwardsIsLetIn() {
    redirected(now("_all", List.of()), SamlFixtures.idpKey());
    world.time.advance(Duration.ofSeconds(1));
    logIn();

    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  @Test
  void aLogoutOfAnotherSessionLeavesALoginThatWaits() {
    TestBrowser phone = new TestBrowser(world);
    AuthnRequest request = world.authnRequest(phone.open(SpWorld.HOME + "/"));
    EdgeReply saved = phone.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));
    redirected(now("_other", List.of("_session-2")), SamlFixtures.idpKey());

    phone.follow(saved);

    assertThat(world.session(phone, SpWorld.HOME)).isPresent();
  }

  private LogoutRequest now(String id, List<String> indexes) {
    Instant now = world.time.instant();
    return new LogoutRequest(
        id, now, SamlFixtures.IDP, honest.destination(), Optional.of(now.plusSeconds(60)), honest.nameId(), indexes);
  }

  @Test
  void neitherOrBothMessagesAreA400() {
    assertThat(frame.get(SamlFixtures.SP_SLO, "none").status()).isEqualTo(400);
    assertThat(frame.get(SamlFixtures.SP_SLO + "?SAMLRequest=a&SAMLResponse=b", "none").status()).isEqualTo(400);
    assertThat(frame.get(SpWorld.OTHER + "/.gatehouse/saml/slo", "none").status()).isEqualTo(404);
    assertThat(frame.fetch("PUT", SamlFixtures.SP_SLO).status()).isEqualTo(405);
  }
}
