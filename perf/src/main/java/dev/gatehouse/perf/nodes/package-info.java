/** {@code ./gatehouse bench nodes}: what shared storage costs, how work grows with nodes, and the gaps when a part fails. */
@NullMarked
package dev.gatehouse.perf.nodes;

import org.jspecify.annotations.NullMarked;
