package dev.gatehouse.common.logout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.logout.LogoutNotice.Problem;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.MemoryStores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notices are stored, sent again with back-off, given up, and reported once. */
@Timeout(30)
final class LogoutNoticesTest {

  private static final String APP = "https://app.example";

  private final TestTime time = new TestTime();
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final Map<String, LogoutDeliveryResult> answers = new ConcurrentHashMap<>();
  private final List<LogoutNotice> sent = new CopyOnWriteArrayList<>();
  private final Map<String, LogoutDeliveryResult> heard = new ConcurrentHashMap<>();
  private final LogoutNotices notices =
      new LogoutNotices(
          new MemoryStores(time).due("notices", new JsonCodec<>(LogoutNotice.class)),
          this::deliver,
          heard::put,
          audit,
          time);

  @AfterEach
  void close() {
    notices.close();
  }

  private LogoutDeliveryResult deliver(String realm, LogoutNotice notice) {
    sent.add(notice);
    return answers.getOrDefault(notice.partner(), new LogoutDeliveryResult.Done());
  }

  private LogoutNotice notice(String partner) {
    Instant now = time.instant();
    return new LogoutNotice(
        partner, NameId.of("_alice", NameId.UNSPECIFIED), List.of("_1"), "alice", LogoutReason.USER, now,
        now.plus(Duration.ofHours(24)), 0, Optional.empty());
  }

  private LogoutDeliveryResult tell(String key, String partner) {
    return notices.deliver(key, "demo", notice(partner)).join();
  }

  private List<String> outcomes() {
    return audit.events(LogoutPropagated.class).stream().map(LogoutPropagated::outcome).toList();
  }

  @Test
  void whoConfirmsIsDone() {
    assertThat(tell("a", APP)).isEqualTo(new LogoutDeliveryResult.Done());
    assertThat(notices.find("a")).isEmpty();
    assertThat(notices.deliverDue()).isZero();
    assertThat(heard).containsEntry("a", new LogoutDeliveryResult.Done());
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void whoCannotBeReachedIsTriedAgainLaterAndLater() {
    answers.put(APP, new LogoutDeliveryResult.Unreachable("no route"));
    Instant start = time.instant();
    tell("a", APP);
    assertThat(notices.find("a")).map(LogoutNotice::problem).contains(Optional.of(new Problem(false, "no route")));
    for (Duration step : List.of(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(5),
        Duration.ofMinutes(30), Duration.ofHours(1), Duration.ofHours(1))) {
      time.advance(step.minusMillis(1));
      assertThat(notices.deliverDue()).as("before %s", step).isZero();
      time.advance(Duration.ofMillis(1));
      assertThat(notices.deliverDue()).as("after %s", step).isEqualTo(1);
    }
    assertThat(notices.find("a")).map(LogoutNotice::since).contains(start);
    assertThat(notices.find("a")).map(LogoutNotice::tries).contains(7);
    assertThat(outcomes()).containsExactly("unreachable");
    answers.clear();
    time.advance(Duration.ofHours(1));
    notices.deliverDue();
    assertThat(outcomes()).containsExactly("unreachable", "done");
    assertThat(heard).containsEntry("a", new LogoutDeliveryResult.Done());
    assertThat(notices.count("demo")).isZero();
  }

  @Test
  void whoRefusesIsTriedAgainToo() {
    answers.put(APP, new LogoutDeliveryResult.Failed("Responder"));
    tell("a", APP);
    assertThat(outcomes()).containsExactly("failed");
    assertThat(notices.find("a")).map(LogoutNotice::problem).contains(Optional.of(new Problem(true, "Responder")));
    time.advance(Duration.ofSeconds(10));
    assertThat(notices.deliverDue()).isEqualTo(1);
  }

  @Test
  void whoReachedNotAllOfItsOwnIsNotAskedAgain() {
    answers.put(APP, new LogoutDeliveryResult.Partial());
    tell("a", APP);
    assertThat(outcomes()).containsExactly("failed");
    assertThat(notices.find("a")).isEmpty();
  }

  @Test
  void whoHasNoBackChannelAnyMoreIsNotAskedAgain() {
    answers.put(APP, new LogoutDeliveryResult.Impossible("no SingleLogoutService"));
    tell("a", APP);
    assertThat(outcomes()).containsExactly("unreachable");
    assertThat(notices.find("a")).isEmpty();
  }

  @Test
  void afterADayItIsGivenUpAndSaidSo() {
    answers.put(APP, new LogoutDeliveryResult.Unreachable("no route"));
    tell("a", APP);
    for (int hour = 0; hour < 25; hour++) {
      time.advance(Duration.ofHours(1));
      notices.deliverDue();
    }
    assertThat(outcomes()).containsExactly("unreachable", "given-up");
    assertThat(notices.find("a")).isEmpty();
    assertThat(heard).isEmpty();
  }

  @Test
  void aNodeThatWasDownForDaysStillTriesOnce() {
    notices.enqueue("a", "demo", notice(APP), time.instant());
    time.advance(Duration.ofDays(3));
    notices.deliverDue();
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void whatIsKeptIsSentWhenItIsDueAndOnce() {
    Instant due = time.instant().plusSeconds(15);
    assertThat(notices.enqueue("a", "demo", notice(APP), due)).isTrue();
    assertThat(notices.enqueue("a", "demo", notice(APP), due)).isTrue();
    assertThat(notices.deliverDue()).isZero();
    time.advance(Duration.ofSeconds(15));
    assertThat(notices.deliverDue()).isEqualTo(1);
    assertThat(sent).hasSize(1);
  }

  @Test
  void whatIsWithdrawnIsNotSent() {
    notices.enqueue("a", "demo", notice(APP), time.instant());
    assertThat(notices.withdraw("a")).isTrue();
    assertThat(notices.withdraw("a")).isFalse();
    assertThat(notices.deliverDue()).isZero();
    assertThat(outcomes()).isEmpty();
  }

  @Test
  void aPartnerThatHangsDoesNotCostEachNoticeItsDeadline() {
    answers.put(APP, new LogoutDeliveryResult.Unreachable("no answer within 5000 ms"));
    for (int i = 0; i < 100; i++) {
      tell("a" + i, APP);
    }
    assertThat(sent).as("three in a row, then it is left alone").hasSize(3);
    assertThat(notices.count("demo")).isEqualTo(100);
    assertThat(tell("b", "https://wiki.example")).as("nobody else is").isEqualTo(new LogoutDeliveryResult.Done());
    answers.clear();
    time.advance(Duration.ofSeconds(10));
    notices.deliverDue();
    assertThat(notices.count("demo")).isZero();
    assertThat(outcomes()).filteredOn("done"::equals).hasSize(101);
  }

  @Test
  void aFaultOfOursIsNoEnd() {
    LogoutNotices faulty =
        new LogoutNotices(
            new MemoryStores(time).due("notices", new JsonCodec<>(LogoutNotice.class)),
            (realm, notice) -> {
              throw new IllegalStateException("a bug");
            },
            heard::put,
            audit,
            time);
    assertThat(faulty.deliver("a", "demo", notice(APP)).join()).isInstanceOf(LogoutDeliveryResult.Unreachable.class);
    assertThat(faulty.find("a")).isPresent();
    faulty.close();
  }

  @Test
  void severalAreSentAtTheSameTime() throws Exception {
    CountDownLatch together = new CountDownLatch(8);
    LogoutNotices slow =
        new LogoutNotices(
            new MemoryStores(time).due("notices", new JsonCodec<>(LogoutNotice.class)),
            (realm, notice) -> {
              together.countDown();
              try {
                together.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return new LogoutDeliveryResult.Done();
            },
            heard::put,
            audit,
            time);
    for (int i = 0; i < 8; i++) {
      slow.enqueue("key" + i, "demo", notice(APP), time.instant());
    }
    assertThat(slow.deliverDue()).isEqualTo(8);
    assertThat(slow.count("demo")).isZero();
    slow.close();
  }
}
