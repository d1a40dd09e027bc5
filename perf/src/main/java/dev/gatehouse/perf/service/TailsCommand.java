package dev.gatehouse.perf.service;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.PacedLoad;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.service.Offers.Offer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench tails}. */
@Command(
    name = "tails",
    description = {
      "Measure how long callers wait: in a closed loop with 16, 64 and 256 of them, the 99th percentile in means; then at constant rates, 50 and",
      "80 %% of the best of these, where the time of each operation counts from the moment at which it was due, whether somebody was free",
      "or not. Needs slapd, nginx and openssl. Takes 30 minutes."
    })
public final class TailsCommand extends BenchmarkCommand {

  private static final String OURS = "Gatehouse";

  /** A caller that starves waits longer than this many times as long as the mean. */
  private static final double MOST = 5;

  @Option(names = "--work", paramLabel = "WORK", split = ",",
      description = "Measure only this work; default: all. An unknown name prints the list.")
  List<String> works = List.of();

  @Option(names = "--callers", paramLabel = "N", split = ",", defaultValue = "16,64,256",
      description = "Callers of the closed loops (${DEFAULT-VALUE}).")
  List<Integer> callers = List.of();

  @Option(names = "--load", paramLabel = "PERCENT", split = ",", defaultValue = "50,80", description = "Constant rates (${DEFAULT-VALUE}).")
  List<Integer> percents = List.of();

  @Option(names = "--connections", paramLabel = "N", defaultValue = "64", description = "Connections of the constant rates (${DEFAULT-VALUE}).")
  int connections;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "20", description = "Warm-up of each kind of work (${DEFAULT-VALUE}).")
  int warmUp;

  public TailsCommand() {
    super(new Options(3, 6));
  }

  @Override
  protected List<String> programs() {
    return List.of("slapd", "nginx", "openssl");
  }

  private int most() {
    return Math.max(connections, callers.stream().mapToInt(each -> each).max().orElseThrow());
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    List<Work> chosen = chosen(works, Work.values(), Work::word);
    int people = most() * People.PER_USER;
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
    List<Offers> offers = new ArrayList<>();
    for (Build build : builds()) {
      offers.add(new Offers(run, build, slapd, people));
    }
    for (Work work : chosen) {
      try {
        List<Offer> each = new ArrayList<>();
        for (Offers one : offers) {
          each.add(one.of(work));
        }
        measure(run, work, each);
      } catch (IOException e) {
        run.fail(work.word(), e);
      }
    }
  }

  private void measure(Run run, Work work, List<Offer> offers) throws IOException, InterruptedException {
    int from = run.iterations().size();
    try (Loads closed = new Loads()) {
      for (Offer offer : offers) {
        for (int each : callers) {
          Load load = closed.add(ClosedLoad.open(offer.server(), work.closed(each), each, offer.users()));
          run.run(load, Iteration.Phase.WARM_UP, Math.max(1, warmUp / callers.size()));
        }
      }
      run.measure(closed.all(), options.rounds, options.seconds);
    }
    double best = best(run.iterations().subList(from, run.iterations().size()));
    try (Loads paced = new Loads()) {
      for (Offer offer : offers) {
        for (int each : percents) {
          paced.add(PacedLoad.open(offer.server(), work.paced(each), best * each / 100, connections, offer.users()));
        }
      }
      run.measure(paced.all(), options.rounds, options.seconds);
    }
  }

  /** The best rate of a round: what this machine can do, callers included. */
  private static double best(List<Iteration> iterations) throws IOException {
    return iterations.stream()
        .filter(Iteration::isMeasured)
        .mapToDouble(Iteration::perSecond)
        .max()
        .orElseThrow(() -> new IOException("no round in a closed loop succeeded"));
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Callers", callers.toString());
    settings.put("Connections at constant rates", Integer.toString(connections));
    settings.put("Warm-up of each kind of work", warmUp + " s");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Markdown closed = Markdown.table("work | callers | per second | mean ms | p50 ms | p99 ms | p99.9 ms | p99 in means (at most 5)");
    Markdown paced = Markdown.table("work | load | " + Figures.PACED);
    for (Work work : Work.values()) {
      for (int each : callers) {
        Figures.of(iterations, OURS, work.closed(each)).closedRow(closed, work.word() + " | " + each, MOST);
      }
      for (int each : percents) {
        Figures.of(iterations, OURS, work.paced(each)).pacedRow(paced, work.word() + " | " + each + " %");
      }
    }
    return "Callers, servers, directory and app share this machine.\n\n## In a closed loop\n\nEach caller asks again as soon as it has its"
        + " answer. The mean is what each would wait if all were served in turn.\n" + closed
        + "\n## At a constant rate\n\nOf the best rate above. Times count from the moment at which an operation was due; what a timer of this"
        + " kernel is late, some 60 µs, is in them.\n" + paced;
  }

  /** Loads that end with one kind of work, so that 256 connections of each are not open at once. */
  private static final class Loads implements AutoCloseable {

    private final List<Load> all = new ArrayList<>();

    Load add(Load load) {
      all.add(load);
      return load;
    }

    List<Load> all() {
      return List.copyOf(all);
    }

    @Override
    public void close() throws IOException {
      for (Load each : all) {
        each.close();
      }
    }
  }
}
