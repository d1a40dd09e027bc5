/** Commits small changes of several callers together. Uses {@code common.db} and {@code common.wait} only. */
@NullMarked
package dev.gatehouse.common.db.group;

import org.jspecify.annotations.NullMarked;
