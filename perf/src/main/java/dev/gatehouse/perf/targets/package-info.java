/** The targets by which Gatehouse is judged. Whatever names one of them reads it here; benchmarks have further figures of their own. */
@NullMarked
package dev.gatehouse.perf.targets;

import org.jspecify.annotations.NullMarked;
