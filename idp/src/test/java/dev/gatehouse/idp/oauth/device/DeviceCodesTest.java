package dev.gatehouse.idp.oauth.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Device codes whose person has answered, or is about to. */
final class DeviceCodesTest {

  private static final Supplier<DeviceAnswer> DENIED = () -> new DeviceAnswer(Optional.empty());
  private static final ClientConfig CONFIG = TestClients.secret("tv", Method.SECRET_BASIC);
  private static final Client CLIENT = new Client(CONFIG, false);
  private static final RealmRequest REQUEST =
      TestClients.post(TestClients.realm(CONFIG), "oauth/device_authorization", Headers.empty());

  private final TestTime time = new TestTime(Instant.parse("2026-11-21T10:00:00Z"));
  private final MemoryStores stores = new MemoryStores(time);
  private final DeviceCodes codes =
      new DeviceCodes(stores, new PendingQuota(stores, "oauth-device", time), time, new SecureRandom());

  @Test
  void ofParallelPollsOneGetsTheAnswer() throws Exception {
    DeviceCodes.Issued issued = issue();
    assertThat(codes.answer(find(issued).orElseThrow(), DENIED)).isTrue();
    List<Thread> threads = new java.util.ArrayList<>();
    List<String> answers = new java.util.concurrent.CopyOnWriteArrayList<>();
    IntStream.range(0, 8)
        .forEach(
            i -> threads.add(Thread.startVirtualThread(() -> answers.add(poll(issued)))));
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(answers).filteredOn(answer -> answer.startsWith("access_denied")).hasSize(1);
  }

  @Test
  void anAnswerComesOnceAndInTime() {
    DeviceCodes.Issued issued = issue();
    DeviceCodes.Found found = find(issued).orElseThrow();
    assertThat(codes.answer(found, DENIED)).isTrue();
    assertThat(codes.answer(found, DeviceCodesTest::unwanted)).isFalse();
    assertThat(find(issued)).as("nobody else is asked").isEmpty();
    DeviceCodes.Found late = find(issue()).orElseThrow();
    time.advance(Duration.ofMinutes(10));
    assertThat(codes.answer(late, DeviceCodesTest::unwanted)).isFalse();
  }

  @Test
  void anExpiredCodeIsToldFromAnUnknownOne() {
    DeviceCodes.Issued issued = issue();
    time.advance(Duration.ofMinutes(11));
    assertThat(poll(issued)).startsWith("expired_token: ");
    time.advance(Duration.ofMinutes(10));
    assertThat(poll(issued)).startsWith("invalid_grant: ");
  }

  /** An authorization that nobody can fetch must not begin. */
  private static DeviceAnswer unwanted() {
    throw new AssertionError("an answer that does not count was made");
  }

  private DeviceCodes.Issued issue() {
    AuthenticatedClient proved = new AuthenticatedClient(CLIENT, Method.SECRET_BASIC, Optional.empty());
    return switch (codes.issue(REQUEST, proved, Set.of("openid"), List.of())) {
      case DeviceCodes.Issuing.Done(DeviceCodes.Issued issued) -> issued;
      case DeviceCodes.Issuing.Full full -> throw new AssertionError(full);
    };
  }

  private Optional<DeviceCodes.Found> find(DeviceCodes.Issued issued) {
    return codes.find(REQUEST, issued.userCode());
  }

  private String poll(DeviceCodes.Issued issued) {
    return TestClients.refusal(codes.take(REQUEST, CLIENT, issued.deviceCode()));
  }
}
