/**
 * The engine: listeners, connections to clients and to apps, one exchange between them per request (RFC 9112). The only
 * home of {@code io.netty}. An event loop owns a client's connection and the app's connection that serves it; nothing
 * here blocks it: what blocks (sessions from the store, pages, the audit log, the service provider) runs on virtual
 * threads and comes back to the loop.
 */
@NullMarked
package dev.gatehouse.gateway.netty;

import org.jspecify.annotations.NullMarked;
