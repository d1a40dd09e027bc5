package dev.gatehouse.perf;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench jmh}: the throughput of one core for SAML messages and for decisions. */
@Command(
    name = "jmh",
    mixinStandardHelpOptions = true,
    description =
        "JMH: issue a signed Response; consume one; the signature alone with the same key and provider, which is the"
            + " limit; decide with 10,000 routes and 1,000 policies and with 10 and 10, with allocations."
            + " Arguments after -- are passed to JMH.")
final class JmhCommand implements Callable<Integer> {

  @Option(names = "--results", paramLabel = "DIR", defaultValue = "perf/results",
      description = "Folder for jmh.json (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  @Parameters(paramLabel = "ARGUMENT", description = "For JMH, for example -p key=P_256 -f 1.")
  List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Files.createDirectories(results);
    List<String> all = new ArrayList<>(List.of("-prof", "gc", "-rf", "json", "-rff", results.resolve("jmh.json").toString()));
    all.addAll(arguments);
    List<String> command = Commands.java(List.of(), org.openjdk.jmh.Main.class, all);
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
