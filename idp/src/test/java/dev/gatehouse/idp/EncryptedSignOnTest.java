package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AssertionIssued;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partners with encryption (SAML Core 2.2.4, 2.3.4, 2.7.3.2): only they can read the data, or they get nothing. */
class EncryptedSignOnTest {

  private static final EncryptionKey KEY =
      new EncryptionKey(
          SamlFixtures.strangerKey().certificate(), ContentCipher.AES_256_GCM, KeyTransport.RSA_OAEP_SHA256);

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @ParameterizedTest
  @EnumSource(Encrypted.class)
  void whatIsConfiguredIsEncrypted(Encrypted what) {
    partner(Set.of(what), List.of(KEY));

    PostForm form = signOn();

    String sent = new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8);
    assertThat(sent.contains("<saml2:Assertion")).isEqualTo(what != Encrypted.ASSERTION);
    assertThat(sent.contains("<saml2:NameID")).isEqualTo(what == Encrypted.ATTRIBUTES);
    assertThat(sent.contains("<saml2:Attribute ")).isEqualTo(what == Encrypted.NAME_ID);
    Assertion assertion = decrypted(form).assertions().getFirst();
    assertThat(assertion.subject().format()).isEqualTo(NameIdFormat.TRANSIENT.uri());
    assertThat(assertion.attributes()).isNotEmpty();
  }

  /** The realm gives this partner the login password: only that of this login, and only in the encrypted assertion. */
  @Test
  void aPartnerThatGetsPasswordsGetsThatOfTheLoginEncrypted() {
    partner(Set.of(Encrypted.ASSERTION), List.of(KEY), true);

    PostForm form = signOn();

    assertThat(passwords(form)).containsExactly("demo");
    assertThat(new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8)).doesNotContain("password");
    assertThat(idp.audit.events().toString()).doesNotContain("[demo]");
  }

  /** An existing session has no password to give; a forced login has one again. */
  @Test
  void aSessionThatWasThereGivesNoPassword() {
    partner(Set.of(Encrypted.ASSERTION), List.of(KEY), true);
    assertThat(passwords(signOn())).hasSize(1);

    PostForm again = form(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));

    assertThat(passwords(again)).isEmpty();
  }

  /** Each click is a login of its own, even if the first one's page never appears. */
  @Test
  void aDoubleClickOnTheFormGivesThePasswordOfTheLastOne() {
    partner(Set.of(Encrypted.ASSERTION), List.of(KEY), true);
    EdgeReply login = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));

    assertThat(browser.login(login, "alice", "demo").status()).isEqualTo(303);
    EdgeReply second = browser.login(login, "alice", "demo");

    assertThat(second.status()).isEqualTo(303);
    assertThat(passwords(form(browser.follow(second)))).containsExactly("demo");
    assertThat(browser.login(login, "alice", "demo").status()).as("after it was answered").isLessThan(500);
  }

  @Test
  void withASecondFactorGoingBackAndSubmittingThePasswordAgainLeadsToTheSecondStepAgain() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    idp.realms.set(
        TestRealms.change(TestRealms.demo())
            .contracts(new ContractsConfig(false, SecondFactor.REQUIRED, plain.totp(), plain.certificate()))
            .realm());
    partner(Set.of(Encrypted.ASSERTION), List.of(KEY), true);
    EdgeReply login = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));

    for (int i = 0; i < 3; i++) {
      EdgeReply step = browser.login(login, "alice", "demo");
      assertThat(step.status()).isEqualTo(303);
      assertThat(step.headers().first("Location").orElse("")).contains("/login/second?step=");
    }
  }

  @Test
  void otherPartnersGetNone() {
    partner(Set.of(Encrypted.ASSERTION), List.of(KEY), false);

    assertThat(passwords(signOn())).isEmpty();
  }

  private List<String> passwords(PostForm form) {
    return decrypted(form).assertions().getFirst().attributes().stream()
        .filter(attribute -> attribute.name().equals(AttributeName.LOGIN_PASSWORD))
        .flatMap(attribute -> attribute.values().stream())
        .toList();
  }

  /** The partner reads the reason; nobody reads personal data. */
  @ParameterizedTest
  @EnumSource(Encrypted.class)
  void withoutAKeyNothingIsSent(Encrypted what) {
    partner(Set.of(what), List.of());

    ReceivedResponse received = decrypted(signOn());

    assertThat(received.response().assertions()).isEmpty();
    assertThat(received.response().status().code()).isEqualTo(SamlStatus.RESPONDER);
    assertThat(received.response().status().subCode()).contains(SamlStatus.REQUEST_DENIED);
    assertThat(idp.audit.events(AssertionIssued.class)).isEmpty();
  }

  /** The newest metadata counts, as for everything else. */
  @Test
  void aNewKeyCountsAtOnce() {
    partner(EnumSet.allOf(Encrypted.class), List.of(KEY));
    decrypted(signOn());
    partner(
        EnumSet.allOf(Encrypted.class),
        List.of(
            new EncryptionKey(
                SamlFixtures.spKey().certificate(), ContentCipher.AES_128_GCM, KeyTransport.RSA_OAEP_MGF1P)));

    PostForm again = form(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));

    assertThat(read(again, SamlFixtures.strangerKey().privateKey())).isInstanceOf(Result.Refused.class);
    assertThat(read(again, SamlFixtures.spKey().privateKey())).isInstanceOf(Result.Accepted.class);
  }

  private void partner(Set<Encrypted> what, List<EncryptionKey> keys) {
    partner(what, keys, false);
  }

  private void partner(Set<Encrypted> what, List<EncryptionKey> keys, boolean credentialRelease) {
    PartnerConfig plain = Idp.config(Idp.APP, NameIdFormat.TRANSIENT);
    PartnerMetadata known = Idp.metadata(Idp.APP, false);
    SpRole role = known.sp().orElseThrow();
    idp.partners.put(
        new PartnerConfig(
            plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(), plain.logout(),
            new AsServiceProvider(what, false, Optional.empty(), credentialRelease), plain.asIdentityProvider(), false),
        new PartnerMetadata(
            known.entityId(), known.validUntil(), known.cacheDuration(), known.displayName(), known.idp(),
            Optional.of(
                new SpRole(
                    role.signing(), keys, role.authnRequestsSigned(), role.wantAssertionsSigned(), role.assertionConsumers(),
                    new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), role.sso().artifactResolution(), role.sso().manageNameId(),
                        role.sso().nameIdFormats()),
                    role.attributeConsumers(), role.ui()))));
  }

  private PostForm signOn() {
    EdgeReply login = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    return form(browser.follow(browser.login(login, "alice", "demo")));
  }

  private static PostForm form(EdgeReply page) {
    String html = page.text();
    return new PostForm(
        TestBrowser.attribute(html, "action"), "SAMLResponse", TestBrowser.field(html, "SAMLResponse"),
        Optional.empty());
  }

  private static ReceivedResponse decrypted(PostForm form) {
    return switch (read(form, SamlFixtures.strangerKey().privateKey())) {
      case Result.Accepted(var received) -> received;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private static Result<ReceivedResponse, SamlRefusal> read(PostForm form, PrivateKey key) {
    return new StrictSamlReader()
        .response(
            SamlFixtures.posted(form),
            SamlFixtures.partners(Idp.ownMetadata()).decryptingWith(() -> List.of(new DecryptionKey("app", key))));
  }
}
