package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.session.SessionToken;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Identity providers that encrypt: their statements count as if they came in plain form, and are checked as strictly.
 */
final class EncryptedLoginTest {

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);
  private final AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));

  @ParameterizedTest
  @EnumSource(Encrypted.class)
  void opensASession(Encrypted what) {
    browser.submitWithCookies(posted(world.response(request), Set.of(what), SamlFixtures.spKey()));

    assertThat(world.session(browser, SpWorld.HOME).orElseThrow().account().user()).isEqualTo("alice");
  }

  @Test
  void logsOutBySubjectWhoeverNamesItEncrypted() {
    browser.submitWithCookies(posted(world.response(request), EnumSet.allOf(Encrypted.class), SamlFixtures.spKey()));
    var model = SamlFixtures.logoutRequest("_logout", SamlFixtures.IDP);
    var session = world.session(browser, SpWorld.HOME).orElseThrow();
    var logout =
        new SamlMessage.LogoutRequest(
            model.id(), world.time.instant(), model.issuer(), model.destination(),
            Optional.of(world.time.instant().plusSeconds(60)), session.login().nameId(), model.sessionIndexes());
    SamlWriter encrypting = encrypting(Set.of(Encrypted.NAME_ID), SamlFixtures.spKey());

    browser.get(
        encrypting.redirect(logout, SamlFixtures.SP_SLO, Optional.empty(), SamlFixtures.idpKey()).toString(),
        "cross-site");

    assertThat(world.refusals()).isEmpty();
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
  }

  /** The login password is not an attribute; it is sealed for this browser, and ends with the session. */
  @Test
  void aPasswordIsKeptForThisBrowserAlone() {
    SamlMessage.Response plain = world.response(request);
    var assertion = plain.assertions().getFirst();
    var attributes = new java.util.ArrayList<>(assertion.attributes());
    attributes.add(SamlAttribute.basic(AttributeName.LOGIN_PASSWORD, List.of("sesame")));
    var with =
        new Assertion(
            assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(), assertion.confirmations(),
            assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(),
            assertion.authnStatement(), attributes);
    var response =
        new SamlMessage.Response(
            plain.id(), plain.issueInstant(), plain.issuer(), plain.destination(), plain.inResponseTo(), plain.status(),
            List.of(with));

    browser.follow(browser.submitFromElsewhere(posted(response, Set.of(Encrypted.ASSERTION), SamlFixtures.spKey())));

    var session = world.session(browser, SpWorld.HOME).orElseThrow();
    assertThat(session.account().attributes().toString()).doesNotContain("sesame").doesNotContain("password");
    SessionToken token = new SessionToken(browser.cookie(SpWorld.HOME, "__Host-gh_app").orElseThrow());
    assertThat(world.sessions.passwords().of(session, token)).contains(new Secret("sesame"));
    assertThat(world.sessions.passwords().of(session, new SessionToken("x".repeat(43)))).isEmpty();
    world.sessions.end(session.id(), "logout", AuditEvent.Context.node());
    assertThat(world.sessions.passwords().of(session, token)).isEmpty();
  }

  @Test
  void encryptedToAnother() {
    browser.submitWithCookies(posted(world.response(request), Set.of(Encrypted.ASSERTION), SamlFixtures.strangerKey()));

    assertThat(world.refusals()).containsExactly("DECRYPTION_FAILED");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
  }

  private EdgeRequest posted(SamlMessage.Response response, Set<Encrypted> what, SigningKey to) {
    return SamlFixtures.posted(
        encrypting(what, to)
            .postResponse(response, SamlFixtures.SP_ACS, Optional.empty(), SamlFixtures.idpKey(), Signed.ASSERTION));
  }

  private SamlWriter encrypting(Set<Encrypted> what, SigningKey to) {
    var key = new EncryptionKey(to.certificate(), ContentCipher.AES_128_GCM, KeyTransport.RSA_OAEP_MGF1P);
    return world.writer.encrypting(new Encryption(what, key));
  }
}
