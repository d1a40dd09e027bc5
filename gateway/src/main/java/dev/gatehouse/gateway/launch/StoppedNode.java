package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.realm.Node;
import dev.gatehouse.gateway.recovery.Recovery;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;

/** The data of a node that does not run, for commands that replace some of them. */
record StoppedNode(Node node, JsonLinesAuditLog audit) implements AutoCloseable {

  static StoppedNode of(Path config) {
    Node node = Where.load(config).node();
    if (node.storage() == Node.Storage.VOLATILE) {
      throw new StartRefused("The node keeps nothing (storage: volatile): there is nothing to recover or restore.");
    }
    Node.AuditConfig auditing = node.audit();
    return new StoppedNode(
        node,
        new JsonLinesAuditLog(auditing.directory(), auditing.maxFileBytes(), auditing.keep(), InstantSource.system()));
  }

  Recovery recovery() {
    return new Recovery(StoredState.places(node), audit, InstantSource.system(), new SecureRandom());
  }

  @Override
  public void close() {
    audit.close();
  }
}
