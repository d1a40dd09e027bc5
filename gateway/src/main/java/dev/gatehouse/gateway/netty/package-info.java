/**
 * The HTTP server: listeners, the choice of the HTTP version, and the limit of connections. The packages below hold the
 * event loops, TLS, and the connections to clients and apps; {@code gateway.exchange} holds the way of a request. An
 * event loop owns a client's connection and the app's connection that serves it. Nothing here blocks the event loop:
 * blocking tasks (sessions from the store, pages, the audit log, the service provider) run on virtual threads and return
 * to the event loop.
 */
@NullMarked
package dev.gatehouse.gateway.netty;

import org.jspecify.annotations.NullMarked;
