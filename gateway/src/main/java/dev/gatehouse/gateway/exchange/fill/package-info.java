/** Form fill's part in an exchange: the sinks that find the login form and submit it. */
@NullMarked
package dev.gatehouse.gateway.exchange.fill;

import org.jspecify.annotations.NullMarked;
