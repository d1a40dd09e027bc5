package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.idp.session.AuthnContexts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The demands that a request may make, and the status that a partner gets if they are not met. */
final class SignOnStatusTest {

  private static final String ENCRYPTED = "urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted";
  private static final SamlStatus INVALID_NAMEID_POLICY =
      SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY);

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @ParameterizedTest
  @EnumSource
  void everyFormatThatWeHaveIsGiven(NameIdFormat format) {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.EMAIL), Idp.metadata(Idp.APP, false));
    signIn();
    NameId given = answer(policy(format.uri(), Optional.of(Idp.APP))).assertions().getFirst().subject();
    assertThat(given.format()).isEqualTo(format.uri());
    assertThat(given.value().isBlank()).isFalse();
  }

  @Test
  void unspecifiedLeavesTheChoiceToTheConfiguration() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), Idp.metadata(Idp.APP, false));
    signIn();
    NameId given = answer(policy(NameId.UNSPECIFIED, Optional.empty())).assertions().getFirst().subject();
    assertThat(given.format()).isEqualTo(NameIdFormat.PERSISTENT.uri());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        NameId.ENTITY,
        "urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName",
        "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName",
        "urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos",
        ENCRYPTED,
        "urn:x"
      })
  void otherFormatsAreNot(String format) {
    signIn();
    refused(policy(format, Optional.empty()), INVALID_NAMEID_POLICY);
  }

  @Test
  void anotherNameSpaceIsNotOffered() {
    signIn();
    refused(policy(NameIdFormat.PERSISTENT.uri(), Optional.of("https://group.example")), INVALID_NAMEID_POLICY);
    refused(policy(NameIdFormat.TRANSIENT.uri(), Optional.of(Idp.WIKI)), INVALID_NAMEID_POLICY);
  }

  @Test
  void anEncryptedNameIsWhatIsConfiguredInAnEncryptedId() {
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), TestSp.asking(Idp.APP));
    signIn();
    EdgeReply page = browser.get(Idp.redirect(policy(ENCRYPTED, Optional.empty())));
    String document = TestSp.document(page);
    assertThat(document).contains("EncryptedID>").doesNotContain("<saml2:NameID");
    NameId name = TestSp.decrypted(page).assertions().getFirst().subject();
    assertThat(name.format()).isEqualTo(NameIdFormat.PERSISTENT.uri());
  }

  @Test
  void whatIsConfiguredIsEncrypted() {
    idp.partners.put(
        TestSp.as(
            Idp.config(Idp.APP, NameIdFormat.TRANSIENT),
            new AsServiceProvider(Set.of(Encrypted.ASSERTION), false, Optional.empty())),
        TestSp.asking(Idp.APP));
    signIn();
    EdgeReply page = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(TestSp.document(page)).contains("EncryptedAssertion>").doesNotContain("alice");
    assertThat(TestSp.decrypted(page).assertions().getFirst().attributes()).isNotEmpty();
  }

  @Test
  void withoutAKeyNothingIsSentInPlainThatShouldBeEncrypted() {
    idp.partners.put(
        TestSp.as(
            Idp.config(Idp.APP, NameIdFormat.TRANSIENT),
            new AsServiceProvider(Set.of(Encrypted.ASSERTION), false, Optional.empty())),
        Idp.metadata(Idp.APP, false));
    signIn();
    ReceivedResponse received = answer(idp.authnRequest(Idp.APP));
    assertThat(received.assertions()).isEmpty();
    assertThat(received.response().status().subCode()).contains(SamlStatus.REQUEST_DENIED);
  }

  @Test
  void whatARequestAsksForNarrowsWhatIsTold() {
    AttributeConsumingService service =
        new AttributeConsumingService(
            2, false, Map.of(), List.of(wish("uid"), wish("mail"), wish("groups", "manager", "other")));
    idp.partners.put(Idp.config(Idp.APP, NameIdFormat.TRANSIENT), TestSp.asking(Idp.APP, service));
    browser.login(browser.get("/realms/demo/login"), "bob", "demo");
    List<SamlAttribute> told =
        answer(Requests.attributes(idp.authnRequest(Idp.APP), 2)).assertions().getFirst().attributes();
    // mail is requested and not released; of the groups, only the requested ones are.
    assertThat(told).extracting(SamlAttribute::name).containsExactly("groups", "uid");
    assertThat(told.getFirst().values()).containsExactly("manager");
    assertThat(answer(idp.authnRequest(Idp.APP)).assertions().getFirst().attributes())
        .as("without an index, all that is configured")
        .hasSize(4);
  }

  @Test
  void anAttributeServiceThatMetadataDoesNotListIsSaid() {
    signIn();
    ReceivedResponse received = answer(Requests.attributes(idp.authnRequest(Idp.APP), 9));
    assertThat(received.assertions()).isEmpty();
    assertThat(received.response().status().code()).isEqualTo(SamlStatus.REQUESTER);
    assertThat(received.response().status().subCode()).contains(SamlStatus.REQUEST_UNSUPPORTED);
  }

  @Test
  void aListOfIdentityProvidersWithoutUsIsNotForUs() {
    signIn();
    refused(
        Requests.among(idp.authnRequest(Idp.APP), List.of("https://other.example")),
        SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_SUPPORTED_IDP));
    AuthnRequest among = Requests.among(idp.authnRequest(Idp.APP), List.of("https://other.example", Idp.ENTITY));
    assertThat(answer(among).assertions()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"1.1,RequestVersionTooLow", "2.1,RequestVersionTooHigh", "3.0,RequestVersionTooHigh"})
  void anotherVersionIsSaid(String version, String sub) {
    signIn();
    refused(
        Requests.version(idp.authnRequest(Idp.APP), version),
        SamlStatus.of(SamlStatus.VERSION_MISMATCH, "urn:oasis:names:tc:SAML:2.0:status:" + sub));
  }

  @Test
  void aLoginThatIsCancelledIsSaid() {
    EdgeReply form = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP), Optional.of("state"))));
    String cancel = form.text().substring(form.text().lastIndexOf("<form"));
    String address = TestBrowser.attribute(cancel, "action");
    assertThat(browser.post(address, Map.of("csrf", "forged")).status()).isEqualTo(403);
    ReceivedResponse received = Idp.response(browser.post(address, Map.of("csrf", TestBrowser.field(cancel, "csrf"))));
    assertThat(received.response().status().code()).isEqualTo(SamlStatus.RESPONDER);
    assertThat(received.response().status().subCode()).contains(SamlStatus.AUTHN_FAILED);
    assertThat(received.relayState()).contains("state");
    assertThat(browser.post(address, Map.of("csrf", TestBrowser.field(cancel, "csrf"))).status()).isEqualTo(400);
  }

  @Test
  void anotherBrowserCancelsNothing() {
    EdgeReply form = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    String address = TestBrowser.attribute(form.text().substring(form.text().lastIndexOf("<form")), "action");
    TestBrowser other = idp.browser();
    EdgeReply own = other.follow(other.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    assertThat(other.post(address, Map.of("csrf", TestBrowser.field(own.text(), "csrf"))).status()).isEqualTo(400);
    assertThat(Idp.response(browser.follow(browser.login(form, "alice", "demo"))).assertions()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "exact,PasswordProtectedTransport,true", "exact,Password,false", "exact,Smartcard,false",
    "minimum,Password,true", "minimum,Smartcard,false", "maximum,TLSClient,true", "maximum,Password,false",
    "better,Password,true", "better,TimeSyncToken,false"
  })
  void anAuthnContextIsReachedOrSaidNotToBe(String comparison, String name, boolean reached) {
    ContractsConfig passwords =
        new ContractsConfig(false, SecondFactor.OFF, ContractsConfig.FORM_ALONE.totp(), Optional.empty());
    idp.realms.set(TestRealms.change(TestRealms.demo()).contracts(passwords).realm());
    signIn();
    String ref = AuthnContexts.PASSWORD.replace("Password", name);
    ReceivedResponse received = answer(Requests.context(idp.authnRequest(Idp.APP), comparison, ref));
    assertThat(received.response().status())
        .isEqualTo(
            reached
                ? SamlStatus.success()
                : SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_AUTHN_CONTEXT));
  }

  @Test
  void everyStatusIsInTheAuditLog() {
    signIn();
    refused(policy(NameId.ENTITY, Optional.empty()), INVALID_NAMEID_POLICY);
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::partner, AuditEvent.MessageRefused::reason)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(Idp.APP, "InvalidNameIDPolicy"));
  }

  private void refused(AuthnRequest request, SamlStatus status) {
    ReceivedResponse received = answer(request);
    assertThat(received.assertions()).isEmpty();
    assertThat(received.responseSigned()).isTrue();
    assertThat(received.response().inResponseTo()).contains(request.id());
    assertThat(received.response().status()).isEqualTo(status);
  }

  private AuthnRequest policy(String format, Optional<String> qualifier) {
    return Requests.policy(
        idp.authnRequest(Idp.APP), new NameIdPolicy(Optional.of(format), qualifier, true));
  }

  private static RequestedAttribute wish(String name, String... values) {
    return new RequestedAttribute(name, SamlAttribute.BASIC, Optional.empty(), false, List.of(values));
  }

  private ReceivedResponse answer(AuthnRequest request) {
    return Idp.response(browser.get(Idp.redirect(request)));
  }

  private void signIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }
}
