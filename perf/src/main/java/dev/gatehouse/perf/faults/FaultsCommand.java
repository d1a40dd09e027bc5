package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench faults}. */
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    description = {
      "Attack nodes and damage their stores, while a prober sends requests like an uninvolved client, and compare the results",
      "with the promised bounds. Exits with 1 if a bound was broken.",
      "All rows of '" + SharedFaults.GROUP + "' take about 45 minutes, one row a minute and a quarter; as root, for small disks."
    })
public final class FaultsCommand implements Callable<Integer> {

  /** The cases in the order of the report. */
  private static final List<FaultCase> CASES =
      Stream.<List<? extends FaultCase>>of(
              UnreadResponses.all(),
              List.of(new AnonymousStarts(), new AnonymousSamlStarts(), new FlippedBytes(), new LostFiles()),
              FullDisk.all(),
              List.of(new Growth()))
          .<FaultCase>flatMap(List::stream)
          .toList();

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "CASE", arity = "0..*", description = "Run only these cases; --list prints all names.")
  List<String> wanted = List.of();

  @Option(names = "--list", description = "List the cases and exit.")
  boolean list;

  @Option(names = "--minutes", paramLabel = "N", defaultValue = "1", description = "Duration of each attack (${DEFAULT-VALUE}).")
  int minutes = 1;

  @Mixin ResultsOption output = new ResultsOption();

  @Option(names = "--defaults",
      description = {
        "Rows of '" + SharedFaults.GROUP + "' with 'staleness: 60s' and 'min-replicas-to-write 1', as nodes and Valkey are set by default",
        "and by the guide, into files of their own."
      })
  boolean defaults;

  @Option(names = "--row", paramLabel = "NAME",
      description = "Only this row of '" + SharedFaults.GROUP + "'; may be repeated. --list prints all names.")
  List<String> rows = List.of();

  @Option(names = "--former", paramLabel = "DIR",
      description = "Only replace nodes of that checkout by nodes of this one under load, and back.")
  Optional<Path> former = Optional.empty();

  @Override
  public Integer call() throws Exception {
    if (former.isPresent()) {
      return new UpgradeFault(former.get(), output.results).run() ? 0 : 1;
    }
    if (list) {
      CASES.forEach(each -> System.out.printf("%-22s %s%n", each.name(), each.description()));
      System.out.printf("%-22s %s%n", SharedFaults.GROUP, SharedFaults.DESCRIPTION + " One row: --row NAME.");
      SharedFaults.names().forEach((name, description) -> System.out.printf("  --row %-34s %s%n", name, description));
      return 0;
    }
    Set<String> shared = sharedRows();
    List<FaultCase> chosen = chosen();
    FaultReport report = new FaultReport(output.results);
    String commit = Report.commitHere();
    boolean kept = true;
    for (int i = 0; i < chosen.size(); i++) {
      FaultCase each = chosen.get(i);
      System.err.printf("%s (%d of %d): %s%n", each.name(), i + 1, chosen.size(), each.description());
      FaultResult result = run(each, commit);
      report.add(result);
      System.err.println(result.failure().isEmpty() ? "" : "  not carried out: " + result.failure());
      for (FaultResult.Line line : result.figures()) {
        System.err.printf("  %s %s: %s (%s)%n", line.kept() ? "kept  " : "BROKEN", line.what(), line.measured(), line.bound());
      }
      kept &= result.kept();
    }
    if (isAll() || !rows.isEmpty() || wanted.stream().anyMatch(SharedFaults::isWanted)) {
      kept &= new SharedFaults(output.results, defaults).run(shared);
    }
    return kept ? 0 : 1;
  }

  private boolean isAll() {
    return wanted.isEmpty() && rows.isEmpty();
  }

  /** Returns the rows of shared stores that are wanted; none for all. */
  private Set<String> sharedRows() {
    Stream<String> words =
        wanted.stream().filter(word -> word.startsWith(SharedFaults.ROW)).map(word -> word.substring(SharedFaults.ROW.length()));
    Set<String> names = Stream.concat(words, rows.stream()).map(SharedFaults::word).collect(Collectors.toSet());
    for (String name : names) {
      if (!SharedFaults.names().containsKey(name)) {
        throw new ParameterException(spec.commandLine(), "There is no row '" + name + "'; --list names them all.");
      }
    }
    return names;
  }

  private List<FaultCase> chosen() {
    if (isAll()) {
      return CASES;
    }
    List<FaultCase> chosen = new ArrayList<>();
    for (String name : wanted.stream().filter(name -> !SharedFaults.isWanted(name)).toList()) {
      chosen.add(
          CASES.stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () -> new ParameterException(spec.commandLine(), "There is no case '" + name + "'; --list names them all.")));
    }
    return chosen;
  }

  private FaultResult run(FaultCase each, String commit) throws IOException {
    Instant start = Instant.now();
    Path work = Files.createTempDirectory("gatehouse-fault-");
    try (FaultContext context = new FaultContext(work, Duration.ofMinutes(minutes), System.err)) {
      return FaultResult.of(each, commit, start, each.run(context), "");
    } catch (Exception e) {
      return FaultResult.of(each, commit, start, List.of(), e.toString());
    }
  }
}
