package dev.gatehouse.common.remembered;

import java.util.OptionalLong;

/**
 * Tells a node that remembers rows of tables what was changed or removed in them. Rows that are added are not told: absence is never
 * remembered.
 */
@FunctionalInterface
public interface RowChanges {

  /** A table with rows that nodes remember. */
  enum Table {
    REGISTERED_CLIENT,
    PERSISTENT_NAME_ID,
    ACCOUNT_LINK
  }

  /**
   * Returns the number of changes in the table that this node has heard of, of any row. What was read under another number may be different
   * by now. Empty while a change could stay unheard: nothing that is remembered counts then.
   */
  OptionalLong heard(Table table);
}
