package dev.gatehouse.perf;

import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin ResultsOption output = new ResultsOption();

  @Parameters(paramLabel = "ARGUMENT", description = "For JMH, for example -p key=P_256 -f 1.")
  List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Files.createDirectories(output.results);
    List<String> all = new ArrayList<>(List.of("-prof", "gc", "-rf", "json", "-rff", output.results.resolve("jmh.json").toString()));
    all.addAll(arguments);
    List<String> command = Commands.java(List.of(), org.openjdk.jmh.Main.class, all);
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
