package dev.gatehouse.gateway.node;

import dev.gatehouse.common.admin.AdminResource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The drain of this node, before it stops or because an administrator wants it. Readiness is off at once, and everything is still
 * served: balancers have half of the delay to learn of it. Then clients are told that their connections end, by
 * {@code Connection: close} and GOAWAY, so that in the other half they move to other nodes.
 */
public final class NodeDrain implements AdminResource.NodeDrains, HealthIndicator {

  private static final Logger LOG = LoggerFactory.getLogger(NodeDrain.class);

  /** Between health checks every second and Kubernetes' every ten seconds. */
  static final Duration USUAL = Duration.ofSeconds(5);

  private static final long ASKED_NANOS = Duration.ofMinutes(1).toNanos();

  private final Optional<Duration> configured;
  private final List<Consumer<Boolean>> edges = new CopyOnWriteArrayList<>();
  private final Deque<Long> asked = new ArrayDeque<>();
  private boolean serving;
  private boolean draining;
  private boolean stopping;

  /** When an administrator began the drain, as of {@link System#nanoTime()}. */
  private long drainingSince;
  private CountDownLatch undrained = new CountDownLatch(1);

  /** @param configured how long everything is served on before a stop */
  public NodeDrain(Optional<Duration> configured) {
    this.configured = configured;
  }

  /**
   * Adds listeners.
   *
   * @param announces begins or stops to tell their clients that connections end
   */
  public void add(Consumer<Boolean> announces) {
    edges.add(announces);
  }

  /** Is called when the node has started: who asks from now on is told that it is ready. */
  public synchronized void serves() {
    serving = true;
  }

  /** Readiness, as long as nothing else is wrong. */
  @Override
  public synchronized Health health() {
    if (draining || stopping) {
      return Health.outOfService().build();
    }
    if (serving) {
      asked.addLast(System.nanoTime());
      if (asked.size() > 2) {
        asked.removeFirst();
      }
    }
    return Health.up().build();
  }

  @Override
  public synchronized boolean isDraining() {
    return draining;
  }

  @Override
  public void drain(boolean wanted) {
    CountDownLatch until;
    synchronized (this) {
      if (draining == wanted) {
        return;
      }
      draining = wanted;
      drainingSince = System.nanoTime();
      undrained.countDown();
      undrained = new CountDownLatch(1);
      until = undrained;
    }
    if (!wanted) {
      edges.forEach(edge -> edge.accept(false));
      return;
    }
    Thread.ofVirtual().name("drain").start(() -> {
      if (!pass(until, configured.orElse(USUAL).dividedBy(2))) {
        edges.forEach(edge -> edge.accept(true));
      }
    });
  }

  /** Drains before the node stops, for the delay, or for what is left of it if an administrator drained the node shortly before. */
  public void stop() {
    Duration delay;
    Duration begun;
    synchronized (this) {
      // Nobody sends fewer requests because of an answer that nobody asks for.
      delay = configured.orElse(isAsked() ? USUAL : Duration.ZERO);
      begun = draining ? Duration.ofNanos(System.nanoTime() - drainingSince) : Duration.ZERO;
      stopping = true;
    }
    if (begun.compareTo(delay) >= 0) {
      return;
    }
    LOG.info("The node is not ready any more, and serves on for {} before it stops", delay.minus(begun));
    CountDownLatch never = new CountDownLatch(1);
    Duration half = delay.dividedBy(2);
    if (begun.compareTo(half) < 0) {
      pass(never, half.minus(begun));
      begun = half;
    }
    edges.forEach(edge -> edge.accept(true));
    pass(never, delay.minus(begun));
  }

  private boolean isAsked() {
    return asked.size() > 1 && System.nanoTime() - asked.getFirst() < ASKED_NANOS;
  }

  /** Waits for that time; returns whether that ended before. */
  private static boolean pass(CountDownLatch until, Duration time) {
    try {
      return until.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
