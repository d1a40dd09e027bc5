package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realm;
import java.util.List;

/** A valid configuration: the node, the place of its realms, and these, sorted by name. */
public record Configuration(Node node, Source source, List<Realm> realms) {

  /** The place of the realms' configuration, {@code configuration.source} in {@code gatehouse.yaml}. */
  public enum Source {
    /** {@code realms/NAME.yaml} beside {@code gatehouse.yaml}, followed while the node runs. */
    FILES,
    /** Revisions in the database, changed by administrators. */
    DATABASE
  }
}
