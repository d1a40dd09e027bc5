/**
 * The common part of all benchmarks: load (a closed loop over raw connections, a Gatling simulation, or wrk), iterations with the CPU
 * time of each server process, alternating rounds of several servers or builds, and reports.
 */
@NullMarked
package dev.gatehouse.perf.harness;

import org.jspecify.annotations.NullMarked;
