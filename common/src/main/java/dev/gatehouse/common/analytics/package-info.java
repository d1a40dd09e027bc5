/**
 * What analytics are: series of counts, durations, levels and ratios by minute, hour and day, each amount mergeable with others; reports
 * of them; and unusual patterns of logins. {@link dev.gatehouse.common.analytics.RollupStore} and {@link
 * dev.gatehouse.common.analytics.PatternStore} keep them.
 */
@NullMarked
package dev.gatehouse.common.analytics;

import org.jspecify.annotations.NullMarked;
