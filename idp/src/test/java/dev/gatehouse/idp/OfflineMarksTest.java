package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.idp.otp.OfflineDays;
import dev.gatehouse.idp.otp.OfflineDays.Use;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A code that counted at an agent without a node and at a node as well is found, however late the agent reports it. */
final class OfflineMarksTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String PIN = "24681357";
  private static final ClientConfig.Passcodes THIRTY = new ClientConfig.Passcodes(Set.of(), 50, 30);

  private final Realm realm = realm();
  private final Idp idp = new Idp(realm);
  private final OfflineDays offline = idp.context.getBean(OfflineDays.class);
  private int reports;

  private static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ClientConfig c = TestClients.keys("host", Method.PRIVATE_KEY_JWT, new Keys.Jwks("{\"keys\":[]}"));
    ClientConfig.Permissions p = c.permissions();
    ClientConfig host =
        new ClientConfig(
            c.clientId(), c.displayName(), c.authentication(),
            new ClientConfig.Permissions(p.grants(), p.redirectUris(), p.scopes(), p.resources(), Optional.of(THIRTY)), c.login(),
            c.requests(), c.tokens(), c.keys(), c.logout(), c.about());
    return TestRealms.change(TestRealms.demo())
        .contracts(
            new ContractsConfig(
                false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.of(TokenLogin.USUAL)))
        .clients(host)
        .realm();
  }

  @BeforeEach
  void assign() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-marks", SEED, FakeDirectory.ALICE.id(), PIN);
    // Marks are complete since the start, and a code of that moment may lack one.
    idp.time.advance(Duration.ofHours(1));
  }

  @AfterEach
  void erase() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.remove("demo", "t-marks");
  }

  private String ticket() {
    String ticket = offline.ticket(realm, "host", THIRTY, new Accepted(FakeDirectory.ALICE, "t-marks")).orElseThrow();
    idp.time.advance(Duration.ofMinutes(5));
    return ticket;
  }

  private PasscodeResult login() throws GeneralSecurityException {
    String code = new TimeBasedOneTimePasswordGenerator().generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant());
    String name = FakeDirectory.ALICE.name();
    return idp.context.getBean(PasscodeChecks.class).of(realm).orElseThrow()
        .check(new PasscodeAttempt(name, PIN + code, "radius:vpn", "192.0.2.1", person -> true));
  }

  private static long step(Instant at) {
    return at.getEpochSecond() / 30;
  }

  private String reported(String ticket, Instant at) {
    int before = idp.audit.events(AuditEvent.PasscodeDecided.class).size();
    reports++;
    offline.take(realm, "host", THIRTY, ticket, List.of(new Use(String.format("%032x", reports), at, true, step(at))));
    return idp.audit.events(AuditEvent.PasscodeDecided.class).stream().skip(before).findFirst().orElseThrow().detail();
  }

  private boolean isMarked(Instant at) {
    return idp.context.getBean(Stores.class).replayCache().isMarked(new ReplayKey("demo", "otp-token", "t-marks " + step(at)));
  }

  @Test
  void aCodeThatAlsoCountedAtANodeIsFoundFiftyNineDaysLater() throws GeneralSecurityException {
    String ticket = ticket();
    Instant both = idp.time.instant();
    assertThat(login()).isInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofMinutes(10));
    Instant alone = idp.time.instant();
    idp.time.advance(Duration.ofDays(20));
    assertThat(login()).as("a later code, so that the row tells nothing of the former ones").isInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofDays(39));
    assertThat(reported(ticket, both)).contains("used elsewhere, or");
    assertThat(reported(ticket, alone)).as("counted at the agent alone").startsWith("accepted t-marks at ");
    assertThat(reported(ticket, alone)).as("at another agent, too").contains("used elsewhere, or");
  }

  @Test
  void theFirstOfTwoReportsIsRememberedAsLong() throws GeneralSecurityException {
    String ticket = ticket();
    Instant used = idp.time.instant();
    assertThat(reported(ticket, used)).startsWith("accepted t-marks at ");
    idp.time.advance(Duration.ofDays(1));
    assertThat(login()).isInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofDays(50));
    assertThat(reported(ticket, used)).contains("used elsewhere, or");
  }

  @Test
  void marksOfTokensWithoutDaysEndWithTheirSteps() throws GeneralSecurityException {
    Instant used = idp.time.instant();
    assertThat(login()).isInstanceOf(Accepted.class);
    assertThat(isMarked(used)).isTrue();
    idp.time.advance(Duration.ofHours(1));
    assertThat(isMarked(used)).isFalse();
    ticket();
    Instant later = idp.time.instant();
    assertThat(login()).isInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofDays(60));
    assertThat(isMarked(later)).as("with days").isTrue();
    idp.time.advance(Duration.ofHours(2));
    assertThat(isMarked(later)).isFalse();
    Instant afterwards = idp.time.instant();
    assertThat(login()).isInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofHours(1));
    assertThat(isMarked(afterwards)).as("thirty days and a bucket after the last ones").isFalse();
  }
}
