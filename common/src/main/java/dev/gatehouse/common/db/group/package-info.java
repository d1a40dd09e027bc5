/** Commits small changes of several callers together. Uses {@code common.db} only. */
@NullMarked
package dev.gatehouse.common.db.group;

import org.jspecify.annotations.NullMarked;
