package dev.gatehouse.perf.all;

import dev.gatehouse.perf.server.ProcessorTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time since the start of the machine, in ticks, at one moment (proc(5)).
 *
 * @param busy of all cores in processes and the kernel, without interrupts, which belong to nobody
 * @param steal what the hypervisor gave to others
 * @param total all time of all cores, idle time included
 * @param processes by their id
 */
record Ticks(long busy, long steal, long total, Map<Long, Process> processes) {

  private static final long KERNEL = 2;

  /**
   * A process.
   *
   * @param start in ticks since the machine's start: an id may be used again
   * @param own user and system time
   * @param ended that of its ended children for which it waited
   */
  record Process(long id, long parent, long start, long own, long ended) {

    boolean isKernel() {
      return id == KERNEL || parent == KERNEL;
    }

    boolean isSame(Process other) {
      return id == other.id && start == other.start;
    }
  }

  /** @param proc where the kernel tells it: {@code /proc} */
  static Ticks read(Path proc) throws IOException {
    ProcessorTime time = ProcessorTime.read(proc);
    Map<Long, Process> processes = new HashMap<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path each : folders) {
        try {
          Process process = process(Files.readString(each.resolve("stat"), StandardCharsets.ISO_8859_1));
          processes.put(process.id(), process);
        } catch (IOException e) {
          // It has just ended.
          continue;
        }
      }
    }
    return new Ticks(time.processes(), time.steal(), time.total(), Map.copyOf(processes));
  }

  /** The name of the program, in parentheses, may have anything in it. */
  private static Process process(String stat) {
    long id = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
    return new Process(
        id, Long.parseLong(fields[1]), Long.parseLong(fields[19]), Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
        Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
  }
}
