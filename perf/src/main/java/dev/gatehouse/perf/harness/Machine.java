package dev.gatehouse.perf.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine of the measurement. */
public record Machine(int cores, String processor, long memoryMb, String kernel, String java) {

  /** That of a measurement which does not name it; {@link #here} is never like it. */
  public static final Machine UNKNOWN = new Machine(0, "unknown", 0, "unknown", "unknown");

  /** The share of the memory by which one kernel keeps more for itself than another. */
  private static final double KERNEL = 0.02;

  public static Machine here() throws IOException {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        field("/proc/cpuinfo", "model name"),
        Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) / 1024,
        Files.readString(Path.of("/proc/sys/kernel/osrelease"), StandardCharsets.UTF_8).strip(),
        Runtime.version().toString());
  }

  private static String field(String file, String name) throws IOException {
    for (String line : Files.readAllLines(Path.of(file))) {
      if (line.startsWith(name)) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return "unknown";
  }

  /** Whether figures of both belong together: as many cores of the same processor, as much memory, and the same JDK. */
  public boolean isLike(Machine other) {
    return cores == other.cores && processor.equals(other.processor) && java.equals(other.java)
        && Math.abs(memoryMb - other.memoryMb) <= KERNEL * memoryMb;
  }

  /** A name for a folder of what was measured on it. */
  public String word() {
    return (cores + " cores of " + processor + " " + memoryMb + " MB JDK " + java).replaceAll("[^A-Za-z0-9.]+", "-");
  }

  @Override
  public String toString() {
    return cores + " cores of " + processor + ", " + memoryMb + " MB, Linux " + kernel + ", JDK " + java;
  }
}
