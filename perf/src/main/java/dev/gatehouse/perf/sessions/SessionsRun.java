package dev.gatehouse.perf.sessions;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.Stores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fills one store in a separate process, and writes the results to a file. Arguments: {@code idp} or {@code gateway},
 * the number of sessions, a folder, the file. The heap must be fixed and touched at start, so that it does not grow.
 */
final class SessionsRun {

  private static final int SAMPLES = 1000;

  /**
   * The results.
   *
   * @param kind {@code identity provider} or {@code gateway}
   * @param heapBytes difference of the heap after collections, with and without the sessions
   * @param nativeBytes difference of the anonymous resident memory, which is outside the heap: caches, filters, write buffers
   * @param diskBytes in the folder, at the end
   * @param openMicros CPU time to open one session, of all threads
   * @param findMicros CPU time to find one by its id
   */
  record Measurement(
      String kind,
      int sessions,
      long heapBytes,
      long nativeBytes,
      long diskBytes,
      double openMicros,
      double findMicros) {

    double residentEach() {
      return (double) (heapBytes + nativeBytes) / sessions;
    }
  }

  private SessionsRun() {}

  public static void main(String[] arguments) throws IOException {
    SessionKind<?> kind = arguments[0].equals("idp") ? SessionKind.IDP : SessionKind.GATEWAY;
    int sessions = Integer.parseInt(arguments[1]);
    Path folder = Path.of(arguments[2]);
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    InstantSource time = InstantSource.fixed(now);
    Measurement seen;
    try (RocksStores stores = new RocksStores(folder, time)) {
      seen = run(sessions, folder, stores, now, kind);
    }
    Files.writeString(Path.of(arguments[3]), JsonMapper.shared().writeValueAsString(seen));
    System.exit(0);
  }

  private static <S extends Session> Measurement run(
      int sessions, Path folder, Stores stores, Instant now, SessionKind<S> kind) throws IOException {
    SessionStore<S> store = stores.sessions(kind.store(), kind.codec());
    // A first session loads classes, which must not be counted.
    GeneratedSessions warm = new GeneratedSessions();
    SessionId first = kind.fill(store, warm, 0, now);
    store.end(first);
    long heap = usedHeap();
    long resident = anonymousResident();
    double cpu = cpuSeconds();
    SessionId[] some = new SessionId[SAMPLES];
    GeneratedSessions made = new GeneratedSessions();
    for (int number = 1; number <= sessions; number++) {
      some[number % SAMPLES] = kind.fill(store, made, number, now);
    }
    double filled = cpuSeconds();
    check(store, some, sessions);
    double before = cpuSeconds();
    for (int i = 0; i < 100 * SAMPLES; i++) {
      if (store.find(some[i % SAMPLES]).isEmpty()) {
        throw new IllegalStateException("a session is gone");
      }
    }
    double found = cpuSeconds();
    long heapAfter = usedHeap();
    if (store.count() != sessions) {
      throw new IllegalStateException(store.count() + " sessions");
    }
    return new Measurement(
        kind.name(),
        sessions,
        heapAfter - heap,
        anonymousResident() - resident,
        size(folder),
        (filled - cpu) * 1e6 / sessions,
        (found - before) * 1e6 / (100 * SAMPLES));
  }

  /** Checks that each is found by its id, its person and its other index keys. */
  private static <S extends Session> void check(SessionStore<S> store, SessionId[] some, int sessions) {
    for (SessionId id : some) {
      S session = store.find(id).orElseThrow();
      boolean good =
          store.byPerson(GeneratedSessions.REALM, session.person()).equals(List.of(session))
              && session.indexKeys().stream().allMatch(key -> store.byIndex(key).equals(List.of(session)));
      if (!good || store.count() != sessions) {
        throw new IllegalStateException("a session was not found as it should be: " + id);
      }
    }
  }

  static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** RssAnon of this process in bytes; see proc_pid_status(5). */
  private static long anonymousResident() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String line = lines.filter(each -> each.startsWith("RssAnon:")).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    }
  }

  static double cpuSeconds() throws IOException {
    return cpuSeconds(ProcessHandle.current().pid());
  }

  static double cpuSeconds(long process) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
