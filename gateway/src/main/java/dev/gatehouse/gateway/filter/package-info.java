/**
 * The changes of forwarded heads: hop-by-hop fields and forged identities are removed, identity and forwarding fields
 * are added, and Gatehouse's own cookies are withheld from apps (RFC 9110, section 7.6; RFC 7239). Has no network
 * access.
 */
@NullMarked
package dev.gatehouse.gateway.filter;

import org.jspecify.annotations.NullMarked;
