/**
 * The HTTP server and client: listeners, connections to clients and to apps, and one exchange between them per request
 * (RFC 9112). Only this package uses {@code io.netty}. An event loop owns a client's connection and the app's
 * connection that serves it. Nothing here blocks the event loop: blocking tasks (sessions from the store, pages, the
 * audit log, the service provider) run on virtual threads and return to the event loop.
 */
@NullMarked
package dev.gatehouse.gateway.netty;

import org.jspecify.annotations.NullMarked;
