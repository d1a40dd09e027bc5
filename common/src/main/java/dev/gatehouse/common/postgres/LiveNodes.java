package dev.gatehouse.common.postgres;

import java.util.List;

/** The nodes of the deployment, for those who are none of them. */
public interface LiveNodes {

  /** Returns how many nodes serve apps, at least this one; the last known number while the database is away. */
  int servingApps();

  /** Returns the nodes that run, or ran within a day, by their numbers. */
  List<NodeTable.Member> members();

  /** Tells the node of that number to drain itself or to return to normal; returns false if none runs. */
  boolean drain(int number, boolean wanted);

  /** Returns those of the table, which is closed by the code that opened it. */
  static LiveNodes of(NodeTable table) {
    return new OfTable(table);
  }

  /** The nodes of a table. */
  record OfTable(NodeTable table) implements LiveNodes {

    @Override
    public int servingApps() {
      return table.servingApps();
    }

    @Override
    public List<NodeTable.Member> members() {
      return table.members();
    }

    @Override
    public boolean drain(int number, boolean wanted) {
      return table.drain(number, wanted);
    }
  }
}
