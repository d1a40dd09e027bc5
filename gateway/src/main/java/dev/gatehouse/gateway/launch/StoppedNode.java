package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.node.NodeAudit;
import dev.gatehouse.gateway.node.StoredState;
import dev.gatehouse.gateway.recovery.Recovery;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;

/** The data of a stopped node, for commands that change some of them, or replace them. */
record StoppedNode(Node node, DataLock lock, JsonLinesAuditLog audit) implements AutoCloseable {

  static final String RESTORE = "restore";
  static final String RECOVER = "recover";

  /**
   * Locks the data against nodes and other commands until it is closed.
   *
   * @param command its name, for the message to processes that meet the lock
   */
  static StoppedNode of(Path config, String command) {
    Node node = ConfigurationOption.load(config).node();
    if (node.storage() == Node.Storage.SHARED) {
      throw new StartRefused("The stores are shared: see docs/how-to/run-several-nodes.md for what was lost in PostgreSQL or Valkey.");
    }
    if (node.storage() == Node.Storage.VOLATILE) {
      throw new StartRefused("The node stores nothing (storage: volatile): there is nothing to recover or restore.");
    }
    new MoveMark(node.data()).requireAt(MoveMark.Target.EMBEDDED);
    return locked(node, command, () -> {});
  }

  /**
   * Locks the data as {@link #of} does, for a command that opens stores: none may be missing, because an engine would create it anew.
   *
   * @param command its name, for the message to processes that meet the lock
   */
  static StoppedNode complete(Node node, String command) {
    if (node.storage() == Node.Storage.SHARED) {
      throw new StartRefused(
          "The stores are shared: start the node that uses this configuration first, or give the command where a node runs.");
    }
    return locked(node, command, () -> requireFiles(node));
  }

  private static void requireFiles(Node node) {
    if (node.storage() == Node.Storage.EMBEDDED) {
      StoredState.requireFiles(node, new SecureRandom());
    }
  }

  private static StoppedNode locked(Node node, String command, Runnable check) {
    DataLock lock = DataLock.take(node.data(), command);
    try {
      check.run();
      return new StoppedNode(node, lock, NodeAudit.open(node, InstantSource.system()));
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Refuses if the key folder is being replaced, or if that was interrupted: commands that may change it beside a running node would lose
   * their changes.
   */
  static void requireKeysInPlace(Node node) {
    DataLock.holder(node.data())
        .filter(holder -> holder.equals(RESTORE) || holder.equals(RECOVER) || holder.equals(MigrateCommand.NAME))
        .ifPresent(
            holder -> {
              throw new StartRefused("./gatehouse " + holder + " works on the keys in " + node.data() + ": wait until it ends.");
            });
    if (node.storage() == Node.Storage.EMBEDDED && isReplacingKeys(node)) {
      throw new StartRefused(
          "A restore or a recovery of the keys in " + node.data() + " was interrupted: give the same command again, then this one.");
    }
  }

  private static boolean isReplacingKeys(Node node) {
    return new FileRecordLocation(StoredState.folders(node).of(StoreName.KEYS))
        .read()
        .flatMap(InstallationRecord::parse)
        .filter(record -> record.isReplacing(StoreName.KEYS))
        .isPresent();
  }

  Recovery recovery() {
    return new Recovery(StoredState.folders(node), audit, InstantSource.system(), new SecureRandom());
  }

  @Override
  public void close() {
    try (lock) {
      audit.close();
    }
  }
}
