/**
 * Bulk federation: a file of name pairs is processed in batches, at one end or both, through a running node's REST API
 * or without a node. A journal stores the progress, so that an interrupted run can be resumed. Uses {@code
 * common.federation} and the types of the REST API; does not use picocli.
 */
@NullMarked
package dev.gatehouse.gateway.federate;

import org.jspecify.annotations.NullMarked;
