package dev.gatehouse.perf.analytics;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.perf.console.AdminBrowser;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code bench analytics}. */
@Command(
    name = "analytics",
    mixinStandardHelpOptions = true,
    description = {
      "Measure how far the live chart is behind: people log in at a node at a constant rate, and the console is asked each second, as",
      "the script of its page does. A login is behind from its answer until the first answer to that question that has it. Before,",
      "questions by REST about an hour up to a year are measured, on sums of a year."
    })
public final class AnalyticsCommand implements Callable<Integer> {

  private static final double WANTED_SECONDS = 2;
  private static final double WANTED_MILLIS = 100;
  private static final int PEOPLE = 5000;
  private static final int REPEATED = 51;
  private static final Duration LAST_LOGINS = Duration.ofSeconds(10);

  @Option(names = "--rate", paramLabel = "N", defaultValue = "100", description = "Logins a second (${DEFAULT-VALUE}).")
  int rate;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "1200", description = "Duration of the logins (${DEFAULT-VALUE}).")
  int seconds;

  @Option(names = "--routes", paramLabel = "N", defaultValue = "50", description = "Routes that have sums (${DEFAULT-VALUE}).")
  int routes;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  /** How far the chart was behind. */
  record Lag(
      int logins, int failed, int questions, int questionsFailed, long missing, double p50Seconds, double p99Seconds, double maxSeconds) {}

  /** How long an answer took. */
  record Answered(String series, String range, String resolution, int points, double medianMillis, double maxMillis) {}

  private record Question(String series, String by, Duration range, String words) {}

  private List<Question> questions() {
    List<Question> questions = new ArrayList<>();
    for (String series : List.of("logins", "requests")) {
      String by = series.equals("logins") ? "total" : "route";
      questions.add(new Question(series, by, Duration.ofHours(1), "an hour"));
      questions.add(new Question(series, by, Duration.ofDays(1), "a day"));
      questions.add(new Question(series, by, Duration.ofDays(30), "a month"));
      questions.add(new Question(series, by, Duration.ofDays(365), "a year"));
    }
    return questions;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    Path folder = Files.createTempDirectory("gatehouse-analytics-");
    List<Answered> answered = new ArrayList<>();
    Lag lag;
    try (ServerProcess slapd = SlapdServer.start(folder, PEOPLE)) {
      GatehouseNode.Configured configured = configure(folder, slapd);
      Build build = Build.here();
      configured.start(build).await().close();
      try (Database database = Database.embedded(configured.data())) {
        new GeneratedYear(routes).store(new JdbcRollups(database), Instant.now());
      }
      try (GatehouseNode node = configured.start(build).await();
          HttpClient http = HttpClient.newHttpClient()) {
        String printed = Commands.output(build.command("keys", "admin", "--name", "bench", "--config", configured.config().toString()));
        String key = printed.lines().filter(line -> line.startsWith("gha_")).findFirst().orElseThrow(() -> new IOException(printed));
        String origin = "http://127.0.0.1:" + configured.adminPort();
        for (Question question : questions()) {
          answered.add(ask(http, origin, key, question));
          System.err.println(answered.getLast());
        }
        lag = logIn(node, AdminBrowser.loggedIn(http, origin, key));
        System.err.println(lag);
      }
    }
    List<String> failures = failures(lag, answered);
    Report report =
        new Report(
            "analytics", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(),
            Map.of("logins a second", String.valueOf(rate), "seconds", String.valueOf(seconds), "routes", String.valueOf(routes)),
            List.of(), List.of(List.of(lag), answered), failures);
    System.out.println(report.write(output.results, conclusions(lag, answered)));
    return failures.isEmpty() ? 0 : 1;
  }

  private static GatehouseNode.Configured configure(Path folder, ServerProcess slapd) throws IOException {
    int port = FreePorts.take();
    String realm =
        "idp: {publicUrl: \"http://127.0.0.1:%d\", directLogin: true}\n".formatted(port)
            + GatehouseNode.directory(slapd.port(), "uid: uid, mail: mail");
    return GatehouseNode.configure("node", folder, "[idp]", "idp", port, Map.of("bench", realm));
  }

  private Lag logIn(GatehouseNode node, AdminBrowser browser) throws InterruptedException {
    LoginLoad load = new LoginLoad(URI.create(node.url()), "/realms/bench/login/direct", PEOPLE);
    LiveChart chart = new LiveChart(browser);
    try (chart) {
      load.run(rate, seconds);
      Thread.sleep(LAST_LOGINS);
    }
    long[] logins = load.answered();
    List<LiveChart.Shown> shown = chart.shown();
    List<Double> behind = new ArrayList<>();
    int look = 0;
    for (int i = 0; i < logins.length; i++) {
      while (look < shown.size() && shown.get(look).logins() <= i) {
        look++;
      }
      if (look < shown.size()) {
        behind.add(Math.max(0, shown.get(look).nanos() - logins[i]) / 1e9);
      }
    }
    double[] sorted = behind.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Lag(
        logins.length, load.failed(), shown.size(), chart.failed(), logins.length - sorted.length, at(sorted, 0.5), at(sorted, 0.99),
        at(sorted, 1));
  }

  private static Answered ask(HttpClient http, String origin, String key, Question question) throws IOException, InterruptedException {
    double[] millis = new double[REPEATED];
    String resolution = "";
    int points = 0;
    for (int i = 0; i < REPEATED; i++) {
      Instant from = Instant.now().minus(question.range());
      URI address = URI.create(origin + "/admin/v1/analytics/" + question.series() + "?by=" + question.by() + "&from=" + from);
      HttpRequest request = HttpRequest.newBuilder(address).header("Authorization", "Bearer " + key).build();
      long begun = System.nanoTime();
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      millis[i] = (System.nanoTime() - begun) / 1e6;
      if (response.statusCode() != 200) {
        throw new IOException(address + ": status " + response.statusCode() + " " + response.body());
      }
      JsonNode answer = Report.JSON.readTree(response.body());
      resolution = answer.get("resolution").asString();
      points = 0;
      for (JsonNode line : answer.get("lines")) {
        points += line.get("points").size();
      }
    }
    Arrays.sort(millis);
    return new Answered(question.series() + " by " + question.by(), question.words(), resolution, points, at(millis, 0.5), at(millis, 1));
  }

  private static double at(double[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }

  private static List<String> failures(Lag lag, List<Answered> answered) {
    List<String> failures = new ArrayList<>();
    if (lag.maxSeconds() > WANTED_SECONDS || lag.missing() > 0 || lag.failed() > 0 || lag.questionsFailed() > 0) {
      failures.add("the live chart: " + lag);
    }
    answered.stream().filter(one -> one.medianMillis() > WANTED_MILLIS).forEach(one -> failures.add("slower than wanted: " + one));
    return failures;
  }

  private static String conclusions(Lag lag, List<Answered> answered) {
    Markdown live =
        Markdown.table("logins | failed | questions | failed | logins never shown | behind, median s | 99 % s | at most s (wanted: 2)");
    live.row(
        "%,d | %d | %,d | %d | %d | %.2f | %.2f | %.2f", lag.logins(), lag.failed(), lag.questions(), lag.questionsFailed(), lag.missing(),
        lag.p50Seconds(), lag.p99Seconds(), lag.maxSeconds());
    Markdown table = Markdown.table("series | range | resolution | points | median ms | slowest ms (wanted: 100)");
    answered.forEach(
        one ->
            table.row(
                "%s | %s | %s | %,d | %.1f | %.1f", one.series(), one.range(), one.resolution(), one.points(), one.medianMillis(),
                one.maxMillis()));
    return live.toString() + "\n" + table;
  }
}
