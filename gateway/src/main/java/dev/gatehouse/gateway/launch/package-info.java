/**
 * The command line and the assembly of a node. The only package that knows every module.
 */
@NullMarked
package dev.gatehouse.gateway.launch;

import org.jspecify.annotations.NullMarked;
