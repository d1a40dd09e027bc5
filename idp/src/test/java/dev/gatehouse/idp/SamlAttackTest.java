package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 18, 19, 20 and 22: the answers to forged or strange AuthnRequests, and the reasons. */
final class SamlAttackTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/acs",
        "https://app.example/saml/acs/",
        "https://app.example/saml/acs?x=1",
        "https://app.example/saml/ACS",
        "https://app.example@evil.example/saml/acs",
        "javascript:alert(1)"
      })
  void case18AConsumerUrlThatMetadataDoesNotListIsNeverAnswered(String url) {
    refused(Requests.consumer(idp.authnRequest(Idp.APP), Optional.of(url), Optional.empty()), "ACS_NOT_LISTED");
  }

  @Test
  void case18AConsumerIndexThatMetadataDoesNotListIsNeverAnswered() {
    refused(Requests.consumer(idp.authnRequest(Idp.APP), Optional.empty(), Optional.of(7)), "ACS_NOT_LISTED");
    refused(Requests.consumer(idp.authnRequest(Idp.APP), Optional.empty(), Optional.of(-1)), "SCHEMA");
  }

  @Test
  void case18AConsumerThatMetadataListsForAnotherBindingIsNeverAnswered() {
    AuthnRequest byUrl =
        Requests.consumer(idp.authnRequest(Idp.APP), Optional.of(Idp.APP_ACS), Optional.empty());
    refused(Requests.binding(byUrl, Binding.ARTIFACT.uri()), "ACS_NOT_LISTED");
    AuthnRequest artifact =
        Requests.consumer(idp.authnRequest(Idp.APP), Optional.of(Idp.APP + "/artifact"), Optional.empty());
    refused(Requests.binding(artifact, Binding.POST.uri()), "ACS_NOT_LISTED");
    AuthnRequest byIndex = Requests.consumer(idp.authnRequest(Idp.APP), Optional.empty(), Optional.of(0));
    refused(Requests.binding(byIndex, Binding.POST.uri()), "ACS_NOT_LISTED");
  }

  @Test
  void case18NotEvenAnErrorStatusGoesToAnUnlistedConsumer() {
    AuthnRequest request =
        Requests.consumer(idp.authnRequest(Idp.APP), Optional.of("https://evil.example/acs"), Optional.empty());
    refused(Requests.asking(request, false, true), "ACS_NOT_LISTED");
  }

  @Test
  void case18AListedConsumerThatIsNotTheDefaultIsAnswered() {
    signIn("alice");
    AuthnRequest request = Requests.consumer(idp.authnRequest(Idp.APP), Optional.empty(), Optional.of(2));
    assertThat(answer(request).response().destination()).contains(Idp.APP + "/acs2");
  }

  @Test
  void case18AConsumerThatMetadataListsNoLongerIsNotAnsweredAfterTheLogin() {
    EdgeReply form = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.TRANSIENT), Idp.metadata("https://moved.example", false));
    EdgeReply reply = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("ACS_NOT_LISTED");
  }

  @Test
  void case19ReorderedDoubledOrReencodedRedirectParametersAreRefused() {
    String signed = Idp.redirect(idp.authnRequest(Idp.WIKI), Optional.of("a b"));
    String query = signed.substring(signed.indexOf('?') + 1);
    List<String> parameters = new ArrayList<>(List.of(query.split("&")));
    assertThat(browser.get(signed).status()).as("untouched").isEqualTo(200);

    List<String> doubled = new ArrayList<>(parameters);
    doubled.add("RelayState=evil");
    List<String> foreignState = new ArrayList<>(parameters);
    foreignState.replaceAll(p -> p.startsWith("RelayState=") ? "RelayState=evil" : p);
    List<String> dropped = new ArrayList<>(parameters);
    dropped.removeIf(p -> p.startsWith("RelayState="));
    List<String> unsigned = new ArrayList<>(parameters);
    unsigned.removeIf(p -> p.startsWith("Sig"));
    for (List<String> forged : List.of(doubled, foreignState, dropped, unsigned)) {
      idp.audit.clear();
      EdgeReply reply = browser.get(Idp.SSO + "?" + String.join("&", forged));
      assertThat(reply.status()).as(forged.toString()).isEqualTo(400);
      assertThat(idp.audit.events(AuditEvent.AssertionIssued.class)).isEmpty();
    }
  }

  @Test
  void case19TheOrderInTheAddressDoesNotMatterWhatWasSignedDoes() {
    String signed = Idp.redirect(idp.authnRequest(Idp.WIKI), Optional.of("a b"));
    List<String> parameters = new ArrayList<>(List.of(signed.substring(signed.indexOf('?') + 1).split("&")));
    Collections.reverse(parameters);
    assertThat(browser.get(Idp.SSO + "?" + String.join("&", parameters)).status()).isEqualTo(200);
  }

  @Test
  void case19AnUnsignedRequestIsRefusedWhereMetadataPromisesSignatures() {
    String signed = Idp.redirect(idp.authnRequest(Idp.WIKI));
    assertThat(browser.get(signed.substring(0, signed.indexOf("&SigAlg"))).status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("SIGNATURE_MISSING");
  }

  @Test
  void anUnsignedRequestIsRefusedWhereTheRealmWantsThemSigned() {
    Idp strict = new Idp(TestRealms.change(TestRealms.demo()).signedRequests().realm());
    String signed = Idp.redirect(strict.authnRequest(Idp.APP));
    assertThat(strict.browser().get(signed).status()).isEqualTo(200);
    assertThat(strict.browser().get(signed.substring(0, signed.indexOf("&SigAlg"))).status()).isEqualTo(400);
    assertThat(strict.audit.events(AuditEvent.MessageRefused.class))
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.reason()).isEqualTo("SIGNATURE_MISSING");
              assertThat(refused.partner()).isEqualTo(Idp.APP);
            });
  }

  @Test
  void aRefusalNamesTheIssuerThatTheMessageClaims() {
    String signed = Idp.redirect(idp.authnRequest(Idp.WIKI));
    browser.get(signed.substring(0, signed.indexOf("&SigAlg")));
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .singleElement()
        .satisfies(refused -> assertThat(refused.partner()).isEqualTo(Idp.WIKI));
  }

  @Test
  void aSignatureByAnUnknownAlgorithmIsRefusedInTheNameOfItsIssuer() {
    String signed = Idp.redirect(idp.authnRequest(Idp.WIKI));
    assertThat(signed).contains("rsa-sha256");
    assertThat(browser.get(signed.replace("rsa-sha256", "rsa-sha1")).status()).isEqualTo(400);
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.partner()).isEqualTo(Idp.WIKI);
              assertThat(refused.reason()).isEqualTo("SIGNATURE_ALGORITHM");
            });
  }

  @Test
  void case20MarkupInAttributesAndRelayStateIsEscapedEverywhere() {
    signIn("alice");
    String state = "\"><script>alert(1)</script>";
    EdgeReply page = browser.get(Idp.redirect(idp.authnRequest(Idp.APP), Optional.of(state)));
    assertThat(page.text()).doesNotContain("<script>alert(1)");
    ReceivedResponse received = Idp.response(page);
    assertThat(received.assertions().getFirst().attributes())
        .anySatisfy(a -> assertThat(a.values()).containsExactly("Alice <Ängström> & Söhne"));
    assertThat(browser.get("/realms/demo/account").text()).contains("Alice &lt;Ängström&gt; &amp; Söhne");
  }

  @Test
  void case22ForceAuthnAsksAgainAndOldSessionsDoNotCount() {
    signIn("alice");
    String before = browser.cookies.get("gh_idp.demo");
    idp.time.advance(Duration.ofMinutes(5));
    EdgeReply start = browser.get(Idp.redirect(Requests.asking(idp.authnRequest(Idp.APP), true, false)));
    EdgeReply form = browser.follow(start);
    assertThat(form.status()).isEqualTo(200);
    String pending = TestSp.parameter(start, "pending");
    EdgeReply shortcut = browser.get("/realms/demo/saml/sso?pending=" + pending);
    assertThat(shortcut.status()).as("straight to the continuation").isEqualTo(303);
    assertThat(shortcut.headers().first("Location").orElse("")).contains("/login?pending=");

    Assertion assertion = Idp.response(browser.follow(browser.login(form, "alice", "demo"))).assertions().getFirst();
    assertThat(assertion.authnStatement().orElseThrow().authnInstant()).isEqualTo(idp.time.instant());
    assertThat(browser.cookies.get("gh_idp.demo")).isNotEqualTo(before);
  }

  @Test
  void case22ForceAuthnByAnotherPersonIsAboutThatPersonAlone() {
    signIn("alice");
    answer(idp.authnRequest(Idp.WIKI));
    idp.time.advance(Duration.ofMinutes(5));
    EdgeReply form =
        browser.follow(browser.get(Idp.redirect(Requests.asking(idp.authnRequest(Idp.APP), true, false))));
    ReceivedResponse received = Idp.response(browser.follow(browser.login(form, "bob", "demo")));
    assertThat(received.assertions().getFirst().attributes())
        .anySatisfy(a -> assertThat(a.values()).containsExactly("bob"));
    assertThat(idp.sessions().ofPerson("demo", "alice")).as("alice's session has ended").isEmpty();
    assertThat(idp.sessions().ofPerson("demo", "bob").getFirst().participants()).containsExactly(Idp.APP);
  }

  @Test
  void case22IsPassiveNeverShowsAForm() {
    assertThat(answer(Requests.asking(idp.authnRequest(Idp.APP), false, true)).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
    signIn("alice");
    assertThat(answer(Requests.asking(idp.authnRequest(Idp.APP), false, true)).assertions()).hasSize(1);
    assertThat(answer(Requests.asking(idp.authnRequest(Idp.APP), true, true)).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
  }

  @Test
  void case22ASubjectThatIsNotTheUserGetsNoAssertion() {
    signIn("alice");
    NameId mine = answer(idp.authnRequest(Idp.WIKI)).assertions().getFirst().subject();
    assertThat(answer(Requests.about(idp.authnRequest(Idp.WIKI), mine)).assertions()).hasSize(1);
    for (NameId other :
        List.of(
            NameId.of("bob@example.com", NameIdFormat.EMAIL.uri()),
            NameId.of(mine.value(), NameIdFormat.TRANSIENT.uri()),
            NameId.of("alice", NameId.UNSPECIFIED))) {
      ReceivedResponse received = answer(Requests.about(idp.authnRequest(Idp.WIKI), other));
      assertThat(received.assertions()).isEmpty();
      assertThat(received.response().status())
          .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.UNKNOWN_PRINCIPAL));
    }
  }

  /** Otherwise a partner could find out by guesses what it is not told. */
  @Test
  void case22AMailAddressNamesThePersonOnlyToWhomTheConfigurationGivesIt() {
    signIn("alice");
    NameId mail = NameId.of("alice@example.com", NameIdFormat.EMAIL.uri());
    ReceivedResponse guessed = answer(Requests.asking(Requests.about(idp.authnRequest(Idp.WIKI), mail), false, true));
    assertThat(guessed.assertions()).isEmpty();
    assertThat(guessed.response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.UNKNOWN_PRINCIPAL));

    idp.partners.put(Idp.config(Idp.WIKI, NameIdFormat.EMAIL), Idp.metadata(Idp.WIKI, true));
    assertThat(answer(Requests.about(idp.authnRequest(Idp.WIKI), mail)).assertions()).hasSize(1);
  }

  @Test
  void case22APassiveRequestShowsNoLoginWhenThePersonHasGone() {
    signIn("alice");
    idp.directory.remove(FakeDirectory.ALICE);
    idp.time.advance(Duration.ofMinutes(2));
    assertThat(answer(Requests.asking(idp.authnRequest(Idp.APP), false, true)).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
  }

  @Test
  void aMailAddressIsNotGivenToWhomTheConfigurationDoesNotGiveIt() {
    signIn("alice");
    NameIdPolicy mail = new NameIdPolicy(Optional.of(NameIdFormat.EMAIL.uri()), Optional.empty(), true);
    ReceivedResponse received = answer(Requests.policy(idp.authnRequest(Idp.APP), mail));
    assertThat(received.assertions()).isEmpty();
    assertThat(received.response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
  }

  @Test
  void aRequestThatWouldTakeMuchRoomWhileItWaitsIsRefused() {
    String[] many = new String[200];
    Arrays.fill(many, "urn:oasis:names:tc:SAML:2.0:ac:classes:Password");
    refused(Requests.context(idp.authnRequest(Idp.APP), "exact", many), "MESSAGE_TOO_LARGE");
    refused(
        Requests.about(idp.authnRequest(Idp.APP), NameId.of("a".repeat(5_000), NameId.UNSPECIFIED)), "MESSAGE_TOO_LARGE");
  }

  @Test
  void anAuthnContextThatWeCannotReachIsAnsweredAtOnce() {
    String smartcard = "urn:oasis:names:tc:SAML:2.0:ac:classes:Smartcard";
    assertThat(answer(Requests.context(idp.authnRequest(Idp.APP), "exact", smartcard)).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_AUTHN_CONTEXT));
  }

  @Test
  void aRequestIsAnsweredOnce() {
    signIn("alice");
    String address = Idp.redirect(idp.authnRequest(Idp.APP));
    Idp.response(browser.get(address));
    assertThat(browser.get(address).status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("REPLAYED");
  }

  @Test
  void theContinuationOfALoginIsGoodOnce() {
    EdgeReply form = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply next = browser.login(form, "alice", "demo");
    Idp.response(browser.follow(next));
    assertThat(browser.follow(next).status()).isEqualTo(400);
    assertThat(idp.audit.events(AuditEvent.AssertionIssued.class)).hasSize(1);
  }

  @Test
  void aPendingLoginOfAnotherBrowserIsNotOurs() {
    EdgeReply start = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    TestBrowser other = idp.browser();
    other.login(other.get("/realms/demo/login"), "bob", "demo");
    EdgeReply reply = other.follow(start);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("NO_SUCH_PENDING_LOGIN");
  }

  @Test
  void destinationAndIssueInstantAreChecked() {
    AuthnRequest request = idp.authnRequest(Idp.APP);
    refused(Requests.addressed(request, Optional.of("https://other.example/sso"), request.issueInstant()), "DESTINATION");
    refused(Requests.addressed(request, Optional.empty(), request.issueInstant()), "DESTINATION");
    refused(
        Requests.addressed(request, request.destination(), idp.time.instant().plusSeconds(61)), "NOT_YET_VALID");
    refused(
        Requests.addressed(request, request.destination(), idp.time.instant().minus(Duration.ofMinutes(61))), "EXPIRED");
  }

  @Test
  void whatWeCannotGiveIsSaidByStatus() {
    signIn("alice");
    for (String binding : List.of(Binding.SOAP.uri(), Binding.REDIRECT.uri(), "urn:oasis:names:tc:SAML:2.0:bindings:PAOS")) {
      assertThat(answer(Requests.binding(idp.authnRequest(Idp.APP), binding)).response().status())
          .isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.UNSUPPORTED_BINDING));
    }
    NameIdPolicy kerberos =
        new NameIdPolicy(Optional.of("urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos"), Optional.empty(), true);
    NameIdPolicy affiliation = new NameIdPolicy(Optional.empty(), Optional.of("https://group.example"), true);
    for (NameIdPolicy policy : List.of(kerberos, affiliation)) {
      assertThat(answer(Requests.policy(idp.authnRequest(Idp.APP), policy)).response().status())
          .isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
    }
  }

  @Test
  void unknownIssuersAndBrokenMessagesGetAPageWithAReference() {
    refused(idp.authnRequest("https://unknown.example"), "PARTNER_UNKNOWN");
    for (String query : List.of("", "?SAMLRequest=", "?SAMLRequest=%21%21", "?SAMLResponse=x", "?SAMLRequest=a&SAMLResponse=b")) {
      EdgeReply reply = browser.get(Idp.SSO + query);
      assertThat(reply.status()).as(query).isEqualTo(400);
      assertThat(reply.text()).contains("Reference");
    }
    assertThat(browser.get(Idp.SSO + "?SAMLRequest=a&SAMLRequest=b").status()).isEqualTo(400);
  }

  @Test
  void aRealmWithoutAnIdentityProviderIsNotThere() {
    Idp none = new Idp(TestRealms.change(TestRealms.demo()).withoutIdp().realm());
    assertThat(none.browser().get("/realms/demo/saml/metadata").status()).isEqualTo(404);
  }

  private void refused(AuthnRequest request, String reason) {
    idp.audit.clear();
    EdgeReply reply = browser.get(Idp.redirect(request));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(reply.text()).doesNotContain("evil.example").doesNotContain("SAMLResponse");
    assertThat(reasons()).containsExactly(reason);
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream().map(AuditEvent.MessageRefused::reason).toList();
  }

  private ReceivedResponse answer(AuthnRequest request) {
    return Idp.response(browser.get(Idp.redirect(request)));
  }

  private void signIn(String name) {
    browser.login(browser.get("/realms/demo/login"), name, "demo");
  }
}
