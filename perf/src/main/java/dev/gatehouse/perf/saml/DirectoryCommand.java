package dev.gatehouse.perf.saml;

import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Federation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench directory}: finding 8 of S1, as far as it concerns logins. */
@Command(
    name = "directory",
    description =
        "Measure whether the size of the directory matters: zero-page logins with a small and a large directory in turns;"
            + " by Gatling.")
public final class DirectoryCommand extends FederationCommand {

  @Option(names = "--small", paramLabel = "N", defaultValue = "1000",
      description = "People in the small directory (${DEFAULT-VALUE}).")
  int small;

  @Option(names = "--large", paramLabel = "N", defaultValue = "100000",
      description = "People in the large directory (${DEFAULT-VALUE}).")
  int large;

  public DirectoryCommand() {
    super(new Options(8, 30));
  }

  @Override
  List<Load> rows(Run run, Build build) throws IOException, InterruptedException {
    Federation.Setup plain = Federation.Setup.plain();
    List<Load> rows = new ArrayList<>();
    for (int people : new int[] {small, large}) {
      Site site = start(run, build, people, List.of(plain));
      rows.add(row(site, plain.realm(), "login, " + people + " people", LoginSimulation.class, Map.of(), "IdP Login"));
    }
    return rows;
  }

  @Override
  List<String> notes() {
    return List.of("Each directory has nodes of its own; the sp node is idle here.");
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("People", small + " and " + large);
    super.addSettings(settings);
  }
}
