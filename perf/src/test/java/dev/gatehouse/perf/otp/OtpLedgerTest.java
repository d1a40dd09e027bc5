package dev.gatehouse.perf.otp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OtpLedgerTest {

  private final OtpLedger ledger = new OtpLedger(1000);

  private OtpLedger.Reconciled reconcile(long logged, long lastUsed, Map<String, String> changed) {
    return ledger.reconcile(token -> logged, token -> lastUsed, changed);
  }

  @Test
  void isWholeIfTheNodeHasWhatItAcknowledged() {
    ledger.accepted("t1", 1001);
    ledger.accepted("t1", 1005);
    ledger.accepted("t2", 1005);
    ledger.changed("fields", "label of t1", "a");
    ledger.changed("fields", "label of t1", "b");
    OtpLedger.Reconciled result = reconcile(2, 1005, Map.of("label of t1", "b"));
    assertThat(result.isWhole()).isTrue();
    assertThat(result.codes()).isEqualTo(3);
    assertThat(result.changes()).isOne();
    assertThat(ledger.last()).containsOnly(Map.entry("t1", 1005L), Map.entry("t2", 1005L));
    assertThat(ledger.acknowledged()).containsOnly(Map.entry("codes", 3L), Map.entry("fields", 2L));
  }

  @Test
  void findsACodeThatIsNotInTheLog() {
    ledger.accepted("t1", 1001);
    ledger.accepted("t1", 1002);
    OtpLedger.Reconciled result = reconcile(1, 1002, Map.of());
    assertThat(result.lost()).isOne();
    assertThat(result.isWhole()).isFalse();
    assertThat(result.named()).containsExactly("token t1: 1 not in the log");
  }

  @Test
  void findsARowThatIsBehind() {
    ledger.accepted("t1", 1002);
    assertThat(reconcile(1, 1001, Map.of()).lost()).isOne();
    assertThat(reconcile(1, 1002, Map.of()).lost()).isZero();
    // A code that came after the last acknowledged one had no answer.
    assertThat(reconcile(2, 1003, Map.of()).isWhole()).isTrue();
  }

  @Test
  void knowsWhichCodesCounted() {
    ledger.accepted("t1", 1001);
    assertThat(ledger.hasCounted("t1", 1001)).isTrue();
    assertThat(ledger.hasCounted("t1", 1002)).isFalse();
    assertThat(ledger.hasCounted("t1", 999)).isFalse();
    assertThat(ledger.hasCounted("t2", 1001)).isFalse();
  }

  /** Both of token 66,844 in November 2026: two codes in a row have the same digits once in a million. */
  @Test
  void aWrongCodeIsThatOfNoStepNearby() {
    assertThat(OtpPeople.code(66_844, 59_862_449)).isEqualTo(OtpPeople.code(66_844, 59_862_450)).isEqualTo("147812");
    assertThat(OtpPeople.wrongCode(66_844, 59_862_449)).isEqualTo("000000").isNotEqualTo("147812");
  }

  @Test
  void findsACodeThatCountedTwice() {
    ledger.accepted("t1", 1001);
    ledger.accepted("t2", 1001);
    ledger.accepted("t1", 1001);
    OtpLedger.Reconciled result = reconcile(2, 1001, Map.of());
    assertThat(result.twice()).isOne();
    assertThat(result.isWhole()).isFalse();
    assertThat(result.named()).containsExactly("counted twice: t1 at 1001");
  }

  @Test
  void findsAChangeThatIsMissingOrAnother() {
    ledger.changed("pin", "PIN of alice", "3852");
    ledger.changed("token", "person of x1", "bob");
    OtpLedger.Reconciled result = reconcile(0, 0, Map.of("PIN of alice", "2468"));
    assertThat(result.lostChanges()).isEqualTo(2);
    assertThat(result.named())
        .containsExactlyInAnyOrder("PIN of alice is 2468 and not 3852", "person of x1 is nothing and not bob");
  }

  @Test
  void requestsWithoutAnAnswerAreCountedApart() {
    ledger.unknown();
    assertThat(reconcile(0, 0, Map.of()).unknown()).isOne();
    assertThat(reconcile(0, 0, Map.of()).isWhole()).isTrue();
  }

  @Test
  void aDayIsAsTheHourWas() {
    assertThat(OtpLedger.inDay(100, 3600)).isEqualTo(2400);
    assertThat(OtpLedger.inDay(100, 86_400)).isEqualTo(100);
  }
}
