package dev.gatehouse.perf.saml;

import dev.gatehouse.perf.data.PeopleOption;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Federation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench web}. */
@Command(
    name = "web",
    description =
        "S2, first part: a public page, a login through the form, eleven protected pages, with a check of the session for"
            + " each; by Gatling.")
public final class WebCommand extends FederationCommand {

  @Mixin PeopleOption people = new PeopleOption();

  public WebCommand() {
    super(new Options(8, 30));
  }

  @Override
  List<Load> rows(Run run, Build build) throws IOException, InterruptedException {
    Federation.Setup plain = Federation.Setup.plain();
    Site site = start(run, build, people.number, List.of(plain));
    String row = "public page, form login, protected pages";
    return List.of(row(site, plain.realm(), row, WebSimulation.class, Map.of(), "first protected page"));
  }

  @Override
  List<String> notes() {
    return List.of(
        "One transaction is a public page, a form login and eleven protected pages; sessions are never logged out.",
        "The published login rows were over HTTPS; this first form is not.");
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("People in the directory", Integer.toString(people.number));
    super.addSettings(settings);
  }
}
