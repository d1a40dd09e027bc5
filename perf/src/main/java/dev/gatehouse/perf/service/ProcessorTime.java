package dev.gatehouse.perf.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time of all processors since the start of the machine, in ticks, at one moment (proc(5), stat).
 *
 * @param idle in which they did nothing
 * @param total idle time included
 */
record ProcessorTime(long idle, long total) {

  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;

  /** The guests' time that follows is in the user's, too. */
  private static final int STEAL = 8;

  static ProcessorTime now() throws IOException {
    return of(Files.readAllLines(Path.of("/proc/stat")).getFirst());
  }

  /** @param line {@code cpu user nice system idle iowait irq softirq steal guest guest_nice} */
  static ProcessorTime of(String line) {
    String[] fields = line.strip().split("\\s+");
    long total = 0;
    for (int i = 1; i <= STEAL; i++) {
      total += Long.parseLong(fields[i]);
    }
    return new ProcessorTime(Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT]), total);
  }

  /** Returns which part of the time since then the processors were busy, from 0 to 1. */
  double busySince(ProcessorTime before) {
    return 1 - (double) (idle - before.idle) / Math.max(1, total - before.total);
  }
}
