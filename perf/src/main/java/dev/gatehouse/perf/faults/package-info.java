/**
 * {@code ./gatehouse bench faults}: attacks on, and damage to, nodes that run as processes of their own. Each {@link
 * dev.gatehouse.perf.faults.FaultCase} says what it measured beside the bound that was promised; a broken bound fails the command.
 */
@NullMarked
package dev.gatehouse.perf.faults;

import org.jspecify.annotations.NullMarked;
