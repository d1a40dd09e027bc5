package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.FederationChanged;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.logout.LogoutNotice;
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
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Name Identifier Management at the identity provider, requested by service providers and by the person. */
final class ManageNameIdTest {

  private static final String FRONT = Idp.ENTITY + "/saml/nameid";
  private static final String SOAP = FRONT + "/soap";
  private static final String APP_NAMES = Idp.APP + "/nameid";
  private static final String WIKI_NAMES = Idp.WIKI + "/nameid";

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private NameId name = NameId.of("", "");
  private int requests;

  @BeforeEach
  void signIn() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), metadata(Idp.APP, Binding.REDIRECT));
    idp.partners.put(Idp.config(Idp.WIKI, NameIdFormat.PERSISTENT), metadata(Idp.WIKI, Binding.POST));
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    name = nameAt(Idp.APP);
    idp.audit.clear();
  }

  private static PartnerMetadata metadata(String entityId, Binding binding) {
    PartnerMetadata plain = Idp.metadata(entityId, false);
    SpRole role = plain.sp().orElseThrow();
    List<Endpoint> names = List.of(new Endpoint(binding, entityId + "/nameid", Optional.empty()));
    return new PartnerMetadata(
        plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(), plain.idp(),
        Optional.of(
            new SpRole(
                role.signing(), role.encryption(), false, true, role.assertionConsumers(),
                new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), role.sso().artifactResolution(), names, role.sso().nameIdFormats()),
                role.attributeConsumers(), role.ui())));
  }

  private NameId nameAt(String partner) {
    return nameAt(partner, true);
  }

  private NameId nameAt(String partner, boolean allowCreate) {
    return assertionAt(browser, partner, allowCreate).subject();
  }

  private Assertion assertionAt(TestBrowser person, String partner, boolean allowCreate) {
    AuthnRequest request =
        Requests.policy(
            idp.authnRequest(partner), new NameIdPolicy(Optional.of(PERSISTENT), Optional.empty(), allowCreate));
    return Idp.response(person.get(Idp.redirect(request))).assertions().getFirst();
  }

  private static final String PERSISTENT = NameIdFormat.PERSISTENT.uri();

  private ManageNameIdRequest request(String issuer, String destination, NameId nameId, Change change) {
    return new ManageNameIdRequest(
        "_manage" + ++requests, idp.time.instant(), issuer, Optional.of(destination), nameId, change);
  }

  private ManageNameIdRequest terminate() {
    return request(Idp.APP, FRONT, name, new Change.Terminate());
  }

  private static Map<String, String> form(ManageNameIdRequest request, SigningKey key) {
    return Map.of(
        "SAMLRequest", new CanonicalSamlWriter().post(request, FRONT, Optional.empty(), key).value(),
        "RelayState", "state");
  }

  private EdgeReply post(ManageNameIdRequest request) {
    return browser.postFromElsewhere("/realms/demo/saml/nameid", form(request, SamlFixtures.spKey()));
  }

  private EdgeReply soap(ManageNameIdRequest request) {
    byte[] envelope = new CanonicalSamlWriter().soap(request, SamlFixtures.spKey());
    return idp.dispatch.handle(SamlFixtures.soap(SOAP, envelope));
  }

  private static ManageNameIdResponse answer(EdgeReply redirect) {
    return accepted(
        new StrictSamlReader()
            .manageNameIdResponse(
                SamlFixtures.followed(URI.create(redirect.headers().first("Location").orElseThrow())),
                SamlFixtures.partners(Idp.ownMetadata())));
  }

  private static ManageNameIdResponse soapAnswer(EdgeReply reply) {
    return accepted(
        new StrictSamlReader().manageNameIdResponse(reply.body(), SamlFixtures.partners(Idp.ownMetadata())));
  }

  private static ManageNameIdResponse accepted(Result<Received<ManageNameIdResponse>, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(var received) -> received.message();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  private String refusal() {
    return idp.audit.events(MessageRefused.class).getLast().reason();
  }

  private String changed() {
    return idp.audit.events(FederationChanged.class).stream().map(e -> e.change() + " by " + e.by()).toList().toString();
  }

  // --- requested by the service provider ---

  @Test
  void aTerminatedNameIsNeverUsedAgain() {
    ManageNameIdRequest request = terminate();
    EdgeReply reply = post(request);
    assertThat(reply.headers().first("Location").orElse("")).startsWith(APP_NAMES).contains("RelayState=state");
    ManageNameIdResponse answer = answer(reply);
    assertThat(answer.status()).isEqualTo(SamlStatus.success());
    assertThat(answer.inResponseTo()).contains(request.id());
    assertThat(answer.destination()).contains(APP_NAMES);
    assertThat(changed()).isEqualTo("[terminated by partner]");
    NameId next = nameAt(Idp.APP);
    assertThat(next.value()).isNotEqualTo(name.value());
    assertThat(nameAt(Idp.APP)).isEqualTo(next);
  }

  @Test
  void withoutAllowCreateThereIsNoNameAfterTheEnd() {
    post(terminate());
    AuthnRequest request =
        Requests.policy(idp.authnRequest(Idp.APP), new NameIdPolicy(Optional.of(PERSISTENT), Optional.empty(), false));
    assertThat(Idp.response(browser.get(Idp.redirect(request))).response().status().subCode())
        .contains(SamlStatus.INVALID_NAMEID_POLICY);
  }

  @Test
  void theSessionOutlivesTheName() {
    post(terminate());
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
    assertThat(idp.sessions().ofPerson("demo", "alice").getFirst().participants()).contains(Idp.APP);
  }

  @Test
  void theServiceProvidersOwnNameComesWithEachAssertion() {
    soap(request(Idp.APP, SOAP, name, new Change.NewId("u-4711")));
    NameId now = nameAt(Idp.APP);
    assertThat(now.value()).isEqualTo(name.value());
    assertThat(now.spProvidedId()).contains("u-4711");
    assertThat(changed()).isEqualTo("[provided by partner]");
    assertThat(nameAt(Idp.WIKI).spProvidedId()).isEmpty();
  }

  /** The service provider has a session under each, by a SessionIndex of its own. */
  @Test
  void theEndOfASessionIsToldUnderTheNameWithoutTheServiceProvidersOwnAndUnderTheOneWithIt() {
    idp.partners.withLogout(Idp.APP, Logout.SOAP, new Endpoint(Binding.SOAP, Idp.APP_SLO + "/soap", Optional.empty()));
    soap(request(Idp.APP, SOAP, name, new Change.NewId("u-4711")));
    NameId now = nameAt(Idp.APP);
    assertThat(now).isNotEqualTo(name);
    idp.time.advance(Duration.ofMinutes(31));
    idp.tend();
    assertThat(idp.backChannel.sent).extracting(LogoutNotice::nameId).containsExactlyInAnyOrder(name, now);
    assertThat(idp.backChannel.sent).extracting(LogoutNotice::sessionIndexes).doesNotHaveDuplicates();
  }

  @Test
  void soapIsAnsweredInTheSameConnection() {
    ManageNameIdRequest request = request(Idp.APP, SOAP, name, new Change.Terminate());
    ManageNameIdResponse answer = soapAnswer(soap(request));
    assertThat(answer.status()).isEqualTo(SamlStatus.success());
    assertThat(answer.inResponseTo()).contains(request.id());
    assertThat(nameAt(Idp.APP).value()).isNotEqualTo(name.value());
  }

  @Test
  void aRequestByRedirectIsTakenToo() {
    URI address =
        new CanonicalSamlWriter().redirect(terminate(), FRONT, Optional.of("state"), SamlFixtures.spKey());
    assertThat(answer(browser.get(address.toString())).status().isSuccess()).isTrue();
  }

  // --- and refused ---

  private void assertUnchanged() {
    assertThat(nameAt(Idp.APP)).isEqualTo(name);
    assertThat(idp.audit.events(FederationChanged.class)).isEmpty();
  }

  @Test
  void anUnsignedRequestIsRefused() {
    String unsigned =
        Base64.getEncoder()
            .encodeToString(new CanonicalSamlWriter().write(terminate()).xml().getBytes(StandardCharsets.UTF_8));
    EdgeReply reply = browser.postFromElsewhere("/realms/demo/saml/nameid", Map.of("SAMLRequest", unsigned));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(refusal()).isEqualTo("SIGNATURE_MISSING");
    assertUnchanged();
  }

  @Test
  void aForgedRequestIsRefused() {
    browser.postFromElsewhere("/realms/demo/saml/nameid", form(terminate(), SamlFixtures.strangerKey()));
    assertThat(refusal()).isEqualTo("SIGNATURE_INVALID");
    byte[] envelope =
        new CanonicalSamlWriter()
            .soap(request(Idp.APP, SOAP, name, new Change.Terminate()), SamlFixtures.strangerKey());
    EdgeReply fault = idp.dispatch.handle(SamlFixtures.soap(SOAP, envelope));
    assertThat(fault.status()).isEqualTo(500);
    assertThat(fault.text()).contains("Fault").doesNotContain("SIGNATURE");
    assertThat(refusal()).isEqualTo("SIGNATURE_INVALID");
    assertUnchanged();
  }

  @Test
  void anotherPartnersNameIsUnknown() {
    NameId unqualified = NameId.of(name.value(), PERSISTENT);
    EdgeReply reply = soap(request(Idp.WIKI, SOAP, unqualified, new Change.Terminate()));
    assertThat(soapAnswer(reply).status().subCode()).contains(SamlStatus.UNKNOWN_PRINCIPAL);
    assertThat(refusal()).isEqualTo("NAME_ID_UNKNOWN");
    assertUnchanged();
  }

  @Test
  void foreignQualifiersAndFormatsAreRefused() {
    List<NameId> foreign =
        List.of(
            new NameId(name.value(), PERSISTENT, Optional.of("https://other.example"), Optional.of(Idp.APP)),
            new NameId(name.value(), PERSISTENT, Optional.of(Idp.ENTITY), Optional.of(Idp.WIKI)),
            NameId.of(name.value(), NameIdFormat.TRANSIENT.uri()),
            NameId.of(name.value(), NameId.UNSPECIFIED));
    for (NameId nameId : foreign) {
      EdgeReply reply = soap(request(Idp.APP, SOAP, nameId, new Change.Terminate()));
      assertThat(soapAnswer(reply).status().subCode()).contains(SamlStatus.UNKNOWN_PRINCIPAL);
      assertThat(refusal()).isEqualTo("NAME_ID_FOREIGN");
    }
    assertUnchanged();
  }

  @Test
  void anUnusableNewIdIsDenied() {
    for (String id : List.of("x".repeat(257), "line\nbreak")) {
      EdgeReply reply = soap(request(Idp.APP, SOAP, name, new Change.NewId(id)));
      assertThat(soapAnswer(reply).status().subCode()).contains(SamlStatus.REQUEST_DENIED);
      assertThat(refusal()).isEqualTo("NEW_ID_UNUSABLE");
    }
    assertUnchanged();
  }

  @Test
  void aReplayIsRefused() {
    ManageNameIdRequest request = request(Idp.APP, SOAP, name, new Change.NewId("one"));
    soap(request);
    soap(request(Idp.APP, SOAP, name, new Change.NewId("two")));
    assertThat(soap(request).status()).isEqualTo(500);
    assertThat(refusal()).isEqualTo("REPLAYED");
    assertThat(nameAt(Idp.APP).spProvidedId()).contains("two");
  }

  @Test
  void aRequestForAnotherAddressOrTimeIsRefused() {
    soap(request(Idp.APP, FRONT, name, new Change.Terminate()));
    assertThat(refusal()).isEqualTo("DESTINATION");
    post(request(Idp.APP, SOAP, name, new Change.Terminate()));
    assertThat(refusal()).isEqualTo("DESTINATION");
    ManageNameIdRequest old = terminate();
    idp.time.advance(Duration.ofMinutes(11));
    post(old);
    assertThat(refusal()).isEqualTo("EXPIRED");
    Instant future = idp.time.instant().plusSeconds(61);
    post(
        new ManageNameIdRequest(
            "_future", future, Idp.APP, Optional.of(FRONT), name, new Change.Terminate()));
    assertThat(refusal()).isEqualTo("NOT_YET_VALID");
    assertUnchanged();
  }

  @Test
  void whoCannotBeAnsweredIsNotObeyed() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), Idp.metadata(Idp.APP, false));
    post(terminate());
    assertThat(refusal()).isEqualTo("NO_ENDPOINT");
    assertUnchanged();
  }

  @Test
  void soapAndBrowsersHaveAnEndpointEach() {
    byte[] envelope =
        new CanonicalSamlWriter().soap(request(Idp.APP, FRONT, name, new Change.Terminate()), SamlFixtures.spKey());
    idp.dispatch.handle(SamlFixtures.soap(FRONT, envelope));
    assertThat(refusal()).isEqualTo("UNEXPECTED_MESSAGE");
    assertUnchanged();
  }

  // --- requested by the person ---

  private EdgeReply press(String action, String partner) {
    EdgeReply page = browser.get("/realms/demo/account/names");
    return browser.post(
        "/realms/demo/account/names",
        Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "partner", partner, "action", action));
  }

  private static ManageNameIdRequest carried(EdgeReply page) {
    var parameters = page.text();
    PostForm form =
        new PostForm(
            TestBrowser.attribute(parameters, "action"), "SAMLRequest", TestBrowser.field(parameters, "SAMLRequest"),
            Optional.of(TestBrowser.field(parameters, "RelayState")));
    return switch (new StrictSamlReader()
        .manageNameIdRequest(SamlFixtures.posted(form), SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received.message();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  private EdgeReply wikiAnswers(ManageNameIdRequest request, SamlStatus status) {
    return answers(Idp.WIKI, request, status);
  }

  private EdgeReply answers(String partner, ManageNameIdRequest request, SamlStatus status) {
    ManageNameIdResponse response =
        new ManageNameIdResponse(
            "_answer" + ++requests, idp.time.instant(), partner, Optional.of(FRONT), Optional.of(request.id()), status);
    PostForm form = new CanonicalSamlWriter().post(response, FRONT, Optional.empty(), SamlFixtures.spKey());
    return browser.postFromElsewhere("/realms/demo/saml/nameid", Map.of("SAMLResponse", form.value()));
  }

  @Test
  void thePersonSeesWhoKnowsThem() {
    assertThat(browser.get("/realms/demo/account").text()).contains("/realms/demo/account/names");
    assertThat(browser.get("/realms/demo/account/names").text()).contains("The app").doesNotContain("The wiki");
    nameAt(Idp.WIKI);
    assertThat(browser.get("/realms/demo/account/names").text()).contains("The app", "The wiki");
    assertThat(idp.browser().get("/realms/demo/account/names").status()).isEqualTo(303);
  }

  @Test
  void disconnectingEndsTheNameAndTellsTheServiceProvider() {
    NameId wiki = nameAt(Idp.WIKI);
    EdgeReply page = press("end", Idp.WIKI);
    ManageNameIdRequest request = carried(page);
    assertThat(request.nameId()).isEqualTo(wiki);
    assertThat(request.change()).isEqualTo(new Change.Terminate());
    assertThat(request.destination()).contains(WIKI_NAMES);
    assertThat(changed()).as("whatever becomes of the message").isEqualTo("[terminated by person]");
    EdgeReply done = browser.follow(wikiAnswers(request, SamlStatus.success()));
    assertThat(done.text()).contains("it has been notified").doesNotContain("The wiki");
    assertThat(nameAt(Idp.WIKI).value()).isNotEqualTo(wiki.value());
  }

  @Test
  void byRedirectAPageLeadsOnSinceAFormMayNotBeRedirectedAway() {
    EdgeReply page = press("end", Idp.APP);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.headers().first("Refresh").orElse("")).startsWith("0;url=" + APP_NAMES + "?SAMLRequest=");
  }

  @Test
  void aServiceProviderWithoutAnEndpointIsNotTold() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), Idp.metadata(Idp.APP, false));
    EdgeReply done = browser.follow(press("end", Idp.APP));
    assertThat(done.text()).contains("could not be notified");
    assertThat(changed()).isEqualTo("[terminated by person]");
  }

  @Test
  void aNewNameCountsOnceTheServiceProviderAgreed() {
    NameId old = nameAt(Idp.WIKI);
    ManageNameIdRequest refused = carried(press("renew", Idp.WIKI));
    EdgeReply sorry =
        wikiAnswers(refused, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_UNSUPPORTED));
    assertThat(browser.follow(sorry).text()).contains("stays as it was");
    assertThat(nameAt(Idp.WIKI)).isEqualTo(old);
    ManageNameIdRequest agreed = carried(press("renew", Idp.WIKI));
    assertThat(nameAt(Idp.WIKI)).isEqualTo(old);
    assertThat(browser.follow(wikiAnswers(agreed, SamlStatus.success())).text()).contains("new name now");
    assertThat(agreed.change()).isEqualTo(new Change.NewId(nameAt(Idp.WIKI).value()));
    assertThat(changed()).isEqualTo("[changed by person]");
  }

  /** The wiki's name for alice, after she has pressed the button for a new one and the wiki has agreed. */
  private NameId renewed(NameId former) {
    ManageNameIdRequest agreed = carried(press("renew", Idp.WIKI));
    wikiAnswers(agreed, SamlStatus.success());
    return former.withValue(((Change.NewId) agreed.change()).value());
  }

  private void wikiLogsOut(NameId nameId, List<String> sessionIndexes) {
    String soap = Idp.SLO + "/soap";
    LogoutRequest request =
        new LogoutRequest(
            "_logout" + ++requests, idp.time.instant(), Idp.WIKI, Optional.of(soap),
            Optional.of(idp.time.instant().plusSeconds(60)), nameId, sessionIndexes);
    EdgeReply reply =
        idp.dispatch.handle(SamlFixtures.soap(soap, new CanonicalSamlWriter().soap(request, SamlFixtures.spKey())));
    assertThat(reply.text()).contains(SamlStatus.SUCCESS);
  }

  private static String index(Assertion assertion) {
    return assertion.authnStatement().orElseThrow().sessionIndex().orElseThrow();
  }

  private TestBrowser signedIn(String person) {
    TestBrowser other = idp.browser();
    other.login(other.get("/realms/demo/login"), person, "demo");
    return other;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogoutUnderTheFormerOrTheNewNameEndsASessionThatBeganWithTheFormerOne(boolean isNew) {
    Assertion wiki = assertionAt(browser, Idp.WIKI, true);
    Assertion bobs = assertionAt(signedIn("bob"), Idp.WIKI, true);
    NameId renewed = renewed(wiki.subject());
    NameId named = isNew ? renewed : wiki.subject();

    wikiLogsOut(named, List.of(index(bobs)));
    assertThat(idp.sessions().ofPerson("demo", "alice")).as("another's SessionIndex").hasSize(1);
    wikiLogsOut(named, List.of(index(wiki)));

    assertThat(idp.sessions().ofPerson("demo", "alice")).isEmpty();
    assertThat(idp.sessions().ofPerson("demo", "bob")).hasSize(1);
  }

  @Test
  void aLogoutUnderTheNewNameEndsTheSessionsThatBeganWithEither() {
    TestBrowser elsewhere = signedIn("alice");
    NameId renewed = renewed(nameAt(Idp.WIKI));
    assertThat(assertionAt(elsewhere, Idp.WIKI, true).subject()).isEqualTo(renewed);
    assertionAt(signedIn("bob"), Idp.WIKI, true);
    TestBrowser withoutTheWiki = signedIn("alice");

    wikiLogsOut(renewed, List.of());

    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(elsewhere.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(withoutTheWiki.get("/realms/demo/account").status()).as("the wiki has no part in it").isEqualTo(200);
    assertThat(idp.sessions().ofPerson("demo", "bob")).hasSize(1);
  }

  @Test
  void answersMustFitARequestOfOurs() {
    nameAt(Idp.WIKI);
    ManageNameIdRequest request = carried(press("renew", Idp.WIKI));
    answers(Idp.APP, request, SamlStatus.success());
    assertThat(refusal()).as("of another partner").isEqualTo("IN_RESPONSE_TO");
    answers(Idp.WIKI, terminate(), SamlStatus.success());
    assertThat(refusal()).as("to nothing").isEqualTo("IN_RESPONSE_TO");
    assertThat(wikiAnswers(request, SamlStatus.success()).status()).isEqualTo(303);
    wikiAnswers(request, SamlStatus.success());
    assertThat(refusal()).as("twice").isEqualTo("IN_RESPONSE_TO");
  }

  @Test
  void theFormIsOurOwn() {
    EdgeReply reply =
        browser.post("/realms/demo/account/names", Map.of("csrf", "x", "partner", Idp.APP, "action", "end"));
    assertThat(reply.status()).isEqualTo(403);
    assertThat(idp.audit.events(AuditEvent.class)).hasOnlyElementsOfType(MessageRefused.class);
    assertUnchanged();
  }

  @Test
  void someoneElsesPartnerIsNotMine() {
    EdgeReply reply = press("end", "https://unknown.example");
    assertThat(reply.status()).isEqualTo(303);
    assertUnchanged();
  }
}
