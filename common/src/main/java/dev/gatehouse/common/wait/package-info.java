/**
 * Waiting that ends after a time, without a timer for each wait: the JDK begins a timer for each, and cancels it when what was waited for is
 * there, and either wakes the thread of the timers (JDK 25, virtual threads).
 */
@NullMarked
package dev.gatehouse.common.wait;

import org.jspecify.annotations.NullMarked;
