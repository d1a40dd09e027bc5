package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.federate.BulkRun;
import dev.gatehouse.gateway.federate.BulkRun.Paths;
import dev.gatehouse.gateway.federate.BulkRun.Result;
import dev.gatehouse.gateway.federate.FederationEnd;
import dev.gatehouse.gateway.federate.FederationEndFailed;
import dev.gatehouse.gateway.federate.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse federate bulk}. */
@Command(
    name = "bulk",
    mixinStandardHelpOptions = true,
    description = {
      "Federate all people in a file: issue persistent names for a partner, link such names to accounts, or both.",
      "",
      "The file has a line for each person, UTF-8, separated by commas: the login name here and the one at the other end.",
      "At the identity provider (--sp) each person gets a NameID for that service provider; --out receives the other end's login "
          + "names and the NameIDs. A third column may contain the NameID to use. At the service provider (--idp) that "
          + "file is loaded: it links each NameID to the account with the login name. With both options everything is done at "
          + "once: both ends in the same realm, or the service provider's in --sp-config and --sp-realm.",
      "",
      "A running node is used through its REST API, with a temporary key or the one in --key-file; if no node runs, "
          + "the command works on the node's stores. An interrupted run continues where it stopped when the command is "
          + "repeated. Lines that cannot be federated are written to the file of rejects, with the reason."
    },
    footer = {"", "Exit codes: 0 all people are federated, 1 some lines were rejected or the run stopped, 2 wrong command line."})
final class BulkCommand implements Callable<Integer> {

  @Mixin private ConfigurationOption where = new ConfigurationOption();

  @Option(names = "--realm", required = true, paramLabel = "NAME", description = "The realm.")
  private String realm = "";

  @Option(names = "--sp", paramLabel = "ENTITYID", description = "Issue names for this service provider.")
  private Optional<String> sp = Optional.empty();

  @Option(names = "--idp", paramLabel = "ENTITYID", description = "Link names of this identity provider.")
  private Optional<String> idp = Optional.empty();

  @Option(names = "--file", required = true, paramLabel = "CSV", description = "The people.")
  private Path file = Path.of("");

  @Option(names = "--out", paramLabel = "CSV", description = "Output for the other end; required with --sp alone.")
  private Optional<Path> out = Optional.empty();

  @Option(names = "--rejects", paramLabel = "CSV", description = "Default: FILE.rejects.csv.")
  private Optional<Path> rejects = Optional.empty();

  @Option(names = "--journal", paramLabel = "FILE", description = "Default: FILE.journal.")
  private Optional<Path> journal = Optional.empty();

  @Option(names = "--sp-config", paramLabel = "DIR", description = "The service provider's configuration, if both ends are given.")
  private Optional<Path> spConfig = Optional.empty();

  @Option(names = "--sp-realm", paramLabel = "NAME", description = "The service provider's realm, if both ends are given.")
  private Optional<String> spRealm = Optional.empty();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    checkOptions();
    PrintWriter err = spec.commandLine().getErr();
    Configuration here = where.load();
    Configuration there = spConfig.isPresent() ? ConfigurationOption.load(spConfig.get()) : here;
    try (BulkFederationEnds ends = BulkFederationEnds.open(here, keyFile.key());
        BulkFederationEnds other = spConfig.isPresent() ? BulkFederationEnds.open(there, Optional.empty()) : ends) {
      Optional<FederationEnd> issuer = sp.map(partner -> ends.issuer(realm(here, realm), partner));
      Optional<FederationEnd> linker = idp.map(partner -> other.linker(realm(there, spRealm.orElse(realm)), partner));
      err.println(ends.describe() + (other == ends ? "" : " " + other.describe()));
      boolean terminal = System.console() != null && System.console().isTerminal();
      BulkRun run = new BulkRun(paths(), issuer, linker, new ProgressLine(err, terminal, System::nanoTime));
      return printResult(run.run(about(here)));
    } catch (FederationEndFailed e) {
      err.println();
      err.println(SafeText.lines(String.valueOf(e.getMessage())));
      err.println("Repeat the command to continue where it stopped.");
      return ExitCode.SOFTWARE;
    }
  }

  private void checkOptions() {
    if (sp.isEmpty() && idp.isEmpty()) {
      throw usage("Give an end: --sp issues names for a service provider, --idp links those of an identity provider.");
    }
    if (sp.isPresent() && idp.isEmpty() && out.isEmpty()) {
      throw usage("--out is required: the other end needs the names.");
    }
    if (idp.isPresent() && out.isPresent()) {
      throw usage("--out has no effect with --idp.");
    }
    if ((sp.isEmpty() || idp.isEmpty()) && (spConfig.isPresent() || spRealm.isPresent())) {
      throw usage("--sp-config and --sp-realm are for both ends at once: give --sp and --idp.");
    }
    if (!Files.isReadable(file)) {
      throw new StartRefused("There is no file " + file + " that can be read.");
    }
  }

  private picocli.CommandLine.ParameterException usage(String message) {
    return new picocli.CommandLine.ParameterException(spec.commandLine(), message);
  }

  private Paths paths() {
    return new Paths(
        file,
        journal.orElse(beside(".journal")),
        rejects.orElse(beside(".rejects.csv")),
        idp.isEmpty() ? out : Optional.empty());
  }

  private Path beside(String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  private String about(Configuration here) {
    return String.join(
        " ", here.node().data().toAbsolutePath().toString(), realm, "sp=" + sp.orElse("-"), "idp=" + idp.orElse("-"),
        "there=" + spConfig.map(Path::toString).orElse("-"),
        spRealm.orElse("-"));
  }

  private int printResult(Result result) {
    PrintWriter to = spec.commandLine().getOut();
    to.printf(
        Locale.ROOT,
        "%,d lines: %,d federated, %,d federated before, %,d rejected.%n",
        result.lines(), result.federated(), result.before(), result.rejected());
    if (result.rejected() > 0) {
      to.println("Rejected lines and reasons: " + paths().rejects());
    }
    paths().names().ifPresent(names -> to.println("For the other end: " + names));
    return result.rejected() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static Realm realm(Configuration configuration, String name) {
    return configuration.realms().stream()
        .filter(found -> found.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new StartRefused("There is no realm " + name + "."));
  }
}
