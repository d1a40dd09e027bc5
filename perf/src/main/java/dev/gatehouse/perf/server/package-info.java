/**
 * The servers under test as separate processes: slapd, Gatehouse nodes, and the app behind them; with CPU time and
 * memory as the operating system reports them, of the machine too.
 */
@NullMarked
package dev.gatehouse.perf.server;

import org.jspecify.annotations.NullMarked;
