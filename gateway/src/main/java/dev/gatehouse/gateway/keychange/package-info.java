/**
 * Records keys that the command line makes or revokes in the audit log: through the node that runs, or in the log of a stopped one.
 * Uses {@code common.key}, and the REST interface of a running node.
 */
@NullMarked
package dev.gatehouse.gateway.keychange;

import org.jspecify.annotations.NullMarked;
