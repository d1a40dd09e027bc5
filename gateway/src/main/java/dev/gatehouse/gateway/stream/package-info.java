/** The client's side of an exchange, and the sinks that an app's response passes through. */
@NullMarked
package dev.gatehouse.gateway.stream;

import org.jspecify.annotations.NullMarked;
