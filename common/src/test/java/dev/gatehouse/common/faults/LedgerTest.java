package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Facts that are planted: a ledger that does not see them would call every fault harmless. */
class LedgerTest {

  private static final FaultRow.Gaps NO_GAPS = new FaultRow.Gaps(Duration.ZERO, Duration.ZERO, Duration.ZERO);
  private static final Duration MEMORY = Duration.ofSeconds(2);

  private final AtomicLong later = new AtomicLong();
  private final Ledger ledger = new Ledger(() -> System.nanoTime() + later.get());

  private interface Answer {
    Verdict of(Fact fact) throws IOException;
  }

  private static Fact fact(Kind kind, Answer answer) {
    return new Fact(kind, true) {
      @Override
      Verdict ask() throws IOException {
        return answer.of(this);
      }
    };
  }

  /** A session that a node accepts, asked so long after its end. */
  private static Fact acceptedAfter(int millis) {
    return fact(
        Kind.LOGOUT,
        fact -> {
          fact.accepted(fact.sinceNanos() + TimeUnit.MILLISECONDS.toNanos(millis));
          return Verdict.LATE;
        });
  }

  private FaultRow.Judged judged() {
    return FaultRow.of(new Requests(), ledger, NO_GAPS).judged();
  }

  @Test
  void whatIsLostOrAcceptedAgainIsCountedOnceAndForAll() {
    Fact lost = fact(Kind.SESSION, fact -> fact.checks() == 0 ? Verdict.LOST : Verdict.KEPT);
    ledger.add(lost);
    ledger.add(fact(Kind.CODE_USED, fact -> Verdict.WRONGLY_ACCEPTED));
    ledger.add(fact(Kind.CONSENT, fact -> Verdict.KEPT));
    ledger.check(lost);
    ledger.checkAll(Duration.ZERO);
    assertThat(judged().lost()).isEqualTo(1);
    assertThat(judged().wronglyAccepted()).isEqualTo(1);
    assertThat(ledger.findings()).hasSize(2);
  }

  @Test
  void anEndedSessionIsLateWhileANodeMayGoByItsMemoryAndWrongAfterThat() {
    ledger.allow(MEMORY);
    ledger.begins();
    Fact within = acceptedAfter(1_900);
    Fact beyond = acceptedAfter(2_001);
    ledger.add(within);
    ledger.add(beyond);
    ledger.check(within);
    ledger.check(beyond);
    assertThat(judged().late()).isEqualTo(new FaultRow.Late(1, Duration.ofMillis(1_900)));
    assertThat(judged().wronglyAccepted()).isEqualTo(1);
  }

  @Test
  void afterTheFaultNothingExcusesANode() {
    ledger.allow(MEMORY.plusSeconds(60));
    ledger.begins();
    Fact ended = acceptedAfter(30_000);
    ledger.add(ended);
    ledger.check(ended);
    assertThat(judged().wronglyAccepted()).isZero();
    ledger.checkAll(Duration.ZERO);
    assertThat(judged().wronglyAccepted()).isEqualTo(1);
    assertThat(judged().late().facts()).isZero();
  }

  @Test
  void theFaultExcusesNobodyBeforeItBegins() {
    ledger.allow(MEMORY);
    Fact unheard = acceptedAfter(1_900);
    Fact late = acceptedAfter(900);
    ledger.add(unheard);
    ledger.add(late);
    ledger.check(unheard);
    ledger.check(late);
    Fact asked = acceptedAfter(1_900);
    ledger.add(asked);
    later.set(TimeUnit.SECONDS.toNanos(3));
    ledger.begins();
    ledger.check(asked);
    assertThat(judged().wronglyAccepted()).isEqualTo(2);
    assertThat(judged().late()).isEqualTo(new FaultRow.Late(1, Duration.ofMillis(900)));
  }

  @Test
  void theFaultExcusesNobodyLongAfterItsEnd() {
    ledger.allow(MEMORY.plusSeconds(60));
    later.set(TimeUnit.SECONDS.toNanos(-100));
    ledger.begins();
    later.set(TimeUnit.SECONDS.toNanos(-40));
    ledger.ends();
    Fact soon = acceptedAfter(10_000);
    ledger.add(soon);
    ledger.check(soon);
    assertThat(judged().wronglyAccepted()).isZero();
    later.set(TimeUnit.SECONDS.toNanos(-90));
    ledger.ends();
    Fact much = acceptedAfter(10_000);
    ledger.add(much);
    ledger.check(much);
    assertThat(judged().wronglyAccepted()).isEqualTo(1);
  }

  @Test
  void aWayThatIsWrongCountsMoreThanOneThatIsLate() throws IOException {
    Fact.Trial away =
        () -> {
          throw new Visitor.Unavailable("away");
        };
    assertThat(Fact.worst(() -> Verdict.LATE, () -> Verdict.WRONGLY_ACCEPTED, () -> Verdict.KEPT)).isEqualTo(Verdict.WRONGLY_ACCEPTED);
    assertThat(Fact.worst(away, () -> Verdict.LATE)).isEqualTo(Verdict.LATE);
    assertThat(Fact.worst(() -> Verdict.KEPT)).isEqualTo(Verdict.KEPT);
    assertThatThrownBy(() -> Fact.worst(() -> Verdict.KEPT, away)).isInstanceOf(Visitor.Unavailable.class).hasMessageContaining("away");
  }

  @Test
  void whatTwoFindAtOnceIsNotedOnce() {
    Fact lost =
        new Fact(Kind.SESSION, true) {
          private boolean isSeen;

          @Override
          Verdict ask() {
            return Verdict.LOST;
          }

          /** Another one checks between a look at the verdict and the check. */
          @Override
          Verdict verdict() {
            Verdict verdict = super.verdict();
            if (!isSeen) {
              isSeen = true;
              ledger.check(this);
            }
            return verdict;
          }
        };
    ledger.check(lost);
    ledger.check(lost);
    assertThat(ledger.findings()).hasSize(1);
  }

  @Test
  void sessionsThatWereEndedSinceTheFaultAreCountedApart() {
    ledger.add(fact(Kind.LOGOUT, fact -> Verdict.KEPT));
    ledger.begins();
    assertThat(FaultRow.of(new Requests(), ledger, NO_GAPS).ended()).isZero();
    ledger.add(fact(Kind.SESSION, fact -> Verdict.KEPT));
    ledger.add(fact(Kind.LOGOUT, fact -> Verdict.KEPT));
    assertThat(FaultRow.of(new Requests(), ledger, NO_GAPS).ended()).isEqualTo(1);
  }

  @Test
  void aFactThatNobodyAnswersForIsCounted() {
    ledger.add(
        fact(
            Kind.SESSION,
            fact -> {
              throw new Visitor.Unavailable("away");
            }));
    ledger.add(
        fact(
            Kind.CONSENT,
            fact -> {
              throw new IllegalStateException("another page");
            }));
    ledger.checkAll(Duration.ZERO);
    assertThat(judged().unanswered()).isEqualTo(2);
  }

  @Test
  void aYoungFactIsAskedForAndAgainWhenAllMustKnowIt() {
    Ledger older = new Ledger(() -> System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    for (int i = 0; i < 10_000; i++) {
      older.add(fact(Kind.REGISTRATION, fact -> Verdict.KEPT));
    }
    Fact young = fact(Kind.LOGOUT, fact -> Verdict.KEPT);
    older.add(young);
    older.checkSome();
    assertThat(young.checks()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void anErrorOrAnAnswerThatNoFaultExplainsIsUnexpected() {
    Requests requests = new Requests();
    URI url = URI.create("http://127.0.0.22/realms/office/login");
    requests.failed(url, 503, "This is not possible at the moment");
    requests.failed(url, 502, "502 Bad Gateway");
    requests.failed(url, "java.io.IOException: closed");
    assertThat(FaultRow.of(requests, ledger, NO_GAPS).judged().unexpected()).isZero();
    requests.failed(url, 500, "Something went wrong on our side");
    requests.failed(url, 502, "The app does not answer");
    requests.failed(url, 502, "The app answered 502 Bad Gateway");
    requests.alone("/", 500, "Something went wrong on our side");
    requests.alone("/", 502, "502 Bad Gateway");
    requests.alone("/", 503, "This is not possible at the moment");
    ledger.unexpected("Not 200: 400 invalid_grant");
    FaultRow row = FaultRow.of(requests, ledger, NO_GAPS);
    assertThat(row.judged().unexpected()).isEqualTo(6);
    assertThat(row.requests().failed()).as("those of people").isEqualTo(6);
  }
}
