/** Tests of rates, of the memory reserve and of the count of connections. */
@NullMarked
package dev.gatehouse.gateway.traffic;

import org.jspecify.annotations.NullMarked;
