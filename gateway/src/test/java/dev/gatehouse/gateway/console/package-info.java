/** Tests of the console. */
@NullMarked
package dev.gatehouse.gateway.console;

import org.jspecify.annotations.NullMarked;
