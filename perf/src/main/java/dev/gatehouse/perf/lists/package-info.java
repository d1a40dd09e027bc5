/** Pages of long lists of the administration. */
@NullMarked
package dev.gatehouse.perf.lists;

import org.jspecify.annotations.NullMarked;
