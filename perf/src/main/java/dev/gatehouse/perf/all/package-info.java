/** {@code ./gatehouse bench all} and {@code bench verify}: the plan of all rows, and how one is run and recorded. */
@NullMarked
package dev.gatehouse.perf.all;

import org.jspecify.annotations.NullMarked;
