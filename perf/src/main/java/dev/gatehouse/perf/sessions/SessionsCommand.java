package dev.gatehouse.perf.sessions;

import dev.gatehouse.perf.report.Machine;
import dev.gatehouse.perf.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code bench sessions}. */
@Command(
    name = "sessions",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the memory of a session at the identity provider and of one at the gateway: distinct people, ten attributes",
      "whose values have 200 bytes in total, at the identity provider two partners with a transient NameID each; with the",
      "memory store and with the embedded one, each in a separate process with compact object headers. The heap is what",
      "is used after full collections, with the sessions minus without them: it includes the indexes, the expiry and",
      "everything else in the store."
    })
public final class SessionsCommand implements Callable<Integer> {

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final double WANTED = 500;

  @Option(names = "--sessions", paramLabel = "N", defaultValue = "1000000", description = "Number of live sessions (${DEFAULT-VALUE}).")
  int sessions;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "perf/results",
      description = "Folder for sessions.json and sessions.md (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  /** The content of sessions.json. */
  record Result(
      String command, String commit, Instant measuredAt, Machine machine, List<SessionsRun.Measurement> seen) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    List<SessionsRun.Measurement> seen = new ArrayList<>();
    for (String kind : List.of("idp", "gateway")) {
      for (String form : List.of("memory", "embedded")) {
        seen.add(fork(kind, form));
        System.err.printf(
            Locale.ROOT, "%s, %s: %.0f bytes of heap a session%n", kind, form, seen.getLast().heapEach());
      }
    }
    String command = "./gatehouse bench sessions --sessions " + sessions;
    Result result = new Result(command, Report.commitHere(), start, Machine.here(), seen);
    Files.createDirectories(results);
    Files.writeString(results.resolve("sessions.json"), JSON.writeValueAsString(result) + "\n");
    String markdown = markdown(result);
    Files.writeString(results.resolve("sessions.md"), markdown);
    System.out.println(markdown);
    return seen.stream().allMatch(each -> each.heapEach() <= WANTED) ? 0 : 1;
  }

  private SessionsRun.Measurement fork(String kind, String form) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("gatehouse-sessions-");
    Path out = folder.resolve("seen.json");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseCompactObjectHeaders",
            "-Xmx2g",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            SessionsRun.class.getName(),
            kind,
            form,
            Integer.toString(sessions),
            Files.createDirectory(folder.resolve("data")).toString(),
            out.toString());
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException("the run with the " + form + " form failed");
    }
    return JSON.readValue(Files.readString(out), SessionsRun.Measurement.class);
  }

  private static String markdown(Result result) {
    StringBuilder md = new StringBuilder("# sessions\n\n");
    md.append("`").append(result.command()).append("`, commit ").append(result.commit()).append(", ");
    md.append(result.measuredAt()).append(", JDK ").append(result.machine().java()).append(".\n\n");
    md.append("Live sessions, each of another person, with ten attributes (values 200 bytes together, nobody else's); at the\n");
    md.append("identity provider with two partners. Heap after full collections, with the sessions minus before.\n\n");
    md.append("| at | form | sessions | heap bytes a session (wanted: 500) | disk bytes a session |");
    md.append(" CPU µs to open | CPU µs to find |\n|---|---|---|---|---|---|---|\n");
    for (SessionsRun.Measurement seen : result.seen()) {
      md.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %,d | %.0f | %.0f | %.1f | %.1f |%n",
              seen.kind(),
              seen.form(),
              seen.sessions(),
              seen.heapEach(),
              (double) seen.diskBytes() / seen.sessions(),
              seen.openMicros(),
              seen.findMicros()));
    }
    return md.toString();
  }
}
