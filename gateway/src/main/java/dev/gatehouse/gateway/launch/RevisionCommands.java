package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.node.StoredState;
import dev.gatehouse.gateway.pkcs11.TokenCheck;
import dev.gatehouse.gateway.revision.ExportedFolder;
import dev.gatehouse.gateway.revision.PlannedChange;
import dev.gatehouse.gateway.revision.ProposedFolder;
import dev.gatehouse.gateway.revision.RevisionClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands for revisions of the configuration. */
final class RevisionCommands {

  private static final String KEY_PREFIX = "revisions-";

  private RevisionCommands() {}

  /** {@code ./gatehouse plan}. */
  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = {
        "Show what a configuration would change, with all its problems; nothing of it takes effect.",
        "",
        "DIR replaces all realms, FILE (a realms/NAME.yaml) one of them. Files that they name are sent to the running node if they "
            + "are in DIR; the node fills in variables of its own environment. If no node runs, the configuration is compared with "
            + "the last revision in the node's database."
      },
      footer = {"", "Exit codes: 0 the configuration can be used, 1 it has problems or nothing to compare with can be read, 2 wrong command line."})
  static final class Plan implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "DIR|FILE", description = "A folder with realms/, or the file of one realm.")
    private Path proposed = Path.of("");

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
      Path folder = where.folder();
      Configuration configuration = ConfigurationOption.loadNode(folder);
      Node node = configuration.node();
      ProposedFolder files = proposed(proposed, configuration.source());
      PlannedChange change =
          NodeConnection.isServed(node)
              ? atNode(node, keyFile.key(), client -> client.plan(files))
              : atDatabase(configuration, new ConfigurationFiles(folder, System.getenv()), files);
      files.notes().forEach(note -> spec.commandLine().getOut().println(SafeText.line("note: " + note)));
      change.print(spec.commandLine().getOut());
      return change.problems().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  /** {@code ./gatehouse export}. */
  @Command(
      name = "export",
      mixinStandardHelpOptions = true,
      description = {
        "Write the files of a revision of the running node to a folder: those of the realms and those that they name, with comments.",
        "",
        "Secrets are not exported: a literal one is ***, which no configuration accepts, and files of private keys are left out."
      })
  static final class Export implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "DIR", description = "A new or empty folder.")
    private Path to = Path.of("");

    @Option(names = "--revision", paramLabel = "NUMBER", description = "The revision; by default the newest.")
    private Optional<Long> revision = Optional.empty();

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
      ExportedFolder folder = new ExportedFolder(to);
      if (!folder.isFree()) {
        throw new StartRefused(to + " is not empty: an export replaces no file.");
      }
      Node node = served(where).node();
      Exported exported =
          atNode(
              node,
              keyFile.key(),
              client -> {
                long number = revision.or(client::latest).orElseThrow(() -> new StartRefused("The node has no revision yet."));
                return new Exported(number, client.files(number));
              });
      List<String> notes = folder.write(exported.files());
      PrintWriter out = spec.commandLine().getOut();
      notes.forEach(note -> out.println(SafeText.line("note: " + note)));
      out.println("Wrote revision " + exported.number() + " to " + to + ".");
      return ExitCode.OK;
    }

    private record Exported(long number, List<RevisionClient.ExportedFile> files) {}
  }

  /** Returns the configuration of the node, which must answer. */
  static Configuration served(ConfigurationOption where) {
    Configuration configuration = ConfigurationOption.loadNode(where.folder());
    Node node = configuration.node();
    if (!NodeConnection.isServed(node)) {
      throw new StartRefused("No node answers at " + node.listeners().admin().address() + ": start it.");
    }
    return configuration;
  }

  static ProposedFolder proposed(Path proposed, Configuration.Source source) {
    try {
      return ProposedFolder.read(proposed, source, System.getenv());
    } catch (IllegalArgumentException e) {
      throw new StartRefused(String.valueOf(e.getMessage()));
    }
  }

  static <T> T atNode(Node node, Optional<String> key, Function<RevisionClient, T> call) {
    try (NodeApi api = NodeConnection.open(node, key, KEY_PREFIX)) {
      return call.apply(new RevisionClient(api));
    }
  }

  /** Compares with the last revision, which the stopped node left; a node that never ran has none. */
  private static PlannedChange atDatabase(Configuration configuration, ConfigurationFiles inUse, ProposedFolder proposed) {
    Node node = configuration.node();
    if (node.storage() == Node.Storage.VOLATILE || !Files.isDirectory(node.data().resolve("h2"))) {
      throw new StartRefused("No node answers, and none left revisions: start it, or use ./gatehouse check.");
    }
    if (configuration.source() == Configuration.Source.DATABASE) {
      throw new StartRefused("No node answers, and the configuration is in its database: start it.");
    }
    Map<String, byte[]> contents = new TreeMap<>();
    proposed.files().files().forEach((path, file) -> contents.put(path, file.content()));
    ProposedFiles.Plan plan = inUse.plan(contents, proposed.isComplete());
    List<Problem> problems = new ArrayList<>(plan.problems());
    plan.result().map(TokenCheck::of).ifPresent(problems::addAll);
    SecureRandom random = new SecureRandom();
    try (DataLock lock = DataLock.take(node.data(), "plan")) {
      lock.requireHeld();
      StoredState.requireFiles(node, random);
      try (Database database = Database.embedded(node.data())) {
        RevisionStore revisions = new RevisionStore(database, new SealingKey(node.data(), random), InstantSource.system());
        long before = revisions.latest().map(Revision::number).orElse(0L);
        return PlannedChange.of(before, problems, revisions.diff(before, plan.tree()));
      }
    }
  }
}
