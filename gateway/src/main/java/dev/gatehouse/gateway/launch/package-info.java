/** The command line and the assembly of a node. Only this package uses every module. */
@NullMarked
package dev.gatehouse.gateway.launch;

import org.jspecify.annotations.NullMarked;
