package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Facts that are planted: a ledger that does not see them would call every fault harmless. */
class LedgerTest {

  private static final FaultRow.Gaps NO_GAPS = new FaultRow.Gaps(Duration.ZERO, Duration.ZERO, Duration.ZERO);
  private static final Duration MEMORY = Duration.ofSeconds(2);

  private final Ledger ledger = new Ledger();

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
    Fact ended = acceptedAfter(30_000);
    ledger.add(ended);
    ledger.check(ended);
    assertThat(judged().wronglyAccepted()).isZero();
    ledger.checkAll(Duration.ZERO);
    assertThat(judged().wronglyAccepted()).isEqualTo(1);
    assertThat(judged().late().facts()).isZero();
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
    Ledger later = new Ledger(() -> System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    for (int i = 0; i < 10_000; i++) {
      later.add(fact(Kind.REGISTRATION, fact -> Verdict.KEPT));
    }
    Fact young = fact(Kind.LOGOUT, fact -> Verdict.KEPT);
    later.add(young);
    later.checkSome();
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
    requests.alone("/", 500, "Something went wrong on our side");
    ledger.unexpected("Not 200: 400 invalid_grant");
    FaultRow row = FaultRow.of(requests, ledger, NO_GAPS);
    assertThat(row.judged().unexpected()).isEqualTo(4);
    assertThat(row.requests().failed()).as("those of people").isEqualTo(5);
  }
}
