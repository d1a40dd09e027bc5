/**
 * Commands that are derived from a model: those of the administration from its OpenAPI document, and completion scripts of shells from the
 * commands. It knows no module; the launcher gives it the connection to a node.
 */
@NullMarked
package dev.gatehouse.gateway.cli;

import org.jspecify.annotations.NullMarked;
