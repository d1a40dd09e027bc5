package dev.gatehouse.perf.sessions;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads sessions of a Valkey of its own in a separate process, whose heap is fixed, and writes to a file what those that are kept near
 * take. Arguments: {@code idp} or {@code gateway}, the number of sessions whose bytes are measured, the number of all sessions, the file.
 */
final class NearRun {

  private static final int READERS = 16;
  private static final int HITS = 20;
  private static final int MOST_FAILURES = 100;
  private static final long FAILED_NANOS = 200_000_000;
  private static final Pattern LOOKS = Pattern.compile("cmdstat_exists:calls=(\\d+)");

  /**
   * The results.
   *
   * @param entries sessions that were read once, so that they are near
   * @param bytesEach heap of one of them, after collections
   * @param hitMicros CPU time to find one that is near
   * @param missMicros CPU time of this process to read one from Valkey
   * @param valkeyMissMicros the same of Valkey
   * @param sessions of which any is found, evenly
   * @param bytes heap for those that are near then
   * @param missShare how many of the finds ask Valkey then
   */
  record Measurement(
      String kind, int entries, double bytesEach, double hitMicros, double missMicros, double valkeyMissMicros, int sessions, long bytes,
      double missShare) {}

  private final ValkeyServer server;

  private NearRun(ValkeyServer server) {
    this.server = server;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    SessionKind<?> kind = arguments[0].equals("idp") ? SessionKind.IDP : SessionKind.GATEWAY;
    Measurement seen;
    try (ValkeyServer server = ValkeyServer.start()) {
      int sessions = Integer.parseInt(arguments[2]);
      // By another node: one that wrote a session a moment ago need not open it.
      SessionId[] ids;
      try (ValkeyStores stores = node(server)) {
        ids = filled(kind, stores, sessions);
      }
      try (ValkeyStores stores = node(server)) {
        seen = new NearRun(server).measure(kind, stores, Integer.parseInt(arguments[1]), ids);
      }
    }
    Files.writeString(Path.of(arguments[3]), JsonMapper.shared().writeValueAsString(seen));
    System.exit(0);
  }

  private static ValkeyStores node(ValkeyServer server) {
    return new ValkeyStores(
        server.config("near", Acknowledge.LOCAL),
        new ValkeyStores.Node(SealingKey.inMemory(new Random(3)), InstantSource.system(), new Random(5), MetricFamilies.unpublished()),
        probe -> Optional.empty());
  }

  private <S extends Session> Measurement measure(SessionKind<S> kind, ValkeyStores stores, int entries, SessionId[] ids)
      throws IOException, InterruptedException {
    SessionStore<S> store = stores.sessions(kind.store(), kind.codec());
    int sessions = ids.length;
    // A first read loads classes, which must not be counted.
    find(store, ids[sessions - 1]);
    long heap = SessionsRun.usedHeap();
    double own = SessionsRun.cpuSeconds();
    double valkey = SessionsRun.cpuSeconds(server.process().pid());
    inParallel(reader -> readShare(store, ids, reader, entries));
    double missed = (SessionsRun.cpuSeconds() - own) * 1e6 / entries;
    double valkeyMissed = (SessionsRun.cpuSeconds(server.process().pid()) - valkey) * 1e6 / entries;
    double before = SessionsRun.cpuSeconds();
    for (int i = 0; i < HITS * entries; i++) {
      find(store, ids[i % entries]);
    }
    double hit = (SessionsRun.cpuSeconds() - before) * 1e6 / (HITS * entries);
    double each = (double) (SessionsRun.usedHeap() - heap) / entries;

    inParallel(reader -> readAny(store, ids, reader, 2L * sessions));
    long looks = looks();
    long asked = inParallel(reader -> readAny(store, ids, READERS + reader, sessions));
    double misses = (double) (looks() - looks) / asked;
    return new Measurement(kind.name(), entries, each, hit, missed, valkeyMissed, sessions, SessionsRun.usedHeap() - heap, misses);
  }

  private static <S extends Session> SessionId[] filled(SessionKind<S> kind, ValkeyStores stores, int sessions) throws InterruptedException {
    SessionStore<S> store = stores.sessions(kind.store(), kind.codec());
    SessionId[] ids = new SessionId[sessions];
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    inParallel(
        reader -> {
          GeneratedSessions made = new GeneratedSessions(reader);
          for (int i = reader; i < sessions; i += READERS) {
            int number = i;
            ids[i] = answered(() -> kind.fill(store, made, number, now));
          }
          return 0;
        });
    return ids;
  }

  private static <S extends Session> long readShare(SessionStore<S> store, SessionId[] ids, int reader, int entries) {
    for (int i = reader; i < entries; i += READERS) {
      find(store, ids[i]);
    }
    return 0;
  }

  private static <S extends Session> long readAny(SessionStore<S> store, SessionId[] ids, int seed, long all) {
    SplittableRandom random = new SplittableRandom(seed);
    long mine = all / READERS;
    for (long i = 0; i < mine; i++) {
      find(store, ids[random.nextInt(ids.length)]);
    }
    return mine;
  }

  private static <S extends Session> void find(SessionStore<S> store, SessionId id) {
    if (answered(() -> store.find(id)).isEmpty()) {
      throw new IllegalStateException("a session is gone");
    }
  }

  /** On a busy machine a connection or the heartbeat of the store may be late. */
  private static <T> T answered(Supplier<T> asked) {
    for (int failures = 0; ; failures++) {
      try {
        return asked.get();
      } catch (StoreUnavailable e) {
        if (failures == MOST_FAILURES) {
          throw e;
        }
        LockSupport.parkNanos(FAILED_NANOS);
      }
    }
  }

  private interface Work {
    long run(int reader) throws IOException;
  }

  private static long inParallel(Work work) throws InterruptedException {
    long sum = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> parts = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int reader = i;
        parts.add(threads.submit(() -> work.run(reader)));
      }
      for (Future<Long> part : parts) {
        sum += part.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return sum;
  }

  /** Returns how often a session was looked for in Valkey. */
  private long looks() throws IOException {
    Matcher looks = LOOKS.matcher(server.command("INFO", "commandstats"));
    if (!looks.find()) {
      throw new IOException("Valkey does not say how often it was asked for a session");
    }
    return Long.parseLong(looks.group(1));
  }
}
