/** How far the live chart is behind the logins of a node, and how fast questions about long times are. */
@NullMarked
package dev.gatehouse.perf.analytics;

import org.jspecify.annotations.NullMarked;
