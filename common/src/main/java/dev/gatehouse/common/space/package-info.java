/**
 * Free space on the node's disks: warnings before it runs out, refusals while it is low, and a reserve for ending sessions,
 * tokens and rights. Uses {@code realm} for its limits and wraps {@code store} and {@code db}.
 */
@NullMarked
package dev.gatehouse.common.space;

import org.jspecify.annotations.NullMarked;
