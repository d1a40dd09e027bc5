package dev.gatehouse.common.otp.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.otp.replica.ServerTable.Replica;
import dev.gatehouse.common.otp.replica.ServerTable.Slot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of the log that a primary keeps for its replicas: each thing once. */
class SlotWatchTest {

  private static final Optional<Long> BOUND = Optional.of(1_000L);

  private final SlotWatch watch = new SlotWatch();

  private static Replica replica(String server, long retained, boolean isLost) {
    return new Replica(server, Optional.of(new Slot(retained, Optional.empty(), false, retained, isLost)), Optional.empty());
  }

  private Map<String, String> look(Optional<Long> bound, Replica... replicas) {
    return watch.look(List.of(replicas), bound);
  }

  @Test
  void halfOfTheBoundIsSaidOnceAndSoIsTheLoss() {
    assertThat(look(BOUND, replica("oslo", 499, false))).isEmpty();
    assertThat(look(BOUND, replica("oslo", 500, false), replica("rome", 600, false))).isEqualTo(Map.of("log-kept", "oslo 500, rome 600"));
    assertThat(look(BOUND, replica("oslo", 700, false), replica("rome", 700, false))).isEmpty();
    assertThat(look(BOUND, replica("oslo", 0, true), replica("rome", 10, false))).isEqualTo(Map.of("log-lost", "oslo 0"));
    assertThat(look(BOUND, replica("oslo", 0, true), replica("rome", 900, false))).as("anew").isEqualTo(Map.of("log-kept", "rome 900"));
  }

  @Test
  void whoWasForgottenIsSaidAnew() {
    assertThat(look(BOUND, replica("oslo", 900, false))).hasSize(1);
    assertThat(look(BOUND)).isEmpty();
    assertThat(look(BOUND, replica("oslo", 900, false))).hasSize(1);
  }

  @Test
  void withoutABoundItIsSaidAtAGigabyte() {
    assertThat(look(Optional.empty(), replica("oslo", (1L << 30) - 1, false))).isEmpty();
    assertThat(look(Optional.empty(), replica("oslo", 1L << 30, false))).hasSize(1);
  }
}
