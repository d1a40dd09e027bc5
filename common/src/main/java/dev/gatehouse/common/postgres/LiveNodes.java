package dev.gatehouse.common.postgres;

import java.util.List;

/** The nodes of the deployment, for those who only ask. */
public record LiveNodes(NodeTable table) {

  /** Returns how many nodes serve apps, at least this one; the last known number while the database is away. */
  public int servingApps() {
    return table.servingApps();
  }

  /** Returns the nodes that run, or ran within a day, by their numbers. */
  public List<NodeTable.Member> members() {
    return table.members();
  }
}
