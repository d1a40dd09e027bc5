/**
 * Jobs: operations of administrators that take longer than a request may wait. Each runs on one node, says how far it is, can be
 * cancelled, and is remembered in a file or, for all nodes that share a database, there: so those that a restart interrupted are known.
 */
@NullMarked
package dev.gatehouse.gateway.admin.job;

import org.jspecify.annotations.NullMarked;
