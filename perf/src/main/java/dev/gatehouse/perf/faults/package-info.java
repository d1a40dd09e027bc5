/**
 * {@code ./gatehouse bench faults}: attacks on nodes, and damage to their stores. The nodes run as separate processes.
 * Each {@link dev.gatehouse.perf.faults.FaultCase} reports its measured figures with the promised bounds; a broken
 * bound makes the command fail.
 */
@NullMarked
package dev.gatehouse.perf.faults;

import org.jspecify.annotations.NullMarked;
