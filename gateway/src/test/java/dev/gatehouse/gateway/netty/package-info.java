/** Tests of the engine over real sockets, with apps that behave as badly as a test wants. */
@NullMarked
package dev.gatehouse.gateway.netty;

import org.jspecify.annotations.NullMarked;
