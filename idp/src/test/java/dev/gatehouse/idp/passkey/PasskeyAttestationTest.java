package dev.gatehouse.idp.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.passkey.MemoryPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.idp.passkey.PasskeyCeremony.Purpose;
import dev.gatehouse.idp.session.AuthnLevel;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A realm that takes certain models of authenticators, and what others try (WebAuthn, section 7.1, steps 21 to 24). */
class PasskeyAttestationTest {

  private static final Person ALICE = new Person(new PersonId("a11ce"), "alice", "uid=alice", Map.of(), List.of(), Set.of());
  private static final PasskeyCeremony ENROLMENT = new PasskeyCeremony(Purpose.ENROLMENT, "browser", "a11ce");
  private static final UUID MODEL = UUID.fromString("2fc0579f-8113-47ea-b116-bb5a8db9202a");
  private static final String OF_MODEL = "C=SE,O=Keys,OU=Authenticator Attestation,CN=Key 5";

  /** The library takes the time of the system. */
  private static final PeopleCa MAKER = PeopleCa.create("CN=Keys Root", Instant.now());

  private final TestTime time = new TestTime();
  private final SecureRandom random = new SecureRandom();
  private final Passkeys passkeys = new MemoryPasskeys();
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final PasskeyChallenges challenges =
      new PasskeyChallenges(SealingKey.inMemory(random), new MemoryStores(time).replayCache(), time, random);
  private final PasskeyEnrolments enrolments = new PasskeyEnrolments(passkeys, challenges, audit, time, random);
  private final RealmRequest request = request(new AuthenticatorModel(MODEL, List.of(MAKER.certificate())));
  private final SoftAuthenticator key = new SoftAuthenticator("key");

  PasskeyAttestationTest() {
    key.aaguid = MODEL;
    key.attests = Optional.of(MAKER.issue(CertificateSpec.of(OF_MODEL)));
  }

  private static RealmRequest request(AuthenticatorModel... models) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(),
            Optional.of(new ContractsConfig.Passkeys("idp.localhost", true, List.of(), List.of(models))), Optional.empty());
    return TestClients.post(TestRealms.change(TestRealms.demo()).contracts(contracts).realm(), "account/passkeys", Headers.empty());
  }

  private Map<String, Object> options(RealmRequest at) {
    return enrolments.options(at, PasskeyParty.of(at).orElseThrow(), ENROLMENT, ALICE);
  }

  private Optional<PasskeyRefusal> enrol(RealmRequest at) {
    String challenge = String.valueOf(options(at).get("challenge"));
    return enrolments.keep(at, ENROLMENT, PasswordSession.of(ALICE), AuthnLevel.SECOND_FACTOR, "Key", key.create(challenge));
  }

  private void refused() {
    assertThat(enrol(request)).contains(PasskeyRefusal.ATTESTATION_REFUSED);
    assertThat(passkeys.of("demo", ALICE.id())).isEmpty();
    assertThat(audit.events(AuditEvent.LoginRefused.class)).extracting(AuditEvent.LoginRefused::reason).contains("ATTESTATION_REFUSED");
  }

  @Test
  void aModelThatIsListedIsTaken() {
    assertThat(options(request)).containsEntry("attestation", "direct");
    assertThat(enrol(request)).isEmpty();
    assertThat(passkeys.of("demo", ALICE.id()).getFirst().model().aaguid()).isEqualTo(MODEL.toString());
  }

  @Test
  void withoutAListNothingIsAskedAndEverythingTaken() {
    RealmRequest open = request();
    assertThat(options(open)).containsEntry("attestation", "none");
    key.attests = Optional.empty();
    assertThat(enrol(open)).isEmpty();
  }

  @Test
  void anotherModelOfTheSameMakerIsRefused() {
    key.aaguid = UUID.fromString("ee882879-721c-4913-9775-3dfcce97072a");
    refused();
  }

  @Test
  void aModelThatIsOnlyClaimedIsRefused() {
    key.attests = Optional.empty();
    refused();
    key.attestsItself = true;
    refused();
  }

  @Test
  void aCertificateOfAnotherMakerIsRefused() {
    PeopleCa other = PeopleCa.create("CN=Keys Root", Instant.now());
    key.attests = Optional.of(other.issue(CertificateSpec.of(OF_MODEL)));
    refused();
    PeopleCa.Issued foreign = other.issue(CertificateSpec.of(OF_MODEL));
    key.attests = Optional.of(new PeopleCa.Issued(MAKER.issue(CertificateSpec.of(OF_MODEL)).certificate(), foreign.privateKey()));
    refused();
  }

  @Test
  void aCertificateThatIsNoneOfAnAuthenticatorOrTooOldIsRefused() {
    key.attests = Optional.of(MAKER.issue(CertificateSpec.of("C=SE,O=Keys,OU=Mail,CN=Key 5")));
    refused();
    key.attests = Optional.of(MAKER.issue(CertificateSpec.of(OF_MODEL).valid(Duration.ofDays(30), Duration.ofDays(1))));
    refused();
    key.attests = Optional.of(MAKER.issue(CertificateSpec.of(OF_MODEL).authority()));
    refused();
  }
}
