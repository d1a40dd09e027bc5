/**
 * HTTP/1.1 messages as bytes: strict parsing of heads, framing of bodies, writing of heads (RFC 9110, RFC 9112).
 * What two readers could understand differently is refused here, before anything else looks at it. Uses the JDK only.
 */
@NullMarked
package dev.gatehouse.gateway.message;

import org.jspecify.annotations.NullMarked;
