/** The command line, and the start and stop of a node. Only this package and {@code node} use every module. */
@NullMarked
package dev.gatehouse.gateway.launch;

import org.jspecify.annotations.NullMarked;
