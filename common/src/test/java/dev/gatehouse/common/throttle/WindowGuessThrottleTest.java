package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowGuessThrottleTest {

  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final ThrottleConfig LIMITS = new ThrottleConfig(3, 20, WINDOW);

  final TestTime time = new TestTime();
  private final WindowGuessThrottle throttle = throttle(Duration.ofSeconds(30));

  /** Creates the throttle that is tested. */
  WindowGuessThrottle throttle(Duration patience) {
    return new WindowGuessThrottle(time, 100_000, patience);
  }

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
      admitted(name, "192.0.2.1").failed();
    }
  }

  /** One wrong try of that kind, if it is admitted. */
  private Admission wrong(String name, GuessSource by, ThrottleConfig limits) {
    Admission admission = throttle.admit("demo", name, by, limits);
    if (admission instanceof Admission.Admitted admitted) {
      admitted.failed();
    }
    return admission;
  }

  private static boolean isAdmitted(Admission admission) {
    return admission instanceof Admission.Admitted;
  }

  @Test
  void refusalsAreCountedByWhatRefused() {
    MetricFamilies metrics = MetricFamilies.unpublished();
    throttle.publish(metrics);
    SampleFamily refusals = (SampleFamily) metrics.families().getFirst();
    fail("alice", 3);
    assertThat(admit("alice", "192.0.2.9")).isInstanceOf(Admission.Refused.class);
    assertThat(refusals.samples().values()).containsOnly(0.0, 1.0);
    assertThat(refusals.samples().get(List.of("account"))).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      wrong("person" + i, new GuessSource.Stranger(address("192.0.2.33")), LIMITS);
    }
    assertThat(admit("bob", "192.0.2.33")).isInstanceOf(Admission.Refused.class);
    assertThat(refusals.samples().get(List.of("address"))).isEqualTo(1);
  }

  /** Client IDs cost nothing to invent: a flood of them must not push the counter of an account out. */
  @Test
  void wrongSecretsOfInventedClientsForgetNoAccount() {
    WindowGuessThrottle small = new WindowGuessThrottle(time, 50, Duration.ofSeconds(30));
    for (int i = 0; i < 3; i++) {
      ((Admission.Admitted) small.admit("demo", "alice", address("192.0.2.1"), LIMITS)).failed();
    }
    for (int i = 0; i < 500; i++) {
      small.secretWasWrong("demo", "client" + i, false, address("203.0.113.9"), LIMITS);
      small.secretWasWrong("demo", "client" + i, false, address("203.0.113.9"), LIMITS);
    }
    assertThat(small.admit("demo", "alice", address("198.51.100.7"), LIMITS)).isInstanceOf(Admission.Refused.class);
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
      admitted("victim" + i, "192.0.2.1").failed();
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
      admitted("victim" + i, "192.0.2.1").failed();
      admitted("attacker", "192.0.2.1").succeeded();
    }
    admitted("victim19", "192.0.2.1").failed();
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
      admitted("victim" + i, "2001:db8:1:2::" + i).failed();
    }
    assertThat(isAdmitted(admit("bob", "2001:db8:1:2:ffff::1"))).isFalse();
    assertThat(isAdmitted(admit("bob", "2001:db8:1:3::1"))).isTrue();
    assertThat(isAdmitted(admit("bob", "2001:db8::1"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALICE", " alice ", "Ａｌｉｃｅ", "a\u200blice", "aLiCe"})
  void countsVariantsOfANameTogether(String variant) {
    fail("alice", 2);
    admitted(variant, "192.0.2.1").failed();
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isFalse();
    assertThat(isAdmitted(admit(variant, "192.0.2.1"))).isFalse();
  }

  @Test
  void exactlyTheLimitOfAThousandParallelWrongGuessesAtAnAccountGetThrough() throws Exception {
    ThrottleConfig limits = new ThrottleConfig(10, 100_000, WINDOW);
    List<Admission> all =
        Race.of(
            1000, i -> () -> wrong(i % 2 == 0 ? "alice" : "ALICE", new GuessSource.Stranger(address(i)), limits));
    assertThat(all).filteredOn(WindowGuessThrottleTest::isAdmitted).hasSize(10);
    assertThat(all).filteredOn(a -> !isAdmitted(a)).allMatch(a -> a.equals(new Admission.Refused(true, WINDOW)));
  }

  @Test
  void exactlyTheLimitOfAThousandParallelWrongGuessesFromAnAddressGetThrough() throws Exception {
    ThrottleConfig limits = new ThrottleConfig(10, 50, WINDOW);
    GuessSource by = new GuessSource.Stranger(address("203.0.113.9"));
    List<Admission> all = Race.of(1000, i -> () -> wrong("person" + i, by, limits));
    assertThat(all).filteredOn(WindowGuessThrottleTest::isAdmitted).hasSize(50);
  }

  @Test
  void exactlyTheLimitOfAThousandParallelWrongGuessesInAKnownBrowserGetThrough() throws Exception {
    List<Admission> all = Race.of(1000, i -> () -> wrong("alice", new GuessSource.KnownDevice("stolen"), LIMITS));
    assertThat(all).filteredOn(WindowGuessThrottleTest::isAdmitted).hasSize(3);
  }

  @Test
  void exactlyTheLimitOfAThousandParallelWrongGuessesByAClientGetThrough() throws Exception {
    List<Admission> all = Race.of(1000, i -> () -> wrong("alice", new GuessSource.OAuthClient("app"), LIMITS));
    assertThat(all).filteredOn(WindowGuessThrottleTest::isAdmitted).hasSize(3);
  }

  @Test
  void exactlyTheLimitOfAThousandParallelWrongSecretsIsToldThatTheyAreWrong() throws Exception {
    InetAddress address = address("192.0.2.1");
    List<Boolean> told =
        Race.of(1000, i -> () -> throttle.secretWasWrong("demo", "app", true, address, LIMITS).isEmpty());
    assertThat(told).filteredOn(isWrong -> isWrong).hasSize(3);
    assertThat(throttle.secretsRefused("demo", "app", address, LIMITS)).contains(WINDOW);
  }

  @Test
  void aStrangerDoesNotLockAClientOutOfItsOwnAddress() {
    for (int i = 0; i < 100; i++) {
      throttle.secretWasWrong("demo", "app", true, address("203.0.113.9"), LIMITS);
    }
    assertThat(throttle.secretsRefused("demo", "app", address("192.0.2.1"), LIMITS)).isEmpty();
    assertThat(throttle.secretsRefused("demo", "other", address("203.0.113.9"), LIMITS)).isEmpty();
  }

  @Test
  void wrongPasswordsFromAnywhereDoNotLockTheOwnerOutInAKnownBrowser() {
    fail("alice", 3);
    assertThat(isAdmitted(admit("alice", "198.51.100.7"))).isFalse();
    for (int i = 0; i < 20; i++) {
      wrong("neighbour" + i, new GuessSource.Stranger(address("192.0.2.1")), LIMITS);
    }
    assertThat(isAdmitted(throttle.admit("demo", "alice", new GuessSource.KnownDevice("home"), LIMITS))).isTrue();
  }

  @Test
  void aThiefOfAKnownBrowserHasItsOwnSmallCountAndLocksNobodyElseOut() {
    for (int i = 0; i < 3; i++) {
      assertThat(isAdmitted(wrong("alice", new GuessSource.KnownDevice("stolen"), LIMITS))).isTrue();
    }
    assertThat(wrong("alice", new GuessSource.KnownDevice("stolen"), LIMITS)).isEqualTo(new Admission.Refused(true, WINDOW));
    assertThat(isAdmitted(wrong("alice", new GuessSource.KnownDevice("home"), LIMITS))).isTrue();
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isTrue();
  }

  @Test
  void successInAKnownBrowserFreesNoGuessForStrangers() {
    fail("alice", 3);
    ((Admission.Admitted) throttle.admit("demo", "alice", new GuessSource.KnownDevice("home"), LIMITS)).succeeded();
    assertThat(isAdmitted(admit("alice", "192.0.2.1"))).isFalse();
  }

  @Test
  void clientsCountApartByClientAndAccountAndNotByTheirServersAddress() {
    ThrottleConfig limits = new ThrottleConfig(3, 5, WINDOW);
    for (int i = 0; i < 50; i++) {
      assertThat(isAdmitted(wrong("person" + i, new GuessSource.OAuthClient("app"), limits))).isTrue();
    }
    assertThat(wrong("person50", new GuessSource.OAuthClient("app"), limits))
        .as("ten times an address's")
        .isEqualTo(new Admission.Refused(false, WINDOW));
    assertThat(isAdmitted(wrong("person1", new GuessSource.OAuthClient("other"), limits))).isTrue();
    assertThat(isAdmitted(admit("person1", "192.0.2.1"))).isTrue();
  }

  /** The directory is frozen: what waits for it has not failed, and goes on when it is back. */
  @Test
  void twoHundredLoginsThatWaitForAFrozenDirectoryAreNoWrongPasswords() throws Exception {
    CountDownLatch frozen = new CountDownLatch(1);
    AtomicInteger admitted = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Admission>> logins = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String name = "person" + i;
        logins.add(
            threads.submit(
                () -> {
                  Admission admission = admit(name, "203.0.113.9");
                  if (admission instanceof Admission.Admitted permit) {
                    admitted.incrementAndGet();
                    frozen.await();
                    permit.undecided();
                  }
                  return admission;
                }));
      }
      while (admitted.get() < LIMITS.perAddress()) {
        Thread.onSpinWait();
      }
      assertThat(admitted).as("not more than may fail are open").hasValue(LIMITS.perAddress());
      frozen.countDown();
      for (Future<Admission> login : logins) {
        assertThat(isAdmitted(login.get())).isTrue();
      }
    }
    for (int i = 0; i < LIMITS.perAddress(); i++) {
      admitted("victim" + i, "203.0.113.9").failed();
    }
    assertThat(admit("bob", "203.0.113.9")).isEqualTo(new Admission.Refused(false, WINDOW));
  }

  @Test
  void whoWaitsTooLongIsToldThatNothingWasDecidedAndCountsForNothing() {
    WindowGuessThrottle hasty = throttle(Duration.ZERO);
    List<Admission.Admitted> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add((Admission.Admitted) hasty.admit("demo", "alice", address(i), LIMITS));
    }
    assertThat(hasty.admit("demo", "alice", address(9), LIMITS)).isInstanceOf(Admission.Busy.class);
    open.forEach(Admission.Admitted::undecided);
    for (int i = 0; i < 3; i++) {
      ((Admission.Admitted) hasty.admit("demo", "alice", address(i), LIMITS)).failed();
    }
    assertThat(hasty.admit("demo", "alice", address(9), LIMITS)).isEqualTo(new Admission.Refused(true, WINDOW));
  }

  @Test
  void whatWasLostByAFaultCountsAsFailed() {
    WindowGuessThrottle hasty = throttle(Duration.ZERO);
    for (int i = 0; i < 3; i++) {
      hasty.admit("demo", "alice", address(i), LIMITS);
    }
    time.advance(Duration.ofMinutes(2));
    assertThat(hasty.admit("demo", "alice", address(9), LIMITS))
        .isEqualTo(new Admission.Refused(true, WINDOW.minus(Duration.ofMinutes(2))));
  }

  /** A company behind one address: each mistypes twice and then logs in. */
  @Test
  void typingErrorsBeforeASuccessCostTheAddressNothing() {
    for (int i = 0; i < 1000; i++) {
      fail("employee" + i, 2);
      admitted("employee" + i, "192.0.2.1").succeeded();
    }
    assertThat(isAdmitted(admit("employee", "192.0.2.1"))).isTrue();
  }

  @Test
  void aSiteOfIpv6MayFailTenTimesAsOftenAsOneOfItsNetworks() {
    for (int i = 0; i < 200; i++) {
      admitted("victim" + i, "2001:db8:1:" + Integer.toHexString(i) + "::1").failed();
    }
    assertThat(admit("bob", "2001:db8:1:ffff::1")).isEqualTo(new Admission.Refused(false, WINDOW));
    assertThat(isAdmitted(admit("bob", "2001:db8:2::1"))).isTrue();
  }

  @Test
  void keepsTheCounterOfAnAttackedAccountWhenTheTableIsFlooded() {
    WindowGuessThrottle small = new WindowGuessThrottle(time, 1000, Duration.ZERO);
    for (int i = 0; i < 3; i++) {
      ((Admission.Admitted) small.admit("demo", "alice", address(1), LIMITS)).failed();
    }
    for (int i = 0; i < 50_000; i++) {
      if (small.admit("demo", "invented" + i, address(i), LIMITS) instanceof Admission.Admitted admitted) {
        admitted.failed();
      }
    }
    assertThat(small.admit("demo", "alice", address(2), LIMITS)).isEqualTo(new Admission.Refused(true, WINDOW));
  }

  @Test
  void isBoundedAndForgetsWhatIsOver() {
    FailureCounters counters = new FailureCounters(1000);
    for (int i = 0; i < 5000; i++) {
      counters.take("key" + i, "", 3, WINDOW, time.instant());
    }
    assertThat(counters.size()).isEqualTo(1000);
    time.advance(WINDOW);
    for (int i = 0; i < 300; i++) {
      counters.take("fresh" + i, "", 3, WINDOW, time.instant());
    }
    assertThat(counters.size()).isLessThanOrEqualTo(300);
  }

  @Test
  void whatWasCountedAtAPeakTakesNoMemoryAfterwards() {
    FailureCounters counters = new FailureCounters(1000);
    for (int i = 0; i < 50; i++) {
      for (int permit = 0; permit <= i; permit++) {
        counters.take("key" + i, "", 100, WINDOW, time.instant());
      }
    }
    assertThat(counters.levels()).isEqualTo(50);
    time.advance(WINDOW);
    for (int i = 0; i < 50; i++) {
      counters.take("fresh", "", 100, Duration.ofSeconds(1), time.instant());
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(counters.size()).isEqualTo(1);
    assertThat(counters.levels()).isEqualTo(1);
  }

  @Test
  void codesAreCountedApartFromPasswords() {
    for (int i = 0; i < 3; i++) {
      ((Admission.Admitted) throttle.admitCode("demo", "alice-uuid", address("192.0.2.1"), LIMITS)).failed();
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

  @Test
  void anAdministratorForgetsTheWrongTriesOfOnePerson() {
    fail("alice", 3);
    fail("bob", 2);
    wrong("alice", new GuessSource.KnownDevice("phone"), LIMITS);
    ((Admission.Admitted) throttle.admitCode("demo", "id-of-alice", address("192.0.2.9"), LIMITS)).failed();
    Admission.Admitted undecided = (Admission.Admitted) throttle.admitCode("demo", "id-of-alice", address("192.0.2.9"), LIMITS);
    GuessThrottle.Failures before = throttle.failures("demo", "ALICE", "id-of-alice", LIMITS);
    assertThat(before.passwords()).isEqualTo(3);
    assertThat(before.codes()).isEqualTo(1);
    assertThat(before.passwordsRefusedFor()).contains(WINDOW);
    assertThat(before.codesRefusedFor()).isEmpty();
    assertThat(isAdmitted(admit("alice", "192.0.2.2"))).isFalse();

    assertThat(throttle.forget("demo", "Alice", "id-of-alice")).isEqualTo(5);

    assertThat(throttle.failures("demo", "alice", "id-of-alice", LIMITS)).isEqualTo(GuessThrottle.Failures.NONE);
    assertThat(throttle.failures("demo", "bob", "id-of-bob", LIMITS).passwords()).isEqualTo(2);
    assertThat(isAdmitted(admit("alice", "192.0.2.2"))).isTrue();
    // A try that was open counts as soon as it has failed.
    undecided.failed();
    assertThat(throttle.failures("demo", "alice", "id-of-alice", LIMITS).codes()).isEqualTo(1);
  }
}
