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
import dev.gatehouse.perf.server.Lifetimes;
import dev.gatehouse.perf.server.ProcessorTime;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.service.Offers.Offer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code bench soak}. */
@Command(
    name = "soak",
    description = {
      "Run logins, single logout, tokens, sign-on and pages together for an hour at constant rates that keep the machine's processors",
      "busy for 70 %% of the time, and look each minute at heap after collections, resident memory, open files, threads, keys of the",
      "stores, and files by what they are for; then fit a line through each. The first minutes, which do not count, find the rates.",
      "Sessions and tokens end within minutes, so that as many end as begin. Whatever is configured, logins stay in the database for",
      "an hour, and marks of used messages in RocksDB for 135 minutes: with --rounds 160 the report says whether these are flat, too.",
      "A round is a minute. Needs slapd, nginx and openssl. Takes 75 minutes."
    })
public final class SoakCommand extends BenchmarkCommand {

  private static final List<Work> MIX =
      List.of(
          Work.CLIENT_CREDENTIALS_ES256, Work.USERINFO, Work.INTROSPECTION, Work.REFRESH, Work.PASSWORD, Work.CODE_WITH_SESSION,
          Work.CODE_WITH_LOGIN, Work.SIGN_ON, Work.FORM_LOGIN, Work.FORM_LOGIN_AND_LOGOUT, Work.CACHED_PAGE, Work.PASS_THROUGH);

  private static final int WARM_UP_SECONDS = 20;
  private static final int ALONE_SECONDS = 10;

  /**
   * As many sessions end as begin long before the first minute that counts. None ends while somebody uses it: each round begins with a
   * login.
   */
  private static final Lifetimes LIFETIMES = new Lifetimes(Duration.ofMinutes(2), Duration.ofMinutes(4), Duration.ofMinutes(4));

  /** The most by which rates become smaller, or as many times greater, after one minute. */
  private static final double LEAST_STEP = 0.6;

  /** A round may last some seconds longer. */
  private static final int MOST_SECONDS = 180;

  @Option(names = "--load", paramLabel = "PERCENT", defaultValue = "70", description = "Of the time of all processors, load generator included (${DEFAULT-VALUE}).")
  int percent;

  @Option(names = "--settle", paramLabel = "MINUTES", defaultValue = "10",
      description = "First minutes, which do not count: caches fill, and rates are found (${DEFAULT-VALUE}).")
  int settle;

  @Option(names = "--callers", paramLabel = "N", defaultValue = "16", description = "Connections of each kind of work (${DEFAULT-VALUE}).")
  int callers;

  /**
   * A kind of work in the mix.
   *
   * @param alone how often it is done in a second if nothing else is
   * @param inTheMix how often in the mix
   */
  record Part(String work, double alone, double inTheMix) {
    Part times(double factor) {
      return new Part(work, alone, inTheMix * factor);
    }
  }

  /** The kind of work whose callers waited longest. */
  private record Slowest(String work, double p99Ms) {
    Slowest or(Slowest other) {
      return other.p99Ms > p99Ms ? other : this;
    }
  }

  /** @param busy part of the time of all processors */
  private record Minute(double busy, long done, long notBegun, Slowest slowest) {
    String text(int number) {
      return Markdown.format(
          "minute %d: processors %.0f %% busy, %,d operations, %,d not begun in time, slowest p99 %.1f ms (%s)", number, busy * 100, done,
          notBegun, slowest.p99Ms(), slowest.work());
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private final Looks looks = new Looks();
  private final List<Minute> minutes = new ArrayList<>();

  public SoakCommand() {
    super(new Options(60, 60));
  }

  @Override
  protected List<String> programs() {
    return List.of("slapd", "nginx", "openssl");
  }

  private void requireLength() {
    if (options.rounds < settle + Slope.FEWEST) {
      throw new ParameterException(
          spec.commandLine(),
          "--rounds must be at least --settle + " + Slope.FEWEST + ", here " + (settle + Slope.FEWEST)
              + ": a line needs so many minutes");
    }
    if (options.seconds > MOST_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds must be at most " + MOST_SECONDS + ": sessions and tokens live for " + minutes(LIFETIMES.absolute()));
    }
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    requireLength();
    int people = callers * People.PER_USER;
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
    Offers offers = new Offers(run, Build.here(), slapd, people, Optional.of(LIFETIMES));
    Map<Work, Offer> warm = new LinkedHashMap<>();
    for (Work work : MIX) {
      try {
        Offer offer = offers.of(work);
        alone(run, work, offer, WARM_UP_SECONDS);
        warm.put(work, offer);
      } catch (IOException e) {
        run.fail(work.word(), e);
      }
    }
    List<PacedLoad> loads = new ArrayList<>();
    for (Map.Entry<Work, Offer> each : warm.entrySet()) {
      try {
        loads.add(load(run, each.getKey(), each.getValue()));
      } catch (IOException e) {
        run.fail(each.getKey().word(), e);
      }
    }
    if (!loads.isEmpty()) {
      soak(run, loads, offers.nodes());
    }
  }

  /** Each kind of the mix has an equal share of what the machine can do if it does nothing else. In the mix each costs more. */
  private PacedLoad load(Run run, Work work, Offer offer) throws IOException, InterruptedException {
    double alone = alone(run, work, offer, ALONE_SECONDS);
    double rate = alone * percent / 100 / MIX.size();
    PacedLoad load = run.closeAtEnd(PacedLoad.open(offer.server(), work.word(), rate, callers, offer.users()));
    parts.add(new Part(work.word(), alone, rate));
    return load;
  }

  /** What the machine does of one kind of work in a second while it does nothing else. */
  private double alone(Run run, Work work, Offer offer, int seconds) throws IOException, InterruptedException {
    try (ClosedLoad load = ClosedLoad.open(offer.server(), work.word() + " alone", callers, offer.users())) {
      return run.run(load, Phase.WARM_UP, seconds).perSecond();
    }
  }

  /** What was seen before a failure is reported. */
  private void soak(Run run, List<PacedLoad> loads, List<GatehouseNode> nodes) throws InterruptedException {
    long begun = System.nanoTime();
    long done = 0;
    int round = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(loads.size())) {
      for (; round < options.rounds; round++) {
        Minute minute = round(threads, loads);
        minutes.add(minute);
        done += minute.done();
        System.err.println(minute.text(round + 1));
        if (round < settle) {
          adjust(loads, percent / 100.0 / minute.busy());
        } else {
          looks.look(nodes, (System.nanoTime() - begun) / 60e9, done);
        }
      }
    } catch (IOException e) {
      run.fail("minute " + (round + 1), e);
    }
  }

  /** A machine that is busy all the time does not show by how much the rates are too high. */
  private void adjust(List<PacedLoad> loads, double wanted) {
    double factor = Math.clamp(wanted, LEAST_STEP, 1 / LEAST_STEP);
    loads.forEach(load -> load.scale(factor));
    parts.replaceAll(part -> part.times(factor));
  }

  private Minute round(ExecutorService threads, List<PacedLoad> loads) throws IOException, InterruptedException {
    ProcessorTime before = ProcessorTime.now();
    List<Future<Iteration>> running =
        loads.stream().map(load -> threads.submit(() -> load.run(Phase.MEASUREMENT, options.seconds))).toList();
    long done = 0;
    long notBegun = 0;
    Slowest slowest = new Slowest("-", 0);
    for (int i = 0; i < running.size(); i++) {
      String work = parts.get(i).work();
      try {
        Iteration seen = running.get(i).get();
        done += seen.operations();
        notBegun += seen.failures();
        slowest = slowest.or(new Slowest(work, seen.steps().getLast().p99Ms()));
      } catch (ExecutionException e) {
        throw new IOException(work + ": " + e.getCause(), e);
      }
    }
    return new Minute(ProcessorTime.now().busySince(before), done, notBegun, slowest);
  }

  @Override
  protected List<?> details() {
    List<Object> details = new ArrayList<>(parts);
    details.addAll(looks.growth().values());
    looks.written().ifPresent(details::add);
    return details;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Load", percent + " % of the time of all processors, load generator included");
    settings.put("Kinds of work", "in equal shares, by what the machine does of each alone: " + kinds());
    settings.put("Connections of each kind", Integer.toString(callers));
    settings.put(
        "Lifetimes",
        "sessions " + minutes(LIFETIMES.idle()) + " without use, " + minutes(LIFETIMES.absolute()) + " in any case; tokens "
            + minutes(LIFETIMES.token()) + "; everybody begins anew in each round");
    settings.put("Uncounted", settle + " minutes");
  }

  private static String kinds() {
    return MIX.stream().map(Work::word).collect(Collectors.joining(", "));
  }

  private static String minutes(Duration time) {
    return time.toMinutes() + " minutes";
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Map<Watched, Growth> seen = looks.growth();
    Markdown growth = Markdown.table("of all nodes together | first | last | mean | growth an hour | in the mean | grows");
    seen.forEach(
        (what, each) ->
            growth.row(
                "%s | %,.1f | %,.1f | %,.1f | %,.1f | %.2f %% ± %.2f | %s", what.title(), each.first(), each.last(), each.mean(),
                each.anHour(), each.percentAnHour(), each.error(), what.verdict(each)));
    Markdown kinds = Markdown.table("work | a second alone | a second in the mix");
    parts.forEach(each -> kinds.row("%s | %,.0f | %,.1f", each.work(), each.alone(), each.inTheMix()));
    Markdown table = Markdown.table("minute | processors busy | operations | not begun in time | slowest p99 ms of a kind | which");
    for (int i = 0; i < minutes.size(); i++) {
      Minute each = minutes.get(i);
      table.row(
          "%d | %.0f %% | %,d | %,d | %.1f | %s", i + 1, each.busy() * 100, each.done(), each.notBegun(), each.slowest().p99Ms(),
          each.slowest().work());
    }
    return "Full collections once a minute are part of the run. What fills until some minute is kept for longer than sessions, whatever is"
        + " configured: it has\nto be flat from that minute on, and where the run was shorter, all samples are in its line.\n" + growth
        + logs() + "\n## Kinds of work\n" + kinds + "\n## Minute by minute\n" + table + "\n## Look by look\n" + looks.lookByLook()
        + "\n## Keys by store\n\nAs RocksDB estimates them.\n" + looks.keysByStore();
  }

  /** Logs grow with what is done. */
  private String logs() {
    return looks.written()
        .map(each -> Markdown.format("\nLogs: %,.0f bytes an operation (%,d operations).\n", each.bytesAnOperation(), each.operations()))
        .orElse("");
  }
}
