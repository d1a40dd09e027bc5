package dev.gatehouse.perf.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of one benchmark.
 *
 * @param name of the benchmark, also of the files
 * @param command the command that repeats the measurement
 * @param commit of the code that was measured; ends in {@code +} if the work tree had changes
 * @param settings the relevant ones: people, virtual users, key
 * @param notes sentences that the reader needs to judge the figures
 */
public record Report(
    String name,
    String command,
    String commit,
    Instant measuredAt,
    Machine machine,
    Map<String, String> settings,
    List<Round> rounds,
    List<String> notes) {

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /**
   * Writes {@code name.json} and {@code name.md} into the folder and returns the Markdown.
   *
   * @param conclusions Markdown that precedes the rounds; may be empty
   */
  public String write(Path folder, String conclusions) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".json"), JSON.writeValueAsString(this) + "\n");
    String markdown = markdown(conclusions);
    Files.writeString(folder.resolve(name + ".md"), markdown);
    return markdown;
  }

  /** The commit of this checkout, with {@code +} for uncommitted changes; {@code unknown} outside a checkout. */
  public static String commitHere() throws IOException, InterruptedException {
    String commit = output("git", "rev-parse", "--short=12", "HEAD");
    if (commit.isEmpty()) {
      return "unknown";
    }
    return output("git", "status", "--porcelain", "--untracked-files=no").isEmpty() ? commit : commit + "+";
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String text = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();
    return process.waitFor() == 0 ? text : "";
  }

  private String markdown(String conclusions) {
    StringBuilder md = new StringBuilder();
    md.append("# ").append(name).append("\n\n");
    md.append("`").append(command).append("`, commit ").append(commit).append(", ").append(measuredAt).append(".\n");
    md.append(machine.cores()).append(" cores of ").append(machine.processor()).append(", ").append(machine.memoryMb());
    md.append(" MB, Linux ").append(machine.kernel()).append(", JDK ").append(machine.java()).append(".\n");
    settings.forEach((key, value) -> md.append(key).append(": ").append(value).append(". "));
    md.append("\n\n");
    if (!conclusions.isEmpty()) {
      md.append(conclusions).append("\n");
    }
    for (String scenario : new TreeSet<>(rounds.stream().map(Round::scenario).toList())) {
      appendScenario(md, scenario, rounds.stream().filter(round -> round.scenario().equals(scenario)).toList());
    }
    notes.forEach(note -> md.append("- ").append(note).append("\n"));
    return md.toString();
  }

  private static void appendScenario(StringBuilder md, String scenario, List<Round> rounds) {
    List<String> servers = rounds.getFirst().servers().stream().map(ServerCost::server).toList();
    md.append("## ").append(scenario).append("\n\n| round | TPS | failed |");
    servers.forEach(server -> md.append(" CPU ms/tx ").append(server).append(" |"));
    servers.forEach(server -> md.append(" MB ").append(server).append(" |"));
    md.append("\n|---|---|---|").append("---|".repeat(2 * servers.size())).append("\n");
    for (Round round : rounds) {
      md.append(format("| %d | %.1f | %d |", round.number(), round.transactionsPerSecond(), round.failures()));
      round.servers().forEach(server -> md.append(format(" %.2f |", server.cpuMsPerTransaction())));
      round.servers().forEach(server -> md.append(format(" %d |", server.residentMb())));
      md.append("\n");
    }
    md.append("\nThe last round, by step:\n\n| step | mean ms | p50 | p95 | p99 |\n|---|---|---|---|---|\n");
    for (StepResult step : rounds.getLast().steps()) {
      md.append(
          format("| %s | %.1f | %.1f | %.1f | %.1f |%n", step.name(), step.meanMs(), step.p50Ms(), step.p95Ms(), step.p99Ms()));
    }
    md.append("\n");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
