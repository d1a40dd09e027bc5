package dev.gatehouse.sp.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.SessionAccounts.Reread;
import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.common.audit.AuditEvent.LoginSucceeded;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;
import dev.gatehouse.common.db.MemorySecondFactors;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.EmbeddedDirectory;
import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.passkey.JdbcPasskeys;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.throttle.WindowGuessThrottle;
import dev.gatehouse.sp.link.LocalLogin;
import dev.gatehouse.sp.local.LocalSignOn.Attempt;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import dev.gatehouse.sp.local.LocalSignOn.Reason;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionAccounts;
import dev.gatehouse.sp.session.AppSessionAdmin;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Name and password at an LDAP directory. */
final class DirectorySignOnTest {

  private static final String DISABLED = "\n" + TestPeople.person("uid=off", "off", "Off", "userAccountControl: 514\n");

  private final EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF);
  private static final String BOB = "uid=bob,ou=people,dc=example,dc=org";

  private final TestTime time = new TestTime();
  private final Realm realm =
      TestRealms.change(TestRealms.demo()).directory(TestPeople.config(server.port())).contracts(withTokens()).realm();
  private final FixedRealms realms = new FixedRealms(realm);
  private final LdapDirectories directories = new LdapDirectories(realms);
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final PasswordChanges changes = new PasswordChanges();
  private final AppSessions sessions = new AppSessions(new MemoryStores(time), realms, audit, time);
  private final SecureRandom random = new SecureRandom();
  private final RefusalLog refusals =
      new RefusalLog(audit, new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), random);
  private final Database database = EmptiedDatabase.get();
  private final Tokens tokens = new JdbcTokens(database);
  private final LocalLogin login =
      new LocalLogin(
          directories, new MemorySecondFactors(), new JdbcPasskeys(database), tokens, new WindowGuessThrottle(time), audit,
          refusals);
  private final DirectorySignOn signOn = new DirectorySignOn(login, directories, sessions, changes, audit, refusals, time);

  @AfterEach
  void stop() {
    directories.close();
    server.close();
  }

  private static ContractsConfig withTokens() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    return new ContractsConfig(
        false, ContractsConfig.SecondFactor.OPTIONAL, plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
        Optional.of(TokenLogin.USUAL));
  }

  private Outcome password(String name, String password, Optional<SessionToken> before, Optional<SessionId> kept) {
    Origin origin = Origin.of(URI.create(TestRealms.APP));
    Attempt attempt =
        new Attempt(InetAddress.getLoopbackAddress(), origin, SessionToken.create(random), before, kept);
    return signOn.password(realm, attempt, name, password.getBytes(StandardCharsets.UTF_8));
  }

  private AppSession open(String name) {
    Outcome outcome = password(name, "demo", Optional.empty(), Optional.empty());
    assertThat(outcome).isInstanceOf(Outcome.Open.class);
    return outcome instanceof Outcome.Open(AppSession session, boolean fresh) ? session : fail();
  }

  private static AppSession fail() {
    throw new AssertionError();
  }

  @Test
  void aCertificateOpensNoSessionForADisabledAccount() {
    PeopleCa ca = PeopleCa.create("CN=People CA", time.instant());
    CertificateLogin config =
        new CertificateLogin(URI.create("https://id.example"), List.of(ca.certificate()), CertificateField.SUBJECT_CN, "uid", List.of());
    ContractsConfig contracts =
        new ContractsConfig(false, ContractsConfig.SecondFactor.OPTIONAL, withTokens().totp(), Optional.of(config));
    try (EmbeddedDirectory active = EmbeddedDirectory.start(TestPeople.LDIF + DISABLED)) {
      Realm byCertificate =
          TestRealms.change(TestRealms.demo()).directory(TestPeople.config(active.port())).contracts(contracts).realm();
      realms.set(byCertificate);
      DirectorySignOn there = new DirectorySignOn(login, directories, sessions, changes, audit, refusals, time);
      Attempt attempt =
          new Attempt(
              InetAddress.getLoopbackAddress(), Origin.of(URI.create(TestRealms.APP)), SessionToken.create(random), Optional.empty(),
              Optional.empty());
      assertThat(there.certificate(byCertificate, attempt, List.of(ca.issue(PeopleCa.CertificateSpec.of("CN=bob")).certificate())))
          .isInstanceOf(Outcome.Open.class);
      assertThat(there.certificate(byCertificate, attempt, List.of(ca.issue(PeopleCa.CertificateSpec.of("CN=off")).certificate())))
          .isEqualTo(new Outcome.CertificateRefused("UNKNOWN_NAME"));
    }
    assertThat(audit.events(LoginRefused.class)).hasSize(1);
  }

  @Test
  void opensASessionOfTheDirectorysPerson() {
    AppSession bob = open("BOB");

    assertThat(bob.account().user()).as("as the directory spells it").isEqualTo("bob");
    assertThat(bob.account().groups()).containsExactlyInAnyOrder("Employees", "managers");
    assertThat(bob.account().attributes().get("mail")).containsExactly("bob@example.org");
    assertThat(bob.login().identityProvider()).isEqualTo(TestRealms.SP_ENTITY);
    assertThat(bob.login().authenticatedAt()).isEqualTo(time.instant());
    assertThat(sessions.load("demo", bob.id())).contains(bob);
    assertThat(audit.events(LoginSucceeded.class))
        .singleElement()
        .satisfies(event -> assertThat(event.contract()).isEqualTo("basic"));
  }

  @Test
  void aPasswordAloneDoesNotDoForWhoHasAToken() {
    if (!(directories.of(realm).findBy("uid", "alice") instanceof PersonSearch.One(var alice))) {
      throw new AssertionError();
    }
    tokens.add("demo", List.of(Token.created("t-1", TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
    tokens.assign("demo", "t-1", alice.id());
    assertThat(password("alice", "demo", Optional.empty(), Optional.empty()))
        .isEqualTo(new Outcome.Refused(Reason.SECOND_FACTOR_NEEDED));
    assertThat(audit.events(LoginSucceeded.class)).isEmpty();
  }

  @Test
  void administratorsFindItByName() {
    AppSession alice = open("alice");
    AppSessionAdmin admin = new AppSessionAdmin(sessions, realms);
    assertThat(admin.ofPerson("demo", "alice"))
        .singleElement()
        .satisfies(view -> assertThat(view.id()).isEqualTo(alice.id().value()));
  }

  @Test
  void administratorsHaveItsRolesReadAgain() throws Exception {
    AppSession bob = open("bob");
    AppSessionAccounts accounts = new AppSessionAccounts(sessions, directories, realms);
    assertThat(accounts.reread("demo", bob.id().value())).isEqualTo(Reread.UNCHANGED);
    assertThat(bob.account().groups()).contains("managers");

    server.server().modify("cn=managers,ou=groups,dc=example,dc=org", new Modification(ModificationType.DELETE, "member", BOB));
    assertThat(sessions.load("demo", bob.id())).as("until then it has those of its login").contains(bob);
    assertThat(accounts.reread("demo", bob.id().value())).isEqualTo(Reread.CHANGED);
    assertThat(sessions.load("demo", bob.id()))
        .hasValueSatisfying(
            now -> {
              assertThat(now.account().groups()).doesNotContain("managers");
              assertThat(now.account().user()).isEqualTo("bob");
              assertThat(now.login()).isEqualTo(bob.login());
            });

    assertThat(accounts.reread("other", bob.id().value())).as("a session of another realm").isEqualTo(Reread.NONE);
    server.server().delete(BOB);
    assertThat(accounts.reread("demo", bob.id().value())).isEqualTo(Reread.ENDED);
    assertThat(sessions.load("demo", bob.id())).isEmpty();
    assertThat(accounts.reread("demo", bob.id().value())).isEqualTo(Reread.NONE);
  }

  @Test
  void rolesThatAnIdentityProviderAssertedEndWithTheSession() {
    AppSession asserted = named(AppSession.personId(TestRealms.IDP_ENTITY, "bob"));
    sessions.open(asserted);
    AppSessionAccounts accounts = new AppSessionAccounts(sessions, directories, realms);
    assertThat(accounts.reread("demo", asserted.id().value())).isEqualTo(Reread.ENDED);
    assertThat(sessions.load("demo", asserted.id())).isEmpty();
  }

  @Test
  void rolesStayWhileTheDirectoryDoesNotAnswer() {
    AppSession bob = open("bob");
    server.stop();
    AppSessionAccounts accounts = new AppSessionAccounts(sessions, directories, realms);
    assertThatExceptionOfType(DirectoryUnavailable.class).isThrownBy(() -> accounts.reread("demo", bob.id().value()));
    assertThat(sessions.load("demo", bob.id())).contains(bob);
  }

  private AppSession named(PersonId person) {
    AppSession bob = open("bob");
    LocalAccount account = new LocalAccount(person, "bob", List.of("admin"), List.of(), Map.of());
    return new AppSession(SessionToken.create(random).id(), "demo", bob.lifetime(), account, bob.login());
  }

  @Test
  void refusesWithReasonsThatOnlyTheAuditLogKnows() {
    assertThat(password("alice", "wrong", Optional.empty(), Optional.empty()))
        .isEqualTo(new Outcome.Refused(Reason.CREDENTIALS_REFUSED));
    assertThat(password("nobody", "demo", Optional.empty(), Optional.empty()))
        .isEqualTo(new Outcome.Refused(Reason.CREDENTIALS_REFUSED));
    assertThat(password("alice", "", Optional.empty(), Optional.empty()))
        .isEqualTo(new Outcome.Refused(Reason.CREDENTIALS_REFUSED));
    assertThat(audit.events(LoginRefused.class))
        .extracting(LoginRefused::reason)
        .containsExactly("WRONG_PASSWORD", "UNKNOWN_NAME", "NOT_TRIED");
  }

  /** An audit log that is full stops every login. */
  @Test
  void whatNoDirectoryWasAskedAboutIsWrittenAtAPace() {
    for (int i = 0; i < 600; i++) {
      password("alice", "", Optional.empty(), Optional.empty());
    }
    assertThat(audit.events(LoginRefused.class)).hasSize(500);
    for (int i = 0; i < 10; i++) {
      password("alice", "wrong" + i, Optional.empty(), Optional.empty());
    }
    assertThat(audit.events(LoginRefused.class)).as("what the directory decided").hasSize(510);
    for (int i = 0; i < 10; i++) {
      assertThat(password("alice", "demo", Optional.empty(), Optional.empty())).isInstanceOf(Outcome.Throttled.class);
    }
    assertThat(audit.events(LoginRefused.class)).as("throttled").hasSize(510);
  }

  @Test
  void certificatesThatStrangersMakeAreWrittenAtAPaceAndHideNoStolenOne() {
    PeopleCa ca = PeopleCa.create("CN=People CA", time.instant());
    PeopleCa invented = PeopleCa.create("CN=Nobody", time.instant());
    X509Certificate stolen = ca.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
    CertificateLogin config =
        new CertificateLogin(
            URI.create("https://id.example"), List.of(ca.certificate()), CertificateField.SUBJECT_CN, "uid", List.of(ca.revoked(stolen)));
    Realm byCertificate =
        TestRealms.change(realm)
            .contracts(new ContractsConfig(false, ContractsConfig.SecondFactor.OPTIONAL, withTokens().totp(), Optional.of(config)))
            .realm();
    realms.set(byCertificate);
    Attempt attempt =
        new Attempt(
            InetAddress.getLoopbackAddress(), Origin.of(URI.create(TestRealms.APP)), SessionToken.create(random), Optional.empty(),
            Optional.empty());
    List<X509Certificate> chain = List.of(invented.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate());
    for (int i = 0; i < 600; i++) {
      assertThat(signOn.certificate(byCertificate, attempt, chain)).isEqualTo(new Outcome.CertificateRefused("CERTIFICATE_NOT_TRUSTED"));
    }
    assertThat(audit.events(LoginRefused.class)).hasSize(500);
    for (int i = 0; i < 600; i++) {
      signOn.certificate(byCertificate, attempt, List.of(stolen));
    }
    assertThat(audit.events(LoginRefused.class)).filteredOn(refused -> refused.reason().equals("CERTIFICATE_REVOKED")).hasSize(500);
  }

  @Test
  void guessesAreCounted() {
    for (int i = 0; i < 10; i++) {
      password("alice", "wrong" + i, Optional.empty(), Optional.empty());
    }
    assertThat(password("alice", "demo", Optional.empty(), Optional.empty())).isInstanceOf(Outcome.Throttled.class);
  }

  /**
   * HTTP Basic sends the same with every request: guesses by strangers do not delay it, and it clears none of theirs.
   */
  @Test
  void credentialsThatWereRightBeforeAreNoGuess() {
    AppSession first = open("alice");
    for (int i = 0; i < 10; i++) {
      password("alice", "wrong" + i, Optional.empty(), Optional.empty());
    }
    assertThat(password("alice", "demo", Optional.empty(), Optional.of(first.id()))).isInstanceOf(Outcome.Open.class);
    assertThat(password("alice", "demo", Optional.empty(), Optional.empty())).isInstanceOf(Outcome.Throttled.class);
  }

  @Test
  void theSameCredentialsGoOnInTheirSession() {
    AppSession first = open("alice");
    time.advance(Duration.ofMinutes(5));
    assertThat(password("alice", "demo", Optional.empty(), Optional.of(first.id())))
        .isInstanceOfSatisfying(
            Outcome.Open.class,
            again -> {
              assertThat(again.session().id()).isEqualTo(first.id());
              assertThat(again.fresh()).isFalse();
            });
  }

  /** SECURITY-CASES 40. */
  @Test
  void aLoginEndsTheSessionThatTheBrowserHad() {
    SessionToken planted = SessionToken.create(random);
    AppSession before = open("bob");
    sessions.alias(before.id(), planted);

    assertThat(password("alice", "demo", Optional.of(planted), Optional.empty())).isInstanceOf(Outcome.Open.class);

    assertThat(sessions.load("demo", before.id())).isEmpty();
    assertThat(sessions.load("demo", planted)).isEmpty();
  }

  @Test
  void aChangedPasswordEndsWhatTheOldOneOpened() {
    AppSession alice = open("alice");
    AppSession bob = open("bob");

    changes.announce("demo", alice.person());

    assertThat(sessions.load("demo", alice.id())).isEmpty();
    assertThat(sessions.load("demo", bob.id())).isPresent();
    assertThat(audit.events(SessionEnded.class))
        .singleElement()
        .satisfies(ended -> assertThat(ended.cause()).isEqualTo("password changed"));
  }

  @Test
  void aSilentDirectoryIsNobodysMistake() {
    server.stop();
    assertThat(password("alice", "demo", Optional.empty(), Optional.empty())).isInstanceOf(Outcome.Unavailable.class);
  }
}
