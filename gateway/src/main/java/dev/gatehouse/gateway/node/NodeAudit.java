package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditCheckpoints;
import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.audit.AuditVerification;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.key.AuditSigningKey;
import dev.gatehouse.common.node.Node;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Opens the audit log of a node. A node with persistent storage stores the log's head in the key folder. */
public final class NodeAudit {

  private NodeAudit() {}

  /** Opens the log for writing; its last line is checked first. */
  public static JsonLinesAuditLog open(Node node, InstantSource time) {
    Node.AuditConfig auditing = node.audit();
    Optional<Path> head =
        node.storage() != Node.Storage.VOLATILE
            ? Optional.of(StoredState.folders(node).of(StoreName.KEYS).resolve(AuditFiles.HEAD))
            : Optional.empty();
    return new JsonLinesAuditLog(auditing.directory(), head, auditing.maxFileBytes(), auditing.keep(), time);
  }

  /** Returns the keys that may sign checkpoints of the log: none before the first start. */
  public static PublicKeys publicKeys(Node node) {
    return PublicKeys.of(new AuditSigningKey(node.data()).published().stream().toList());
  }

  /** Returns what is read to verify the log. */
  public static AuditVerification.Sources sources(Node node, PublicKeys keys, List<Path> against) {
    Path head = StoredState.folders(node).of(StoreName.KEYS).resolve(AuditFiles.HEAD);
    return new AuditVerification.Sources(
        node.audit().directory(), head, node.audit().archive().map(Node.AuditConfig.Archive::to), keys, against);
  }

  /** Creates the writer of checkpoints; generates its key at the first start. */
  /** @param name of the log in its checkpoints */
  static AuditCheckpoints checkpoints(
      Node node, JsonLinesAuditLog log, String name, InstantSource time, SecureRandom random) {
    Node.AuditConfig auditing = node.audit();
    SigningKey key = new AuditSigningKey(node.data()).readOrCreate(time, random);
    return new AuditCheckpoints(
        log, auditing.directory(), key, name, auditing.keep(), time);
  }

  static AuditFiles files(StateFolders places) {
    return new AuditFiles(places.of(StoreName.AUDIT), places.of(StoreName.KEYS));
  }
}
