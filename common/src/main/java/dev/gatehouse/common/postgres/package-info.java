/**
 * The database of {@code storage: shared}: connections to PostgreSQL that are checked when they are opened, what the server guarantees, and
 * what nodes agree on through it. The tables are those of {@link dev.gatehouse.common.db}.
 */
@NullMarked
package dev.gatehouse.common.postgres;

import org.jspecify.annotations.NullMarked;
