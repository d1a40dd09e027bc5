/** The apps behind the gateway: their servers, failures, and idle connections. {@code netty} communicates with them. */
@NullMarked
package dev.gatehouse.gateway.upstream;

import org.jspecify.annotations.NullMarked;
