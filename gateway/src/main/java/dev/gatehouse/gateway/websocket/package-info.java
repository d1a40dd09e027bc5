/**
 * The opening handshake of WebSockets (RFC 6455, section 4) on both sides of the gateway, and as much of the framing (section
 * 5) as it takes to end a tunnel politely. Never looks into what is said. Uses {@code message} and the JDK.
 */
@NullMarked
package dev.gatehouse.gateway.websocket;

import org.jspecify.annotations.NullMarked;
