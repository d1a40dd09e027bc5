/** Tests of the way of a request. */
@NullMarked
package dev.gatehouse.gateway.exchange;

import org.jspecify.annotations.NullMarked;
