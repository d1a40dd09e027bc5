/**
 * Results: JSON with machine, commit and command, and a Markdown summary.
 */
@NullMarked
package dev.gatehouse.perf.report;

import org.jspecify.annotations.NullMarked;
