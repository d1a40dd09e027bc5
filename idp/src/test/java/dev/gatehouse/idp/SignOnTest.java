package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.idp.session.AuthnContexts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Web Browser SSO from end to end, in process, decoded as a service provider does. */
final class SignOnTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @Test
  void aRequestByRedirectLeadsOverTheLoginFormToASignedResponse() {
    AuthnRequest request = idp.authnRequest(Idp.APP);
    EdgeReply form = browser.follow(browser.get(Idp.redirect(request, Optional.of("état <1>"))));
    assertThat(form.status()).isEqualTo(200);
    assertThat(form.text()).contains("The app");
    EdgeReply page = browser.follow(browser.login(form, "alice", "demo"));

    ReceivedResponse received = Idp.response(page);
    assertThat(received.relayState()).contains("état <1>");
    assertThat(received.response().destination()).contains(Idp.APP_ACS);
    assertThat(received.response().inResponseTo()).contains(request.id());
    Assertion assertion = received.assertions().getFirst();
    assertThat(assertion.issuer()).isEqualTo(Idp.ENTITY);
    assertThat(assertion.audienceRestrictions()).containsExactly(List.of(Idp.APP));
    Assertion.SubjectConfirmation confirmation = assertion.confirmations().getFirst();
    assertThat(confirmation.recipient()).contains(Idp.APP_ACS);
    assertThat(confirmation.inResponseTo()).contains(request.id());
    assertThat(confirmation.notBefore()).isEmpty();
    assertThat(confirmation.notOnOrAfter()).contains(idp.time.instant().plusSeconds(300));
    assertThat(assertion.attributes())
        .extracting(SamlAttribute::name, SamlAttribute::values)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("uid", List.of("alice")),
            org.assertj.core.groups.Tuple.tuple("displayName", List.of("Alice <Ängström> & Söhne")),
            org.assertj.core.groups.Tuple.tuple("roles", List.of("employee")),
            org.assertj.core.groups.Tuple.tuple("groups", List.of("employee")));
  }

  @Test
  void aSessionAnswersTheNextRequestWithoutAForm() {
    signIn("alice");
    EdgeReply page = browser.get(Idp.redirect(idp.authnRequest(Idp.WIKI)));
    Assertion assertion = Idp.response(page).assertions().getFirst();
    assertThat(assertion.subject().format()).isEqualTo(NameIdFormat.PERSISTENT.uri());
    assertThat(assertion.subject().spNameQualifier()).contains(Idp.WIKI);
    AuthnStatement statement = assertion.authnStatement().orElseThrow();
    assertThat(statement.authnInstant()).isEqualTo(idp.time.instant());
    assertThat(statement.authnContextClassRef()).contains(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
    assertThat(statement.sessionNotOnOrAfter()).contains(idp.time.instant().plus(Duration.ofHours(8)));
  }

  @Test
  void persistentNamesStayTransientNamesDoNot() {
    String persistent = nameId(Idp.WIKI).value();
    String first = nameId(Idp.APP).value();
    assertThat(nameId(Idp.APP).value()).as("within one session").isEqualTo(first);
    browser.cookies.clear();
    assertThat(nameId(Idp.WIKI).value()).isEqualTo(persistent);
    assertThat(nameId(Idp.APP).value()).isNotEqualTo(first);
  }

  @Test
  void aMailAddressIsGivenWhereThereIsOneAndRefusedWhereNot() {
    NameIdPolicy mail = new NameIdPolicy(Optional.of(NameIdFormat.EMAIL.uri()), Optional.empty(), false);
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.EMAIL), Idp.metadata(Idp.APP, false));
    signIn("alice");
    EdgeReply page = browser.get(Idp.redirect(Requests.policy(idp.authnRequest(Idp.APP), mail)));
    assertThat(Idp.response(page).assertions().getFirst().subject().value()).isEqualTo("alice@example.com");
    browser.cookies.clear();
    signIn("bob");
    page = browser.get(Idp.redirect(Requests.policy(idp.authnRequest(Idp.APP), mail)));
    assertThat(Idp.response(page).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
  }

  @Test
  void aPersistentNameIsNotMadeWhereTheRequestForbidsIt() {
    NameIdPolicy existing = new NameIdPolicy(Optional.of(NameIdFormat.PERSISTENT.uri()), Optional.empty(), false);
    signIn("alice");
    EdgeReply page = browser.get(Idp.redirect(Requests.policy(idp.authnRequest(Idp.APP), existing)));
    assertThat(Idp.response(page).response().status())
        .isEqualTo(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
  }

  @Test
  void aPostFromAnotherSiteIsSavedUntilItsCookiesCome() {
    signIn("alice");
    AuthnRequest request = idp.authnRequest(Idp.APP);
    EdgeReply saved = browser.postFromElsewhere("/realms/demo/saml/sso", Idp.posted(request));
    assertThat(saved.status()).isEqualTo(303);
    ReceivedResponse received = Idp.response(browser.follow(saved));
    assertThat(received.response().inResponseTo()).contains(request.id());
    assertThat(received.relayState()).contains("state");
    assertThat(browser.follow(saved).status()).as("a saved request is taken once").isEqualTo(400);
  }

  @Test
  void aPostFromAnotherSiteWithoutASessionMeetsTheForm() {
    AuthnRequest request = idp.authnRequest(Idp.APP);
    EdgeReply saved = browser.postFromElsewhere("/realms/demo/saml/sso", Idp.posted(request));
    EdgeReply form = browser.follow(browser.follow(saved));
    EdgeReply page = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(Idp.response(page).response().inResponseTo()).contains(request.id());
  }

  @Test
  void aPersonMayTakeTheirTimeReloadAndUseSeveralTabs() {
    EdgeReply one = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    EdgeReply two = browser.get(Idp.redirect(idp.authnRequest(Idp.WIKI)));
    idp.time.advance(Duration.ofMinutes(55));
    browser.follow(one);
    EdgeReply form = browser.follow(one);
    EdgeReply page = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(Idp.response(page).response().destination()).contains(Idp.APP_ACS);
    page = browser.follow(browser.follow(two));
    assertThat(Idp.response(page).response().destination()).contains(Idp.WIKI_ACS);
  }

  /** A request by GET may be repeated, so its form comes without a redirect; a POST or an artifact may not. */
  @Test
  void aRequestByGetIsAnsweredWithTheFormItself() {
    EdgeReply form = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(form.status()).isEqualTo(200);
    assertThat(form.headers().all("Set-Cookie")).as("browser and request").hasSize(2);
    assertThat(form.headers().first("Cache-Control").orElse("")).contains("no-store");
    EdgeReply reloaded = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(TestSp.parameter(reloaded, "pending")).isNotEqualTo(TestSp.parameter(form, "pending"));
    Idp.response(browser.follow(browser.login(form, "alice", "demo")));
    AuthnRequest anew = Requests.asking(idp.authnRequest(Idp.APP), true, false);
    assertThat(browser.post(Idp.SSO, Idp.posted(anew)).headers().first("Location").orElse("")).contains("/login?pending=");
  }

  @Test
  void afterAnHourTheWaitIsOver() {
    EdgeReply start = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    idp.time.advance(Duration.ofMinutes(61));
    EdgeReply late = browser.follow(start);
    assertThat(late.status()).isEqualTo(400);
    assertThat(late.text()).contains("expired");
  }

  @Test
  void aSignOnStartedHereGoesToTheDefaultConsumer() {
    EdgeReply form = browser.follow(browser.get("/realms/demo/saml/init?sp=" + Idp.APP + "&RelayState=%2Fx"));
    ReceivedResponse received = Idp.response(browser.follow(browser.login(form, "bob", "demo")));
    assertThat(received.response().inResponseTo()).isEmpty();
    assertThat(received.response().destination()).contains(Idp.APP_ACS);
    assertThat(received.relayState()).contains("/x");
    assertThat(received.assertions().getFirst().confirmations().getFirst().inResponseTo()).isEmpty();
  }

  @Test
  void aSignOnStartedHereNeedsAKnownPartnerAndTheRealmsConsent() {
    assertThat(browser.get("/realms/demo/saml/init?sp=https%3A%2F%2Fevil.example").text()).contains("not registered");
    assertThat(browser.get("/realms/demo/saml/init").status()).isEqualTo(400);
    Idp off = new Idp(TestRealms.change(TestRealms.demo()).idpUnsolicited(false).realm());
    assertThat(off.browser().get("/realms/demo/saml/init?sp=" + Idp.APP).status()).isEqualTo(404);
  }

  @Test
  void whatChangesInTheDirectoryCountsWithinAMinute() {
    signIn("alice");
    idp.directory.put(FakeDirectory.person("a11ce", "alice", "Alice", List.of(), "employee", "manager"), "demo");
    assertThat(roles()).containsExactly("employee");
    // The directory itself may answer with data that are 30 s old.
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(roles()).containsExactly("employee", "manager");
    idp.directory.down = true;
    idp.time.advance(Duration.ofSeconds(61));
    assertThat(roles()).as("open sessions go on while the directory is away").hasSize(2);
    idp.directory.down = false;
    idp.directory.remove(FakeDirectory.ALICE);
    EdgeReply reply = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(TestBrowser.loginAddress(reply)).contains("/login?pending=");
    assertThat(idp.audit.events(AuditEvent.SessionEnded.class)).extracting(e -> e.cause()).contains("person gone");
  }

  @Test
  void anAccountThatIsDisabledEndsItsSessionsWithinAMinute() {
    signIn("alice");
    idp.directory.disable(FakeDirectory.ALICE);
    idp.time.advance(Duration.ofSeconds(31));
    EdgeReply reply = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(TestBrowser.loginAddress(reply)).contains("/login?pending=");
    assertThat(idp.audit.events(AuditEvent.SessionEnded.class)).extracting(e -> e.cause()).contains("person gone");
  }

  @Test
  void aPartnerWithoutUsableMetadataIsRefusedAloneAndOthersGoOn() {
    signIn("alice");
    idp.partners.spoil(Idp.WIKI);
    assertThat(browser.get(Idp.redirect(idp.authnRequest(Idp.WIKI))).status()).isEqualTo(503);
    assertThat(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))).status()).isEqualTo(200);
  }

  @Test
  void withoutAnAuditLogNothingIsIssued() {
    signIn("alice");
    idp.audit.breakDown(true);
    EdgeReply reply = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.text()).doesNotContain("SAMLResponse");
  }

  @Test
  void metadataIsOursSignedAndReadable() {
    EdgeReply reply = browser.get("/realms/demo/saml/metadata");
    Result<PartnerMetadata, SamlRefusal> read =
        new CanonicalMetadataCodec()
            .read(reply.body(), Idp.ENTITY, Optional.of(SamlFixtures.idpKey().certificate()), idp.time.instant());
    assertThat(read).isInstanceOf(Result.Accepted.class);
    PartnerMetadata metadata = ((Result.Accepted<PartnerMetadata, SamlRefusal>) read).value();
    assertThat(metadata.idp().orElseThrow().singleSignOn())
        .extracting(Endpoint::location)
        .containsOnly(Idp.SSO);
    assertThat(browser.get("/realms/demo/saml/metadata").body()).as("kept for a while").isEqualTo(reply.body());
    idp.time.advance(Duration.ofMinutes(11));
    assertThat(browser.get("/realms/demo/saml/metadata").body()).isNotEqualTo(reply.body());
  }

  private void signIn(String name) {
    browser.login(browser.get("/realms/demo/login"), name, "demo");
    assertThat(browser.cookies).containsKey("gh_idp.demo");
  }

  private NameId nameId(String partner) {
    if (!browser.cookies.containsKey("gh_idp.demo")) {
      signIn("alice");
    }
    return Idp.response(browser.get(Idp.redirect(idp.authnRequest(partner)))).assertions().getFirst().subject();
  }

  private List<String> roles() {
    return Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).assertions().getFirst().attributes().stream()
        .filter(attribute -> attribute.name().equals("roles"))
        .findFirst()
        .orElseThrow()
        .values();
  }
}
