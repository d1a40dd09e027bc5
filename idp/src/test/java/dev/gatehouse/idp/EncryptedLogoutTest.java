package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** LogoutRequests that name the person by an EncryptedID (SAML Core 3.7.1), from partners and from us. */
final class EncryptedLogoutTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  private static EncryptionKey to(SigningKey key) {
    return new EncryptionKey(key.certificate(), ContentCipher.AES_128_GCM, KeyTransport.RSA_OAEP_MGF1P);
  }

  private static SamlWriter encrypting(SigningKey to) {
    return new CanonicalSamlWriter().encrypting(new Encryption(Set.of(Encrypted.NAME_ID), to(to)));
  }

  private LogoutRequest request(String destination) {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    Assertion assertion = Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).assertions().getFirst();
    Instant now = idp.time.instant();
    return new LogoutRequest(
        "_encrypted", now, Idp.APP, Optional.of(destination), Optional.of(now.plusSeconds(60)), assertion.subject(),
        List.of(assertion.authnStatement().orElseThrow().sessionIndex().orElseThrow()));
  }

  @Test
  void oneOfTheirsByRedirect() {
    URI location =
        encrypting(SamlFixtures.idpKey())
            .redirect(request(Idp.SLO), Idp.SLO, Optional.empty(), SamlFixtures.spKey());
    assertThat(browser.get(location.toString()).status()).isEqualTo(303);
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
  }

  @Test
  void oneOfTheirsBySoap() {
    byte[] envelope = encrypting(SamlFixtures.idpKey()).soap(request(Idp.SLO + "/soap"), SamlFixtures.spKey());
    assertThat(idp.dispatch.handle(SamlFixtures.soap(Idp.SLO + "/soap", envelope)).status()).isEqualTo(200);
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
  }

  @Test
  void case23OneThatIsEncryptedToAnother() {
    byte[] envelope = encrypting(SamlFixtures.strangerKey()).soap(request(Idp.SLO + "/soap"), SamlFixtures.spKey());
    assertThat(idp.dispatch.handle(SamlFixtures.soap(Idp.SLO + "/soap", envelope)).status()).isEqualTo(500);
    assertThat(idp.audit.events(MessageRefused.class))
        .extracting(MessageRefused::reason)
        .containsExactly("DECRYPTION_FAILED");
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
  }

  @Test
  void oursToAPartnerThatIsSentNoNameIdInTheClear() {
    encrypts(List.of(to(SamlFixtures.spKey())));
    EdgeReply frame = frame();
    EdgeRequest sent = SamlFixtures.followed(URI.create(frame.headers().first("Location").orElseThrow()));
    var plain = new StrictSamlReader().logoutRequest(sent, SamlFixtures.partners(Idp.ownMetadata()));
    assertThat(plain).isInstanceOf(Result.Refused.class);
    var withKey =
        new StrictSamlReader()
            .logoutRequest(
                sent,
                SamlFixtures.partners(Idp.ownMetadata())
                    .decryptingWith(() -> List.of(new DecryptionKey("sp", SamlFixtures.spKey().privateKey()))));
    assertThat(withKey).isInstanceOf(Result.Accepted.class);
    if (withKey instanceof Result.Accepted(var received)) {
      assertThat(received.message().nameId().format()).isEqualTo(NameIdFormat.TRANSIENT.uri());
    }
  }

  @Test
  void withoutAKeyNothingIsSent() {
    encrypts(List.of());
    EdgeReply frame = frame();
    assertThat(frame.status()).isEqualTo(503);
    assertThat(idp.audit.events(MessageRefused.class).getLast().reason()).isEqualTo("PARTNER_CANNOT_BE_ASKED");
  }

  private EdgeReply frame() {
    String csrf = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    EdgeReply receipt = browser.follow(browser.post("/realms/demo/logout", Map.of("csrf", csrf)));
    Matcher frame = Pattern.compile("src=\"([^\"]*logout/frame[^\"]*)\"").matcher(receipt.text());
    assertThat(frame.find()).isTrue();
    return browser.get(frame.group(1).replace("&amp;", "&"));
  }

  /** The login comes first: it would need the key too. */
  private void encrypts(List<EncryptionKey> keys) {
    request(Idp.SLO);
    PartnerConfig plain = Idp.config(Idp.APP, NameIdFormat.TRANSIENT);
    PartnerMetadata metadata = Idp.metadata(Idp.APP, false);
    SpRole sp = metadata.sp().orElseThrow();
    idp.partners.put(
        new PartnerConfig(
            plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(), plain.logout(),
            new AsServiceProvider(Set.of(Encrypted.NAME_ID), false, Optional.empty()), plain.asIdentityProvider(), false),
        new PartnerMetadata(
            Idp.APP, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(
                new SpRole(
                    sp.signing(), keys, sp.authnRequestsSigned(), sp.wantAssertionsSigned(), sp.assertionConsumers(),
                    new PartnerMetadata.SsoDescriptor(sp.sso().singleLogout(), sp.sso().artifactResolution(), sp.sso().manageNameId(),
                        sp.sso().nameIdFormats()),
                    sp.attributeConsumers(), sp.ui()))));
  }
}
