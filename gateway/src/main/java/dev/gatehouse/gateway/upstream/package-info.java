/**
 * The apps behind the gateway: where they are, how they fail, and the connections to them that are kept. What speaks to
 * them over the network is in {@code netty}.
 */
@NullMarked
package dev.gatehouse.gateway.upstream;

import org.jspecify.annotations.NullMarked;
