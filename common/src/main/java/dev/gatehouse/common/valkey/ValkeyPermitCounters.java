package dev.gatehouse.common.valkey;

import dev.gatehouse.common.throttle.PermitCounters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts permits for all nodes. No acknowledgement is waited for: a promotion may forget the guesses of its last moment. Counters end by
 * the server's clock, later than their last permit: one that is lost early allows as many guesses as there were in it, and no more.
 * A counter has at most as many members as its limit, and an address is counted before an account, so that a stranger cannot fill the
 * server.
 */
final class ValkeyPermitCounters implements PermitCounters {

  private static final int MAX_WAITING = 1_000;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final long FULL = 2;

  private final ValkeyLink link;
  private final String store;
  private final AtomicInteger waiting = new AtomicInteger();

  private volatile boolean counting = true;
  private volatile long lookedNanos = System.nanoTime() - LOOK_AGAIN.toNanos();

  ValkeyPermitCounters(ValkeyLink link, String name) {
    this.link = link;
    this.store = "c:" + name;
  }

  @Override
  public Answer take(String key, String who, int limit, Duration window, Instant now) {
    counting = true;
    Reply reply = ask(key, who, limit, window, now);
    if (reply.isDone()) {
      return new Answer.Taken(reply.number(1));
    }
    if (reply.number(0) == FULL) {
      return new Answer.Full(until(reply, now));
    }
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return new Answer.Crowded(Optional.empty());
    }
    return new Answer.Crowded(
        Optional.of(new CompletableFuture<Void>().completeOnTimeout(null, LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)));
  }

  @Override
  public Optional<Duration> full(String key, int limit, Instant now) {
    Reply reply = ask(key, "", -limit, Duration.ZERO, now);
    return reply.number(0) == FULL ? Optional.of(until(reply, now)) : Optional.empty();
  }

  private Reply ask(String key, String who, int limit, Duration window, Instant now) {
    String hash = link.names().hash(store, key);
    return link.run(
        Script.PERMIT_TAKE,
        new byte[][] {failed(hash), open(hash), link.names().key("permits"), mark()},
        Names.digits(now),
        Names.digits(now.plus(MAX_OPEN)),
        Names.digits(now.plus(window)),
        Names.ascii(String.valueOf(limit)),
        who(who));
  }

  private static Duration until(Reply reply, Instant now) {
    String score = new String(reply.bytes(1), StandardCharsets.US_ASCII);
    return Duration.between(now, Instant.ofEpochMilli((long) Double.parseDouble(score)));
  }

  @Override
  public void leave(String key, CompletableFuture<Void> change) {
    waiting.decrementAndGet();
  }

  @Override
  public void fail(String key, long permit) {
    settle(key, "", permit, "fail");
  }

  @Override
  public void giveBack(String key, long permit) {
    settle(key, "", permit, "back");
  }

  @Override
  public void clearUpTo(String key, String who, long permit) {
    settle(key, who, permit, "clear");
  }

  private void settle(String key, String who, long permit, String how) {
    String hash = link.names().hash(store, key);
    link.run(
        Script.PERMIT_SETTLE,
        new byte[][] {failed(hash), open(hash), group(key)},
        Names.ascii(String.valueOf(permit)),
        Names.ascii(how),
        who(who),
        Names.ascii(String.valueOf(Duration.ofDays(1).toMillis())),
        Names.ascii(hash));
  }

  @Override
  public int failed(String key, Instant now) {
    return failed(link.names().hash(store, key), "count", now);
  }

  @Override
  public int forget(String key, Instant now) {
    Set<String> counters = new HashSet<>();
    // It has failed permits outside of the group if a fault left them open.
    counters.add(link.names().hash(store, key));
    link.read(server -> server.smembers(group(key))).forEach(hash -> counters.add(new String(hash, StandardCharsets.US_ASCII)));
    return counters.stream().mapToInt(hash -> failed(hash, "forget", now)).sum();
  }

  private int failed(String hash, String how, Instant now) {
    byte[][] keys = {failed(hash), open(hash)};
    return Math.toIntExact(link.run(Script.PERMIT_FAILED, keys, Names.digits(now), Names.ascii(how)).number(1));
  }

  /** Asks the server now and then: every client's right secret would ask otherwise. */
  @Override
  public boolean isEmpty() {
    if (System.nanoTime() - lookedNanos > LOOK_AGAIN.toNanos()) {
      lookedNanos = System.nanoTime();
      counting = link.read(server -> server.exists(mark())) > 0;
    }
    return !counting;
  }

  private byte[] failed(String hash) {
    return link.names().key(store + ":f:" + hash);
  }

  private byte[] open(String hash) {
    return link.names().key(store + ":o:" + hash);
  }

  /** The names of counters with failed permits whose keys begin with the same realm and name. */
  private byte[] group(String key) {
    int name = key.indexOf('\0') + 1;
    int end = key.indexOf('\0', Math.min(name + 1, key.length()));
    return link.names().key(store + ":g:" + link.names().hash(store, end < 0 ? key : key.substring(0, end)));
  }

  private byte[] mark() {
    return link.names().key(store);
  }

  private byte[] who(String who) {
    return Names.ascii(who.isEmpty() ? "" : link.names().hash(store, "who " + who));
  }
}
