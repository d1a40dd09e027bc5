package dev.gatehouse.common.throttle;

import java.util.Optional;

/** Whose turn scheduled work is that one node does for all. */
@FunctionalInterface
public interface Turns {

  /** The turns of a node that is alone. */
  Turns ALONE = work -> Optional.of(Turn.ALONE);

  /** Returns the turn if this node does the work of that name now; it becomes this node's if it is nobody's. */
  Optional<Turn> take(String work);

  /** Gives the turn back, so that another node may take it: for work that administrators start at any node. */
  default void giveBack(String work) {}
}
