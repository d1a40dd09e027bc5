/**
 * Rows of tables that a node remembers while they are as they were read, although other nodes write the tables, too; and that there are
 * none, where no other process does.
 */
@NullMarked
package dev.gatehouse.common.remembered;

import org.jspecify.annotations.NullMarked;
