/**
 * People as administrators, outside of the web: the set-up link of a new installation, and roles that are granted on the host. Uses the
 * grants in {@code common.db}, the directory, and the REST interface of a running node.
 */
@NullMarked
package dev.gatehouse.gateway.administrator;

import org.jspecify.annotations.NullMarked;
