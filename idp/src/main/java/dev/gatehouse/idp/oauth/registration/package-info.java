/**
 * Registration of clients at run time (RFC 7591; OpenID Connect Dynamic Client Registration 1.0) and the management of
 * one's own registration (RFC 7592): what clients may say of themselves, and how it is kept.
 *
 * <p>May use {@code idp.oauth} and {@code idp.oauth.client}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.registration;

import org.jspecify.annotations.NullMarked;
