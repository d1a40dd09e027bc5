package dev.gatehouse.gateway.netty.loop;

import dev.gatehouse.common.metric.StatusTimer;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.trace.Tracing;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.accesslog.AccessLines;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HttpDate;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.TraceFields;
import dev.gatehouse.gateway.traffic.BufferBudget;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of one event loop: its connections and its buffer for heads. Used by that event loop only. */
public final class GatewayEventLoop {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayEventLoop.class);

  private static final long SWEEP_MILLIS = 250;

  private final EventLoop executor;
  private final InstantSource time;
  private final @Nullable AccessLines accessLog;
  private final StatusTimer unrouted;
  private final RandomGenerator ids;
  private final Tracing tracing;
  private final HeadBuffer heads = new HeadBuffer();
  private final Set<WatchedConnection> watched = new HashSet<>();
  private final BufferRelief relief;
  private final BoundedReceive receive;
  private final FairQueue fairQueue;
  private final List<LongConsumer> checks = new ArrayList<>();
  private boolean ending;
  private long dateSecond = -1;
  private String date = "";

  public GatewayEventLoop(EventLoop executor, InstantSource time, @Nullable AccessLines accessLog, BufferBudget buffers,
      StatusTimer unrouted, RandomGenerator ids, Tracing tracing) {
    this.executor = executor;
    this.time = time;
    this.accessLog = accessLog;
    this.unrouted = unrouted;
    this.ids = ids;
    this.tracing = tracing;
    this.fairQueue = new FairQueue(executor);
    this.relief = new BufferRelief(buffers, executor, watched);
    this.receive = receive(() -> BoundedReceive.USUAL);
  }

  public void start() {
    executor.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  public EventLoop executor() {
    return executor;
  }

  /** The read sizes of clients' connections. */
  public BoundedReceive receive() {
    return receive;
  }

  /**
   * The read sizes of a connection.
   *
   * @param wanted supplies the bytes that are welcome at the moment
   */
  public BoundedReceive receive(IntSupplier wanted) {
    return new BoundedReceive(relief, wanted);
  }

  /** Returns whether reads must be small because memory is tight. */
  public boolean isTight() {
    return relief.isTight();
  }

  public InstantSource time() {
    return time;
  }

  /** An empty buffer; only one head may use it at a time. */
  public HeadBuffer head() {
    return heads.reset();
  }

  /** Runs a task soon on this event loop; drops it if the server stops. */
  public void later(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The event loop has ended", e);
    }
  }

  /** The requests of clients that have much under way. */
  public FairQueue fairQueue() {
    return fairQueue;
  }

  /**
   * Adds a check that runs a few times a second, before those of the connections.
   *
   * @param check takes the time, as of {@link System#nanoTime()}
   */
  public void addCheck(LongConsumer check) {
    checks.add(check);
  }

  /** The connections that are watched. */
  public Set<WatchedConnection> connections() {
    return Collections.unmodifiableSet(watched);
  }

  public void watch(WatchedConnection connection) {
    watched.add(connection);
    relief.added(connection);
  }

  public void forget(WatchedConnection connection) {
    watched.remove(connection);
  }

  /** The number of watched connections. */
  public int watched() {
    return watched.size();
  }

  /** Bytes that this event loop's connections hold in buffers. */
  public long held() {
    return executor.submit(() -> watched.stream().mapToLong(WatchedConnection::held).sum()).syncUninterruptibly().getNow();
  }

  /** Begins or stops to tell clients that connections end. */
  public void announceEnd(boolean wanted) {
    ending = wanted;
    if (wanted) {
      List.copyOf(watched).forEach(WatchedConnection::announceEnd);
    }
  }

  /** Returns whether each response tells its client that the connection ends. */
  public boolean isEnding() {
    return ending;
  }

  public void drain() {
    List.copyOf(watched).forEach(WatchedConnection::drain);
  }

  /**
   * The id of a request that begins.
   *
   * @param head null if it is malformed
   * @param trusted whether the peer is a trusted proxy, whose id counts
   */
  public String requestId(@Nullable RequestHead head, boolean trusted) {
    if (trusted && head != null) {
      List<String> sent = head.fields().all(FieldName.X_REQUEST_ID);
      if (sent.size() == 1 && RequestId.isUsable(sent.getFirst())) {
        return sent.getFirst();
      }
    }
    return RequestId.create(ids);
  }

  /**
   * Begins the trace of a request, if tracing is on.
   *
   * @param head null if it is malformed
   * @param trusted whether the peer is a trusted proxy, whose trace is continued
   */
  public void trace(AccessEntry entry, @Nullable RequestHead head, boolean trusted) {
    if (!tracing.isOn()) {
      return;
    }
    if (head != null && trusted) {
      entry.trace(
          tracing.begin(head.method(), TraceFields.parents(head.fields()), TraceFields.states(head.fields()), ids));
    } else {
      entry.trace(tracing.begin(head == null ? "" : head.method(), List.of(), List.of(), ids));
    }
  }

  /** Counts a request that has ended and writes its access log line; only once, however often it is called. */
  public void log(AccessEntry entry) {
    if (!entry.end()) {
      return;
    }
    long now = System.nanoTime();
    entry.took(now, unrouted);
    entry.endTrace();
    if (accessLog != null) {
      accessLog.add(entry, now);
    }
  }

  /** Flushes the access log lines. */
  public void flushLog() {
    if (accessLog != null) {
      accessLog.flush();
    }
  }

  /** The current time in seconds since the epoch. */
  public long second() {
    return time.millis() / 1000;
  }

  /** The value of a Date field (RFC 9110, section 6.6.1), formatted once a second. */
  public String date() {
    long second = time.instant().getEpochSecond();
    if (second != dateSecond) {
      dateSecond = second;
      date = HttpDate.format(second);
    }
    return date;
  }

  private void sweep() {
    flushLog();
    try {
      relief.check();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("Memory could not be freed", e);
    }
    long now = System.nanoTime();
    checks.forEach(check -> check.accept(now));
    // Copied because a connection that is closed removes itself from the set.
    for (WatchedConnection connection : new ArrayList<>(watched)) {
      try {
        connection.check(now);
      } catch (RuntimeException | OutOfMemoryError e) {
        // The other connections must still be checked, and a scheduled task that throws is never run again.
        LOG.error("A connection could not be checked", e);
      }
    }
  }
}
