package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LogoutRequests of service providers by SOAP; SECURITY-CASES 17 with this binding. */
final class SoapLogoutTest {

  private static final String SOAP = Idp.SLO + "/soap";

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private NameId name = NameId.of("", "");
  private String index = "";
  private int made;

  @BeforeEach
  void signIn() {
    Assertion assertion = join(browser, Idp.APP);
    name = assertion.subject();
    index = assertion.authnStatement().orElseThrow().sessionIndex().orElseThrow();
  }

  private Assertion join(TestBrowser in, String partner) {
    if (!in.cookies.containsKey("gh_idp.demo")) {
      in.login(in.get("/realms/demo/login"), "alice", "demo");
    }
    return Idp.response(in.get(Idp.redirect(idp.authnRequest(partner)))).assertions().getFirst();
  }

  private LogoutRequest request() {
    return request(Idp.APP, name, List.of(index));
  }

  private LogoutRequest request(String issuer, NameId nameId, List<String> indexes) {
    Instant now = idp.time.instant();
    return new LogoutRequest(
        "_soap" + ++made, now, issuer, Optional.of(SOAP), Optional.of(now.plusSeconds(60)), nameId, indexes);
  }

  private EdgeReply send(LogoutRequest request, SigningKey key) {
    return send(new CanonicalSamlWriter().soap(request, key));
  }

  private EdgeReply send(byte[] envelope) {
    return idp.dispatch.handle(SamlFixtures.soap(SOAP, envelope));
  }

  private LogoutResponse answer(LogoutRequest request) {
    EdgeReply reply = send(request, SamlFixtures.spKey());
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.headers().first("Content-Type")).contains("text/xml; charset=utf-8");
    return switch (new StrictSamlReader().logoutResponse(reply.body(), SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> {
        assertThat(received.message().inResponseTo()).contains(request.id());
        yield received.message();
      }
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private void fault(EdgeReply reply, String reason) {
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).contains("Fault", ":Client<").doesNotContain(reason, "LogoutResponse");
    assertThat(idp.audit.events(MessageRefused.class)).extracting(MessageRefused::reason).containsExactly(reason);
    survives();
  }

  private void survives() {
    assertThat(idp.sessions().ofPerson("demo", "alice")).isNotEmpty();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
  }

  private void denied(LogoutRequest request, String reason) {
    assertThat(answer(request).status()).isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_DENIED));
    assertThat(idp.audit.events(MessageRefused.class)).extracting(MessageRefused::reason).containsExactly(reason);
    survives();
  }

  @Test
  void endsTheSessionAndSaysSo() {
    assertThat(answer(request()).status()).isEqualTo(SamlStatus.success());
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(idp.audit.events(SessionEnded.class)).extracting(SessionEnded::cause).containsExactly("partner");
  }

  @Test
  void withoutSessionIndexEverySessionOfThePersonEnds() {
    TestBrowser phone = idp.browser();
    idp.partners.put(
        Idp.config(Idp.APP, NameIdFormat.PERSISTENT),
        Idp.metadata(Idp.APP, false));
    NameId persistent = join(phone, Idp.APP).subject();
    TestBrowser tablet = idp.browser();
    join(tablet, Idp.APP);
    answer(request(Idp.APP, persistent, List.of()));
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(tablet.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(browser.get("/realms/demo/account").status()).as("known there by another name").isEqualTo(200);
  }

  @Test
  void severalSessionIndexesEndSeveralSessions() {
    idp.partners.put(
        Idp.config(Idp.APP, NameIdFormat.PERSISTENT),
        Idp.metadata(Idp.APP, false));
    TestBrowser phone = idp.browser();
    TestBrowser tablet = idp.browser();
    TestBrowser desk = idp.browser();
    Assertion one = join(phone, Idp.APP);
    Assertion two = join(tablet, Idp.APP);
    join(desk, Idp.APP);
    answer(
        request(
            Idp.APP,
            one.subject(),
            List.of(
                one.authnStatement().orElseThrow().sessionIndex().orElseThrow(),
                two.authnStatement().orElseThrow().sessionIndex().orElseThrow())));
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(tablet.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(desk.get("/realms/demo/account").status()).isEqualTo(200);
  }

  @Test
  void theOtherParticipantsAreToldByServer() {
    idp.partners.withLogout(
        Idp.WIKI, Logout.FRONT,
        new Endpoint(Binding.POST, Idp.WIKI_SLO, Optional.empty()),
        new Endpoint(Binding.SOAP, Idp.WIKI_SLO + "/soap", Optional.empty()));
    join(browser, Idp.WIKI);
    assertThat(answer(request()).status()).isEqualTo(SamlStatus.success());
    assertThat(idp.backChannel.sent).singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.partner()).isEqualTo(Idp.WIKI);
              assertThat(notice.reason()).isEqualTo(LogoutReason.USER);
            });
    assertThat(idp.audit.events(LogoutPropagated.class)).extracting(LogoutPropagated::outcome).containsExactly("done");
  }

  @Test
  void whomOnlyABrowserReachesMakesItPartial() {
    join(browser, Idp.WIKI);
    assertThat(answer(request()).status()).isEqualTo(SamlStatus.of(SamlStatus.SUCCESS, SamlStatus.PARTIAL_LOGOUT));
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(idp.audit.events(LogoutPropagated.class))
        .extracting(LogoutPropagated::outcome)
        .containsExactly("unreachable");
  }

  @Test
  void whoIsNotReachedMakesItPartialAndIsToldLater() {
    idp.partners.withLogout(
        Idp.WIKI, Logout.SOAP, new Endpoint(Binding.SOAP, Idp.WIKI_SLO + "/soap", Optional.empty()));
    join(browser, Idp.WIKI);
    idp.backChannel.answers(Idp.WIKI, new LogoutDeliveryResult.Unreachable("no answer within 5000 ms"));
    assertThat(answer(request()).status().subCode()).contains(SamlStatus.PARTIAL_LOGOUT);
    idp.backChannel.answers(Idp.WIKI, new LogoutDeliveryResult.Done());
    idp.time.advance(Duration.ofSeconds(10));
    idp.tend();
    assertThat(idp.audit.events(LogoutPropagated.class))
        .extracting(LogoutPropagated::outcome)
        .containsExactly("unreachable", "done");
  }

  @Test
  void aSessionThatIsNotKnownIsAsGoodAsEnded() {
    assertThat(answer(request(Idp.APP, NameId.of("_nobody", name.format()), List.of())).status())
        .isEqualTo(SamlStatus.success());
    survives();
  }

  @Test
  void case17Unsigned() {
    String signed = new String(new CanonicalSamlWriter().soap(request(), SamlFixtures.spKey()), StandardCharsets.UTF_8);
    String unsigned = signed.replaceAll("(?s)<ds:Signature.*</ds:Signature>", "");
    assertThat(unsigned).isNotEqualTo(signed);
    fault(send(unsigned.getBytes(StandardCharsets.UTF_8)), "SIGNATURE_MISSING");
  }

  @Test
  void case17SignedByAStranger() {
    fault(send(request(), SamlFixtures.strangerKey()), "SIGNATURE_INVALID");
  }

  @Test
  void case17ChangedAfterItWasSigned() {
    String signed =
        new String(
            new CanonicalSamlWriter().soap(request(Idp.APP, NameId.of("_bob", name.format()), List.of()), SamlFixtures.spKey()),
            StandardCharsets.UTF_8);
    fault(send(signed.replace("_bob", name.value()).getBytes(StandardCharsets.UTF_8)), "SIGNATURE_INVALID");
  }

  @Test
  void case17OfAnIssuerThatIsNoPartner() {
    fault(send(request("https://evil.example", name, List.of()), SamlFixtures.spKey()), "PARTNER_UNKNOWN");
  }

  @Test
  void case17OfAnotherPartner() {
    assertThat(answer(request(Idp.WIKI, name, List.of(index))).status()).isEqualTo(SamlStatus.success());
    survives();
  }

  @Test
  void case17AnotherSessionIndex() {
    assertThat(answer(request(Idp.APP, name, List.of("_other"))).status()).isEqualTo(SamlStatus.success());
    survives();
  }

  @Test
  void case17ForAnotherDestination() {
    LogoutRequest r = request();
    // A request addressed to the front channel is not valid here.
    denied(
        new LogoutRequest(
            r.id(), r.issueInstant(), r.issuer(), Optional.of(Idp.SLO), r.notOnOrAfter(), r.nameId(),
            r.sessionIndexes()),
        "DESTINATION");
  }

  @Test
  void case17Expired() {
    LogoutRequest r = request();
    denied(
        new LogoutRequest(
            r.id(), r.issueInstant(), r.issuer(), r.destination(), Optional.of(idp.time.instant().minusSeconds(61)),
            r.nameId(), r.sessionIndexes()),
        "EXPIRED");
  }

  @Test
  void case17RepeatedItEndsNoLaterSession() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), Idp.metadata(Idp.APP, false));
    NameId persistent = join(browser, Idp.APP).subject();
    LogoutRequest all = request(Idp.APP, persistent, List.of());
    answer(all);
    browser.cookies.clear();
    assertThat(join(browser, Idp.APP).subject()).isEqualTo(persistent);
    denied(all, "REPLAYED");
  }

  @Test
  void aFormIsNoEnvelope() {
    EdgeReply reply =
        idp.dispatch.handle(
            SamlFixtures.posted(
                new CanonicalSamlWriter().post(request(), SOAP, Optional.empty(), SamlFixtures.spKey())));
    fault(reply, "NO_MESSAGE");
  }

  @Test
  void whatIsNoXmlIsAFault() {
    fault(send("<<<".getBytes(StandardCharsets.UTF_8)), "XML_NOT_WELL_FORMED");
  }

  @Test
  void onlyPostsAreTaken() {
    assertThat(browser.get("/realms/demo/saml/slo/soap").status()).isEqualTo(405);
  }
}
