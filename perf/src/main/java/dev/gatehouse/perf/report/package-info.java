/** The records of measured rows, and the report, charts and sizing page that are made of them. Nothing here measures. */
@NullMarked
package dev.gatehouse.perf.report;

import org.jspecify.annotations.NullMarked;
