package dev.gatehouse.perf.service;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.PacedLoad;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.service.Offers.Offer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code bench soak}. */
@Command(
    name = "soak",
    description = {
      "Run logins, tokens, sign-on and pages together for an hour at a constant rate, 70 %% of what the machine can do, and look each minute at",
      "heap after collections, resident memory, open files, threads and the data folders; then fit a line through each. A round is a",
      "minute. Needs slapd, nginx and openssl. Takes 65 minutes."
    })
public final class SoakCommand extends BenchmarkCommand {

  private static final List<Work> MIX =
      List.of(
          Work.CLIENT_CREDENTIALS_ES256, Work.INTROSPECTION, Work.REFRESH, Work.PASSWORD, Work.CODE_WITH_LOGIN, Work.FORM_LOGIN,
          Work.CACHED_PAGE, Work.PASS_THROUGH);

  private static final int ALONE_SECONDS = 10;
  private static final double MEGABYTE = 1 << 20;

  @Option(names = "--load", paramLabel = "PERCENT", defaultValue = "70", description = "Of what the machine can do (${DEFAULT-VALUE}).")
  int percent;

  @Option(names = "--settle", paramLabel = "MINUTES", defaultValue = "10",
      description = "First minutes that do not count: caches fill, and compilers work (${DEFAULT-VALUE}).")
  int settle;

  @Option(names = "--callers", paramLabel = "N", defaultValue = "16", description = "Connections of each kind of work (${DEFAULT-VALUE}).")
  int callers;

  private final List<Slope> slopes = new ArrayList<>();
  private final Map<String, List<Double>> samples = new LinkedHashMap<>();
  private final List<String> late = new ArrayList<>();

  public SoakCommand() {
    super(new Options(60, 60));
  }

  @Override
  protected List<String> programs() {
    return List.of("slapd", "nginx", "openssl");
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    if (options.rounds < settle + Slope.FEWEST) {
      throw new ParameterException(
          spec.commandLine(), "--rounds must be at least --settle + " + Slope.FEWEST + ", here " + (settle + Slope.FEWEST) + ": a line needs so many minutes");
    }
    int people = callers * People.PER_USER;
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
    Offers offers = new Offers(run, Build.here(), slapd, people);
    List<PacedLoad> loads = new ArrayList<>();
    for (Work work : MIX) {
      Offer offer = offers.of(work);
      double alone = alone(run, work, offer);
      double rate = alone * percent / 100 / MIX.size();
      loads.add(run.closeAtEnd(PacedLoad.open(offer.server(), work.word(), rate, callers, offer.users())));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(loads.size())) {
      for (int minute = 0; minute < options.rounds; minute++) {
        minute(threads, loads, minute);
        if (minute >= settle) {
          look(offers.nodes());
        }
      }
    }
    samples.forEach((what, values) -> slopes.add(Slope.of(what, values)));
  }

  /** What the machine does of one kind of work alone; each kind of the mix has an equal share of its time. */
  private double alone(Run run, Work work, Offer offer) throws IOException, InterruptedException {
    try (ClosedLoad load = ClosedLoad.open(offer.server(), work.word() + " alone", callers, offer.users())) {
      run.run(load, Phase.WARM_UP, ALONE_SECONDS);
      return run.run(load, Phase.WARM_UP, ALONE_SECONDS).perSecond();
    }
  }

  private void minute(ExecutorService threads, List<PacedLoad> loads, int minute) throws IOException, InterruptedException {
    List<Future<Iteration>> running = loads.stream().map(load -> threads.submit(() -> load.run(Phase.MEASUREMENT, options.seconds))).toList();
    long notBegun = 0;
    double longest = 0;
    for (Future<Iteration> each : running) {
      try {
        Iteration seen = each.get();
        notBegun += seen.failures();
        longest = Math.max(longest, seen.steps().getLast().p99Ms());
      } catch (ExecutionException e) {
        throw new IOException("minute " + minute + ": " + e.getCause(), e);
      }
    }
    late.add(Markdown.format("%d | %,d | %.1f", minute + 1, notBegun, longest));
    System.err.println(Markdown.format("minute %d: %,d not begun in time, slowest p99 %.1f ms", minute + 1, notBegun, longest));
  }

  private void look(List<GatehouseNode> nodes) throws IOException, InterruptedException {
    double heap = 0;
    double resident = 0;
    double files = 0;
    double threads = 0;
    double disk = 0;
    for (GatehouseNode each : nodes) {
      resident += each.process().residentBytes() / MEGABYTE;
      heap += each.process().heapBytes() / MEGABYTE;
      files += each.process().openFiles();
      threads += each.process().threads();
      disk += size(each.configured().data()) / MEGABYTE;
    }
    add("heap", heap);
    add("resident", resident);
    add("files", files);
    add("threads", threads);
    add("disk", disk);
  }

  private void add(String what, double value) {
    samples.computeIfAbsent(what, each -> new ArrayList<>()).add(value);
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toFile).filter(each -> each.isFile()).mapToLong(each -> each.length()).sum();
    }
  }

  @Override
  protected List<?> details() {
    return slopes;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Load", percent + " % of what each kind of work does alone, in equal shares");
    settings.put("Connections of each kind", Integer.toString(callers));
    settings.put("Uncounted", settle + " minutes");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Markdown growth = Markdown.table("of all nodes together | first | last | mean | growth an hour | grows");
    for (Slope each : slopes) {
      List<Double> values = samples.getOrDefault(each.what(), List.of());
      growth.row(
          "%s | %,.1f | %,.1f | %,.1f | %.2f %% ± %.2f | %s", each.what(), values.getFirst(), values.getLast(), each.mean(),
          each.percentAnHour(), each.error(), each.grows() ? "**yes**" : "no");
    }
    Markdown minutes = Markdown.table("minute | not begun in time | slowest p99 ms of a kind");
    late.forEach(each -> minutes.row("%s", each));
    return "Heap (MB after full collections), resident memory (MB), open files, platform threads, data folders (MB). Full collections once a"
        + " minute are part of the run.\n" + growth + "\n## Minute by minute\n" + minutes;
  }
}
