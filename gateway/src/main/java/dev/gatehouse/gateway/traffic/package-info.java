/**
 * The limits of the load on the gateway: request rates (token buckets of Bucket4j, limited in number) and the memory
 * that is reserved for people who have a session. Independent of connections; called by {@code netty}.
 */
@NullMarked
package dev.gatehouse.gateway.traffic;

import org.jspecify.annotations.NullMarked;
