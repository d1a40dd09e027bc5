/**
 * Gatling simulations, the virtual users of the published scenarios: S1, the logins of S2, and S3.
 */
@NullMarked
package dev.gatehouse.perf.simulation;

import org.jspecify.annotations.NullMarked;
