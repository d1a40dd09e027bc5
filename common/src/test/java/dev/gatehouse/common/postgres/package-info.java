/** The relational contracts, tested on H2 in memory and in a file. */
@NullMarked
package dev.gatehouse.common.postgres;

import org.jspecify.annotations.NullMarked;
