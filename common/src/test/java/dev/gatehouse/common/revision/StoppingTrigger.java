package dev.gatehouse.common.revision;

import java.sql.Connection;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/** Stops {@link ChangingProcess} within a transaction; does nothing in other processes. */
public final class StoppingTrigger implements Trigger {

  @Override
  public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after) {
    ChangingProcess.reachedByDatabase();
  }
}
