package dev.gatehouse.perf.saml;

import dev.gatehouse.perf.data.PeopleOption;
import dev.gatehouse.perf.harness.Charts;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Federation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code bench saml}: S1. */
@Command(
    name = "saml",
    description = {
      "S1: SAML2 federation, by Gatling. Zero-page login, single sign-on and logout in all sixteen cases: started at the SP or",
      "at the IdP, transient or persistent NameID (users federated in bulk before), Response by POST or Artifact, logout by",
      "HTTP or SOAP. Two nodes (idp; sp with gateway) and slapd, each in a separate process. The cases take turns in rounds;",
      "the last rounds count, the earlier ones are warm-up. Takes 25 minutes with the default values."
    })
public final class SamlCommand extends FederationCommand {

  @Mixin PeopleOption people = new PeopleOption();

  @Option(names = "--case", paramLabel = "TEXT", split = ",",
      description = "Run only the cases whose names contain all of these, for example --case SP,POST; default: all.")
  List<String> only = List.of();

  @Option(names = "--counted", paramLabel = "N", defaultValue = "2",
      description = "Number of last rounds that count (${DEFAULT-VALUE}).")
  int counted;

  @Option(names = "--member-of",
      description = "Also run each case where both sides read groups from memberOf in people's entries, and search none.")
  boolean memberOf;

  public SamlCommand() {
    super(new Options(4, 15));
  }

  @Override
  List<Load> rows(Run run, Build build) throws IOException, InterruptedException {
    List<SamlCase> cases = cases();
    Map<String, Federation.Setup> setups = new LinkedHashMap<>();
    cases.stream().flatMap(this::setups).forEach(setup -> setups.putIfAbsent(setup.realm(), setup));
    Site site = start(run, build, people.number, List.copyOf(setups.values()));
    List<Load> rows = new ArrayList<>();
    for (SamlCase each : cases) {
      Map<String, String> settings = Map.of("case", each.name());
      setups(each)
          .map(
              setup ->
                  row(
                      site, setup.realm(), each.name() + (setup.memberOf() ? ", memberOf" : ""), SamlSimulation.class, settings,
                      each.transaction()))
          .forEach(rows::add);
    }
    return rows;
  }

  private Stream<Federation.Setup> setups(SamlCase each) {
    Federation.Setup setup = each.setup();
    return memberOf ? Stream.of(setup, setup.byMemberOf()) : Stream.of(setup);
  }

  private List<SamlCase> cases() {
    List<SamlCase> cases =
        SamlCase.all().stream().filter(each -> only.stream().allMatch(each.name()::contains)).toList();
    if (cases.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "no case has " + only + " in its name");
    }
    return cases;
  }

  @Override
  protected String conclusions(List<Iteration> iterations) throws IOException {
    Findings findings = new Findings(iterations, counted);
    Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
    cases().forEach(each -> bars.put(each.name(), findings.cpuMilliseconds(each)));
    writePicture(Charts.bars("CPU milliseconds a transaction, by process", bars));
    return findings.markdown() + super.conclusions(iterations);
  }

  @Override
  List<String> notes() {
    return List.of(
        "One transaction is login, single sign-on and logout; each step includes the redirects that a browser follows."
            + " The logout begins at the SP in all cases, so that the column alone decides how it travels; each one is"
            + " checked to have gone that way and to have ended both sessions.",
        "Persistent: everybody was federated in bulk, and the SP looks the linked person and their groups up in the directory"
            + " in each login, which is in the CPU figures of sp and slapd.",
        "The load generator and the app behind the gateway share the machine and are not in the CPU figures.",
        "Each two cases that differ only in the initiator share a realm; all realms live on the same two nodes, so that"
            + " what the machine and the compilers do meets all cases alike.");
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("People in the directory", Integer.toString(people.number));
    super.addSettings(settings);
  }
}
