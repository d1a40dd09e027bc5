package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.metric.StatusTimer;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The state of one server of an app on this node, shared by all event loops and all routes that lead to it; it survives
 * changes of the configuration that do not remove it. Times are as of {@link System#nanoTime()}.
 */
public final class AppServer {

  /** The identity of a server. */
  public record Key(Origin origin, Tls tls, Optional<Health> health) {}

  /** The availability of a server for requests. */
  public enum State {
    UP,
    /** It has failed often and gets no requests for a while. */
    OUT,
    /** The pause has ended: one request may try it. */
    ON_TRIAL,
    /** Its health checks fail. */
    DOWN,
    /** An administrator drains it: active requests finish. */
    DRAINING
  }

  /** A server that returns gets its full share only after this time. */
  private static final double SLOW_START = Duration.ofSeconds(10).toNanos();

  private static final double LEAST_SHARE = 0.1;

  /** The pause is doubled at most this often. */
  private static final int LONGEST_OUT = 4;

  private final Key key;
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger awaiting = new AtomicInteger();
  private final AtomicInteger awaitingFew = new AtomicInteger();
  private final LongAdder requests = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder ejections = new LongAdder();
  private final AtomicBoolean trial = new AtomicBoolean();

  /** Whether the state may differ from plain up: one read decides whether more must be checked. */
  private volatile boolean noteworthy;

  private volatile @Nullable StatusTimer timer;
  private volatile boolean draining;
  private volatile boolean down;
  private volatile boolean retired;
  private volatile boolean out;
  private volatile long outUntil;
  private volatile boolean recovering;
  private volatile long recoveredAt;
  private int failed;
  private long firstFailure;
  private int timesOut;
  private int goodChecks;
  private int badChecks;

  AppServer(Key key) {
    this.key = key;
  }

  public Origin origin() {
    return key.origin();
  }

  public Tls tls() {
    return key.tls();
  }

  public Optional<Health> health() {
    return key.health();
  }

  Key key() {
    return key;
  }

  /** The name that administrators use. */
  public String id() {
    return origin().host() + ":" + origin().port();
  }

  void time(StatusTimer by) {
    timer = by;
  }

  /**
   * Records how long the server took to respond.
   *
   * @param status 0 if it failed to
   */
  public void took(int status, long nanos) {
    StatusTimer by = timer;
    if (by != null) {
      by.record(status, nanos);
    }
  }

  /** The active requests on the server. */
  public int outstanding() {
    return outstanding.get();
  }

  /** The open connections, and those that are being opened. */
  AtomicInteger connections() {
    return connections;
  }

  /** The requests that wait for a connection. */
  AtomicInteger waiting() {
    return waiting;
  }

  /** The event loops with such requests. */
  AtomicInteger awaiting() {
    return awaiting;
  }

  /** The event loops in which clients wait for a connection that have few. */
  AtomicInteger awaitingFew() {
    return awaitingFew;
  }

  public long requests() {
    return requests.sum();
  }

  public long failures() {
    return failures.sum();
  }

  /** Counts a request that failed here and is sent to another server. */
  public void retried() {
    retries.increment();
  }

  /** How many requests failed here and were sent to another server. */
  long retries() {
    return retries.sum();
  }

  /** How often the server was left out for a while because requests failed. */
  long ejections() {
    return ejections.sum();
  }

  /** Returns whether the configuration no longer names the server, so that no idle connections are stored. */
  public boolean isRetired() {
    return retired;
  }

  public State state(long now) {
    if (!noteworthy) {
      return State.UP;
    }
    if (draining) {
      return State.DRAINING;
    }
    if (down) {
      return State.DOWN;
    }
    if (!out) {
      return State.UP;
    }
    return now - outUntil < 0 ? State.OUT : State.ON_TRIAL;
  }

  /** Counts a request to the server; {@link #ended} must follow exactly once. */
  public void begun() {
    outstanding.incrementAndGet();
    requests.increment();
  }

  public void ended() {
    outstanding.decrementAndGet();
    if (out) {
      trial.set(false);
    }
  }

  /** Returns whether the caller is the one request that may try the server now. */
  boolean beginTrial() {
    return trial.compareAndSet(false, true);
  }

  /** Records a valid response. */
  public void succeeded() {
    if (noteworthy) {
      recover(System.nanoTime());
    }
  }

  private synchronized void recover(long now) {
    failed = 0;
    if (out) {
      out = false;
      timesOut = 0;
      startSlowly(now);
    }
    note();
  }

  /** Records a failed request that indicates a failure of the server. */
  public synchronized void failed(Passive config, long now) {
    failures.increment();
    if (config.failures() == 0) {
      return;
    }
    if (failed == 0 || now - firstFailure > config.window().toNanos()) {
      failed = 0;
      firstFailure = now;
    }
    failed++;
    boolean onTrial = out && now - outUntil >= 0;
    if (onTrial || !out && failed >= config.failures()) {
      outUntil = now + (config.outFor().toNanos() << Math.min(timesOut, LONGEST_OUT));
      timesOut++;
      ejections.increment();
      out = true;
      failed = 0;
      trial.set(false);
    }
    note();
  }

  /**
   * Records the result of a health check.
   *
   * @return whether the server's state has changed
   */
  public synchronized boolean checked(boolean well, Health config, long now) {
    goodChecks = well ? goodChecks + 1 : 0;
    badChecks = well ? 0 : badChecks + 1;
    boolean before = down;
    if (badChecks >= config.unhealthy()) {
      down = true;
    } else if (goodChecks >= config.healthy() && down) {
      down = false;
      startSlowly(now);
    }
    note();
    return before != down;
  }

  synchronized void drain(boolean wanted, long now) {
    if (draining && !wanted) {
      startSlowly(now);
    }
    draining = wanted;
    note();
  }

  void retire() {
    retired = true;
  }

  private void startSlowly(long now) {
    recoveredAt = now;
    recovering = true;
  }

  private void note() {
    noteworthy = draining || down || out || failed > 0 || recovering;
  }

  /** The share of its weight that applies, from 0.1 to 1. */
  double share(long now) {
    if (!noteworthy || !recovering) {
      return 1;
    }
    double share = (now - recoveredAt) / SLOW_START;
    if (share >= 1) {
      endSlowStart();
      return 1;
    }
    return Math.max(share, LEAST_SHARE);
  }

  private synchronized void endSlowStart() {
    recovering = false;
    note();
  }
}
