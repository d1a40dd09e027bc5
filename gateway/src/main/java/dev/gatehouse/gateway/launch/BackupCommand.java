package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.gateway.node.StoredState;
import dev.gatehouse.gateway.recovery.BackupArchive;
import dev.gatehouse.gateway.recovery.BackupRequests;
import dev.gatehouse.gateway.recovery.StateInUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse backup}. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    description = {
      "Write second factors, registered clients, consents, links, names, keys and fetched metadata of a node, running or not, "
          + "into one file that only its owner can read.",
      "Sessions and tokens are not in it: a restore ends them all. The configuration and the audit log are plain files: copy them."
    })
final class BackupCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Option(names = "--to", required = true, paramLabel = "FILE", description = "A new file.")
  private Path to = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Node node = ConfigurationOption.load(config).node();
    if (node.storage() == Node.Storage.SHARED) {
      throw new StartRefused(
          "The stores are shared: back up PostgreSQL with its own means (pg_basebackup, pg_dump), and keep a copy of the master key.");
    }
    if (node.storage() == Node.Storage.VOLATILE) {
      throw new StartRefused("The node stores nothing (storage: volatile): there is nothing to back up.");
    }
    if (Files.exists(to)) {
      throw new StartRefused(to + " exists already: a backup does not replace a file.");
    }
    StateFolders places = StoredState.folders(node);
    boolean isCommand = DataLock.holder(node.data()).filter(holder -> !holder.equals(DataLock.NODE)).isPresent();
    if (!isCommand && StateInUse.isOpen(places)) {
      BackupRequests.ask(
          node.data(), new SecureRandom(), () -> StateInUse.isOpen(places), archive -> BackupArchive.copy(archive, to));
    } else {
      writeFromFiles(node);
    }
    spec.commandLine().getOut().printf("Wrote %s (%,d bytes). It contains the keys: protect it like them.%n", to, Files.size(to));
    return ExitCode.OK;
  }

  /** Opens the stores as a start does, so that damaged ones are not backed up. */
  private void writeFromFiles(Node node) throws IOException {
    InstantSource time = InstantSource.system();
    try (StoppedNode stopped = StoppedNode.complete(node, "backup");
        H2Database database = Database.embedded(node.data())) {
      BackupRequests.removeLeftovers(node.data(), time);
      StoredState state = StoredState.open(node, database, stopped.audit(), time, new SecureRandom());
      try (RocksStores stores = state.stores()) {
        state.backup(to);
        state.stopped();
      }
    }
  }
}
