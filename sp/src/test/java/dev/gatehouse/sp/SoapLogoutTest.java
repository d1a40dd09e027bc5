package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logout from server to server, in both directions; SECURITY-CASES 17 over SOAP. */
final class SoapLogoutTest {

  private static final String LOGOUT = SpWorld.HOME + "/.gatehouse/logout";
  private static final String SOAP = SamlFixtures.SP_SLO + "/soap";

  private final SpWorld world =
      new SpWorld(change -> change.partners(preferringSoap(TestRealms.partner(SamlFixtures.IDP, SamlFixtures.IDP, Map.of()))));
  private final TestBrowser alice = new TestBrowser(world);

  private static PartnerConfig preferringSoap(PartnerConfig plain) {
    return new PartnerConfig(
        plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(), Logout.SOAP,
        plain.asServiceProvider(), plain.asIdentityProvider(), false);
  }

  @BeforeEach
  void logIn() {
    publishes(Binding.REDIRECT, Binding.SOAP);
    AuthnRequest request = world.authnRequest(alice.open(SpWorld.HOME + "/"));
    alice.follow(alice.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  private void publishes(Binding... bindings) {
    world.identityProvider(withLogout(SamlFixtures.idpMetadata(), bindings));
  }

  private static PartnerMetadata withLogout(PartnerMetadata known, Binding... bindings) {
    IdpRole role = known.idp().orElseThrow();
    List<Endpoint> services =
        List.of(bindings).stream()
            .map(binding -> new Endpoint(binding, SamlFixtures.IDP_SLO, Optional.empty()))
            .toList();
    return new PartnerMetadata(
        known.entityId(), known.validUntil(), known.cacheDuration(), known.displayName(),
        Optional.of(new IdpRole(role.signing(), false, role.singleSignOn(), services, List.of())),
        Optional.empty());
  }

  private LogoutRequest request(String id, NameId nameId, List<String> indexes) {
    Instant now = world.time.instant();
    return new LogoutRequest(
        id, now, SamlFixtures.IDP, Optional.of(SOAP), Optional.of(now.plusSeconds(60)), nameId, indexes);
  }

  private LogoutRequest honest() {
    NameId name = SamlFixtures.logoutRequest("_", SamlFixtures.IDP).nameId();
    return request("_soap-1", name, List.of("_session-1"));
  }

  private EdgeReply send(LogoutRequest request, SigningKey key) {
    return world.serve(SamlFixtures.soap(SOAP, world.writer.soap(request, key)));
  }

  private LogoutResponse answer(LogoutRequest request) {
    EdgeReply reply = send(request, SamlFixtures.idpKey());
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return switch (world.reader.logoutResponse(reply.body(), SamlFixtures.partners(SamlFixtures.spMetadata(true)))) {
      case Result.Accepted(Received<LogoutResponse> received) -> {
        assertThat(received.message().inResponseTo()).contains(request.id());
        yield received.message();
      }
      case Result.Refused<Received<LogoutResponse>, SamlRefusal> refused -> throw new AssertionError(refused.toString());
    };
  }

  private void fault(EdgeReply reply, Reason reason) {
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).contains("Fault", ":Client<").doesNotContain(reason.name(), "LogoutResponse");
    survives(reason);
  }

  private void denied(LogoutRequest request, Reason reason) {
    assertThat(answer(request).status()).isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_DENIED));
    survives(reason);
  }

  private void survives(Reason reason) {
    assertThat(world.refusals()).containsExactly(reason.name());
    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  private List<String> outcomes() {
    return world.audit.events(LogoutPropagated.class).stream().map(LogoutPropagated::outcome).toList();
  }

  @Test
  void endsTheSessionAndSaysSo() {
    assertThat(answer(honest()).status()).isEqualTo(SamlStatus.success());
    assertThat(world.session(alice, SpWorld.HOME)).isEmpty();
    assertThat(world.audit.events(SessionEnded.class)).extracting(SessionEnded::cause).containsExactly("partner");
  }

  @Test
  void case17Unsigned() {
    String signed = new String(world.writer.soap(honest(), SamlFixtures.idpKey()), StandardCharsets.UTF_8);
    String unsigned = signed.replaceAll("(?s)<ds:Signature.*</ds:Signature>", "");

    fault(
        world.serve(SamlFixtures.soap(SOAP, unsigned.getBytes(StandardCharsets.UTF_8))), Reason.SIGNATURE_MISSING);
  }

  @Test
  void case17SignedByAStranger() {
    fault(send(honest(), SamlFixtures.strangerKey()), Reason.SIGNATURE_INVALID);
  }

  @Test
  void case17AnotherPrincipal() {
    answer(request("_bob", NameId.of("bob@example.com", honest().nameId().format()), List.of()));

    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  @Test
  void case17AnotherSessionIndex() {
    answer(request("_other", honest().nameId(), List.of("_session-2")));

    assertThat(world.session(alice, SpWorld.HOME)).isPresent();
  }

  @Test
  void case17OfAnIssuerThatIsNoPartner() {
    LogoutRequest r = honest();
    fault(
        send(
            new LogoutRequest(
                r.id(), r.issueInstant(), "https://evil.example", r.destination(), r.notOnOrAfter(), r.nameId(),
                List.of()),
            SamlFixtures.idpKey()),
        Reason.PARTNER_UNKNOWN);
  }

  @Test
  void case17ForTheAddressOfBrowsers() {
    LogoutRequest r = honest();
    denied(
        new LogoutRequest(
            r.id(), r.issueInstant(), r.issuer(), Optional.of(SamlFixtures.SP_SLO), r.notOnOrAfter(), r.nameId(),
            r.sessionIndexes()),
        Reason.DESTINATION);
  }

  @Test
  void case17Expired() {
    LogoutRequest late = honest();
    world.time.advance(Duration.ofMinutes(3));
    denied(late, Reason.EXPIRED);
  }

  @Test
  void case17RepeatedItEndsNoLaterSession() {
    LogoutRequest first = honest();
    answer(first);
    world.time.advance(Duration.ofSeconds(1));
    logIn();

    denied(first, Reason.REPLAYED);
  }

  @Test
  void aFormIsNoEnvelopeAndOnlyPostsAreTaken() {
    EdgeReply form =
        world.serve(
            SamlFixtures.posted(world.writer.post(honest(), SOAP, Optional.empty(), SamlFixtures.idpKey())));
    fault(form, Reason.NO_MESSAGE);
    assertThat(alice.get(SOAP, "none").status()).isEqualTo(405);
    assertThat(alice.get(SpWorld.OTHER + "/.gatehouse/saml/slo/soap", "none").status()).isEqualTo(404);
  }

  @Test
  void anIdentityProviderThatPrefersItIsAskedByServer() {
    EdgeReply receipt = alice.get(LOGOUT, "same-origin");

    assertThat(receipt.status()).isEqualTo(200);
    assertThat(receipt.text()).contains("You are signed out");
    assertThat(world.told).singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.sessionIndexes()).containsExactly("_session-1");
              assertThat(notice.reason()).isEqualTo(LogoutReason.USER);
            });
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void aPartialLogoutIsNamed() {
    world.answersLogouts(new LogoutDeliveryResult.Partial());

    assertThat(alice.get(LOGOUT, "same-origin").text()).contains("not everywhere", "In part");
    assertThat(outcomes()).containsExactly("failed");
  }

  @Test
  void whoIsNotReachedIsNamedAndAskedAgain() {
    world.answersLogouts(new LogoutDeliveryResult.Unreachable("no answer within 8000 ms"));

    assertThat(alice.get(LOGOUT, "same-origin").text())
        .contains("could not be reached", "We go on asking", "Not reached")
        .doesNotContain("8000 ms");
    assertThat(world.session(alice, SpWorld.HOME)).isEmpty();

    world.answersLogouts(new LogoutDeliveryResult.Done());
    world.time.advance(Duration.ofSeconds(10));
    world.notices.deliverDue();
    assertThat(outcomes()).containsExactly("unreachable", "done");
  }

  @Test
  void whoRefusesIsNamedAndAskedAgain() {
    world.answersLogouts(new LogoutDeliveryResult.Failed(SamlStatus.RESPONDER));

    assertThat(alice.get(LOGOUT, "same-origin").text()).contains("did not confirm", "We go on asking");
    assertThat(world.notices.count("demo")).isEqualTo(1);
  }

  @Test
  void aBrokenDocumentMayBeMendedInAMinute() {
    world.answersLogouts(new LogoutDeliveryResult.Unreachable("its metadata has expired"));
    world.partnerIsUsable(false);

    assertThat(alice.get(LOGOUT, "same-origin").text()).contains("could not be reached");
    assertThat(world.notices.count("demo")).isEqualTo(1);
  }

  @Test
  void withoutAnEndpointForServersTheBrowserAsks() {
    publishes(Binding.REDIRECT);

    assertThat(alice.get(LOGOUT, "same-origin").status()).isEqualTo(303);
    assertThat(world.told).isEmpty();
  }

  @Test
  void withoutAnEndpointForBrowsersTheServerAsks() {
    SpWorld other = new SpWorld();
    assertThat(other.realm().parties().partners().getFirst().logout()).isEqualTo(Logout.FRONT);
    PartnerMetadata known = SamlFixtures.idpMetadata();
    TestBrowser bob = new TestBrowser(other);
    AuthnRequest request = other.authnRequest(bob.open(SpWorld.HOME + "/"));
    bob.follow(bob.submitFromElsewhere(other.posted(other.response(request), Optional.empty())));
    other.identityProvider(withLogout(known, Binding.SOAP));

    assertThat(bob.get(LOGOUT, "same-origin").text()).contains("You are signed out");
    assertThat(other.told).hasSize(1);
  }

  @Test
  void theFormOfTheQuestionWorksTheSameWay() {
    EdgeReply question = alice.get(LOGOUT, "cross-site");
    String csrf = question.text().replaceAll("(?s).*name=\"csrf\" value=\"([^\"]+)\".*", "$1");

    assertThat(alice.post(LOGOUT, Map.of("csrf", csrf)).text()).contains("You are signed out");
    assertThat(world.session(alice, SpWorld.HOME)).isEmpty();
  }
}
