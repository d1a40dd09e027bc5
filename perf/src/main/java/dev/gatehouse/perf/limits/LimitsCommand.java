package dev.gatehouse.perf.limits;

import dev.gatehouse.perf.data.PeopleOption;
import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.oauth.BareDirectory;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench limits}. */
@Command(
    name = "limits",
    description = {
      "Measure what nothing on this machine can be faster than: a signature, a search and bind at slapd, packets to the machine itself.",
      "Needs slapd. Takes 2 minutes."
    })
public final class LimitsCommand extends BenchmarkCommand {

  @Mixin PeopleOption people = new PeopleOption();

  public LimitsCommand() {
    super(new Options(5, 3));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    List<Load> loads =
        new ArrayList<>(
            List.of(
                BareSignature.of("rsa-2048"), BareSignature.of("p-256"), Loopback.of(Loopback.SMALL), Loopback.of(Loopback.PAGE)));
    loads.add(run.closeAtEnd(BareDirectory.load(run.closeAtEnd(SlapdServer.start(run.work(), people.number)))));
    for (Load each : loads) {
      run.run(each, Phase.WARM_UP, options.seconds);
    }
    run.measure(loads, options.rounds, options.seconds);
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("People in the directory", Integer.toString(people.number));
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Map<String, Figures> rows = new LinkedHashMap<>();
    for (Iteration each : iterations) {
      rows.putIfAbsent(each.server() + ", " + each.row(), Figures.of(iterations, each.server(), each.row()));
    }
    return Figures.table("limit", rows);
  }
}
