/** The cache's part in an exchange: stored responses, and the sinks that store new ones. */
@NullMarked
package dev.gatehouse.gateway.exchange.cache;

import org.jspecify.annotations.NullMarked;
