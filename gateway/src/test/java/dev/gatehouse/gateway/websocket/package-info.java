/** Tests of the opening handshake and of the following of frames; the app that speaks WebSocket by hand. */
@NullMarked
package dev.gatehouse.gateway.websocket;

import org.jspecify.annotations.NullMarked;
