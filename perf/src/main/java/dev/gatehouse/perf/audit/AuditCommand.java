package dev.gatehouse.perf.audit;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.perf.data.Progress;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Write events to an audit log as a node does, spread over days; add them to the index; then ask the usual questions, with other",
      "values each time: first after the index was opened, as after a restart of the node, then again and again."
    })
public final class AuditCommand implements Callable<Integer> {

  private static final double WANTED_MILLIS = 300;
  private static final Instant BEGIN = Instant.parse("2026-10-01T00:00:00Z");
  private static final long FILE_BYTES = 64L << 20;
  private static final int WRITERS = 64;
  private static final int PAGE = 100;
  private static final int TENTH = 10;
  private static final int PROGRESS = 100_000;

  @Option(names = "--events", paramLabel = "N", defaultValue = "10000000", description = "Events in the log (${DEFAULT-VALUE}).")
  int events;

  @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "Days over which they are spread (${DEFAULT-VALUE}).")
  int days;

  @Option(names = "--repeat", paramLabel = "N", defaultValue = "50", description = "Times that a question is asked (${DEFAULT-VALUE}).")
  int repeat;

  @Option(names = "--folder", paramLabel = "DIR",
      description = "Where the log is written: about 500 bytes an event; a temporary folder unless given.")
  Optional<Path> folder = Optional.empty();

  @Option(names = "--shared",
      description = "Load the log into a PostgreSQL of its own, in place of the index, and drop the oldest tenth at the end.")
  boolean shared;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  /** How long the pages of a question took. */
  record Asked(String question, int found, double firstMillis, double medianMillis, double maxMillis) {}

  /** How long the log and its index took. */
  record Written(int events, double writeSeconds, double indexSeconds, long logBytes, long indexBytes) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    Path root = folder.isPresent() ? Files.createDirectories(folder.get()) : Files.createTempDirectory("gatehouse-audit-");
    AtomicLong millis = new AtomicLong(BEGIN.toEpochMilli());
    InstantSource time = () -> Instant.ofEpochMilli(millis.get());
    Object written;
    String conclusions;
    List<Asked> asked = new ArrayList<>();
    try (JsonLinesAuditLog log = new JsonLinesAuditLog(root, FILE_BYTES, Duration.ofDays(3650), time)) {
      double writeSeconds = write(log, millis);
      if (shared) {
        try (SharedAudit database = SharedAudit.load(root, log, time)) {
          ask(asked, database::search, time.instant());
          SharedAudit.Loaded loaded = database.dropped(BEGIN.plus(Duration.ofDays(days).dividedBy(TENTH)));
          written = loaded;
          conclusions = loaded.toText(events) + table(asked);
        }
      } else {
        Written indexed = added(root, log, time, writeSeconds);
        ask(asked, () -> index(root, log, time), time.instant());
        written = indexed;
        conclusions = text(indexed) + table(asked);
      }
    }
    List<String> failures = asked.stream().filter(a -> a.maxMillis() > WANTED_MILLIS).map(a -> "more than 300 ms: " + a).toList();
    Map<String, String> settings = Map.of("events", Markdown.format("%,d", events), "days", String.valueOf(days));
    Report report =
        new Report(
            shared ? "audit-shared" : "audit", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(), settings, List.of(),
            List.of(written, asked), failures);
    System.out.println(report.write(output.results, conclusions));
    if (folder.isEmpty()) {
      Commands.output(List.of("rm", "-rf", root.toString()));
    }
    return failures.isEmpty() ? 0 : 1;
  }

  private void ask(List<Asked> asked, Supplier<EventSearch> search, Instant now) throws IOException {
    for (Question question : Question.usual(events, days)) {
      asked.add(ask(question, search.get(), now));
      System.err.println(asked.getLast());
    }
  }

  private AuditIndex index(Path root, JsonLinesAuditLog log, InstantSource time) {
    return new AuditIndex(root, new AuditSegments(root, Optional.empty()), log, Duration.ofDays(days + 1L), time, () -> false);
  }

  private double write(JsonLinesAuditLog log, AtomicLong millis) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long present = log.written();
    Progress progress = new Progress("events written", events, System.err);
    long span = Duration.ofDays(days).toMillis();
    AtomicLong next = new AtomicLong(present);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(
          Thread.startVirtualThread(
              () -> {
                for (long number = next.getAndIncrement(); number < events; number = next.getAndIncrement()) {
                  long at = BEGIN.toEpochMilli() + number * span / events;
                  millis.accumulateAndGet(at, Math::max);
                  log.record(GeneratedEvents.event(number));
                  if (number % PROGRESS == 0) {
                    progress.accept((int) number);
                  }
                }
              }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    millis.set(BEGIN.toEpochMilli() + span - 1);
    log.force();
    return (System.nanoTime() - begun) / 1e9;
  }

  private Written added(Path root, JsonLinesAuditLog log, InstantSource time, double writeSeconds) throws IOException {
    long begun = System.nanoTime();
    try (AuditIndex index = index(root, log, time)) {
      do {
        index.follow();
      } while (!index.isComplete());
      index.follow();
    }
    double indexSeconds = (System.nanoTime() - begun) / 1e9;
    return new Written(events, writeSeconds, indexSeconds, bytes(root, false), bytes(root, true));
  }

  private static long bytes(Path root, boolean isIndex) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(file -> Files.isRegularFile(file) && file.startsWith(root.resolve("index")) == isIndex)
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private Asked ask(Question question, EventSearch opened, Instant now) throws IOException {
    try (EventSearch index = opened) {
      List<Double> millis = new ArrayList<>();
      int found = 0;
      for (int i = 0; i < repeat; i++) {
        Instant to = now.plusMillis(1);
        AuditQuery query = new AuditQuery(question.terms().apply(i), to.minus(question.range()), to, Optional.empty(), PAGE);
        long begun = System.nanoTime();
        found = Math.max(found, index.search(query).events().size());
        millis.add((System.nanoTime() - begun) / 1e6);
      }
      List<Double> sorted = millis.stream().sorted().toList();
      return new Asked(question.text(), found, millis.getFirst(), sorted.get(sorted.size() / 2), sorted.getLast());
    }
  }

  private String text(Written written) {
    return Markdown.format(
        "written: %,.0f s, %,.0f events a second, %,d bytes an event.\nadded to the index: %,.0f s, %,d bytes an event.\n",
        written.writeSeconds(), events / written.writeSeconds(), written.logBytes() / events, written.indexSeconds(),
        written.indexBytes() / events);
  }

  private static Markdown table(List<Asked> asked) {
    Markdown table =
        Markdown.table("question, a page of " + PAGE + " | events found, at most | first, ms | median, ms | slowest, ms (wanted: 300)");
    asked.forEach(a -> table.row("%s | %d | %.1f | %.1f | %.1f", a.question(), a.found(), a.firstMillis(), a.medianMillis(), a.maxMillis()));
    return table;
  }
}
