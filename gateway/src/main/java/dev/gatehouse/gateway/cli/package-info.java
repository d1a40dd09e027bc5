/**
 * Commands that are derived from a model: those of the administration from its OpenAPI document, and completion scripts of shells from the
 * commands. Also the client of a running node, {@link dev.gatehouse.gateway.cli.NodeApi}, which every command uses that asks one. It
 * knows no module; the launcher gives it the connection.
 */
@NullMarked
package dev.gatehouse.gateway.cli;

import org.jspecify.annotations.NullMarked;
