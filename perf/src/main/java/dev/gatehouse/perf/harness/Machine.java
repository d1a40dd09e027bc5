package dev.gatehouse.perf.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine of the measurement. */
public record Machine(int cores, String processor, long memoryMb, String kernel, String java) {

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

  @Override
  public String toString() {
    return cores + " cores of " + processor + ", " + memoryMb + " MB, Linux " + kernel + ", JDK " + java;
  }
}
