package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.gateway.cli.PeopleCommand;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.cli.TokenFileChange;
import dev.gatehouse.gateway.cli.TokenFileImport;
import dev.gatehouse.gateway.cli.UsageCommand;
import dev.gatehouse.gateway.node.OtpNode;
import dev.gatehouse.gateway.node.SharedUnusable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse otp}. */
final class OtpCommands {

  private OtpCommands() {}

  /** {@code ./gatehouse otp}. */
  @Command(
      name = "otp",
      mixinStandardHelpOptions = true,
      description = {
        "Tokens that make one-time passwords. Other operations on them are below ./gatehouse admin tokens.",
        "Of several servers (otp in gatehouse.yaml): status, push, nominate, forget."
      },
      subcommands = {Import.class, Change.class, OtpPeople.class, Status.class, Push.class, Nominate.class, Forget.class})
  static final class Otp extends UsageCommand {}

  /** {@code ./gatehouse otp import}. */
  @Command(name = "import")
  static final class Import extends TokenFileImport {
    Import() {
      super(new AdminCommands.Access());
    }
  }

  /** {@code ./gatehouse otp change}. */
  @Command(name = "change")
  static final class Change extends TokenFileChange {
    Change() {
      super(new AdminCommands.Access());
    }
  }

  /** {@code ./gatehouse otp people}. */
  @Command(
      name = "people",
      mixinStandardHelpOptions = true,
      description = "The register of people who may have tokens, read from the directory.",
      subcommands = {PeoplePreview.class, PeopleSync.class})
  static final class OtpPeople extends UsageCommand {}

  /** {@code ./gatehouse otp people preview}. */
  @Command(name = "preview")
  static final class PeoplePreview extends PeopleCommand.Preview {
    PeoplePreview() {
      super(new AdminCommands.Access());
    }
  }

  /** {@code ./gatehouse otp people sync}. */
  @Command(name = "sync")
  static final class PeopleSync extends PeopleCommand.Sync {
    PeopleSync() {
      super(new AdminCommands.Access());
    }
  }

  /** A server of one-time passwords, by its configuration; the commands talk to databases, and need no node. */
  abstract static class OfServer implements Callable<Integer> {

    @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml.")
    private Path config = Path.of(".");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() throws PostgresUnusable, InterruptedException {
      Node node = ConfigurationOption.loadNode(config).node();
      CryptoProviders.install();
      PrintWriter out = spec.commandLine().getOut();
      try {
        boolean isDone =
            run(
                node,
                line -> {
                  out.println(line);
                  out.flush();
                });
        return isDone ? ExitCode.OK : ExitCode.SOFTWARE;
      } catch (SharedUnusable refused) {
        return refused(String.valueOf(refused.getMessage()));
      } catch (StoreUnavailable away) {
        return refused("Valkey cannot be asked: " + away.getMessage());
      } catch (DataAccessException failed) {
        // What PostgreSQL says, and not the statement: that of a subscription has a password.
        return refused("PostgreSQL did not do it: " + failed.getMostSpecificCause().getMessage());
      }
    }

    private int refused(String sentence) {
      spec.commandLine().getErr().println(SafeText.lines(sentence));
      return ExitCode.SOFTWARE;
    }

    /** Returns whether it was done. */
    abstract boolean run(Node node, Consumer<String> out) throws PostgresUnusable, InterruptedException;
  }

  /** {@code ./gatehouse otp status}. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Show who is the primary, and how far each replica is: bytes and seconds behind, what waits there, its last contact.")
  static final class Status extends OfServer {

    @Override
    boolean run(Node node, Consumer<String> out) throws PostgresUnusable {
      OtpNode.status(node).forEach(out);
      return true;
    }
  }

  /** {@code ./gatehouse otp push}. */
  @Command(
      name = "push",
      mixinStandardHelpOptions = true,
      description = {
        "Bring this replica up from nothing: copy tokens, keys and configuration of the primary into its database, and follow the primary.",
        "Its node must be stopped. The user of its PostgreSQL needs the right to make subscriptions."
      })
  static final class Push extends OfServer {

    @Option(names = "--replace", description = "Also if the database is not empty: what is there of tokens, keys and configuration is replaced.")
    private boolean replaces;

    @Override
    boolean run(Node node, Consumer<String> out) throws PostgresUnusable, InterruptedException {
      OtpNode.push(node, replaces, out);
      return true;
    }
  }

  /** {@code ./gatehouse otp nominate}. */
  @Command(
      name = "nominate",
      mixinStandardHelpOptions = true,
      description = {
        "Make this replica the primary after the primary was lost; its node may run.",
        "The former primary accepts and changes nothing any more when it comes back. Without --confirm the command says what it would do."
      })
  static final class Nominate extends OfServer {

    @Option(names = "--confirm", description = "Do it.")
    private boolean confirmed;

    @Option(
        names = "--by-time",
        description =
            "Also where PostgreSQL does not tell which replica has more: heartbeats decide, and what another one got later may be lost.")
    private boolean comparesByTime;

    @Override
    boolean run(Node node, Consumer<String> out) throws PostgresUnusable {
      return OtpNode.nominate(node, confirmed, comparesByTime, out);
    }
  }

  /** {@code ./gatehouse otp forget}. */
  @Command(
      name = "forget",
      mixinStandardHelpOptions = true,
      description = {
        "Forget a replica that is gone, at the primary: PostgreSQL keeps its log for it until the disk is full, or until "
            + "max_slot_wal_keep_size.",
        "One that is connected is not forgotten. Without --confirm the command says what it would do."
      })
  static final class Forget extends OfServer {

    @Parameters(paramLabel = "SERVER", description = "Its name in otp.servers.")
    private String server = "";

    @Option(names = "--confirm", description = "Do it.")
    private boolean confirmed;

    @Override
    boolean run(Node node, Consumer<String> out) throws PostgresUnusable {
      return OtpNode.forget(node, server, confirmed, out);
    }
  }
}
