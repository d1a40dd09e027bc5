/** What a node remembers of tables that others write, too. */
@NullMarked
package dev.gatehouse.common.remembered;

import org.jspecify.annotations.NullMarked;
