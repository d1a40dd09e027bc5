package dev.gatehouse.perf.simulation;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.Commands;
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

/** Runs a Gatling simulation in a load generator process of its own for each iteration. */
public final class GatlingLoad extends Load {

  private final Path work;
  private final Class<? extends Simulation> simulation;
  private final Map<String, String> settings;
  private final String transaction;

  /**
   * A load with a constant number of users.
   *
   * @param work a folder for Gatling's own files
   * @param settings of {@link Settings}
   * @param transaction the step whose successes count as operations
   */
  public GatlingLoad(
      Server server, String row, Path work, Class<? extends Simulation> simulation, Map<String, String> settings,
      String transaction) {
    super(server, row);
    this.work = work;
    this.simulation = simulation;
    this.settings = Map.copyOf(settings);
    this.transaction = transaction;
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(Files.createDirectories(work), "gatling-");
    Path out = folder.resolve("steps.json");
    List<String> flags = new ArrayList<>(List.of("-Xmx1g", "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    settings.forEach((name, value) -> flags.add("-D" + name + "=" + value));
    flags.addAll(List.of("-D" + Settings.OUT + "=" + out, "-D" + Settings.SECONDS + "=" + seconds));
    List<String> arguments =
        List.of("--simulation", simulation.getName(), "--results-folder", folder.toString(), "--no-reports");
    List<Iteration.Cost> before = server().costs();
    Files.writeString(folder.resolve("gatling.log"), Commands.output(Commands.java(flags, Gatling.class, arguments)));
    List<Iteration.Step> steps =
        JsonMapper.shared().readValue(Files.readString(out), new TypeReference<List<Iteration.Step>>() {});
    long operations =
        steps.stream().filter(step -> step.name().equals(transaction)).mapToLong(Iteration.Step::ok).sum();
    return iteration(phase, seconds, operations, steps, before);
  }
}
