package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class NodeDrainTest {

  private final List<Boolean> announced = new CopyOnWriteArrayList<>();

  private NodeDrain drain(Optional<Duration> delay) {
    NodeDrain drain = new NodeDrain(delay);
    drain.add(announced::add);
    return drain;
  }

  private static double seconds(Runnable task) {
    long begin = System.nanoTime();
    task.run();
    return (System.nanoTime() - begin) / 1e9;
  }

  @Test
  void aStopIsFirstSeenAtReadinessThenToldToClients() throws Exception {
    NodeDrain drain = drain(Optional.of(Duration.ofSeconds(1)));
    drain.serves();
    assertThat(drain.health().getStatus()).isEqualTo(Status.UP);
    Thread stop = Thread.ofVirtual().start(drain::stop);
    Thread.sleep(250);
    assertThat(drain.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(announced).isEmpty();
    Thread.sleep(500);
    assertThat(announced).containsExactly(true);
    stop.join();
  }

  @Test
  void withoutConfigurationItWaitsOnlyForThoseWhoAsk() {
    NodeDrain asked = drain(Optional.empty());
    asked.health();
    asked.health();
    asked.serves();
    asked.health();
    assertThat(seconds(asked::stop)).as("asked once while it served, as scripts do that wait for a start").isLessThan(1);
    NodeDrain watched = drain(Optional.empty());
    watched.serves();
    watched.health();
    watched.health();
    assertThat(seconds(watched::stop)).isBetween(4.9, 7.0);
    assertThat(seconds(drain(Optional.of(Duration.ZERO))::stop)).isLessThan(1);
  }

  @Test
  void anAdministratorDrainsAndReturnsToNormal() throws Exception {
    NodeDrain drain = drain(Optional.of(Duration.ofMillis(400)));
    drain.drain(true);
    assertThat(drain.isDraining()).isTrue();
    assertThat(drain.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    Thread.sleep(600);
    drain.drain(true);
    assertThat(announced).containsExactly(true);
    drain.drain(false);
    assertThat(drain.health().getStatus()).isEqualTo(Status.UP);
    assertThat(announced).containsExactly(true, false);
  }

  @Test
  void whoReturnsToNormalAtOnceTellsClientsNothing() throws Exception {
    NodeDrain drain = drain(Optional.of(Duration.ofMillis(400)));
    drain.drain(true);
    drain.drain(false);
    Thread.sleep(400);
    assertThat(announced).containsExactly(false);
  }

  @Test
  void aNodeThatIsDrainedStopsWithoutDelay() throws Exception {
    NodeDrain drain = drain(Optional.of(Duration.ofMillis(300)));
    drain.drain(true);
    Thread.sleep(400);
    assertThat(seconds(drain::stop)).isLessThan(0.1);
    assertThat(announced).containsExactly(true);
  }

  /** A script, or a hook before the stop, drains and signals at once: no balancer knows yet. */
  @Test
  void aNodeThatWasDrainedJustNowWaitsForTheRest() throws Exception {
    NodeDrain drain = drain(Optional.of(Duration.ofSeconds(2)));
    drain.drain(true);
    Thread.sleep(500);
    Thread stop = Thread.ofVirtual().start(drain::stop);
    Thread.sleep(250);
    assertThat(announced).isEmpty();
    long left = System.nanoTime();
    stop.join();
    assertThat((System.nanoTime() - left) / 1e9).isBetween(0.9, 1.6);
    assertThat(announced).isNotEmpty().containsOnly(true);
  }
}
