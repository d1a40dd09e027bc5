/**
 * The limits of the load on the gateway: request rates (token buckets of Bucket4j, limited in number), the memory that is
 * reserved for people who have a session, and that of bodies which the gateway itself takes. Independent of connections;
 * called by {@code netty}.
 */
@NullMarked
package dev.gatehouse.gateway.traffic;

import org.jspecify.annotations.NullMarked;
