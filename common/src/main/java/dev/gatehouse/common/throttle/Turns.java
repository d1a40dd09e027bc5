package dev.gatehouse.common.throttle;

import dev.gatehouse.common.throttle.RepeatedTask.Task;

/** Whose turn scheduled work is that one node does for all. */
@FunctionalInterface
public interface Turns {

  /** The turns of a node that is alone. */
  Turns ALONE = work -> true;

  /** Returns whether this node does the work of that name now. */
  boolean isOurs(String work);

  /** Returns the task, which does nothing while another node does the work. */
  default Task only(String work, Task task) {
    return () -> {
      if (isOurs(work)) {
        task.run();
      }
    };
  }
}
