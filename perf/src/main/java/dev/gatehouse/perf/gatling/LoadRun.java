package dev.gatehouse.perf.gatling;

import dev.gatehouse.perf.report.StepResult;
import io.gatling.app.Gatling;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** One run of a simulation in a separate load generator process, and its results. */
public final class LoadRun {

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
    Path out = Files.createDirectories(work).resolve("steps.json");
    command.add("-D" + Settings.OUT + "=" + out);
    settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Gatling.class.getName()));
    command.addAll(List.of("--simulation", simulation.getName(), "--results-folder", work.toString(), "--no-reports"));
    Path log = work.resolve("gatling.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (process.waitFor() != 0) {
      List<String> lines = Files.readAllLines(log);
      throw new IOException(
          "Gatling failed:\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size())));
    }
    return JsonMapper.shared().readValue(Files.readString(out), new TypeReference<List<StepResult>>() {});
  }
}
