package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * One server of an app as this node knows it, shared by all event loops and all routes that lead to it; it outlives
 * changes of the configuration that keep it. Times are as of {@link System#nanoTime()}.
 */
public final class AppServer {

  /** What makes a server another one. */
  public record Key(Origin origin, Tls tls, Optional<Health> health) {}

  /** Whether it gets requests. */
  public enum State {
    UP,
    /** It failed often: it is left alone for a while. */
    OUT,
    /** It was left alone for long enough: one request may try it. */
    ON_TRIAL,
    /** Its health checks fail. */
    DOWN,
    /** An administrator takes it out: what runs on it ends in its own time. */
    DRAINING
  }

  /** A server that came back takes its full share only after this. */
  private static final double SLOW_START = Duration.ofSeconds(10).toNanos();

  private static final double LEAST_SHARE = 0.1;

  /** Doubling stops here. */
  private static final int LONGEST_OUT = 4;

  private final Key key;
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger awaiting = new AtomicInteger();
  private final LongAdder requests = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean trial = new AtomicBoolean();

  /** Any state but plain up: one read tells whether there is more to look at. */
  private volatile boolean noteworthy;

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

  /** How administrators name it. */
  public String id() {
    return origin().host() + ":" + origin().port();
  }

  /** Requests that run on it. */
  public int outstanding() {
    return outstanding.get();
  }

  /** Open connections, and those that are being opened. */
  AtomicInteger connections() {
    return connections;
  }

  /** Requests that wait for a connection. */
  AtomicInteger waiting() {
    return waiting;
  }

  /** Event loops that have such requests. */
  AtomicInteger awaiting() {
    return awaiting;
  }

  public long requests() {
    return requests.sum();
  }

  public long failures() {
    return failures.sum();
  }

  /** Whether the configuration no longer names it: no connection is kept. */
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

  /** A request goes to it; {@link #ended} follows exactly once. */
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

  /** Whether the caller is the one request that may try it now. */
  boolean tryIt() {
    return trial.compareAndSet(false, true);
  }

  /** It answered as an app does. */
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

  /** It failed a request in a way that tells of the server and not of the request. */
  public synchronized void failed(Passive rule, long now) {
    failures.increment();
    if (rule.failures() == 0) {
      return;
    }
    if (failed == 0 || now - firstFailure > rule.window().toNanos()) {
      failed = 0;
      firstFailure = now;
    }
    failed++;
    boolean onTrial = out && now - outUntil >= 0;
    if (onTrial || !out && failed >= rule.failures()) {
      outUntil = now + (rule.outFor().toNanos() << Math.min(timesOut, LONGEST_OUT));
      timesOut++;
      out = true;
      failed = 0;
      trial.set(false);
    }
    note();
  }

  /** A health check's outcome; true where the server changed sides. */
  public synchronized boolean checked(boolean well, Health rule, long now) {
    goodChecks = well ? goodChecks + 1 : 0;
    badChecks = well ? 0 : badChecks + 1;
    boolean before = down;
    if (badChecks >= rule.unhealthy()) {
      down = true;
    } else if (goodChecks >= rule.healthy() && down) {
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

  /** From 0.1 to 1: how much of its weight counts. */
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
