/**
 * The opening handshake of WebSockets (RFC 6455, section 4) on both sides of the gateway, and the part of the framing
 * (section 5) that is needed to end a tunnel with a close frame. Never examines the data. Uses {@code message} and the
 * JDK.
 */
@NullMarked
package dev.gatehouse.gateway.websocket;

import org.jspecify.annotations.NullMarked;
