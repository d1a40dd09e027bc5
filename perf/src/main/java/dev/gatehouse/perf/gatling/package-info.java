/**
 * Gatling simulations: the virtual users of the published scenarios.
 */
@NullMarked
package dev.gatehouse.perf.gatling;

import org.jspecify.annotations.NullMarked;
