/**
 * Metrics that cost little to record and whose number is bounded: histograms of durations, and counts and levels that are read when
 * somebody asks. A library's timers would find their histogram by its labels at each call; here the caller keeps it.
 */
@NullMarked
package dev.gatehouse.common.metric;

import org.jspecify.annotations.NullMarked;
