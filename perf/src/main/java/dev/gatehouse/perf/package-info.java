/**
 * ./gatehouse bench: the benchmarks of the published reports, run against separately started server processes.
 */
@NullMarked
package dev.gatehouse.perf;

import org.jspecify.annotations.NullMarked;
