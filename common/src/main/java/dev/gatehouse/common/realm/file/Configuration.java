package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realm;
import java.util.List;

/** A valid configuration: the node, the place of its realms, and these, sorted by name. */
public record Configuration(Node node, ConfigurationSource source, List<Realm> realms) {}
