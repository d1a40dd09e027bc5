package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to the Valkey primary. They live and die together: if one is lost, all are closed, and none is used again before the
 * admission has checked the server. While there are none, or while no write was acknowledged within two seconds (a deposed primary
 * still answers reads), every operation is refused. A line may be cut without a word, also for one connection alone: each is asked.
 */
public final class ValkeyLink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ValkeyLink.class);

  /** Writes are acknowledged at least this often, or nothing counts. */
  static final Duration FRESH = Duration.ofSeconds(2);

  private static final Duration BEAT = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofMillis(250);
  private static final int LANES = 4;

  /** The connections, or the reason why there are none. */
  private sealed interface State {
    record Up(List<Lane> lanes, StatefulRedisConnection<byte[], byte[]> plain, StatefulRedisConnection<byte[], byte[]> tracked)
        implements State {}

    record Down(String reason) implements State {}
  }

  private final ValkeyConfig config;
  private final Names names;
  private final Entrance entrance;
  private final LinkListener listener;
  private final LinkTimes times;
  private final RedisClient client;
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicLong sequence = new AtomicLong();
  private volatile State state = new State.Down("not connected yet");
  private volatile long acknowledgedNanos = System.nanoTime() - FRESH.toNanos();
  /** When the latest question began that was answered on the connection of the reports. */
  private volatile long heardNanos = acknowledgedNanos;
  private volatile boolean closed;
  private volatile boolean outOfReach;
  private final Object beating = new Object();
  /** Whether the listener was told that nothing is confirmed; until a write is acknowledged. */
  private volatile boolean suspect = true;
  /** A thread of its own: busy virtual threads must not delay what proves that reads count. */
  private final Thread keeper;

  /**
   * Opens the connections. Does not throw if there is no server: {@link #problem} tells why.
   *
   * @param admission checks each new connection, beside what is checked of every server
   */
  ValkeyLink(ValkeyConfig config, Names names, Admission admission, LinkListener listener, LinkTimes times) {
    this.config = config;
    this.names = names;
    this.entrance = new Entrance(config, names, admission);
    this.listener = listener;
    this.times = times;
    this.client = Clients.create(config);
    connect();
    this.keeper = Thread.ofPlatform().daemon().name("valkey-keeper").start(this::keep);
  }

  ValkeyConfig config() {
    return config;
  }

  Names names() {
    return names;
  }

  /** Returns why nothing is served; empty while the primary acknowledges writes. */
  public Optional<String> problem() {
    return switch (state) {
      case State.Down down -> Optional.of(down.reason());
      case State.Up up ->
          isFresh() ? Optional.empty() : Optional.of("no write was acknowledged within " + FRESH.toSeconds() + " s");
    };
  }

  /** Returns whether the reason is that the primary cannot be reached, as far as that was found out; otherwise it answers. */
  boolean isOutOfReach() {
    return outOfReach && problem().isPresent();
  }

  /** Returns whether what is read from the server counts. */
  boolean isFresh() {
    return System.nanoTime() - acknowledgedNanos < FRESH.toNanos();
  }

  /** Returns whether what near caches hold counts: the server is the primary, and its reports of changes arrive. */
  boolean hearsChanges() {
    return System.nanoTime() - confirmedNanos() < FRESH.toNanos();
  }

  /** Returns since when nothing confirms what near caches hold: no acknowledged write, or no answer where the reports arrive. */
  long confirmedNanos() {
    long acknowledged = acknowledgedNanos;
    long heard = heardNanos;
    return heard - acknowledged < 0 ? heard : acknowledged;
  }

  /** Returns the highest sequence that this node knows to be acknowledged. */
  public long sequence() {
    return sequence.get();
  }

  /** Executes the script and returns once its change is acknowledged; an answer that nothing was changed counts as what is read. */
  Reply write(Script script, byte[][] keys, byte[]... arguments) {
    long begun = System.nanoTime();
    List<Lane> lanes = up().lanes();
    int first = Math.floorMod(turn.getAndIncrement(), lanes.size());
    Reply reply = times.timed(times.writes(), "store write", begun, () -> await(lanes.get(first).execute(script, keys, arguments)));
    if (script.changed(reply)) {
      acknowledged(begun);
    } else if (!reply.isDone()) {
      fresh();
    }
    return reply;
  }

  private void acknowledged(long begun) {
    if (begun - acknowledgedNanos > 0) {
      acknowledgedNanos = begun;
    }
  }

  /** Executes the script without waiting for acknowledgements. */
  Reply run(Script script, byte[][] keys, byte[]... arguments) {
    return new Reply(
        read(server -> server.<List<@Nullable Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments)));
  }

  /** Reads from the primary, which must have acknowledged a write lately. */
  <T> T read(Function<RedisAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
    return read(fresh().plain(), command);
  }

  /** Reads through the connection on which the server reports changes of what was read. */
  <T> T readTracked(Function<RedisAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
    long begun = System.nanoTime();
    T answer = read(fresh().tracked(), command);
    heard(begun);
    return answer;
  }

  /** The server has sent its reports of earlier changes before an answer to what was asked then. */
  private void heard(long begun) {
    if (begun - heardNanos > 0) {
      heardNanos = begun;
    }
  }

  private <T> T read(
      StatefulRedisConnection<byte[], byte[]> connection,
      Function<RedisAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
    return times.timed(times.reads(), "store read", System.nanoTime(), () -> await(command.apply(connection.async())));
  }

  private <T> T await(CompletionStage<T> result) {
    return Failures.await(result, config.timeout());
  }

  private State.Up fresh() {
    State.Up up = up();
    if (!isFresh()) {
      throw new StoreUnavailable("Valkey is not used: no write was acknowledged within " + FRESH.toSeconds() + " s");
    }
    return up;
  }

  private State.Up up() {
    return switch (state) {
      case State.Up up -> up;
      case State.Down down -> throw new StoreUnavailable("Valkey is not used: " + down.reason());
    };
  }

  // --- connecting --------------------------------------------------------------------------------------------------

  private void keep() {
    while (!closed && !Thread.currentThread().isInterrupted()) {
      synchronized (beating) {
        if (state instanceof State.Down) {
          connect();
        } else {
          beat();
        }
      }
      LockSupport.parkNanos((state instanceof State.Up ? BEAT : RETRY).toNanos());
    }
  }

  /** Begins the sequence anew, in an installation whose data were removed on purpose. */
  void beginSequence() {
    synchronized (beating) {
      read(server -> server.unlink(names.key("sequence")));
      sequence.set(0);
    }
  }

  /** Raises the sequence, which proves that this server still has its replicas, and asks on the connections that write nothing. */
  private void beat() {
    try {
      long begun = System.nanoTime();
      State.Up asked = up();
      CompletionStage<String> read = asked.plain().async().ping();
      CompletionStage<String> heard = asked.tracked().async().ping();
      Reply reply = write(Script.HEARTBEAT, new byte[][] {names.key("sequence")});
      await(read);
      await(heard);
      heard(begun);
      long raised = reply.number(1);
      if (raised <= sequence.get() && state instanceof State.Up up) {
        // Somebody emptied it, or put older data back, while this node was connected.
        outOfReach = false;
        lost(up, Entrance.older(raised, sequence.get()));
        return;
      }
      outOfReach = false;
      sequence.set(raised);
      suspect(false);
    } catch (StoreUnavailable e) {
      LOG.warn("Nothing that Valkey says is certain: {}", e.getMessage());
      outOfReach = Reachability.isLost(e);
      suspect(true);
      boolean useless =
          e.getCause() instanceof TimeoutException
              || e.getCause() instanceof RedisNoScriptException
              || e.getCause() instanceof RedisReadOnlyException
              // Without its replicas: Sentinels may have promoted one of them, and know it.
              || outOfReach && config.place() instanceof ValkeyConfig.Place.Sentinels;
      if (useless && state instanceof State.Up up) {
        lost(up, String.valueOf(e.getMessage()));
      }
    }
  }

  /** Returns whether a write was acknowledged since this connection began: what is read before may be kept by nobody. */
  boolean isConfirmed() {
    return !suspect;
  }

  private synchronized void suspect(boolean now) {
    boolean begins = now && !suspect;
    // First: whoever asks in between must not take the next connection's number for confirmed.
    suspect = now;
    if (begins) {
      listener.unverified();
    }
  }

  private void connect() {
    List<StatefulRedisConnection<byte[], byte[]>> opened = new ArrayList<>();
    try {
      Clients.connect(client, config, LANES + 2, opened);
      StatefulRedisConnection<byte[], byte[]> plain = opened.get(LANES);
      StatefulRedisConnection<byte[], byte[]> tracked = opened.get(LANES + 1);
      Optional<String> refusal = entrance.refusal(plain, sequence.get());
      if (refusal.isPresent()) {
        outOfReach = false;
        down(refusal.get(), opened);
        return;
      }
      Tracking.start(tracked, listener);
      int replicas = config.acknowledge() == Acknowledge.REPLICA ? 1 : 0;
      List<Lane> lanes =
          opened.stream().limit(LANES).map(connection -> new Lane(connection, replicas, config.timeout().toMillis())).toList();
      State.Up up = new State.Up(lanes, plain, tracked);
      opened.forEach(connection -> connection.addListener(lossOf(up)));
      state = up;
      if (opened.stream().anyMatch(connection -> !connection.isOpen())) {
        lost(up, "a connection was lost");
        return;
      }
      LOG.info("Valkey is connected: {}", config.place().servers());
      beat();
    } catch (RuntimeException e) {
      // Also of the database, which is asked about the record: this thread goes on.
      outOfReach = Reachability.isLost(e);
      down(Clients.sentence(config, e), opened);
    }
  }

  private void down(String reason, List<StatefulRedisConnection<byte[], byte[]>> opened) {
    if (!(state instanceof State.Down known) || !known.reason().equals(reason)) {
      LOG.warn("Valkey is not used: {}", reason);
    }
    state = new State.Down(reason);
    suspect(true);
    opened.forEach(StatefulRedisConnection::closeAsync);
  }

  private RedisConnectionStateListener lossOf(State.Up up) {
    return new RedisConnectionStateListener() {
      @Override
      public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        lost(up, "a connection was lost");
      }
    };
  }

  private synchronized void lost(State.Up up, String reason) {
    if (state == up && !closed) {
      List<StatefulRedisConnection<byte[], byte[]>> opened = new ArrayList<>(List.of(up.plain(), up.tracked()));
      up.lanes().forEach(lane -> opened.add(lane.connection()));
      down(reason, opened);
      LockSupport.unpark(keeper);
    }
  }

  @Override
  public void close() {
    closed = true;
    keeper.interrupt();
    try {
      keeper.join(config.timeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    state = new State.Down("the node stops");
    client.shutdown(0, 1, TimeUnit.SECONDS);
    client.getResources().shutdown(0, 1, TimeUnit.SECONDS);
  }
}
