/** Sizes of an installation, computed from measured costs. */
@NullMarked
package dev.gatehouse.perf.plan;

import org.jspecify.annotations.NullMarked;
