package dev.gatehouse.perf.audit;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.perf.data.Progress;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
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
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
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
  private static final String WRONG = "WRONG_PASSWORD";
  private static final int PAGE = 100;
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

  @Option(names = "--results", paramLabel = "DIR", defaultValue = "perf/results",
      description = "Folder for audit.json and audit.md (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  @Spec CommandSpec spec = CommandSpec.create();

  /** What an administrator asks. */
  private record Question(String text, Duration range, LongFunction<Map<AuditTerm, String>> terms) {}

  /** How long the pages of a question took. */
  record Asked(String question, int found, double firstMillis, double medianMillis, double maxMillis) {}

  /** How long the log and its index took. */
  record Written(double writeSeconds, double indexSeconds, long logBytes, long indexBytes) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    Path root = folder.isPresent() ? Files.createDirectories(folder.get()) : Files.createTempDirectory("gatehouse-audit-");
    AtomicLong millis = new AtomicLong(BEGIN.toEpochMilli());
    InstantSource time = () -> Instant.ofEpochMilli(millis.get());
    Written written;
    List<Asked> asked = new ArrayList<>();
    try (JsonLinesAuditLog log = new JsonLinesAuditLog(root, FILE_BYTES, Duration.ofDays(3650), time)) {
      written = write(root, log, millis, time);
      for (Question question : questions()) {
        asked.add(ask(question, index(root, log, time), time.instant()));
        System.err.println(asked.getLast());
      }
    }
    List<String> failures = asked.stream().filter(a -> a.maxMillis() > WANTED_MILLIS).map(a -> "more than 300 ms: " + a).toList();
    Map<String, String> settings = Map.of("events", Markdown.format("%,d", events), "days", String.valueOf(days));
    Report report =
        new Report(
            "audit", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(), settings, List.of(),
            List.of(written, asked), failures);
    System.out.println(report.write(results, conclusions(written, asked)));
    if (folder.isEmpty()) {
      Commands.output(List.of("rm", "-rf", root.toString()));
    }
    return failures.isEmpty() ? 0 : 1;
  }

  private AuditIndex index(Path root, JsonLinesAuditLog log, InstantSource time) {
    return new AuditIndex(root, new AuditSegments(root, Optional.empty()), log, Duration.ofDays(days + 1L), time, () -> false);
  }

  private Written write(Path root, JsonLinesAuditLog log, AtomicLong millis, InstantSource time)
      throws IOException, InterruptedException {
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
    double writeSeconds = (System.nanoTime() - begun) / 1e9;
    begun = System.nanoTime();
    try (AuditIndex index = index(root, log, time)) {
      do {
        index.follow();
      } while (!index.isComplete());
      index.follow();
    }
    double indexSeconds = (System.nanoTime() - begun) / 1e9;
    return new Written(writeSeconds, indexSeconds, bytes(root, false), bytes(root, true));
  }

  private static long bytes(Path root, boolean isIndex) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(file -> Files.isRegularFile(file) && file.startsWith(root.resolve("index")) == isIndex)
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private List<Question> questions() {
    Duration day = Duration.ofDays(1);
    return List.of(
        new Question("the newest", day, n -> Map.of()),
        new Question("a person, a day", day, n -> Map.of(AuditTerm.PERSON, GeneratedEvents.person(n))),
        always("a person", n -> Map.of(AuditTerm.PERSON, GeneratedEvents.person(n))),
        always("a partner", n -> Map.of(AuditTerm.PARTNER, GeneratedEvents.partner(n))),
        always("a client", n -> Map.of(AuditTerm.CLIENT, GeneratedEvents.client(n))),
        always("a request id", n -> Map.of(AuditTerm.REQUEST_ID, GeneratedEvents.reference(n * 1009 % events))),
        always("an address", n -> Map.of(AuditTerm.ADDRESS, GeneratedEvents.address(n))),
        always("a reason", n -> Map.of(AuditTerm.REASON, "THROTTLED")),
        always("a reason of a person", n -> Map.of(AuditTerm.REASON, WRONG, AuditTerm.PERSON, GeneratedEvents.person(n))),
        always("a reason from an address", n -> Map.of(AuditTerm.REASON, WRONG, AuditTerm.ADDRESS, GeneratedEvents.address(n))),
        always("an event in a realm", n -> Map.of(AuditTerm.EVENT, "LoginRefused", AuditTerm.REALM, "staff")),
        always("a partner in a realm", n -> Map.of(AuditTerm.PARTNER, GeneratedEvents.partner(n), AuditTerm.REALM, "partners")),
        always("a person at a partner", GeneratedEvents::personAtPartner),
        always("a reason in a realm that does not exist", n -> Map.of(AuditTerm.REASON, "THROTTLED", AuditTerm.REALM, "none")),
        always("two that never meet", n -> Map.of(AuditTerm.EVENT, "SessionEnded", AuditTerm.REASON, WRONG)),
        always("a person who does not exist", n -> Map.of(AuditTerm.PERSON, "nobody" + n)));
  }

  private Question always(String text, LongFunction<Map<AuditTerm, String>> terms) {
    return new Question(text + ", all days", Duration.ofDays(days), terms);
  }

  private Asked ask(Question question, AuditIndex opened, Instant now) throws IOException {
    try (AuditIndex index = opened) {
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

  private String conclusions(Written written, List<Asked> asked) {
    String text =
        Markdown.format(
            "written: %,.0f s, %,.0f events a second, %,d bytes an event.\nadded to the index: %,.0f s, %,d bytes an event.\n",
            written.writeSeconds(), events / written.writeSeconds(), written.logBytes() / events, written.indexSeconds(),
            written.indexBytes() / events);
    Markdown table =
        Markdown.table("question, a page of " + PAGE + " | events found, at most | first, ms | median, ms | slowest, ms (wanted: 300)");
    asked.forEach(a -> table.row("%s | %d | %.1f | %.1f | %.1f", a.question(), a.found(), a.firstMillis(), a.medianMillis(), a.maxMillis()));
    return text + table;
  }
}
