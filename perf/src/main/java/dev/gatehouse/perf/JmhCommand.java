package dev.gatehouse.perf;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.jmh.JmhComparison;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench jmh}: what single steps cost one core, and allocate. */
@Command(
    name = "jmh",
    mixinStandardHelpOptions = true,
    description =
        "JMH: issue a signed Response; consume one; the signature alone with the same key and provider, which is the"
            + " limit; issue and verify a token; parse a request's head, find a page in the cache, find a session; decide with"
            + " 10,000 routes and 1,000 policies and with 10 and 10; with allocations."
            + " Arguments after -- are passed to JMH.")
final class JmhCommand implements Callable<Integer> {

  @Mixin ResultsOption output = new ResultsOption();

  @Option(names = "--against", paramLabel = "DIR",
      description = "Another checkout: both builds run in turns, and only jmh-against.md with speeds and allocations is written.")
  Optional<Path> against = Optional.empty();

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Pairs of runs with --against (${DEFAULT-VALUE}).")
  int rounds;

  @Parameters(paramLabel = "ARGUMENT", description = "For JMH, for example -p key=P_256 -f 1.")
  List<String> arguments = new ArrayList<>();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Files.createDirectories(output.results);
    return against.isPresent() ? compare(Build.other(against.get())) : run(here(output.results));
  }

  private List<String> here(Path results) {
    List<String> all = new ArrayList<>(List.of("-prof", "gc", "-rf", "json", "-rff", results.resolve("jmh.json").toString()));
    all.addAll(arguments);
    return Commands.java(List.of(), org.openjdk.jmh.Main.class, all);
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private int compare(Build other) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("gatehouse-jmh-");
    JmhComparison comparison = new JmhComparison();
    for (int round = 0; round < rounds; round++) {
      Path own = Files.createDirectories(work.resolve("own-" + round));
      Path theirs = Files.createDirectories(work.resolve("other-" + round));
      List<String> command = new ArrayList<>(other.command("bench", "jmh", "--results", theirs.toString(), "--"));
      command.addAll(arguments);
      List<List<String>> both = new ArrayList<>(List.of(here(own), command));
      for (List<String> each : round % 2 == 0 ? both : both.reversed()) {
        int code = run(each);
        if (code != 0) {
          return code;
        }
      }
      comparison.add(own.resolve("jmh.json"), theirs.resolve("jmh.json"));
    }
    String md =
        "# jmh-against\n\n`" + BenchmarkCommand.command(spec) + "`, commit " + Report.commitHere() + ", against "
            + Report.commitOf(other.home()) + ". " + Machine.here() + ".\n\nBoth builds in turns; the ratio is taken pair by pair.\n"
            + comparison.markdown();
    Files.writeString(output.results.resolve("jmh-against.md"), md);
    System.out.println(md);
    return 0;
  }
}
