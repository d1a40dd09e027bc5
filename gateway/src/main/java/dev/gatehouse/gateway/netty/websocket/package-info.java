/** Tunnels of WebSocket connections (RFC 6455). */
@NullMarked
package dev.gatehouse.gateway.netty.websocket;

import org.jspecify.annotations.NullMarked;
