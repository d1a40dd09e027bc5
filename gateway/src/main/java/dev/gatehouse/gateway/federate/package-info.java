/**
 * Bulk federation: a file of name pairs is worked off in batches, at one end or both, by way of a running node's REST API or
 * without a node; what was done is kept in a journal, so that a run that was interrupted goes on where it stopped. Uses
 * {@code common.federation} and the REST API's shape; knows no picocli.
 */
@NullMarked
package dev.gatehouse.gateway.federate;

import org.jspecify.annotations.NullMarked;
