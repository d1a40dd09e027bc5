package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.MoveMark.Target;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.gateway.node.NodeAudit;
import dev.gatehouse.gateway.node.SharedMigration;
import dev.gatehouse.idp.oauth.MovedIdpStores;
import dev.gatehouse.sp.session.MovedAppStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse migrate}. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = {
      "Move an installation from embedded to shared stores, or back; all its nodes must be stopped.",
      "Tables, keys, sessions, refresh tokens, replay marks and due messages move. Logins that have begun, codes and access tokens end. "
          + "Without --confirm the command only counts. If it is interrupted, give it again: it goes on, and no node starts before it has ended."
    })
final class MigrateCommand implements Callable<Integer> {

  static final String NAME = "migrate";

  @Option(
      names = "--config",
      required = true,
      paramLabel = "DIR",
      description = "Folder with gatehouse.yaml, which has storage: shared with its stores, in both directions.")
  private Path config = Path.of(".");

  @Option(names = "--from", required = true, paramLabel = "STORAGE", description = "embedded or shared: where the installation is.")
  private String from = "";

  @Option(names = "--to", required = true, paramLabel = "STORAGE", description = "shared or embedded: where it goes.")
  private String to = "";

  @Option(names = "--confirm", description = "Move; without it the command says what moves and what ends.")
  private boolean confirmed;

  @Option(
      names = "--abandon",
      description = "Give up a move that began: what it wrote into its target is removed, and the installation serves where it was.")
  private boolean abandoned;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, PostgresUnusable {
    Target target = Target.of(to).orElseThrow(this::wrong);
    if (!Target.of(from).orElseThrow(this::wrong).equals(target.other())) {
      throw wrong();
    }
    if (abandoned && confirmed) {
      throw new ParameterException(spec.commandLine(), "Write --confirm to move, or --abandon to give up a move that began: not both.");
    }
    Node node = ConfigurationOption.loadNode(config).node();
    if (node.storage() != Node.Storage.SHARED) {
      throw new StartRefused(
          "The move needs a gatehouse.yaml with storage: shared, deployment, masterKey, postgresql and valkey, in both directions.");
    }
    CryptoProviders.install();
    PrintWriter out = spec.commandLine().getOut();
    InstantSource time = InstantSource.system();
    try (DataLock lock = DataLock.take(node.data(), NAME);
        JsonLinesAuditLog audit = NodeAudit.open(node, time)) {
      lock.requireHeld();
      Consumer<String> progress =
          line -> {
            out.println(line);
            out.flush();
          };
      SharedMigration migration = new SharedMigration(node, kinds(), audit, time, new SecureRandom());
      if (abandoned) {
        migration.abandon(target, progress);
        return ExitCode.OK;
      }
      boolean isMoved = migration.run(target, confirmed, progress);
      if (isMoved) {
        out.println(ofAudit(target, node, audit.written()));
      }
      return isMoved ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private static String ofAudit(Target target, Node node, long events) {
    String stays = "The audit log stays in files: " + events + " events. ";
    return switch (target) {
      case SHARED ->
          stays + "After its start the node loads those of the last " + node.audit().searchable().toDays()
              + " days into PostgreSQL, and its log says how far it is.";
      case EMBEDDED -> stays + "After its start the node makes its index again; events of other nodes are in their data folders.";
    };
  }

  /** Returns what is in the hot stores and moves: what takes rights away first, what gives them last. */
  static List<StoredKind> kinds() {
    return Stream.of(MovedAppStores.ends(), MovedIdpStores.ends(), MovedAppStores.grants(), MovedIdpStores.grants())
        .flatMap(List::stream)
        .toList();
  }

  private ParameterException wrong() {
    return new ParameterException(
        spec.commandLine(), "Write --from embedded --to shared, or --from shared --to embedded: not --from " + from + " --to " + to + ".");
  }
}
