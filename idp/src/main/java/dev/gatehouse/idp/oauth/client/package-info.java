/**
 * OAuth clients: their registration (RFC 7591, RFC 7592) and their authentication (RFC 6749, section 2.3; OpenID
 * Connect Core 9; RFC 7523; RFC 8705).
 *
 * <p>May use {@code idp.oauth} and {@code idp.endpoint}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.client;

import org.jspecify.annotations.NullMarked;
