/** The console's page of all nodes. */
@NullMarked
package dev.gatehouse.gateway.console.node;

import org.jspecify.annotations.NullMarked;
