package dev.gatehouse.perf.gatling;

import dev.gatehouse.perf.report.StepResult;
import io.gatling.app.Gatling;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One run of a simulation in a load generator process of its own, and what it saw. */
public final class LoadRun {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private LoadRun() {}

  /**
   * Runs the simulation to its end.
   *
   * @param settings system properties for {@link Settings}
   * @param work an empty folder for Gatling's own files
   * @return a result for each named step
   */
  public static List<StepResult> run(Class<? extends Simulation> simulation, Map<String, String> settings, Path work)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Gatling.class.getName()));
    command.addAll(List.of("--simulation", simulation.getName(), "--results-folder", work.toString()));
    Path log = Files.createDirectories(work).resolve("gatling.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (process.waitFor() != 0) {
      List<String> lines = Files.readAllLines(log);
      throw new IOException(
          "Gatling failed:\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size())));
    }
    return read(work);
  }

  private static List<StepResult> read(Path work) throws IOException {
    Path stats;
    try (Stream<Path> files = Files.walk(work)) {
      stats =
          files
              .filter(file -> file.endsWith("js/stats.json"))
              .max(Comparator.naturalOrder())
              .orElseThrow(() -> new IOException("Gatling left no stats.json in " + work));
    }
    List<StepResult> steps = new ArrayList<>();
    for (JsonNode content : JSON.readTree(Files.readString(stats)).get("contents").values()) {
      JsonNode step = content.get("stats");
      steps.add(
          new StepResult(
              step.get("name").asString(),
              step.get("numberOfRequests").get("ok").asLong(),
              step.get("numberOfRequests").get("ko").asLong(),
              okMillis(step, "meanResponseTime"),
              okMillis(step, "percentiles1"),
              okMillis(step, "percentiles3"),
              okMillis(step, "percentiles4")));
    }
    return List.copyOf(steps);
  }

  private static long okMillis(JsonNode step, String statistic) {
    return step.get(statistic).get("ok").asLong();
  }
}
