package dev.gatehouse.perf.otp;

import dev.gatehouse.common.audit.AuditArchive;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.perf.data.People;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Writes decisions about passcodes to a log, and takes the oldest tenth and then the rest out of it: compressed, read again, and removed. */
final class LogKeeping {

  private static final long FILE_BYTES = 1L << 20;
  private static final int WRITERS = 64;
  private static final int TENTH = 10;

  /**
   * What it took.
   *
   * @param bytes of the log, before
   */
  record Times(int events, long bytes, double writeSeconds, double tenthSeconds, double restSeconds) {}

  private LogKeeping() {}

  static Times measure(Path work, int events) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve("log-" + events));
    Path archive = Files.createDirectories(work.resolve("archive-" + events));
    // An event each millisecond.
    long first = Instant.now().minusMillis(events).toEpochMilli();
    AtomicLong now = new AtomicLong(first);
    try (JsonLinesAuditLog log =
            new JsonLinesAuditLog(folder, FILE_BYTES, Duration.ofDays(3650), () -> Instant.ofEpochMilli(now.get()));
        AuditArchive keeper =
            new AuditArchive(log, folder, archive, Duration.ofDays(3650), () -> Instant.ofEpochMilli(now.get()))) {
      double written = write(log, events, first, now);
      long bytes = bytes(folder);
      double tenth = archived(keeper, Instant.ofEpochMilli(first + events / TENTH));
      double rest = archived(keeper, Instant.ofEpochMilli(first + 2L * events));
      return new Times(events, bytes, written, tenth, rest);
    }
  }

  private static double write(JsonLinesAuditLog log, int events, long first, AtomicLong now) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    AtomicInteger next = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(
          Thread.startVirtualThread(
              () -> {
                for (int n = next.getAndIncrement(); n < events; n = next.getAndIncrement()) {
                  now.accumulateAndGet(first + n, Math::max);
                  AuditEvent.Context context = new AuditEvent.Context(OtpPeople.REALM, "127.0.0.1", Optional.empty());
                  log.record(new AuditEvent.PasscodeDecided(context, People.name(n), "radius:vpn", "accepted", OtpPeople.serial(n)));
                }
              }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    log.force();
    return (System.nanoTime() - begun) / 1e9;
  }

  private static double archived(AuditArchive keeper, Instant before) throws IOException {
    long begun = System.nanoTime();
    if (keeper.archiveNow(Optional.of(before), (done, all) -> {}).isEmpty()) {
      throw new IOException("the archive is at work");
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
