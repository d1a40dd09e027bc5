package dev.gatehouse.perf.service;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.service.Offers.Offer;
import dev.gatehouse.perf.targets.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench warm-up}. */
@Command(
    name = "warm-up",
    description = {
      "Measure how soon after the start of its process a node does 80 %% of its steady rate: signed Responses, codes with a session,",
      "and an app's pages through the gateway. Each start is a node of its own that meets its load from the first second; a round is a",
      "start, and its seconds are those of the load. Needs slapd, nginx and openssl. Takes 12 minutes."
    })
public final class WarmUpCommand extends BenchmarkCommand {

  /** Enough for a steady third. */
  private static final int FEWEST_SECONDS = 6;

  @Option(names = "--callers", paramLabel = "N", defaultValue = "16", description = "Concurrent callers (${DEFAULT-VALUE}).")
  int callers;

  private final List<Warmth> seen = new ArrayList<>();

  public WarmUpCommand() {
    super(new Options(3, 60));
  }

  @Override
  protected List<String> programs() {
    return List.of("slapd", "nginx", "openssl");
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    int people = callers * People.PER_USER;
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
    for (int round = 0; round < options.rounds; round++) {
      for (Work work : List.of(Work.SIGN_ON, Work.CODE_WITH_SESSION, Work.PASS_THROUGH)) {
        Path folder = Files.createDirectories(run.work().resolve(work.word() + "-" + round));
        for (Build build : builds()) {
          try (OneStart start = new OneStart(folder)) {
            List<Iteration> curve = curve(run, work, new Offers(start, build, slapd, people).of(work));
            if (!isComparison()) {
              seen.add(Warmth.of(work.word(), curve));
            }
          } catch (IOException e) {
            run.fail(work.word(), e);
          }
        }
      }
    }
  }

  private List<Iteration> curve(Run run, Work work, Offer offer) throws IOException, InterruptedException {
    List<Iteration> curve = new ArrayList<>();
    try (ClosedLoad load = ClosedLoad.open(offer.server(), work.word(), callers, offer.users())) {
      for (int second = 0; second < Math.max(FEWEST_SECONDS, options.seconds); second++) {
        curve.add(run.run(load, Phase.WARM_UP, 1));
      }
    }
    return curve;
  }

  @Override
  protected List<?> details() {
    return seen;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Callers", Integer.toString(callers));
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Markdown table = Markdown.table("work | load from | 80 % of the steady rate after | steady per second | wanted");
    for (Warmth each : seen) {
      String after = each.reached() ? Markdown.format("%.1f s", each.seconds()) : Markdown.format("not in %.0f s", each.seconds());
      table.row("%s | %.1f s | %s | %,.0f | %s", each.work(), each.from(), after, each.steadyPerSecond(), wanted(each.work()));
    }
    return "Seconds since the process was started. The rate is that of the whole machine, callers included.\n" + table;
  }

  private static String wanted(String work) {
    return Arrays.stream(Target.values())
        .filter(each -> each.figure().equals("warm.up." + work))
        .map(Target::wanted)
        .collect(Collectors.joining());
  }
}
