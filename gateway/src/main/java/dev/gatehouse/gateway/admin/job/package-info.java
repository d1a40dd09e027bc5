/**
 * Jobs: operations of administrators that take longer than a request may wait. They run on this node, say how far they are, can be
 * cancelled, and are remembered in a file, so that those that a restart interrupted are known.
 */
@NullMarked
package dev.gatehouse.gateway.admin.job;

import org.jspecify.annotations.NullMarked;
