package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.otp.FetchLimits.Exceeded;
import dev.gatehouse.idp.otp.FetchLimits.Limit;
import dev.gatehouse.idp.otp.OfflineCodes;
import dev.gatehouse.idp.otp.OfflineDays;
import dev.gatehouse.idp.otp.OfflineDays.Material;
import dev.gatehouse.idp.otp.OfflineDays.Use;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What agents get for days without a node, what ends it, and what it is worth to somebody who guesses. */
final class OfflineDaysTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final ClientConfig.Passcodes ONE = new ClientConfig.Passcodes(Set.of(), 50, 1);
  private static final ClientConfig.Passcodes THIRTY = new ClientConfig.Passcodes(Set.of(), 50, 30);

  private final Realm realm = realm();
  private final Idp idp = new Idp(realm);
  private final OfflineDays offline = idp.context.getBean(OfflineDays.class);

  private static Realm realm() {
    return realm(TokenLogin.USUAL);
  }

  private static Realm realm(TokenLogin rules) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    return TestRealms.change(TestRealms.demo())
        .contracts(
            new ContractsConfig(
                false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.of(rules)))
        .realm();
  }

  @BeforeEach
  void assign() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-off", SEED, FakeDirectory.ALICE.id(), "24681357");
  }

  @AfterEach
  void erase() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.remove("demo", "t-off");
  }

  private String ticket() {
    return offline.ticket(realm, "host", ONE, new Accepted(FakeDirectory.ALICE, "t-off")).orElseThrow();
  }

  private Optional<Material> days(ClientConfig.Passcodes rights, String ticket) {
    return days("host", rights, ticket, 0);
  }

  private Optional<Material> days(String agent, ClientConfig.Passcodes rights, String ticket, long from) {
    return days(realm, agent, rights, ticket, from);
  }

  private Optional<Material> days(Realm realm, String agent, ClientConfig.Passcodes rights, String ticket, long from) {
    return ((Result.Accepted<Optional<Material>, Exceeded>) offline.material(realm, agent, rights, ticket, from)).value();
  }

  @Test
  void aDayHasTheCodesOfItsStepsAndFewBytes() {
    Material day = days(ONE, ticket()).orElseThrow();
    assertThat(day.codes().length).isBetween(5760, 5770);
    assertThat(day.until()).isEqualTo(idp.time.instant().plus(Duration.ofDays(1)));
    Material rest = days("host", ONE, ticket(), day.from() + 2880).orElseThrow();
    assertThat(rest.from()).isEqualTo(day.from() + 2880);
    assertThat(rest.codes().length).isLessThan(10);
  }

  @Test
  void theTicketIsOfOneAgentAndEndsWithWhatItIsFor() {
    String ticket = ticket();
    assertThat(days(ONE, ticket)).isPresent();
    assertThat(days("other", ONE, ticket, 0)).as("another agent").isEmpty();
    assertThat(days(ONE, "AAAA")).as("no ticket").isEmpty();
    assertThat(days(new ClientConfig.Passcodes(Set.of(), 50, 0), ticket)).as("not permitted any more").isEmpty();
    assertThat(days(new ClientConfig.Passcodes(Set.of("manager"), 50, 1), ticket)).as("without the role").isEmpty();
    Idp.TOKENS.change("demo", "t-off", Token.State.DISABLED);
    assertThat(days(ONE, ticket)).as("token disabled").isEmpty();
    Idp.TOKENS.change("demo", "t-off", Token.State.ENABLED);
    assertThat(days(ONE, ticket)).isPresent();
    erase();
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-off", SEED, FakeDirectory.ALICE.id(), "97531864");
    assertThat(days(ONE, ticket)).as("another PIN").isEmpty();
    String next = ticket();
    assertThat(days(ONE, next)).isPresent();
    idp.time.advance(Duration.ofDays(1));
    assertThat(days(ONE, next)).as("a day later").isEmpty();
  }

  @Test
  void hoursCountWhenTheAgentAsksAndNotWhileItIsAlone() {
    Instant began = idp.time.instant();
    LocalTime now = LocalTime.ofInstant(began, ZoneOffset.UTC);
    Condition.Times hours = new Condition.Weekly(EnumSet.allOf(DayOfWeek.class), now.minusHours(1), now.plusHours(1), ZoneOffset.UTC);
    TokenLogin usual = TokenLogin.USUAL;
    Realm restricted =
        realm(
            new TokenLogin(
                usual.pin(), usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor(), usual.people(),
                List.of(new TokenLogin.Access(Set.of("agent:host"), Set.of(), List.of(hours))), usual.deskExpiry()));
    String ticket = ticket();
    Material day = days(restricted, "host", ONE, ticket, 0).orElseThrow();
    assertThat(day.until()).as("what it has goes on after the hours").isEqualTo(began.plus(Duration.ofDays(1)));
    assertThat(day.codes().length).isGreaterThan(5700);
    idp.time.advance(Duration.ofHours(2));
    assertThat(days(restricted, "host", ONE, ticket, 0)).as("an agent that asks after the hours is told that they ended").isEmpty();
    idp.time.advance(Duration.ofHours(22));
    assertThat(days(restricted, "host", ONE, ticket(), 0)).as("the next login within the hours").isPresent();
  }

  @Test
  void aUseIsTakenOnceAndWrongOnesAreCounted() {
    String ticket = ticket();
    long step = idp.time.instant().getEpochSecond() / 30 + 1;
    Use right = new Use("1".repeat(32), idp.time.instant(), true, step);
    Use wrong = new Use("2".repeat(32), idp.time.instant(), false, 0);
    for (int i = 0; i < 2; i++) {
      assertThat(offline.take(realm, "host", ONE, ticket, List.of(right, wrong))).isTrue();
    }
    assertThat(offline.take(realm, "other", ONE, ticket, List.of(right))).as("another agent").isFalse();
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(1);
    assertThat(days(ONE, ticket).orElseThrow().lastUsed()).isEqualTo(step);
  }

  private List<String> taken(String ticket, Use use) {
    int before = idp.audit.events(AuditEvent.PasscodeDecided.class).size();
    offline.take(realm, "host", ONE, ticket, List.of(use));
    return idp.audit.events(AuditEvent.PasscodeDecided.class).stream()
        .skip(before).map(e -> e.detail().replaceAll(" at .*", "")).toList();
  }

  private long step(Instant at) {
    return at.getEpochSecond() / 30;
  }

  @Test
  void aReportForgivesNobody() {
    String ticket = ticket();
    for (int i = 0; i < 2; i++) {
      Idp.TOKENS.countWrong("demo", FakeDirectory.ALICE.id(), 10, Optional.empty());
    }
    Instant now = idp.time.instant();
    assertThat(taken(ticket, new Use("3".repeat(32), now, true, step(now)))).containsExactly("accepted t-off");
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(2);
  }

  @Test
  void whatCannotHaveBeenIsRecordedAndChangesNothing() {
    String ticket = ticket();
    Instant now = idp.time.instant();
    long before = days(ONE, ticket).orElseThrow().lastUsed();
    List<Use> odd =
        List.of(
            new Use("4".repeat(32), now, true, step(now) + 100_000), new Use("5".repeat(32), now.plusSeconds(3600), true, step(now) + 120),
            new Use("6".repeat(32), now.minusSeconds(3600), true, step(now) - 120), new Use("7".repeat(32), now, true, step(now) - 3),
            new Use("8".repeat(32), now.plusSeconds(3600), false, 0));
    for (Use use : odd) {
      assertThat(taken(ticket, use)).as(use.toString()).singleElement().asString().contains("was not taken");
      assertThat(taken(ticket, use)).as("again").isEmpty();
    }
    assertThat(days(ONE, ticket).orElseThrow().lastUsed()).isEqualTo(before);
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isZero();
    idp.time.advance(Duration.ofDays(2));
    Instant late = idp.time.instant();
    assertThat(taken(ticket, new Use("9".repeat(32), late, true, step(late)))).as("after the days").singleElement().asString()
        .contains("was not taken");
    assertThat(taken(ticket, new Use("a".repeat(32), now.plusSeconds(60), true, step(now) + 2))).containsExactly("accepted t-off");
  }

  @Test
  void whatCouldNotBeRecordedIsTakenOnceWhenItIsReportedAgain() {
    String ticket = ticket();
    Instant now = idp.time.instant();
    Use right = new Use("4".repeat(31) + "a", now, true, step(now));
    Use wrong = new Use("4".repeat(31) + "b", now, false, 0);
    idp.audit.breakDown(true);
    try {
      for (Use use : List.of(right, wrong)) {
        assertThatThrownBy(() -> offline.take(realm, "host", ONE, ticket, List.of(use))).isInstanceOf(AuditUnavailable.class);
      }
    } finally {
      idp.audit.breakDown(false);
    }
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isZero();
    assertThat(taken(ticket, right)).containsExactly("accepted t-off");
    assertThat(taken(ticket, wrong)).containsExactly("refused WRONG_PASSCODE");
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(1);
    assertThat(taken(ticket, right)).isEmpty();
  }

  @Test
  void aUseThatIsTooOldToCompareSaysSo() {
    String ticket = ticket();
    Instant then = idp.time.instant();
    idp.time.advance(Duration.ofMinutes(5));
    Instant later = idp.time.instant();
    assertThat(taken(ticket, new Use("b".repeat(32), later, true, step(later)))).containsExactly("accepted t-off");
    assertThat(taken(ticket, new Use("c".repeat(32), then, true, step(then)))).containsExactly("accepted t-off");
    assertThat(taken(ticket, new Use("d".repeat(32), then, true, step(then)))).singleElement().asString().contains("used elsewhere, or");
    idp.time.advance(Duration.ofHours(1));
    assertThat(taken(ticket, new Use("e".repeat(32), then, true, step(then) + 1))).singleElement().asString()
        .contains("cannot be told any more");
  }

  @Test
  void theAuditLogSaysWhichAgentGotCodes() {
    String ticket = ticket();
    int before = idp.audit.events(AuditEvent.PasscodeDecided.class).size();
    Material day = days(ONE, ticket).orElseThrow();
    days("host", ONE, ticket, day.from() + day.codes().length / 2);
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class)).hasSize(before + 1).last()
        .satisfies(e -> assertThat(e.by() + " " + e.outcome() + " " + e.detail())
            .isEqualTo("agent:host offline-days t-off until " + day.until()));
  }

  private Optional<Limit> refusal(ClientConfig.Passcodes rights, String ticket, long from) {
    return offline.material(realm, "host", rights, ticket, from) instanceof Result.Refused<Optional<Material>, Exceeded>(Exceeded exceeded)
        ? Optional.of(exceeded.limit())
        : Optional.empty();
  }

  @Test
  void whatIsFetchedOfAPersonIsLimitedByItsDaysAndNotByRequests() {
    String ticket = ticket();
    long end = days(THIRTY, ticket).orElseThrow().from() + 30 * 2880;
    idp.time.advance(Duration.ofSeconds(2));
    for (int i = 1; i < 4; i++) {
      assertThat(refusal(THIRTY, ticket, 0)).as("whole days, time %d", i).isEmpty();
      idp.time.advance(Duration.ofSeconds(2));
    }
    assertThat(refusal(THIRTY, ticket, 0)).as("a fifth time").contains(Limit.PERSON);
    for (int i = 0; i < 1000; i++) {
      assertThat(refusal(THIRTY, ticket, end - 2)).as("a few codes, time %d", i).isEmpty();
    }
    assertThat(offline.material(realm, "other", THIRTY, ticket, 0)).as("no ticket of another agent").isInstanceOf(Result.Accepted.class);
    idp.time.advance(Duration.ofHours(7));
    assertThat(refusal(THIRTY, ticket, 0)).as("a quarter of a day later").isEmpty();
  }

  @Test
  void aDayOfAnAgentCountsAsOneOfItsRequests() {
    String ticket = ticket();
    assertThat(refusal(THIRTY, ticket, 0)).as("30 of 50").isEmpty();
    assertThat(refusal(THIRTY, ticket, 0)).as("60 of 50").isEmpty();
    assertThat(refusal(THIRTY, ticket, 0)).contains(Limit.AGENT);
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(refusal(THIRTY, ticket, 0)).isEmpty();
    long end = days(THIRTY, ticket).map(day -> day.from() + day.codes().length / 2).orElseThrow();
    assertThat(refusal(THIRTY, ticket, end)).as("whether they still count").isEmpty();
  }

  @Test
  void noGuessTellsAPinFromAnother() {
    Material day = days(ONE, ticket()).orElseThrow();
    short kept = ByteBuffer.wrap(day.codes()).getShort(200);
    long step = day.from() + 100;
    OfflineCodes wrong = new OfflineCodes(Idp.PIN_COST.hash(day.salt(), "90909090"), day.serial());
    int fitting = 0;
    for (int code = 1_000_000; code < 2_000_000; code++) {
      if (wrong.bits(step, String.valueOf(code).substring(1)) == kept) {
        fitting++;
      }
    }
    assertThat(fitting).as("codes that fit a wrong PIN").isBetween(2, 40);
  }

  /** A day may cost 20 ms; the limit here is twice that, because machines that test are busy. */
  @Test
  void aDayCostsTheServerLittle() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    String ticket = ticket();
    for (int i = 0; i < 3; i++) {
      days(THIRTY, ticket);
      idp.time.advance(Duration.ofSeconds(2));
    }
    StringBuilder report = new StringBuilder();
    for (int length : new int[] {1, 3, 30}) {
      ClientConfig.Passcodes rights = new ClientConfig.Passcodes(Set.of(), 50, length);
      // What was fetched before is over then.
      idp.time.advance(Duration.ofDays(1));
      String ofToday = ticket();
      long began = threads.getCurrentThreadCpuTime();
      Material material = days(rights, ofToday).orElseThrow();
      double millis = (threads.getCurrentThreadCpuTime() - began) / 1e6;
      report.append(String.format(Locale.ROOT, "%d days: %.1f ms of CPU, %,d bytes%n", length, millis, material.codes().length));
      assertThat(millis / length).as(report.toString()).isLessThan(40);
      assertThat(material.codes().length / length).isLessThan(48_464);
    }
    System.out.println(report);
  }
}
