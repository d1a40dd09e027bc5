package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcAdministratorGrants;
import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.administrator.AdministratorChanges;
import dev.gatehouse.gateway.administrator.RunningNodeChanges;
import dev.gatehouse.gateway.administrator.StoredChanges;
import dev.gatehouse.gateway.cli.NodeAccess;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.cli.UsageCommand;
import dev.gatehouse.gateway.federate.LoadedRealms;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ./gatehouse admin}; {@link Launcher} adds a command for each operation of the administration. */
final class AdminCommands {

  private static final String KEY_PREFIX = "admin-";
  private static final String EXIT_CODES = "Exit codes: 0 done, 1 nothing was changed, or that is not certain, 2 wrong command line.";

  private AdminCommands() {}

  /** {@code ./gatehouse admin}. */
  @Command(
      name = "admin",
      mixinStandardHelpOptions = true,
      description = {
        "Administer the running node: each operation of its REST interface is a command.",
        "",
        "For example: ./gatehouse admin partners list --realm demo --output json"
      },
      subcommands = {Grant.class, Revoke.class})
  static final class Admin extends UsageCommand {}

  /** The node whose configuration the command names, with a key from a file, or a temporary one. */
  static final class Access implements NodeAccess {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Override
    public NodeApi open() throws IOException {
      return NodeConnection.open(RevisionCommands.served(where).node(), keyFile.key(), KEY_PREFIX);
    }
  }

  /** {@code ./gatehouse admin grant}. */
  @Command(
      name = "grant",
      mixinStandardHelpOptions = true,
      description = {
        "Give a person of the realm admin.realm a role as an administrator, in place of the person's role for the same realm.",
        "",
        "A running node is used through its REST API, with a temporary key; if no node runs, the command works on its database. Whoever "
            + "is logged in has the role from the next request on."
      },
      footer = {"", EXIT_CODES})
  static final class Grant implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "PERSON", description = "User name, or the directory's id.")
    private String person = "";

    @Option(names = "--role", required = true, paramLabel = "ROLE", description = "viewer, helpdesk, operator or admin.")
    private String role = "";

    @Option(names = "--realm", paramLabel = "NAME", description = "Where the role counts; default: in all realms.")
    private Optional<String> realm = Optional.empty();

    @Option(names = "--until", paramLabel = "TIME", description = "When it ends, as 2027-01-31 or 2027-01-31T17:00:00Z. Default: it does not end.")
    private Optional<String> until = Optional.empty();

    @Option(names = "--even-last", description = "Even if no lasting administrator of all realms remains.")
    private boolean evenLast;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      AdministratorRole wanted =
          AdministratorRole.of(role)
              .orElseThrow(() -> new ParameterException(spec.commandLine(), "--role is one of " + roles() + "."));
      Optional<Instant> end = until.map(this::time);
      AdministratorGrant grant = new AdministratorGrant(wanted, realm);
      change(where, "admin grant", changes -> changes.grant(person, grant, end, evenLast));
      spec.commandLine().getOut().println(person + " has " + grant + end.map(at -> " until " + at).orElse("") + ".");
      return ExitCode.OK;
    }

    private static String roles() {
      return Arrays.stream(AdministratorRole.values()).map(AdministratorRole::word).collect(Collectors.joining(", "));
    }

    private Instant time(String text) {
      Instant end;
      try {
        end = text.contains("T") ? Instant.parse(text) : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      } catch (DateTimeParseException e) {
        throw new ParameterException(spec.commandLine(), "--until is a date or a time like 2027-01-31T17:00:00Z.", e);
      }
      if (!end.isAfter(InstantSource.system().instant())) {
        throw new ParameterException(spec.commandLine(), "--until is in the past.");
      }
      return end;
    }
  }

  /** {@code ./gatehouse admin revoke}. */
  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = {
        "Take a person's role as an administrator.",
        "",
        "A running node is used through its REST API, with a temporary key; if no node runs, the command works on its database. The role "
            + "counts no more from the next request on."
      },
      footer = {"", EXIT_CODES})
  static final class Revoke implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "PERSON", description = "User name, or the directory's id.")
    private String person = "";

    @Option(names = "--realm", paramLabel = "NAME", description = "The realm that the role is for; default: all roles of the person.")
    private Optional<String> realm = Optional.empty();

    @Option(names = "--even-last", description = "Even if no lasting administrator of all realms remains.")
    private boolean evenLast;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      change(where, "admin revoke", changes -> changes.revoke(person, realm, evenLast));
      spec.commandLine().getOut().println(person + " has no role" + realm.map(name -> " for the realm " + name).orElse("") + " any more.");
      return ExitCode.OK;
    }
  }

  private static void change(ConfigurationOption where, String command, Consumer<AdministratorChanges> work) {
    Node node = ConfigurationOption.loadNode(where.folder()).node();
    AdminLogin login =
        node.listeners()
            .adminLogin()
            .orElseThrow(() -> new StartRefused("People cannot be administrators here: name their realm in admin.realm of gatehouse.yaml."));
    try {
      if (NodeConnection.isServed(node)) {
        try (NodeApi api = NodeConnection.open(node, Optional.empty(), KEY_PREFIX)) {
          work.accept(new RunningNodeChanges(api));
        }
      } else {
        atDatabase(where.load(), login.realm(), command, work);
      }
    } catch (AdministratorChanges.Refused e) {
      throw new StartRefused(String.valueOf(e.getMessage()));
    }
  }

  private static void atDatabase(Configuration configuration, String realm, String command, Consumer<AdministratorChanges> work) {
    Node node = configuration.node();
    if (node.storage() == Storage.VOLATILE) {
      throw new StartRefused("The node stores nothing (storage: volatile): start it first.");
    }
    Realms realms = new LoadedRealms(configuration.realms());
    try (StoppedNode stopped = StoppedNode.complete(node, command);
        Database database = Database.embedded(node.data());
        LdapDirectories directories = new LdapDirectories(realms)) {
      JdbcAdministratorGrants grants = new JdbcAdministratorGrants(database);
      work.accept(new StoredChanges(realm, realms, directories, grants, stopped.audit(), InstantSource.system()));
    }
  }

  /** {@code ./gatehouse replay}. */
  @Command(
      name = "replay",
      mixinStandardHelpOptions = true,
      description = {
        "Check the saved answer of a test login again, with the configuration, metadata and keys of the running node.",
        "",
        "Checks run as of the time when the answer came. Nobody is signed in. The passphrase is read from a file or asked for."
      },
      footer = {"", "Exit codes: 0 nothing differs from the time when it was saved, 1 something differs or it cannot be read, 2 wrong command line."})
  static final class Replay implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "FILE", description = "As saved by the console or by REST.")
    private Path file = Path.of("");

    @Option(names = "--realm", required = true, paramLabel = "NAME", description = "The realm of the test login.")
    private String realm = "";

    @Option(names = "--passphrase-file", paramLabel = "FILE", description = "A file with the passphrase; asked for unless given.")
    private Optional<Path> passphraseFile = Optional.empty();

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      Map<String, String> body = Map.of("file", KeyFileOption.text(file).strip(), "passphrase", passphrase());
      String path = "/admin/v1/realms/" + NodeCall.encoded(realm) + "/test-logins/replay";
      try (NodeApi api = NodeConnection.open(RevisionCommands.served(where).node(), keyFile.key(), KEY_PREFIX)) {
        return print(spec.commandLine().getOut(), api.call(NodeCall.post(path, body), JsonNode.class));
      }
    }

    private String passphrase() {
      if (passphraseFile.isPresent()) {
        return KeyFileOption.text(passphraseFile.get()).strip();
      }
      Console console = System.console();
      if (console == null || !console.isTerminal()) {
        throw new StartRefused("There is no terminal to ask for the passphrase: use --passphrase-file.");
      }
      return new String(console.readPassword("Passphrase: "));
    }

    private static int print(PrintWriter out, JsonNode replay) {
      JsonNode differences = replay.path("differences");
      if (differences.isEmpty()) {
        out.println("Nothing differs: " + (replay.path("now").path("passed").asBoolean() ? "every check passes." : "the same checks fail."));
        return 0;
      }
      differences.forEach(difference -> out.println(SafeText.line(difference.asString())));
      return 1;
    }
  }
}
