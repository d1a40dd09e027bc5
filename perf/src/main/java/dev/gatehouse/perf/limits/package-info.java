/** What nothing on this machine can be faster than. */
@NullMarked
package dev.gatehouse.perf.limits;

import org.jspecify.annotations.NullMarked;
