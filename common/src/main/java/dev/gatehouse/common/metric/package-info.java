/**
 * Histograms of durations that cost little to record and whose number is bounded. A library's timers would find their
 * histogram by its labels at each call; here the caller keeps it.
 */
@NullMarked
package dev.gatehouse.common.metric;

import org.jspecify.annotations.NullMarked;
