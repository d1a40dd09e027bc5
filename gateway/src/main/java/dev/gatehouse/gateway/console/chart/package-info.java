/** Figures of analytics as text and as drawn charts, for the console's pages. */
@NullMarked
package dev.gatehouse.gateway.console.chart;

import org.jspecify.annotations.NullMarked;
