package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.Inspection.Value;
import dev.gatehouse.sp.inspection.Replay;
import dev.gatehouse.sp.inspection.TestLogins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Test logins: every check is shown, nothing is opened, and a recording can be checked again. */
final class TestLoginTest {

  private static final String PASSPHRASE = "correct horse battery";

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);
  private final TestLogins.View started = world.tests.begin(world.realm(), SamlFixtures.IDP).orElseThrow();
  private final AuthnRequest request = world.authnRequest(browser.open(started.url()));

  @Test
  void anHonestAnswerPassesEveryCheckAndOpensNoSession() {
    EdgeReply reply = browser.submitWithCookies(posted(world.response(request)));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.opened()).isZero();
    assertThat(world.refusals()).isEmpty();
    TestLogins.View found = found();
    Inspection inspection = found.inspection().orElseThrow();
    assertThat(inspection.isPassed()).isTrue();
    assertThat(inspection.checks()).extracting(Check::name)
        .startsWith("message", "destination", "response-issue-instant", "status")
        .contains("audience", "bearer-confirmation", "force-authn");
    assertThat(inspection.values()).contains(new Value("uid", "alice", Optional.empty()));
    assertThat(inspection.account().orElseThrow().name()).contains("alice");
    assertThat(found.isRecorded()).isTrue();
  }

  @Test
  void allFailedChecksAreShownAndNotOnlyTheFirst() {
    SamlMessage.Response honest = world.response(request);
    Assertion late =
        Change.of(honest.assertions().getFirst()).notBefore(world.time.instant().plusSeconds(600)).audiences(List.of(List.of("https://other"))).assertion();
    SamlMessage.Response wrong =
        new SamlMessage.Response(
            honest.id(), honest.issueInstant(), honest.issuer(), honest.destination(), honest.inResponseTo(), honest.status(), List.of(late));

    browser.submitWithCookies(posted(wrong));

    assertThat(inspection().isPassed()).isFalse();
    assertThat(inspection().checks()).filteredOn(check -> check.reason().isPresent()).extracting(Check::name)
        .contains("audience", "not-before");
    assertThat(inspection().account()).isEmpty();
  }

  @Test
  void aForgedSignatureIsShownWithItsReason() {
    browser.submitWithCookies(
        world.posted(world.response(request), Optional.of(started.id()), Signed.ASSERTION, SamlFixtures.strangerKey()));

    assertThat(inspection().checks()).singleElement().satisfies(check -> {
      assertThat(check.name()).isEqualTo("message");
      assertThat(check.reason()).contains("SIGNATURE_INVALID");
    });
  }

  @Test
  void droppedValuesSayWhy() {
    SamlMessage.Response honest = world.response(request);
    browser.submitWithCookies(posted(with(honest, SamlAttribute.basic("eduPersonPrincipalName", List.of("alice@other.example")))));

    assertThat(inspection().values()).contains(new Value("eduPersonPrincipalName", "alice@other.example", Optional.of("foreign_scope")));
  }

  @Test
  void anAnswerCountsOnceAndNeverForARealLogin() {
    EdgeRequest answer = posted(world.response(request));
    browser.submitWithCookies(answer);

    EdgeReply again = browser.submitWithCookies(answer);

    assertThat(again.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("IN_RESPONSE_TO");
    assertThat(browser.open(started.url()).status()).as("the link was used").isEqualTo(403);
    assertThat(world.opened()).isZero();
  }

  @Test
  void anAnswerToARealRequestIsNotATest() {
    AuthnRequest real = world.authnRequest(browser.open(SpWorld.HOME + "/here"));

    browser.submitWithCookies(world.posted(world.response(real), Optional.of(started.id())));

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
    assertThat(found().inspection()).isEmpty();
  }

  @Test
  void aLinkOfAnHourAgoHasEnded() {
    world.time.advance(TestLogins.LIFE.plus(Duration.ofSeconds(1)));

    assertThat(browser.open(started.url()).status()).isEqualTo(403);
    assertThat(browser.submitWithCookies(posted(world.response(request))).status()).isEqualTo(403);
  }

  @Test
  void aRecordingOfEncryptedStatementsIsReplayedWithoutTheKey() {
    SamlWriter encrypting = encrypting();
    browser.submitWithCookies(
        SamlFixtures.posted(
            encrypting.postResponse(
                world.response(request), SamlFixtures.SP_ACS, Optional.of(started.id()), SamlFixtures.idpKey(), Signed.ASSERTION)));
    String file = world.tests.file(world.realm(), started.id(), PASSPHRASE).orElseThrow();
    world.time.advance(Duration.ofDays(400));

    Replay replay = world.tests.replay(world.realm(), file, PASSPHRASE).orElseThrow();

    assertThat(replay.differences()).isEmpty();
    assertThat(replay.now().isPassed()).isTrue();
    assertThat(world.opened()).isZero();
  }

  @Test
  void aReplaySaysWhatDiffersNow() {
    browser.submitWithCookies(posted(world.response(request)));
    String file = world.tests.file(world.realm(), started.id(), PASSPHRASE).orElseThrow();
    world.identityProvider(SamlFixtures.idpMetadata(List.of(SamlFixtures.strangerKey())));

    assertThat(world.tests.replay(world.realm(), file, PASSPHRASE).orElseThrow().differences())
        .contains("check message: passed, now failed (SIGNATURE_INVALID)");
  }

  @Test
  void aFileOpensWithItsPassphraseOnlyAndUnchanged() {
    browser.submitWithCookies(posted(world.response(request)));
    String file = world.tests.file(world.realm(), started.id(), PASSPHRASE).orElseThrow();
    char last = file.charAt(file.length() - 2);
    String changed = file.substring(0, file.length() - 2) + (last == 'A' ? 'B' : 'A') + file.charAt(file.length() - 1);

    assertThat(file).doesNotContain("alice");
    assertThat(world.tests.replay(world.realm(), file, PASSPHRASE + "x")).isEmpty();
    assertThat(world.tests.replay(world.realm(), changed, PASSPHRASE)).isEmpty();
    assertThat(world.tests.replay(world.realm(), "no file", PASSPHRASE)).isEmpty();
    assertThatThrownBy(() -> world.tests.file(world.realm(), started.id(), "short")).hasMessageContaining("12 characters");
  }

  @Test
  void aPasswordIsNeitherShownNorRecorded() {
    SamlWriter encrypting = encrypting();
    SamlMessage.Response response = with(world.response(request), SamlAttribute.basic(AttributeName.LOGIN_PASSWORD, List.of("sesame")));

    browser.submitWithCookies(
        SamlFixtures.posted(
            encrypting.postResponse(response, SamlFixtures.SP_ACS, Optional.of(started.id()), SamlFixtures.idpKey(), Signed.ASSERTION)));

    assertThat(found().toString()).doesNotContain("sesame").contains("***");
    assertThat(found().isRecorded()).isFalse();
  }

  @Test
  void onlyIdentityProvidersOfTheRealmCanBeTested() {
    assertThat(world.tests.begin(world.realm(), "https://elsewhere.example")).isEmpty();
    assertThat(world.tests.find(world.realm(), "_test.unknown")).isEmpty();
  }

  private EdgeRequest posted(SamlMessage.Response response) {
    return world.posted(response, Optional.of(started.id()));
  }

  private TestLogins.View found() {
    return world.tests.find(world.realm(), started.id()).orElseThrow();
  }

  private Inspection inspection() {
    return found().inspection().orElseThrow();
  }

  private SamlWriter encrypting() {
    var key =
        new EncryptionKey(SamlFixtures.spKey().certificate(), ContentCipher.AES_128_GCM, KeyTransport.RSA_OAEP_MGF1P);
    return world.writer.encrypting(new Encryption(Set.of(Encrypted.ASSERTION), key));
  }

  private static SamlMessage.Response with(SamlMessage.Response response, SamlAttribute attribute) {
    Assertion assertion = response.assertions().getFirst();
    var attributes = new ArrayList<>(assertion.attributes());
    attributes.add(attribute);
    return new SamlMessage.Response(
        response.id(), response.issueInstant(), response.issuer(), response.destination(), response.inResponseTo(), response.status(),
        List.of(Change.of(assertion).attributes(attributes).assertion()));
  }
}
