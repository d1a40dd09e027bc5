package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.sp.login.RouteLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 10 to 16 and 40, each with the reason in the audit log, for every binding that carries Responses. */
abstract class ResponseAttackContract {

  private final SpWorld.Delivery delivery;
  private final List<SpWorld> opened = new ArrayList<>();
  final SpWorld world;
  final TestBrowser browser;
  private final AuthnRequest request;
  private final Response honest;

  ResponseAttackContract(SpWorld.Delivery delivery) {
    this.delivery = delivery;
    this.world = world(UnaryOperator.identity());
    this.browser = new TestBrowser(world);
    this.request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    this.honest = world.response(request);
  }

  /** The reason for refusing a Response with an unknown Issuer. */
  abstract Reason strangeIssuer();

  private SpWorld world(UnaryOperator<TestRealms.Change> change) {
    SpWorld made = new SpWorld(change, delivery);
    opened.add(made);
    return made;
  }

  @AfterEach
  void close() {
    opened.forEach(SpWorld::close);
  }

  /** Sends it with cookies, so that only the message can be the cause. */
  private void refused(EdgeRequest post, Reason reason) {
    EdgeReply reply = browser.submitWithCookies(post);

    assertThat(world.refusals()).containsExactly(reason.name());
    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.text()).doesNotContain(reason.name());
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
    assertThat(world.opened()).isZero();
  }

  private void refused(Response response, Reason reason) {
    refused(world.posted(response, Optional.empty(), SamlWriter.Signed.BOTH, SamlFixtures.idpKey()), reason);
  }

  private void refused(Function<Change, Change> change, Reason reason) {
    Assertion assertion = honest.assertions().getFirst();
    refused(Change.with(honest, change.apply(Change.of(assertion)).assertion()), reason);
    // The valid Response is still accepted: a refusal consumes nothing.
    browser.submitWithCookies(world.posted(honest, Optional.empty()));
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  private Instant past(Duration ago) {
    return world.time.instant().minus(ago);
  }

  @Test
  void case10TheSameResponseTwice() {
    EdgeRequest post = world.posted(honest, Optional.empty());
    browser.submitWithCookies(post);

    EdgeReply again = browser.submitWithCookies(post);

    assertThat(again.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.REPLAYED.name());
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void case10TheSameResponseSavedTwiceOpensOneSession() {
    EdgeRequest post = world.posted(honest, Optional.empty());
    EdgeReply one = browser.submitFromElsewhere(post);
    EdgeReply two = browser.submitFromElsewhere(post);
    browser.follow(one);

    EdgeReply second = browser.follow(two);

    assertThat(second.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.REPLAYED.name());
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void case10TheSameAssertionInAnotherUnsolicitedResponse() {
    SpWorld open = world(change -> change.spUnsolicited(true));
    TestBrowser visitor = new TestBrowser(open);
    Response response = open.response(Optional.empty(), "alice");
    visitor.follow(visitor.submitFromElsewhere(open.posted(response, Optional.empty())));
    Response wrapped = Change.with(open.response(Optional.empty(), "alice"), response.assertions().getFirst());

    EdgeReply again = visitor.follow(visitor.submitFromElsewhere(open.posted(wrapped, Optional.empty())));

    assertThat(again.status()).isEqualTo(403);
    assertThat(open.refusals()).containsExactly(Reason.REPLAYED.name());
    assertThat(open.opened()).isEqualTo(1);
  }

  @Test
  void case10UnsolicitedAndOlderThanTheReplayMarks() {
    SpWorld open = world(change -> change.spUnsolicited(true));
    TestBrowser visitor = new TestBrowser(open);
    Response response = open.response(Optional.empty(), "alice");
    Assertion old =
        Change.of(response.assertions().getFirst()).issueInstant(open.time.instant().minusMillis(1)).assertion();

    visitor.submitFromElsewhere(open.posted(Change.with(response, old), Optional.empty()));

    assertThat(open.refusals()).containsExactly(Reason.ISSUED_BEFORE_START.name());
  }

  @Test
  void case11InResponseToOfNoRequest() {
    Response strange = world.response(Optional.of("_never-sent"), "alice");
    refused(strange, Reason.IN_RESPONSE_TO);
  }

  @Test
  void case11InResponseToMissingInTheResponseOnly() {
    refused(Change.inResponseTo(honest, Optional.empty()), Reason.UNSOLICITED);
  }

  @Test
  void case11InResponseToStrippedWhereUnsolicitedIsAllowed() {
    SpWorld open = world(change -> change.spUnsolicited(true));
    TestBrowser visitor = new TestBrowser(open);
    AuthnRequest sent = open.authnRequest(visitor.open(SpWorld.HOME + "/here"));
    Response stripped = Change.inResponseTo(open.response(sent), Optional.empty());

    visitor.submitWithCookies(open.posted(stripped, Optional.empty()));

    assertThat(open.refusals()).containsExactly(Reason.IN_RESPONSE_TO.name());
  }

  @Test
  void case11InResponseToMissingInTheConfirmation() {
    refused(change -> change.confirmedInResponseTo(Optional.empty()), Reason.IN_RESPONSE_TO);
  }

  @Test
  void case11InResponseToOfAnotherRequestInTheConfirmation() {
    AuthnRequest other = world.authnRequest(browser.open(SpWorld.HOME + "/there"));
    refused(change -> change.confirmedInResponseTo(Optional.of(other.id())), Reason.IN_RESPONSE_TO);
  }

  @Test
  void case11ARequestThatNobodyAnsweredInTime() {
    world.time.advance(Duration.ofHours(1));
    refused(world.response(request), Reason.IN_RESPONSE_TO);
  }

  @Test
  void case11UnsolicitedWhereItIsOff() {
    refused(world.response(Optional.empty(), "alice"), Reason.UNSOLICITED);
  }

  @Test
  void case11And16AResponseForAnotherBrowserIsRefusedAndWaitsForItsOwner() {
    TestBrowser attacker = new TestBrowser(world, "198.51.100.66");
    attacker.open(SpWorld.HOME + "/");

    EdgeReply direct = attacker.submitWithCookies(world.posted(honest, Optional.empty()));
    EdgeReply saved =
        attacker.follow(attacker.submitFromElsewhere(world.posted(honest, Optional.empty())));

    assertThat(direct.status()).isEqualTo(403);
    assertThat(saved.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.OTHER_BROWSER.name(), Reason.OTHER_BROWSER.name());
    assertThat(attacker.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
    browser.follow(browser.submitFromElsewhere(world.posted(honest, Optional.empty())));
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void case16AVictimWithoutCookiesIsNotLoggedInAsTheAttacker() {
    TestBrowser victim = new TestBrowser(world, "198.51.100.7");

    EdgeReply reply = victim.follow(victim.submitFromElsewhere(world.posted(honest, Optional.empty())));

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.OTHER_BROWSER.name());
    assertThat(victim.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  @Test
  void case12AudienceWrong() {
    refused(change -> change.audiences(List.of(List.of("https://other.example/sp"))), Reason.AUDIENCE);
  }

  @Test
  void case12AudienceMissing() {
    refused(change -> change.audiences(List.of()), Reason.AUDIENCE);
  }

  @Test
  void case12AudienceOfEveryRestriction() {
    refused(
        change -> change.audiences(List.of(List.of(SamlFixtures.SP), List.of("https://other.example/sp"))),
        Reason.AUDIENCE);
  }

  @Test
  void case12RecipientWrong() {
    refused(change -> change.recipient(Optional.of(SamlFixtures.SP_ACS + "/")), Reason.RECIPIENT);
  }

  @Test
  void case12RecipientMissing() {
    refused(change -> change.recipient(Optional.empty()), Reason.RECIPIENT);
  }

  @Test
  void case12DestinationWrong() {
    refused(Change.destination(honest, Optional.of("https://other.example/.gatehouse/saml/acs")), Reason.DESTINATION);
  }

  @Test
  void case12DestinationMissing() {
    refused(Change.destination(honest, Optional.empty()), Reason.DESTINATION);
  }

  @Test
  void case12IssuerOfTheResponseIsNoPartner() {
    refused(Change.issuer(honest, "https://evil.example"), strangeIssuer());
  }

  @Test
  void case12IssuerOfTheAssertionDiffers() {
    refused(change -> change.issuer("https://evil.example"), Reason.ISSUER_MISMATCH);
  }

  @Test
  void case12AKeyThatIsNotTheIssuers() {
    refused(
        world.posted(honest, Optional.empty(), SamlWriter.Signed.BOTH, SamlFixtures.strangerKey()),
        Reason.SIGNATURE_INVALID);
  }

  @Test
  void case13NotBeforeAMinuteAndASecondAhead() {
    refused(change -> change.notBefore(world.time.instant().plusSeconds(61)), Reason.NOT_YET_VALID);
  }

  @Test
  void case13NotOnOrAfterAMinuteAgo() {
    refused(change -> change.notOnOrAfter(past(Duration.ofSeconds(60))), Reason.EXPIRED);
  }

  @Test
  void case13ConfirmationNotOnOrAfterAMinuteAgo() {
    refused(change -> change.confirmedUntil(Optional.of(past(Duration.ofSeconds(60)))), Reason.EXPIRED);
  }

  @Test
  void case13ConfirmationNotOnOrAfterMissing() {
    refused(change -> change.confirmedUntil(Optional.empty()), Reason.CONFIRMATION);
  }

  @Test
  void case13ConfirmationWithNotBefore() {
    refused(change -> change.confirmedFrom(Optional.of(past(Duration.ofMinutes(1)))), Reason.CONFIRMATION);
  }

  @Test
  void case13SessionNotOnOrAfterAMinuteAgo() {
    refused(change -> change.sessionNotOnOrAfter(past(Duration.ofSeconds(60))), Reason.SESSION_EXPIRED);
  }

  @Test
  void case13SixtySecondsOfSkewAreAllowedEverywhere() {
    Assertion skewed =
        Change.of(honest.assertions().getFirst())
            .notBefore(world.time.instant().plusSeconds(60))
            .notOnOrAfter(past(Duration.ofSeconds(59)))
            .confirmedUntil(Optional.of(past(Duration.ofSeconds(59))))
            .sessionNotOnOrAfter(past(Duration.ofSeconds(59)))
            .assertion();

    browser.submitWithCookies(world.posted(Change.with(honest, skewed), Optional.empty()));

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(world.session(browser, SpWorld.HOME)).as("and no more").isEmpty();
  }

  @Test
  void case13TheSessionEndsWhileTheLoginIsSaved() {
    Assertion brief =
        Change.of(honest.assertions().getFirst())
            .sessionNotOnOrAfter(world.time.instant().plusSeconds(60))
            .assertion();
    EdgeReply saved = browser.submitFromElsewhere(world.posted(Change.with(honest, brief), Optional.empty()));
    world.time.advance(Duration.ofSeconds(120));

    browser.follow(saved);

    assertThat(world.refusals()).containsExactly(Reason.SESSION_EXPIRED.name());
    assertThat(world.opened()).isZero();
  }

  @Test
  void case14AnotherStatusWithAnAssertion() {
    refused(
        Change.status(honest, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.AUTHN_FAILED)), Reason.STATUS_NOT_SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key",
        "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches",
        "urn:oasis:names:tc:SAML:2.0:cm:Bearer"
      })
  void case14AnotherConfirmationMethod(String method) {
    refused(change -> change.method(method), Reason.CONFIRMATION);
  }

  @Test
  void twoAssertionsAreNotChosenFrom() {
    Assertion second = world.assertion(Optional.of(request.id()), "bob");
    refused(Change.with(honest, honest.assertions().getFirst(), second), Reason.ASSERTION_COUNT);
  }

  @Test
  void noAuthnStatement() {
    refused(change -> change.authnStatement(Optional.empty()), Reason.AUTHN_STATEMENT_MISSING);
  }

  @Test
  void twoUserNames() {
    refused(
        change -> change.attributes(List.of(SamlAttribute.basic("uid", List.of("alice", "root")))),
        Reason.SUBJECT_MISSING);
  }

  @Test
  void aUserNameWithALineBreak() {
    refused(
        change -> change.attributes(List.of(SamlAttribute.basic("uid", List.of("alice\r\nRemote-User: root")))),
        Reason.SUBJECT_MISSING);
  }

  @Test
  void withoutTheAttributeTheNameIdIsTheName() {
    Assertion plain =
        Change.of(honest.assertions().getFirst())
            .attributes(List.of())
            .subject(NameId.of("alice@example.com", NameId.UNSPECIFIED))
            .assertion();

    browser.submitWithCookies(world.posted(Change.with(honest, plain), Optional.empty()));

    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(
            session -> {
              assertThat(session.account().user()).isEqualTo("alice@example.com");
              assertThat(session.account().roles()).isEmpty();
            });
  }

  @Test
  void anEmptyAttributeIsNotReplacedByTheNameId() {
    refused(change -> change.attributes(List.of(SamlAttribute.basic("uid", List.of()))), Reason.SUBJECT_MISSING);
  }

  /** Otherwise a provider could state by a NameID what it may not state by the attribute. */
  @ParameterizedTest
  @ValueSource(strings = {"root@other.example", ""})
  void aNameOutsideTheProvidersScopesIsNotReplacedByTheNameId(String sent) {
    SpWorld scoped = world(change -> change.sp(ResponseAttackContract::namedByPrincipalName));
    TestBrowser visitor = new TestBrowser(scoped);
    AuthnRequest asked = scoped.authnRequest(visitor.open(SpWorld.HOME + "/here"));
    Response response = scoped.response(asked);
    List<SamlAttribute> attributes =
        sent.isEmpty() ? List.of() : List.of(SamlAttribute.basic("eduPersonPrincipalName", List.of(sent)));
    Assertion assertion = Change.of(response.assertions().getFirst()).attributes(attributes).assertion();

    visitor.submitWithCookies(scoped.posted(Change.with(response, assertion), Optional.empty()));

    assertThat(scoped.refusals()).containsExactly(Reason.SUBJECT_MISSING.name());
    assertThat(scoped.opened()).isZero();
  }

  static SpConfig namedByPrincipalName(SpConfig sp) {
    return new SpConfig(
        sp.publicUrl(), sp.otherOrigins(), sp.identityProviders(), sp.unsolicited(), sp.session(),
        new SpConfig.SubjectMapping("urn:oid:1.3.6.1.4.1.5923.1.1.1.6", "roles", "groups"), sp.requestedAttributes(),
        sp.artifactNodes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"})
  void case15RelayStateOfASolicitedResponseIsNoTarget(String relayState) {
    EdgeReply landed = browser.submitWithCookies(world.posted(honest, Optional.of(relayState)));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/here");
  }

  @Test
  void case40ALoginAlwaysMakesANewTokenAndEndsTheOldSession() {
    browser.submitWithCookies(world.posted(honest, Optional.empty()));
    String before = browser.cookie(SpWorld.HOME, "__Host-gh_app").orElseThrow();
    TestBrowser thief = new TestBrowser(world);
    thief.setCookie(SpWorld.HOME, "__Host-gh_app", before);
    assertThat(world.session(thief, SpWorld.HOME)).isPresent();
    EdgeReply challenge =
        world.sp.challenge(
            world.realm(),
            browser.request("GET", SpWorld.HOME + "/again", "same-origin", Map.of()),
            RouteLogin.of("app"),
            false);
    browser.remember(SpWorld.HOME, challenge);
    AuthnRequest second = world.authnRequest(challenge);

    browser.submitWithCookies(world.posted(world.response(second), Optional.empty()));

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isPresent().isNotEqualTo(Optional.of(before));
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
    assertThat(world.session(thief, SpWorld.HOME)).isEmpty();
  }

  @Test
  void case40AValueThatSomebodyPlantedIsNotTakenOver() {
    String planted = "A".repeat(43);
    browser.setCookie(SpWorld.HOME, "__Host-gh_app", planted);

    browser.submitWithCookies(world.posted(honest, Optional.empty()));

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isPresent().isNotEqualTo(Optional.of(planted));
  }

  @Test
  void noMessageAtAllIsA400() {
    EdgeReply reply = browser.postFromElsewhere(SamlFixtures.SP_ACS, Map.of("x", "y"));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(world.refusals()).containsExactly(Reason.NO_MESSAGE.name());
  }

  final EdgeRequest another() {
    return world.posted(world.response(honest.inResponseTo(), "alice"), Optional.empty());
  }

  /** Otherwise one login, sent again from ever more addresses, would fill the whole store. */
  @Test
  void aLoginIsSavedAFewTimesAndNoMore() {
    for (int i = 1; i <= 5; i++) {
      EdgeRequest post = world.posted(honest, Optional.empty());
      assertThat(new TestBrowser(world, "198.51.100." + i).submitFromElsewhere(post).status()).isEqualTo(303);
    }

    EdgeRequest post = world.posted(honest, Optional.empty());
    EdgeReply sixth = new TestBrowser(world, "198.51.100.6").submitFromElsewhere(post);
    assertThat(sixth.status()).isEqualTo(429);
    assertThat(sixth.headers().first("Retry-After")).contains("3600");
    assertThat(world.refusals()).containsExactly(Reason.TOO_MANY_PENDING_RESPONSES.name());
    assertThat(browser.submitFromElsewhere(another()).status()).as("others go on").isEqualTo(303);
  }
}
