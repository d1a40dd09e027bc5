package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time of all processors since the start of the machine, in ticks, at one moment (proc(5), stat).
 *
 * @param processes in processes and the kernel, without interrupts, which belong to nobody
 * @param idle in which they did nothing
 * @param steal what the hypervisor gave to others
 * @param total all of it, idle time included
 */
public record ProcessorTime(long processes, long idle, long steal, long total) {

  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;

  /** The guests' time that follows is in the user's, too. */
  private static final int STEAL = 8;

  public static ProcessorTime now() throws IOException {
    return read(Path.of("/proc"));
  }

  /** @param proc where the kernel tells it: {@code /proc} */
  public static ProcessorTime read(Path proc) throws IOException {
    return of(Files.readAllLines(proc.resolve("stat")).getFirst());
  }

  /** @param line {@code cpu user nice system idle iowait irq softirq steal guest guest_nice} */
  static ProcessorTime of(String line) {
    String[] fields = line.strip().split("\\s+");
    long[] ticks = new long[STEAL + 1];
    long total = 0;
    for (int i = 1; i <= STEAL; i++) {
      ticks[i] = Long.parseLong(fields[i]);
      total += ticks[i];
    }
    return new ProcessorTime(ticks[1] + ticks[2] + ticks[3], ticks[IDLE] + ticks[IO_WAIT], ticks[STEAL], total);
  }

  /** Returns which part of the time since then the processors were not idle, from 0 to 1. */
  public double busySince(ProcessorTime before) {
    return 1 - (double) (idle - before.idle) / Math.max(1, total - before.total);
  }
}
