/** Rows of tables that a node remembers while they are as they were read, although other nodes write the tables, too. */
@NullMarked
package dev.gatehouse.common.remembered;

import org.jspecify.annotations.NullMarked;
