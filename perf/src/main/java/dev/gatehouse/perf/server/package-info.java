/**
 * The servers under test as processes of their own: slapd, Gatehouse nodes, and the app behind them; CPU time and memory
 * as the operating system counts them.
 */
@NullMarked
package dev.gatehouse.perf.server;

import org.jspecify.annotations.NullMarked;
