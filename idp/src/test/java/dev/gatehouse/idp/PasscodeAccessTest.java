package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.otp.KnownPeople.Returned;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.StandIn;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition.Weekly;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.Access;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules about agents and hours, whichever way a passcode comes in. */
final class PasscodeAccessTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String PIN = "2468";

  private final Idp idp = new Idp(realm());
  private final PasscodeCheck check = idp.context.getBean(PasscodeChecks.class).of(realm()).orElseThrow();

  /** Managers at the VPN at any time, staff at it on every day until noon; nobody but auditors at the agent. */
  private static Realm realm() {
    Weekly mornings = new Weekly(Set.of(DayOfWeek.values()), LocalTime.MIDNIGHT, LocalTime.NOON, ZoneId.of("UTC"));
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin rules =
        new TokenLogin(
            usual.pin(), usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor(), Optional.empty(),
            List.of(
                new Access(Set.of("radius:vpn"), Set.of("managers"), List.of()),
                new Access(Set.of("radius:vpn"), Set.of("staff"), List.of(mornings)),
                new Access(Set.of("agent:host"), Set.of("auditors"), List.of())),
            usual.deskExpiry());
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(rules));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  @BeforeEach
  void assign() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-access", SEED, FakeDirectory.ALICE.id(), PIN);
    groups("staff");
  }

  @AfterEach
  void erase() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.remove("demo", "t-access");
  }

  private void groups(String... groups) {
    Person alice = FakeDirectory.ALICE;
    idp.directory.put(new Person(alice.id(), alice.name(), alice.dn(), alice.attributes(), List.of(groups), alice.roles()), "demo");
  }

  /** A time of the next day, so that the token has new codes. */
  private void at(int hour) {
    Instant now = idp.time.instant();
    Instant then = now.atZone(ZoneOffset.UTC).toLocalDate().plusDays(1).atTime(hour, 0).toInstant(ZoneOffset.UTC);
    idp.time.advance(Duration.between(now, then));
  }

  private String code() throws Exception {
    return new TimeBasedOneTimePasswordGenerator().generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant());
  }

  private PasscodeResult by(String client, String passcode) {
    return check.check(new PasscodeAttempt("alice", passcode, client, ""));
  }

  private String lastReason() {
    return idp.audit.events(AuditEvent.PasscodeDecided.class).getLast().detail();
  }

  /** The groups that are known of the person when a client lets them in that looks at none itself. */
  private List<String> groupsBy(String client) throws Exception {
    at(9);
    PasscodeAttempt attempt = new PasscodeAttempt("alice", PIN + code(), client, "", new PasscodeAttempt.Admission(false, person -> true));
    return ((Accepted) check.check(attempt)).person().groups();
  }

  @Test
  void groupsAreReadWhereARuleLooksAtThem() throws Exception {
    assertThat(groupsBy("radius:vpn")).containsExactly("staff");
    assertThat(groupsBy("radius:wifi")).isEmpty();
    at(9);
    assertThat(((Accepted) by("radius:wifi", PIN + code())).person().groups()).as("and where the client does").containsExactly("staff");
  }

  @Test
  void groupsAndHoursDecideAtAgentsWithRules() throws Exception {
    at(9);
    assertThat(by("radius:vpn", PIN + code())).isInstanceOf(Accepted.class);
    at(12);
    assertThat(by("radius:vpn", PIN + code())).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    assertThat(lastReason()).isEqualTo("NOT_ADMITTED");
    groups("staff", "Managers");
    at(13);
    assertThat(by("radius:vpn", PIN + code())).isInstanceOf(Accepted.class);
    at(13);
    assertThat(by("agent:host", PIN + code())).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    groups();
    at(9);
    assertThat(by("radius:vpn", PIN + code())).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    at(9);
    // No rule is about these: everybody with a token may come in, as before.
    assertThat(by("radius:wifi", PIN + code())).isInstanceOf(Accepted.class);
    at(9);
    assertThat(by("login:a-browser", PIN + code())).isInstanceOf(Accepted.class);
  }

  @Test
  void aPasscodeThatIsNotAdmittedStaysAndAWrongOneCountsAsElsewhere() throws Exception {
    at(13);
    String passcode = PIN + code();
    assertThat(by("radius:vpn", passcode)).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    assertThat(by("radius:wifi", passcode)).isInstanceOf(Accepted.class);
    assertThat(by("radius:vpn", "9999" + code())).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(1);
    // A right one that is not admitted forgives nothing.
    at(13);
    by("radius:vpn", PIN + code());
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(1);
  }

  @Test
  void nobodyIsAskedForMoreWhoMayNotComeIn() throws Exception {
    TokenDesk desk = idp.context.getBean(TokenDesk.class);
    at(9);
    String temporary = ((Result.Accepted<String, TokenDesk.Refusal>) desk.resetPin("demo", FakeDirectory.ALICE.id().value())).value();
    Challenged asked = (Challenged) by("radius:vpn", temporary + code());
    // The hours are over before the answer.
    at(13);
    assertThat(check.answer(asked.reference(), new PasscodeAttempt("alice", "7531", "radius:vpn", ""))).isInstanceOf(Refused.class);
    assertThat(by("radius:vpn", temporary + code())).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    Instant until = idp.time.instant().plus(Duration.ofDays(3));
    StandIn sheet = ((Result.Accepted<StandIn, TokenDesk.Refusal>) desk.standIn("demo", FakeDirectory.ALICE.id().value(), 2, until)).value();
    assertThat(by("radius:vpn", temporary + sheet.values().getFirst())).isEqualTo(new Refused(Reason.NOT_ADMITTED));
  }

  @Test
  void whatOnlyLooksLikeAnEmergencyCodeCountsAsWrongWhetherThePinIsRightOrNot() {
    at(13);
    assertThat(by("radius:vpn", "9999" + "abcdefghjkmn")).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(1);
    assertThat(by("radius:vpn", PIN + "abcdefghjkmn")).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(2);
  }

  @Test
  void whoeverIsGoneGetsNoToken() {
    TokenDesk desk = idp.context.getBean(TokenDesk.class);
    var alice = FakeDirectory.ALICE;
    Idp.KNOWN_PEOPLE.write(
        "demo",
        List.of(
            new dev.gatehouse.common.otp.KnownPerson(
                alice.id(), alice.name(), "", "", alice.dn(), List.of(), dev.gatehouse.common.otp.KnownPerson.Status.ACTIVE, idp.time.instant(),
                Optional.empty())),
        List.of());
    try {
      assertThat(Idp.KNOWN_PEOPLE.leave("demo", alice.id(), idp.time.instant(), told -> {})).extracting(Returned::serial).containsExactly("t-access");
      assertThat(by("radius:wifi", PIN + "123456")).isEqualTo(new Refused(Reason.NO_TOKEN));
      TokenDesk.TokenView token = desk.find("demo", "t-access").orElseThrow();
      assertThat(desk.change("demo", token, new TokenDesk.Change.Assign(alice.id().value())))
          .isEqualTo(Result.refused(TokenDesk.Refusal.PERSON_GONE));
      Map<String, ?> stored =
          idp.context.getBean(dev.gatehouse.idp.otp.people.KnownPersonData.class)
              .ofPerson("demo", new dev.gatehouse.common.admin.AdminResource.PersonReference(alice.id().value(), alice.name()));
      assertThat(stored.toString()).contains("GONE", alice.name());
    } finally {
      Idp.KNOWN_PEOPLE.erase("demo", alice.id());
    }
  }
}
