package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowGuessThrottleTest {

  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final ThrottleConfig LIMITS = new ThrottleConfig(3, 20, WINDOW);

  private final TestTime time = new TestTime();
  private final WindowGuessThrottle throttle = new WindowGuessThrottle(time);

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }

  /** Another address for each number. */
  private static InetAddress address(int number) {
    return address("10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255));
  }

  private Admission admit(String name, String from) {
    return throttle.admit("demo", name, address(from), LIMITS);
  }

  private Admission.Admitted admitted(String name, String from) {
    Admission admission = admit(name, from);
    assertThat(admission).isInstanceOf(Admission.Admitted.class);
    return (Admission.Admitted) admission;
  }

  private void fail(String name, int times) {
    for (int i = 0; i < times; i++) {
      admitted(name, "192.0.2.1");
    }
  }

  private static boolean isAdmitted(Admission admission) {
    return admission instanceof Admission.Admitted;
  }

  @Test
  void refusesTheAccountAfterItsLimitFromWhereverItIsTried() {
    fail("alice", 3);
    assertThat(admit("alice", "198.51.100.7")).isEqualTo(new Admission.Refused(true, WINDOW));
    assertThat(admit("bob", "192.0.2.1")).isInstanceOf(Admission.Admitted.class);
    assertThat(throttle.admit("other", "alice", address("192.0.2.1"), LIMITS)).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void slidesTheWindow() {
    fail("alice", 1);
    time.advance(Duration.ofMinutes(4));
    fail("alice", 2);
    time.advance(Duration.ofMinutes(5));
    assertThat(admit("alice", "192.0.2.1")).isEqualTo(new Admission.Refused(true, Duration.ofMinutes(1)));
    time.advance(Duration.ofMinutes(1));
    fail("alice", 1);
    assertThat(admit("alice", "192.0.2.1")).isEqualTo(new Admission.Refused(true, Duration.ofMinutes(4)));
  }

  @Test
  void asksToWaitASecondAtLeast() {
    fail("alice", 3);
    time.advance(WINDOW.minusMillis(1));
    assertThat(admit("alice", "192.0.2.1")).isEqualTo(new Admission.Refused(true, Duration.ofSeconds(1)));
  }

  @Test
  void clearsTheAccountOnSuccess() {
    fail("alice", 2);
    admitted("alice", "192.0.2.1").succeeded();
    fail("alice", 3);
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isFalse();
  }

  @Test
  void countsGuessesThatBeganAfterTheOneThatSucceeded() {
    Admission.Admitted own = admitted("alice", "192.0.2.1");
    fail("alice", 2);
    own.succeeded();
    fail("alice", 1);
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isFalse();
  }

  @Test
  void returnsBothPermitsWhereNothingWasLearned() {
    for (int i = 0; i < 50; i++) {
      Admission.Admitted permit = admitted("alice", "192.0.2.1");
      permit.undecided();
      permit.undecided();
    }
    fail("alice", 3);
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isFalse();
  }

  @Test
  void slowsTheAddressThatStuffsAndNotItsVictims() {
    for (int i = 0; i < 20; i++) {
      admitted("victim" + i, "192.0.2.1");
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(admit("victim" + i % 20, "192.0.2.1")).isEqualTo(new Admission.Refused(false, WINDOW));
    }
    for (int i = 0; i < 20; i++) {
      admitted("victim" + i, "198.51.100.1").succeeded();
    }
  }

  @Test
  void doesNotLetSuccessAtOnesOwnAccountFreeTheAddress() {
    for (int i = 0; i < 19; i++) {
      admitted("victim" + i, "192.0.2.1");
      admitted("attacker", "192.0.2.1").succeeded();
    }
    admitted("victim19", "192.0.2.1");
    assertThat(admit("attacker", "192.0.2.1")).isEqualTo(new Admission.Refused(false, WINDOW));
  }

  @Test
  void doesNotChargeTheAddressForALockedAccount() {
    fail("alice", 3);
    for (int i = 0; i < 100; i++) {
      assertThat(isAdmitted(admit("alice", "198.51.100.1"))).isFalse();
    }
    admitted("bob", "198.51.100.1");
  }

  @Test
  void takesAnIpv6NetworkForOneAddress() {
    for (int i = 0; i < 20; i++) {
      admitted("victim" + i, "2001:db8:1:2::" + i);
    }
    assertThat(isAdmitted(admit("bob", "2001:db8:1:2:ffff::1"))).isFalse();
    assertThat(isAdmitted(admit("bob", "2001:db8:1:3::1"))).isTrue();
    assertThat(isAdmitted(admit("bob", "2001:db8::1"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALICE", " alice ", "Ａｌｉｃｅ", "a\u200blice", "aLiCe"})
  void countsVariantsOfANameTogether(String variant) {
    fail("alice", 2);
    admitted(variant, "192.0.2.1");
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isFalse();
    assertThat(isAdmitted(admit(variant, "192.0.2.1"))).isFalse();
  }

  @Test
  void admitsExactlyTheLimitOfAThousandAtOnce() throws Exception {
    ThrottleConfig limits = new ThrottleConfig(10, 100_000, WINDOW);
    List<Admission> byAccount =
        Race.of(1000, i -> () -> throttle.admit("demo", i % 2 == 0 ? "alice" : "ALICE", address(i), limits));
    assertThat(byAccount).filteredOn(WindowGuessThrottleTest::isAdmitted).hasSize(10);

    ThrottleConfig narrow = new ThrottleConfig(10, 50, WINDOW);
    List<Admission> byAddress =
        Race.of(1000, i -> () -> throttle.admit("demo", "person" + i, address("203.0.113.9"), narrow));
    assertThat(byAddress).filteredOn(WindowGuessThrottleTest::isAdmitted).hasSize(50);
  }

  @Test
  void keepsTheCounterOfAnAttackedAccountWhenTheTableIsFlooded() {
    WindowGuessThrottle small = new WindowGuessThrottle(time, 1000);
    for (int i = 0; i < 3; i++) {
      small.admit("demo", "alice", address(1), LIMITS);
    }
    for (int i = 0; i < 50_000; i++) {
      small.admit("demo", "invented" + i, address(i), LIMITS);
    }
    assertThat(small.admit("demo", "alice", address(2), LIMITS)).isEqualTo(new Admission.Refused(true, WINDOW));
  }

  @Test
  void isBoundedAndForgetsWhatIsOver() {
    FailureCounters counters = new FailureCounters(1000);
    for (int i = 0; i < 5000; i++) {
      counters.take("key" + i, 3, WINDOW, time.instant());
    }
    assertThat(counters.size()).isEqualTo(1000);
    time.advance(WINDOW);
    for (int i = 0; i < 300; i++) {
      counters.take("fresh" + i, 3, WINDOW, time.instant());
    }
    assertThat(counters.size()).isLessThanOrEqualTo(300);
  }

  @Test
  void codesAreCountedApartFromPasswords() {
    for (int i = 0; i < 3; i++) {
      assertThat(throttle.admitCode("demo", "alice-uuid", address("192.0.2.1"), LIMITS)).isInstanceOf(Admission.Admitted.class);
    }
    assertThat(throttle.admitCode("demo", "alice-uuid", address("198.51.100.7"), LIMITS))
        .isEqualTo(new Admission.Refused(true, WINDOW));
    // The right password makes wrong passwords forgotten, and no wrong code.
    admitted("alice", "192.0.2.2").succeeded();
    admitted("alice-uuid", "192.0.2.2").succeeded();
    admitted("\0alice-uuid", "192.0.2.2").succeeded();
    assertThat(throttle.admitCode("demo", "alice-uuid", address("192.0.2.3"), LIMITS))
        .isEqualTo(new Admission.Refused(true, WINDOW));
  }
}
