package dev.gatehouse.perf.faults;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.RocksStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Sessions begin and end in waves: the disk space of RocksDB must stay bounded, and must be released afterwards. */
final class Growth implements FaultCase {

  private static final int WAVE = 20_000;
  private static final Duration BETWEEN_WAVES = Duration.ofSeconds(20);

  /** A little longer than RocksDB waits before it releases space. */
  private static final Duration AFTERWARDS = Duration.ofMinutes(11);

  private static final double MEGABYTE = 1024 * 1024;

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public String description() {
    return "begins and ends sessions in waves for the given time, then waits eleven minutes";
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    Path data = context.work().resolve("data");
    InstantSource time = InstantSource.system();
    long peak = 0;
    int waves = 0;
    try (RocksStores stores = new RocksStores(data, time)) {
      SessionStore<WaveSession> sessions = stores.sessions("app", WaveSession.CODEC);
      Instant until = time.instant().plus(context.duration());
      while (waves == 0 || time.instant().isBefore(until)) {
        wave(sessions, waves, time.instant());
        peak = Math.max(peak, bytes(data));
        waves++;
        Thread.sleep(BETWEEN_WAVES);
      }
      context.progress(waves + " waves; waiting " + AFTERWARDS.toMinutes() + " minutes");
      Thread.sleep(AFTERWARDS);
      return List.of(
          Figure.reported("sessions that began and ended", (double) waves * WAVE, ""),
          Figure.atMost(128, "most that RocksDB took meanwhile", peak / MEGABYTE, "MB"),
          Figure.atMost(6, "what RocksDB takes eleven minutes after the last session ended", bytes(data) / MEGABYTE, "MB"));
    }
  }

  private static void wave(SessionStore<WaveSession> sessions, int wave, Instant now) {
    for (int i = 0; i < WAVE; i++) {
      sessions.create(
          new WaveSession(id(wave, i), new PersonId("person" + i), now, now.plus(Duration.ofHours(8))));
    }
    for (int i = 0; i < WAVE; i++) {
      sessions.end(id(wave, i));
    }
  }

  private static SessionId id(int wave, int number) {
    return new SessionId("session" + wave + "-" + number);
  }

  private static long bytes(Path data) throws IOException {
    return Folders.bytes(data.resolve("rocksdb"), file -> file.toString().matches(".*\\.(sst|log)"));
  }
}
