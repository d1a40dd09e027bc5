package dev.gatehouse.idp.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.passkey.JdbcPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.idp.passkey.PasskeyCeremony.Purpose;
import dev.gatehouse.idp.session.AuthnLevel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Attacks on the ceremonies of WebAuthn: sections 7.1 and 7.2. */
class PasskeyCeremoniesTest {

  private static final Person ALICE = new Person(new PersonId("a11ce"), "alice", "uid=alice", Map.of(), List.of(), Set.of());
  private static final PasskeyCeremony ENROLMENT = new PasskeyCeremony(Purpose.ENROLMENT, "browser", "a11ce");
  private static final PasskeyCeremony LOGIN = new PasskeyCeremony(Purpose.LOGIN, "browser", "");
  private static final PasskeyCeremony SECOND = new PasskeyCeremony(Purpose.SECOND_STEP, "browser", "a11ce?step=1");

  private final TestTime time = new TestTime();
  private final SecureRandom random = new SecureRandom();
  private final Database database = EmptiedDatabase.get();
  private final Passkeys passkeys = new JdbcPasskeys(database);
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final PasskeyChallenges challenges =
      new PasskeyChallenges(SealingKey.inMemory(random), new MemoryStores(time).replayCache(), time, random);
  private final PasskeyEnrolments enrolments = new PasskeyEnrolments(passkeys, challenges, audit, time, random);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RefusalLog refusals = new RefusalLog(audit, new AuditRateLimit(time), meters.counter("unwritten"), random);
  private final PasskeyLogins logins = new PasskeyLogins(passkeys, challenges, audit, refusals, time);
  private final RealmRequest request = TestClients.post(realm(), "login/passkey", Headers.empty());
  private final PasskeyParty party = PasskeyParty.of(request).orElseThrow();
  private final SoftAuthenticator device = new SoftAuthenticator("device");

  private static Realm realm() {
    ContractsConfig contracts =
        new ContractsConfig(
            false, ContractsConfig.SecondFactor.OPTIONAL, new ContractsConfig.Totp(Optional.empty(), 6), Optional.empty(), Optional.empty(),
            Optional.of(new ContractsConfig.Passkeys("idp.localhost")), Optional.empty());
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private String enrolmentChallenge() {
    return String.valueOf(enrolments.options(request, party, ENROLMENT, ALICE).get("challenge"));
  }

  private Optional<PasskeyRefusal> enrol(AuthnLevel level) {
    return enrolments.keep(request, ENROLMENT, PasswordSession.of(ALICE), level, "Phone", device.create(enrolmentChallenge()));
  }

  private String challenge(PasskeyCeremony ceremony) {
    return String.valueOf(logins.options(request, party, ceremony, List.of()).get("challenge"));
  }

  private String answer(String challenge) {
    return device.get(challenge, passkeys.userHandle("demo", ALICE.id(), "none"));
  }

  private PasskeyResult logIn(String json) {
    return logins.check(request, LOGIN, Optional.empty(), json);
  }

  private static void refused(PasskeyResult result, PasskeyRefusal reason) {
    assertThat(result).isEqualTo(new PasskeyResult.Refused(reason));
  }

  @Test
  void anEnrolledPasskeyLogsIn() {
    assertThat(enrol(AuthnLevel.SECOND_FACTOR)).isEmpty();
    assertThat(logIn(answer(challenge(LOGIN)))).isInstanceOf(PasskeyResult.Accepted.class);
    assertThat(audit.events(AuditEvent.PasskeyChanged.class)).extracting(AuditEvent.PasskeyChanged::change).containsExactly("enrolled");
  }

  @Test
  void anotherOriginIsRefused() {
    device.origin = "http://idp.localhost.example:8080";
    assertThat(enrol(AuthnLevel.SECOND_FACTOR)).contains(PasskeyRefusal.WRONG_ORIGIN);
    device.origin = "http://idp.localhost:8080";
    enrol(AuthnLevel.SECOND_FACTOR);
    device.origin = "https://phishing.example";
    refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.WRONG_ORIGIN);
  }

  @Test
  void aFrameInAnotherSitesPageIsRefused() {
    String own = device.frame;
    for (String frame : List.of("\"crossOrigin\":true", "\"crossOrigin\":true,\"topOrigin\":\"https://phishing.example\"")) {
      device.frame = frame;
      assertThat(enrol(AuthnLevel.SECOND_FACTOR)).as(frame).contains(PasskeyRefusal.WRONG_ORIGIN);
      device.frame = own;
      enrol(AuthnLevel.SECOND_FACTOR);
      device.frame = frame;
      refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.WRONG_ORIGIN);
      passkeys.removeAll("demo", ALICE.id());
    }
  }

  @Test
  void anotherRelyingPartyIsRefused() {
    device.rpId = "localhost";
    assertThat(enrol(AuthnLevel.SECOND_FACTOR)).contains(PasskeyRefusal.WRONG_RELYING_PARTY);
    device.rpId = "idp.localhost";
    enrol(AuthnLevel.SECOND_FACTOR);
    device.rpId = "phishing.example";
    refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.WRONG_RELYING_PARTY);
  }

  @Test
  void aChallengeCountsOnce() throws Exception {
    String made = device.create(enrolmentChallenge());
    assertThat(enrolments.keep(request, ENROLMENT, PasswordSession.of(ALICE), AuthnLevel.SECOND_FACTOR, "a", made)).isEmpty();
    assertThat(enrolments.keep(request, ENROLMENT, PasswordSession.of(ALICE), AuthnLevel.SECOND_FACTOR, "b", made)).contains(PasskeyRefusal.CHALLENGE_USED);
    String json = answer(challenge(LOGIN));
    List<PasskeyResult> results = Race.of(16, i -> () -> logIn(json));
    assertThat(results.stream().filter(PasskeyResult.Accepted.class::isInstance)).hasSize(1);
    refused(logIn(json), PasskeyRefusal.CHALLENGE_USED);
  }

  @Test
  void aChallengeIsForItsBrowserPurposeAndTime() {
    enrol(AuthnLevel.SECOND_FACTOR);
    refused(logIn(answer(challenge(new PasskeyCeremony(Purpose.LOGIN, "another browser", "")))), PasskeyRefusal.CHALLENGE_UNKNOWN);
    refused(logIn(answer(challenge(new PasskeyCeremony(Purpose.LOGIN, "browser", "pending")))), PasskeyRefusal.CHALLENGE_UNKNOWN);
    refused(logIn(answer(challenge(SECOND))), PasskeyRefusal.CHALLENGE_UNKNOWN);
    refused(logIn(answer(enrolmentChallenge())), PasskeyRefusal.CHALLENGE_UNKNOWN);
    refused(logIn(answer("AAAA")), PasskeyRefusal.CHALLENGE_UNKNOWN);
    String early = answer(challenge(LOGIN));
    time.advance(PasskeyChallenges.LIFE);
    refused(logIn(early), PasskeyRefusal.CHALLENGE_EXPIRED);
  }

  @Test
  void aCounterThatGoesBackIsRefusedAndAudited() {
    device.counter = 5;
    enrol(AuthnLevel.SECOND_FACTOR);
    device.counter = 6;
    assertThat(logIn(answer(challenge(LOGIN)))).isInstanceOf(PasskeyResult.Accepted.class);
    refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.COUNTER_REGRESSED);
    device.counter = 0;
    refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.COUNTER_REGRESSED);
    assertThat(audit.events(AuditEvent.PasskeyChanged.class)).extracting(AuditEvent.PasskeyChanged::change).contains("copied");
  }

  /** Its owner removes it elsewhere while its answer is checked. */
  @Test
  void aPasskeyThatIsRemovedMeanwhileIsNoCopy() {
    Passkeys removing =
        (Passkeys)
            Proxy.newProxyInstance(
                Passkeys.class.getClassLoader(),
                new Class<?>[] {Passkeys.class},
                (proxy, method, values) -> {
                  if (method.getName().equals("use")) {
                    passkeys.removeAll("demo", ALICE.id());
                  }
                  return method.invoke(passkeys, values);
                });
    enrol(AuthnLevel.SECOND_FACTOR);
    PasskeyResult late =
        new PasskeyLogins(removing, challenges, audit, refusals, time).check(request, LOGIN, Optional.empty(), answer(challenge(LOGIN)));
    refused(late, PasskeyRefusal.UNKNOWN_PASSKEY);
    assertThat(audit.events(AuditEvent.PasskeyChanged.class)).extracting(AuditEvent.PasskeyChanged::change).containsExactly("enrolled");
  }

  @Test
  void aLoginNeedsThePersonVerifiedAndNamed() {
    enrol(AuthnLevel.SECOND_FACTOR);
    device.flags = SoftAuthenticator.PRESENT;
    refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.PERSON_NOT_VERIFIED);
    PasskeyResult second = logins.check(request, SECOND, Optional.of(ALICE.id()), answer(challenge(SECOND)));
    assertThat(second).as("together with a password").isInstanceOf(PasskeyResult.Accepted.class);
    device.flags = SoftAuthenticator.PRESENT | SoftAuthenticator.VERIFIED;
    refused(logIn(device.get(challenge(LOGIN), "")), PasskeyRefusal.OTHER_PERSON);
    refused(logIn(device.get(challenge(LOGIN), "Ym9i")), PasskeyRefusal.OTHER_PERSON);
  }

  @Test
  void aKeyThatMayBeCopiedNeedsThePersonVerifiedAlways() {
    device.flags |= SoftAuthenticator.BACKUP_ELIGIBLE;
    enrol(AuthnLevel.SECOND_FACTOR);
    device.flags = SoftAuthenticator.PRESENT | SoftAuthenticator.BACKUP_ELIGIBLE;
    refused(logins.check(request, SECOND, Optional.of(ALICE.id()), answer(challenge(SECOND))), PasskeyRefusal.PERSON_NOT_VERIFIED);
    device.flags = SoftAuthenticator.PRESENT | SoftAuthenticator.VERIFIED;
    refused(logIn(answer(challenge(LOGIN))), PasskeyRefusal.BACKUP_ELIGIBILITY_CHANGED);
  }

  @Test
  void aBackupThatBeginsOrEndsIsKeptAndAudited() {
    device.flags |= SoftAuthenticator.BACKUP_ELIGIBLE;
    enrol(AuthnLevel.SECOND_FACTOR);
    device.flags |= SoftAuthenticator.BACKED_UP;
    assertThat(logIn(answer(challenge(LOGIN)))).isInstanceOf(PasskeyResult.Accepted.class);
    assertThat(passkeys.find("demo", device.id()).orElseThrow().state().backedUp()).isTrue();
    logIn(answer(challenge(LOGIN)));
    device.flags &= ~SoftAuthenticator.BACKED_UP;
    logIn(answer(challenge(LOGIN)));
    assertThat(passkeys.find("demo", device.id()).orElseThrow().state().backedUp()).isFalse();
    assertThat(audit.events(AuditEvent.PasskeyChanged.class))
        .extracting(AuditEvent.PasskeyChanged::change)
        .containsExactly("enrolled", "backed-up", "backup-ended");
  }

  /** Section 6.1.3: what may not be backed up is not. */
  @Test
  void aKeyThatIsBackedUpButMayNotBeIsRefused() {
    device.flags |= SoftAuthenticator.BACKED_UP;
    assertThat(enrol(AuthnLevel.SECOND_FACTOR)).isPresent();
    device.flags = SoftAuthenticator.PRESENT | SoftAuthenticator.VERIFIED;
    assertThat(enrol(AuthnLevel.SECOND_FACTOR)).isEmpty();
    device.flags |= SoftAuthenticator.BACKED_UP;
    assertThat(logIn(answer(challenge(LOGIN)))).isInstanceOf(PasskeyResult.Refused.class);
  }

  /** A thief without the key cannot make its owner look like the owner of a copy. */
  @Test
  void onlyASignedCounterTellsOfACopy() {
    device.counter = 5;
    enrol(AuthnLevel.SECOND_FACTOR);
    SoftAuthenticator forged = new SoftAuthenticator("device");
    forged.counter = 1;
    refused(logIn(forged.get(challenge(LOGIN), passkeys.userHandle("demo", ALICE.id(), "none"))), PasskeyRefusal.WRONG_SIGNATURE);
    assertThat(audit.events(AuditEvent.PasskeyChanged.class)).extracting(AuditEvent.PasskeyChanged::change).containsExactly("enrolled");
  }

  @Test
  void aPasskeyEnrolledByAPasswordIsWorthAPasswordUntilConfirmed() {
    enrol(AuthnLevel.PROTECTED_PASSWORD);
    assertThat(logins.strong(request, ALICE.id())).isEmpty();
    refused(logins.check(request, SECOND, Optional.of(ALICE.id()), answer(challenge(SECOND))), PasskeyRefusal.PASSKEY_NOT_CONFIRMED);
    assertThat(logIn(answer(challenge(LOGIN))))
        .isInstanceOfSatisfying(
            PasskeyResult.Accepted.class, a -> assertThat(PasskeyLevels.of(a.passkey())).isEqualTo(AuthnLevel.PROTECTED_PASSWORD));
    enrolments.confirm(request, ALICE, device.id(), AuthnLevel.SECOND_FACTOR);
    assertThat(logins.strong(request, ALICE.id())).hasSize(1);
  }

  @Test
  void nothingButASecondFactorMakesAPasskeyStrong() {
    for (AuthnLevel level : AuthnLevel.values()) {
      enrol(level);
      Passkeys.Passkey kept = passkeys.find("demo", device.id()).orElseThrow();
      assertThat(kept.isStrong()).as(level.name()).isEqualTo(level.reaches(AuthnLevel.SECOND_FACTOR));
      assertThat(PasskeyLevels.of(kept)).as(level.name()).isNotEqualTo(AuthnLevel.CERTIFICATE);
      passkeys.removeAll("demo", ALICE.id());
    }
  }

  @Test
  void anotherKeyOrAnotherPersonsPasskeyIsRefused() {
    enrol(AuthnLevel.SECOND_FACTOR);
    String handle = passkeys.userHandle("demo", ALICE.id(), "none");
    refused(logIn(new SoftAuthenticator("device").get(challenge(LOGIN), handle)), PasskeyRefusal.WRONG_SIGNATURE);
    refused(logIn(new SoftAuthenticator("unknown").get(challenge(LOGIN), handle)), PasskeyRefusal.UNKNOWN_PASSKEY);
    PersonId bob = new PersonId("bob");
    refused(logins.check(request, SECOND, Optional.of(bob), answer(challenge(SECOND))), PasskeyRefusal.UNKNOWN_PASSKEY);
    refused(logIn("{}"), PasskeyRefusal.PASSKEY_MALFORMED);
    refused(logIn("no JSON"), PasskeyRefusal.PASSKEY_MALFORMED);
  }

  /** An audit log that is full stops every login. */
  @Test
  void whatStrangersInventIsWrittenAtAPace() {
    enrol(AuthnLevel.SECOND_FACTOR);
    for (int i = 0; i < 600; i++) {
      refused(logIn("{}"), PasskeyRefusal.PASSKEY_MALFORMED);
    }
    assertThat(audit.events(AuditEvent.LoginRefused.class)).hasSize(500);
    assertThat(meters.counter("unwritten").count()).isEqualTo(100);
    String handle = passkeys.userHandle("demo", ALICE.id(), "none");
    refused(logIn(new SoftAuthenticator("device").get(challenge(LOGIN), handle)), PasskeyRefusal.WRONG_SIGNATURE);
    assertThat(audit.events(AuditEvent.LoginRefused.class)).as("somebody's passkey").hasSize(501);
    refused(logins.check(request, SECOND, Optional.of(ALICE.id()), "{}"), PasskeyRefusal.PASSKEY_MALFORMED);
    assertThat(audit.events(AuditEvent.LoginRefused.class)).as("somebody who has passed the first step").hasSize(502);
  }
}
