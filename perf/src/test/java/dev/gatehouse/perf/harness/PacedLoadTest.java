package dev.gatehouse.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.perf.harness.ClosedLoad.User;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Times count from the moment at which an operation was due. */
class PacedLoadTest {

  private final Process process;

  PacedLoadTest() throws IOException {
    this.process = new ProcessBuilder("sleep", "60").start();
  }

  @AfterEach
  void end() {
    process.destroy();
  }

  private Server server() {
    return new Server("Gatehouse", List.of(ServerProcess.watched("gatehouse", process, 0)));
  }

  /** What a user does for each operation. */
  @FunctionalInterface
  private interface Doing {
    void once(int number) throws IOException, InterruptedException;
  }

  private static ClosedLoad.UserFactory users(Doing doing) {
    AtomicInteger made = new AtomicInteger();
    return number ->
        new User() {
          @Override
          public void reconnect() {}

          @Override
          public int once() throws IOException {
            try {
              doing.once(made.getAndIncrement());
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return 1;
          }

          @Override
          public void close() {}
        };
  }

  @Test
  void asManyAreDoneAsAreDue() throws Exception {
    try (PacedLoad load = PacedLoad.open(server(), "page", 100, 4, users(number -> {}))) {
      Iteration seen = load.run(Phase.MEASUREMENT, 1);
      assertThat(seen.operations()).isEqualTo(100);
      assertThat(seen.failures()).isZero();
      assertThat(seen.paced()).isTrue();
      assertThat(seen.seconds()).isBetween(0.9, 3.0);
    }
  }

  /** One user, fifty a second, and the first operation takes half a second: those that were due meanwhile have waited, too. */
  @Test
  void whoeverWasDueWhileTheServerStoodStillHasWaited() throws Exception {
    Doing stall =
        number -> {
          if (number == 0) {
            Thread.sleep(500);
          }
        };
    try (PacedLoad load = PacedLoad.open(server(), "page", 50, 1, users(stall))) {
      Iteration.Step seen = load.run(Phase.MEASUREMENT, 1).steps().getFirst();
      assertThat(seen.ok()).isEqualTo(50);
      // Half of them were due in that half second, and waited for a quarter of a second at the mean.
      assertThat(seen.meanMs()).as("a closed loop would say 10").isGreaterThan(80);
      assertThat(seen.p99Ms()).isGreaterThanOrEqualTo(450);
    }
  }

  @Test
  void aUserThatFailsEndsIt() throws Exception {
    Doing fails =
        number -> {
          throw new IOException("503");
        };
    try (PacedLoad load = PacedLoad.open(server(), "page", 50, 1, users(fails))) {
      assertThatThrownBy(() -> load.run(Phase.MEASUREMENT, 1)).isInstanceOf(IOException.class).hasMessageContaining("503");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> PacedLoad.open(server(), "page", 0, 1, users(fails)));
  }
}
