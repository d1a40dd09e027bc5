package dev.gatehouse.sp.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.sp.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests each rule by itself: inputs that satisfy it, and inputs that violate it with the reason. */
final class ResponseRulesTest {

  private static final Instant NOW = SamlFixtures.NOW;
  private static final Optional<String> REQUEST = Optional.of("_request");
  private static final SpConfig SP =
      TestRealms.change(TestRealms.demo())
          .spUrls("https://app.example")
          .identityProvider(SamlFixtures.IDP)
          .spUnsolicited(false)
          .realm()
          .sp()
          .orElseThrow();
  private static final String PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
  private static final ResponseExpectation SOLICITED = new ResponseExpectation(SP, SamlFixtures.IDP, false, REQUEST, NOW, NOW);
  private static final ResponseExpectation UNSOLICITED = new ResponseExpectation(SP, SamlFixtures.IDP, false, Optional.empty(), NOW,
      NOW.minusSeconds(60));

  private static final Response RESPONSE = SamlFixtures.response(REQUEST);
  private static final Assertion ASSERTION = RESPONSE.assertions().getFirst();

  private static RequestedLogin asking(List<String> authnContext, boolean forceAuthn) {
    return new RequestedLogin(SamlFixtures.IDP, authnContext, forceAuthn, NOW);
  }

  private static AuthenticationResult answer(Instant authenticatedAt) {
    return new AuthenticationResult(SamlFixtures.IDP, Optional.of(PASSWORD), Optional.of(authenticatedAt));
  }

  private static ReceivedResponse received(Response response) {
    return new ReceivedResponse(response, true, Binding.POST, Optional.empty());
  }

  private static void keeps(ResponseCheck check, Response response) {
    assertThat(check.check(received(response), SOLICITED)).isEmpty();
  }

  private static void breaks(ResponseCheck check, Response response, Reason reason) {
    assertThat(check.check(received(response), SOLICITED)).map(SamlRefusal::reason).contains(reason);
  }

  private static void keeps(AssertionCheck check, Change change) {
    assertThat(check.check(change.assertion(), SOLICITED)).isEmpty();
  }

  private static void breaks(AssertionCheck check, Change change, Reason reason) {
    assertThat(check.check(change.assertion(), SOLICITED)).map(SamlRefusal::reason).contains(reason);
  }

  private static void keeps(ConfirmationCheck check, Change change) {
    assertThat(check.check(first(change), SOLICITED)).isEmpty();
  }

  private static void breaks(ConfirmationCheck check, Change change, Reason reason) {
    assertThat(check.check(first(change), SOLICITED)).map(SamlRefusal::reason).contains(reason);
  }

  private static SubjectConfirmation first(Change change) {
    return change.assertion().confirmations().getFirst();
  }

  private static Change change() {
    return Change.of(ASSERTION);
  }

  @Test
  void theListsAreWhole() {
    assertThat(ResponseRules.OF_RESPONSE)
        .extracting(check -> check.getClass().getSimpleName())
        .containsExactly(
            "DestinationCheck", "ResponseIssueInstantCheck", "StatusCheck", "UnsolicitedCheck", "InResponseToCheck",
            "AssertionCountCheck");
    assertThat(ResponseRules.OF_ASSERTION)
        .extracting(check -> check.getClass().getSimpleName())
        .containsExactly(
            "AssertionIssuerCheck", "SubjectCheck", "UserNameCheck", "BearerConfirmationCheck", "AudienceCheck",
            "NotBeforeCheck", "NotOnOrAfterCheck", "AssertionInstantsCheck", "ValidityCheck", "AuthnStatementCheck",
            "SessionNotOnOrAfterCheck", "IssuedBeforeStartCheck");
    assertThat(RequestRules.ALL)
        .extracting(check -> check.getClass().getSimpleName())
        .containsExactly("AskedIdentityProviderCheck", "AuthnContextCheck", "ForceAuthnCheck");
    assertThat(BearerConfirmationCheck.RULES)
        .extracting(check -> check.getClass().getSimpleName())
        .containsExactly(
            "RecipientCheck", "ConfirmationInResponseToCheck", "ConfirmationNotBeforeCheck",
            "ConfirmationNotOnOrAfterCheck");
  }

  @Test
  void aResponseThatKeepsEveryRuleGivesItsAssertion() {
    assertThat(ResponseRules.apply(received(RESPONSE), SOLICITED)).isEqualTo(new Result.Accepted<>(ASSERTION));
  }

  @Test
  void destination() {
    keeps(new DestinationCheck(), RESPONSE);
    breaks(new DestinationCheck(), Change.destination(RESPONSE, Optional.empty()), Reason.DESTINATION);
    Optional<String> upperCase = Optional.of("https://APP.example/.gatehouse/saml/acs");
    breaks(new DestinationCheck(), Change.destination(RESPONSE, upperCase), Reason.DESTINATION);
  }

  @Test
  void askedIdentityProvider() {
    AskedIdentityProviderCheck check = new AskedIdentityProviderCheck();
    assertThat(check.check(answer(NOW), asking(List.of(), false))).isEmpty();
    AuthenticationResult another = new AuthenticationResult(SamlFixtures.IDP + "/", Optional.of(PASSWORD), Optional.of(NOW));
    assertThat(check.check(another, asking(List.of(), false))).map(SamlRefusal::reason).contains(Reason.ISSUER_MISMATCH);
  }

  @Test
  void status() {
    keeps(new StatusCheck(), RESPONSE);
    breaks(
        new StatusCheck(),
        Change.status(RESPONSE, SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.NO_PASSIVE)),
        Reason.STATUS_NOT_SUCCESS);
  }

  @Test
  void unsolicited() {
    Response unsolicited = SamlFixtures.response(Optional.empty());
    SpConfig wanted =
        new SpConfig(SP.publicUrl(), SP.otherOrigins(), SP.identityProviders(), true, SP.session(), SP.subject(),
            SP.requestedAttributes(), SP.artifactNodes());
    keeps(new UnsolicitedCheck(), RESPONSE);
    breaks(new UnsolicitedCheck(), unsolicited, Reason.UNSOLICITED);
    assertThat(
            new UnsolicitedCheck()
                .check(received(unsolicited), new ResponseExpectation(wanted, SamlFixtures.IDP, false, Optional.empty(), NOW, NOW)))
        .isEmpty();
  }

  @Test
  void inResponseTo() {
    keeps(new InResponseToCheck(), RESPONSE);
    breaks(new InResponseToCheck(), Change.inResponseTo(RESPONSE, Optional.of("_other")), Reason.IN_RESPONSE_TO);
    breaks(new InResponseToCheck(), Change.inResponseTo(RESPONSE, Optional.empty()), Reason.IN_RESPONSE_TO);
    assertThat(new InResponseToCheck().check(received(RESPONSE), UNSOLICITED))
        .map(SamlRefusal::reason)
        .contains(Reason.IN_RESPONSE_TO);
  }

  @Test
  void assertionCount() {
    keeps(new AssertionCountCheck(), RESPONSE);
    breaks(new AssertionCountCheck(), Change.with(RESPONSE), Reason.ASSERTION_COUNT);
    breaks(new AssertionCountCheck(), Change.with(RESPONSE, ASSERTION, ASSERTION), Reason.ASSERTION_COUNT);
  }

  @Test
  void assertionIssuer() {
    keeps(new AssertionIssuerCheck(), change());
    breaks(new AssertionIssuerCheck(), change().issuer("https://evil.example"), Reason.ISSUER_MISMATCH);
  }

  @Test
  void subject() {
    keeps(new SubjectCheck(), change());
    breaks(new SubjectCheck(), change().subject(NameId.of(" ", NameId.UNSPECIFIED)), Reason.SUBJECT_MISSING);
  }

  @Test
  void userName() {
    keeps(new UserNameCheck(), change());
    keeps(new UserNameCheck(), change().attributes(List.of(SamlAttribute.basic("uid", List.of("ünïcode name")))));
    breaks(new UserNameCheck(), names("alice", "bob"), Reason.SUBJECT_MISSING);
    breaks(new UserNameCheck(), names("alice\nbob"), Reason.SUBJECT_MISSING);
    breaks(new UserNameCheck(), names("alice\u0085"), Reason.SUBJECT_MISSING);
    breaks(new UserNameCheck(), names(""), Reason.SUBJECT_MISSING);
    breaks(new UserNameCheck(), names("ceo\uff20corp.example"), Reason.SUBJECT_MISSING);
    breaks(new UserNameCheck(), names("al\u200bice"), Reason.SUBJECT_MISSING);
    NameId fullWidth = NameId.of("\uff41lice", NameId.UNSPECIFIED);
    breaks(new UserNameCheck(), change().attributes(List.of()).subject(fullWidth), Reason.SUBJECT_MISSING);
    Change twice =
        change()
            .attributes(
                List.of(SamlAttribute.basic("uid", List.of("alice")), SamlAttribute.basic("uid", List.of("bob"))));
    breaks(new UserNameCheck(), twice, Reason.SUBJECT_MISSING);
  }

  private static Change names(String... names) {
    return change().attributes(List.of(SamlAttribute.basic("uid", List.of(names))));
  }

  @Test
  void bearerConfirmation() {
    SubjectConfirmation good = ASSERTION.confirmations().getFirst();
    SubjectConfirmation elsewhere =
        new SubjectConfirmation(
            Assertion.BEARER, Optional.of("https://other.example"), REQUEST, Optional.empty(), good.notOnOrAfter());
    SubjectConfirmation half =
        new SubjectConfirmation(Assertion.BEARER, good.recipient(), REQUEST, Optional.empty(), Optional.empty());
    keeps(new BearerConfirmationCheck(), change());
    keeps(new BearerConfirmationCheck(), change().confirmations(List.of(elsewhere, good)));
    breaks(new BearerConfirmationCheck(), change().confirmations(List.of()), Reason.CONFIRMATION);
    breaks(new BearerConfirmationCheck(), change().method("urn:x"), Reason.CONFIRMATION);
    // Each confirmation violates a rule of its own: two halves do not make a whole.
    breaks(new BearerConfirmationCheck(), change().confirmations(List.of(elsewhere, half)), Reason.RECIPIENT);
  }

  @Test
  void recipient() {
    keeps(new RecipientCheck(), change());
    breaks(new RecipientCheck(), change().recipient(Optional.empty()), Reason.RECIPIENT);
    breaks(new RecipientCheck(), change().recipient(Optional.of(SamlFixtures.SP_ACS + "?x")), Reason.RECIPIENT);
  }

  @Test
  void confirmationInResponseTo() {
    keeps(new ConfirmationInResponseToCheck(), change());
    breaks(
        new ConfirmationInResponseToCheck(), change().confirmedInResponseTo(Optional.empty()), Reason.IN_RESPONSE_TO);
    assertThat(new ConfirmationInResponseToCheck().check(first(change()), UNSOLICITED))
        .map(SamlRefusal::reason)
        .contains(Reason.IN_RESPONSE_TO);
  }

  @Test
  void confirmationNotBefore() {
    keeps(new ConfirmationNotBeforeCheck(), change());
    breaks(
        new ConfirmationNotBeforeCheck(),
        change().confirmedFrom(Optional.of(NOW.minusSeconds(60))),
        Reason.CONFIRMATION);
  }

  @Test
  void confirmationNotOnOrAfter() {
    keeps(new ConfirmationNotOnOrAfterCheck(), change());
    keeps(new ConfirmationNotOnOrAfterCheck(), change().confirmedUntil(Optional.of(NOW.minusMillis(59_999))));
    breaks(
        new ConfirmationNotOnOrAfterCheck(),
        change().confirmedUntil(Optional.of(NOW.minusSeconds(60))),
        Reason.EXPIRED);
    breaks(new ConfirmationNotOnOrAfterCheck(), change().confirmedUntil(Optional.empty()), Reason.CONFIRMATION);
  }

  @Test
  void audience() {
    String us = SamlFixtures.SP;
    keeps(new AudienceCheck(), change().audiences(List.of(List.of("https://other.example", us))));
    breaks(new AudienceCheck(), change().audiences(List.of()), Reason.AUDIENCE);
    breaks(new AudienceCheck(), change().audiences(List.of(List.of())), Reason.AUDIENCE);
    breaks(new AudienceCheck(), change().audiences(List.of(List.of(us), List.of("x"))), Reason.AUDIENCE);
  }

  @Test
  void notBefore() {
    keeps(new NotBeforeCheck(), change().notBefore(NOW.plusSeconds(60)));
    breaks(new NotBeforeCheck(), change().notBefore(NOW.plusMillis(60_001)), Reason.NOT_YET_VALID);
  }

  @Test
  void notOnOrAfter() {
    keeps(new NotOnOrAfterCheck(), change().notOnOrAfter(NOW.minusMillis(59_999)));
    breaks(new NotOnOrAfterCheck(), change().notOnOrAfter(NOW.minusSeconds(60)), Reason.EXPIRED);
  }

  @Test
  void issueInstants() {
    keeps(new ResponseIssueInstantCheck(), issued(NOW.plusSeconds(60)));
    breaks(new ResponseIssueInstantCheck(), issued(NOW.plusMillis(60_001)), Reason.NOT_YET_VALID);
    keeps(new AssertionInstantsCheck(), change().issueInstant(NOW.plusSeconds(60)));
    breaks(new AssertionInstantsCheck(), change().issueInstant(NOW.plusMillis(60_001)), Reason.NOT_YET_VALID);
  }

  private static Response issued(Instant at) {
    return new Response(
        RESPONSE.id(), at, RESPONSE.issuer(), RESPONSE.destination(), RESPONSE.inResponseTo(), RESPONSE.status(),
        RESPONSE.assertions());
  }

  @Test
  void authnInstant() {
    keeps(new AssertionInstantsCheck(), change().authnStatement(authenticatedAt(NOW.plusSeconds(60))));
    keeps(new AssertionInstantsCheck(), change().authnStatement(authenticatedAt(NOW.minusSeconds(10_000_000))));
    breaks(
        new AssertionInstantsCheck(), change().authnStatement(authenticatedAt(NOW.plusMillis(60_001))), Reason.NOT_YET_VALID);
  }

  @Test
  void validity() {
    Instant day = ASSERTION.issueInstant().plus(Duration.ofDays(1));
    keeps(new ValidityCheck(), change().notOnOrAfter(day).confirmedUntil(Optional.of(day)));
    breaks(new ValidityCheck(), change().notOnOrAfter(day.plusMillis(1)), Reason.VALIDITY_TOO_LONG);
    breaks(new ValidityCheck(), change().confirmedUntil(Optional.of(day.plusMillis(1))), Reason.VALIDITY_TOO_LONG);
    breaks(new ValidityCheck(), change().issueInstant(NOW.minusSeconds(90_000)), Reason.VALIDITY_TOO_LONG);
  }

  /** A message that is valid except for one of these is refused as a whole, by the configured limits. */
  @Test
  void theBoundsOfTheConfigurationCount() {
    SpConfig strict =
        new SpConfig(
            SP.publicUrl(), SP.otherOrigins(), SP.identityProviders(), SP.unsolicited(), SP.session(), SP.subject(),
            SP.requestedAttributes(), SP.artifactNodes(),
            new SpConfig.TimeBounds(Duration.ofSeconds(5), Duration.ofMinutes(1)));
    ResponseExpectation expected =
        new ResponseExpectation(strict, SamlFixtures.IDP, false, SOLICITED.requestId(), NOW, NOW);
    assertThat(new ResponseIssueInstantCheck().check(received(issued(NOW.plusSeconds(6))), expected)).isPresent();
    Assertion minutes = change().notOnOrAfter(ASSERTION.issueInstant().plusSeconds(61)).assertion();
    assertThat(new ValidityCheck().check(minutes, expected)).map(SamlRefusal::reason).contains(Reason.VALIDITY_TOO_LONG);
    assertThat(ResponseRules.apply(received(issued(NOW.plusSeconds(90))), SOLICITED))
        .isInstanceOfSatisfying(
            Result.Refused.class,
            refused -> assertThat(refused.refusal()).extracting("reason").isEqualTo(Reason.NOT_YET_VALID));
  }

  @Test
  void authnStatement() {
    keeps(new AuthnStatementCheck(), change());
    breaks(new AuthnStatementCheck(), change().authnStatement(Optional.empty()), Reason.AUTHN_STATEMENT_MISSING);
  }

  @Test
  void authnContext() {
    AuthnContextCheck check = new AuthnContextCheck();
    assertThat(check.check(answer(NOW), asking(List.of("urn:x", PASSWORD), false))).isEmpty();
    assertThat(check.check(answer(NOW), asking(List.of("urn:x"), false)))
        .map(SamlRefusal::reason)
        .contains(Reason.AUTHN_CONTEXT);
    assertThat(check.check(answer(NOW), asking(List.of(), false))).isEmpty();
    AuthenticationResult silent = new AuthenticationResult(SamlFixtures.IDP, Optional.empty(), Optional.of(NOW));
    assertThat(check.check(silent, asking(List.of(PASSWORD), false)))
        .map(SamlRefusal::reason)
        .contains(Reason.AUTHN_CONTEXT);
  }

  @Test
  void forceAuthn() {
    ForceAuthnCheck check = new ForceAuthnCheck();
    assertThat(check.check(answer(NOW.minusSeconds(60)), asking(List.of(), true))).as("within the skew").isEmpty();
    AuthenticationResult old = answer(NOW.minusMillis(60_001));
    assertThat(check.check(old, asking(List.of(), true))).map(SamlRefusal::reason).contains(Reason.AUTHN_NOT_FRESH);
    assertThat(check.check(old, asking(List.of(), false))).isEmpty();
    AuthenticationResult silent = new AuthenticationResult(SamlFixtures.IDP, Optional.of(PASSWORD), Optional.empty());
    assertThat(check.check(silent, asking(List.of(), true))).map(SamlRefusal::reason).contains(Reason.AUTHN_NOT_FRESH);
  }

  private static Optional<AuthnStatement> authenticatedAt(Instant at) {
    return ASSERTION
        .authnStatement()
        .map(s -> new AuthnStatement(at, s.sessionIndex(), s.sessionNotOnOrAfter(), s.authnContextClassRef()));
  }

  @Test
  void sessionNotOnOrAfter() {
    keeps(new SessionNotOnOrAfterCheck(), change().sessionNotOnOrAfter(NOW.minusMillis(59_999)));
    breaks(
        new SessionNotOnOrAfterCheck(), change().sessionNotOnOrAfter(NOW.minusSeconds(60)), Reason.SESSION_EXPIRED);
  }

  @Test
  void issuedBeforeStart() {
    Assertion old = change().issueInstant(NOW.minusMillis(1)).assertion();
    assertThat(new IssuedBeforeStartCheck().check(old, SOLICITED)).isEmpty();
    assertThat(new IssuedBeforeStartCheck().check(ASSERTION, UNSOLICITED)).isEmpty();
    assertThat(new IssuedBeforeStartCheck().check(old, UNSOLICITED)).as("by a clock a minute ahead")
        .map(SamlRefusal::reason)
        .contains(Reason.ISSUED_BEFORE_START);
  }

  @Test
  void replay() {
    ReplayCheck check = new ReplayCheck(new MemoryStores(() -> NOW).replayCache());
    assertThat(check.mark("demo", "issuer", "_1", NOW.plusSeconds(1))).isEmpty();
    assertThat(check.mark("demo", "issuer", "_1", NOW.plusSeconds(1)))
        .map(SamlRefusal::reason)
        .contains(Reason.REPLAYED);
    assertThat(check.mark("demo", "another", "_1", NOW.plusSeconds(1))).as("IDs are an issuer's own").isEmpty();
  }
}
