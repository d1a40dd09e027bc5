package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.node.Node;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** Opens the audit log of a node. A node with persistent storage stores the log's head in the key folder. */
public final class NodeAudit {

  private NodeAudit() {}

  /** Opens the log for writing; its last line is checked first. */
  public static JsonLinesAuditLog open(Node node, InstantSource time) {
    Node.AuditConfig auditing = node.audit();
    Optional<Path> head =
        node.storage() == Node.Storage.EMBEDDED
            ? Optional.of(StoredState.folders(node).of(StoreName.KEYS).resolve(AuditFiles.HEAD))
            : Optional.empty();
    return new JsonLinesAuditLog(auditing.directory(), head, auditing.maxFileBytes(), auditing.keep(), time);
  }

  static AuditFiles files(StateFolders places) {
    return new AuditFiles(places.of(StoreName.AUDIT), places.of(StoreName.KEYS));
  }
}
