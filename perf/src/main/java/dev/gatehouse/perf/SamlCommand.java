package dev.gatehouse.perf;

import dev.gatehouse.perf.gatling.SamlSimulation;
import dev.gatehouse.perf.gatling.Settings;
import dev.gatehouse.perf.report.BarChart;
import dev.gatehouse.perf.report.Round;
import dev.gatehouse.perf.saml.Findings;
import dev.gatehouse.perf.saml.SamlCase;
import dev.gatehouse.perf.server.Federation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench saml}: S1. */
@Command(
    name = "saml",
    mixinStandardHelpOptions = true,
    description = {
      "S1: SAML2 federation. Zero-page login, single sign-on and logout in all sixteen cases: started at the SP or at the",
      "IdP, transient or persistent NameID (users federated in bulk before), Response by POST or Artifact, logout by HTTP",
      "or SOAP. Two nodes (idp; sp with gateway) and slapd, each in a separate process. The cases take turns in rounds;",
      "the last rounds count, the earlier ones are warm-up. Takes 25 minutes with the default values."
    })
final class SamlCommand extends LoadCommand {

  SamlCommand() {
    super(new LoadOptions(4, 15));
  }

  @Mixin PeopleOption people = new PeopleOption();

  @Option(
      names = "--case",
      paramLabel = "TEXT",
      split = ",",
      description = "Run only the cases whose names contain all of these, for example --case SP,POST; default: all.")
  List<String> only = List.of();

  @Option(
      names = "--counted",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of last rounds that count (${DEFAULT-VALUE}).")
  int counted;

  @Override
  String name() {
    return "saml";
  }

  @Override
  List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException {
    List<SamlCase> cases = cases();
    Map<String, Federation.Setup> setups = new LinkedHashMap<>();
    cases.forEach(each -> setups.putIfAbsent(each.realm(), setup(each)));
    Servers.Running running = servers.start(people.number, List.copyOf(setups.values()));
    List<Load.Scenario> scenarios = new ArrayList<>();
    for (SamlCase each : cases) {
      scenarios.add(
          new Load.Scenario(
              each.name(),
              SamlSimulation.class,
              Settings.of(each),
              each.logout() + " Logout",
              running.target(each.realm())));
    }
    return scenarios;
  }

  private List<SamlCase> cases() {
    List<SamlCase> cases =
        SamlCase.all().stream()
            .filter(each -> only.stream().allMatch(each.name()::contains))
            .toList();
    if (cases.isEmpty()) {
      throw new IllegalArgumentException("no case has " + only + " in its name");
    }
    return cases;
  }

  /** The setup of both nodes for a case. */
  private static Federation.Setup setup(SamlCase samlCase) {
    String nameId = samlCase.federated().toString();
    boolean persistent = samlCase.federated() == SamlCase.Federated.PERSISTENT;
    return new Federation.Setup(
        samlCase.realm(),
        Map.of("nameId", nameId),
        Map.of(
            "requestNameId", nameId,
            "link", persistent ? "login" : "none",
            "response", samlCase.profile().name().toLowerCase(Locale.ROOT),
            "logout", samlCase.logout() == SamlCase.Logout.SOAP ? "soap" : "front"),
        persistent);
  }

  @Override
  String conclusions(List<Round> rounds) throws IOException {
    Findings findings = new Findings(rounds, counted);
    Files.createDirectories(options.results);
    Files.writeString(options.results.resolve("saml.svg"), picture(findings));
    return findings.markdown();
  }

  private String picture(Findings findings) {
    List<BarChart.Bar> bars =
        cases().stream().map(each -> new BarChart.Bar(each.name(), findings.cpuMilliseconds(each))).toList();
    return BarChart.svg("CPU milliseconds a transaction, by process", bars);
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
  Map<String, String> settings() {
    return Map.of("People in the directory", Integer.toString(people.number));
  }
}
