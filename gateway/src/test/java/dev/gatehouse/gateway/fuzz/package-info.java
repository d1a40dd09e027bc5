/** Runs Jazzer on this module's parsers; see {@link dev.gatehouse.common.fuzz}. */
@NullMarked
package dev.gatehouse.gateway.fuzz;

import org.jspecify.annotations.NullMarked;
