package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.common.valkey.SharedValkey;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same limits, counted for all nodes by a real Valkey server. */
class ValkeyGuessThrottleTest extends WindowGuessThrottleTest {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  /** The superclass creates its throttle before this class has its fields. */
  @RegisterExtension static final SharedValkey VALKEY = new SharedValkey();

  @Override
  WindowGuessThrottle throttle(Duration patience) {
    return node("t" + NAMESPACES.incrementAndGet(), patience);
  }

  private WindowGuessThrottle node(String namespace, Duration patience) {
    return new WindowGuessThrottle(time, patience, VALKEY.stores(namespace, SEALING, time)::permits);
  }

  @Test
  void guessesCountAtAllNodes() {
    ThrottleConfig limits = new ThrottleConfig(3, 20, Duration.ofMinutes(10));
    WindowGuessThrottle one = node("both", Duration.ZERO);
    WindowGuessThrottle two = node("both", Duration.ZERO);
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    for (int i = 0; i < 3; i++) {
      WindowGuessThrottle node = i % 2 == 0 ? one : two;
      assertThat(node.admit("demo", "alice", client, limits)).isInstanceOfSatisfying(Admission.Admitted.class, Admission.Admitted::failed);
    }
    assertThat(one.admit("demo", "alice", client, limits)).isInstanceOf(Admission.Refused.class);
    assertThat(two.admit("demo", "alice", client, limits)).isInstanceOf(Admission.Refused.class);
    assertThat(two.admit("demo", "bob", client, limits)).isInstanceOfSatisfying(Admission.Admitted.class, Admission.Admitted::succeeded);
  }

  @Test
  void wrongSecretsOfAClientCountAtAllNodes() {
    ThrottleConfig limits = new ThrottleConfig(3, 20, Duration.ofMinutes(10));
    WindowGuessThrottle one = node("secrets", Duration.ZERO);
    WindowGuessThrottle two = node("secrets", Duration.ZERO);
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    for (int i = 0; i < 3; i++) {
      assertThat((i % 2 == 0 ? one : two).secretWasWrong("demo", "client", true, client, limits)).isEmpty();
    }
    assertThat(one.secretWasWrong("demo", "client", true, client, limits)).isPresent();
    assertThat(one.secretsRefused("demo", "client", client, limits)).isPresent();
    assertThat(two.secretsRefused("demo", "client", client, limits)).isPresent();
    assertThat(two.secretsRefused("demo", "another", client, limits)).isEmpty();
  }

  /** Anybody can invent names of clients: they would fill the server. */
  @Test
  void namesOfClientsThatDoNotExistLeaveNothingInTheServer() {
    ThrottleConfig limits = new ThrottleConfig(3, 20, Duration.ofMinutes(10));
    WindowGuessThrottle one = node("invented", Duration.ZERO);
    WindowGuessThrottle two = node("invented", Duration.ZERO);
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    for (int i = 0; i < 3; i++) {
      assertThat(one.secretWasWrong("demo", "invented", false, client, limits)).isEmpty();
    }
    assertThat(one.secretWasWrong("demo", "invented", false, client, limits)).isPresent();
    assertThat(two.secretWasWrong("demo", "invented", false, client, limits)).isEmpty();
  }
}
