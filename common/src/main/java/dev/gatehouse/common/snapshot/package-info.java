/** What a node of several keeps on its own disk, sealed, to start while the database is away. */
@NullMarked
package dev.gatehouse.common.snapshot;

import org.jspecify.annotations.NullMarked;
