/**
 * Waiting for others: locks that keys share, queues whose callers handle together what waits, and waiting that ends after a time, without a
 * timer for each wait. For a virtual thread, JDK 25 begins a timer, and cancels it when what was waited for is there, and either wakes the
 * thread of the timers.
 */
@NullMarked
package dev.gatehouse.common.wait;

import org.jspecify.annotations.NullMarked;
