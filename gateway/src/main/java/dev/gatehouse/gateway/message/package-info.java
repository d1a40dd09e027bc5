/**
 * HTTP/1.1 messages as bytes: strict parsing of heads, framing of bodies, writing of heads, and dates (RFC 9110, RFC 9112).
 * Messages that two parsers could interpret differently are refused here, before any other code examines them. Uses
 * only the JDK.
 */
@NullMarked
package dev.gatehouse.gateway.message;

import org.jspecify.annotations.NullMarked;
