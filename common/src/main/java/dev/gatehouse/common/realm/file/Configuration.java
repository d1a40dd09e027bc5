package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realm;
import java.util.List;

/** A valid configuration: the node and its realms, sorted by name. */
public record Configuration(Node node, List<Realm> realms) {}
