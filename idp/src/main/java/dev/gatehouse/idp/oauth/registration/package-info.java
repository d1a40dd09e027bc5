/**
 * Registration of clients at run time (RFC 7591; OpenID Connect Dynamic Client Registration 1.0) and their management
 * of their own registration (RFC 7592): the metadata that clients may register, and its storage.
 *
 * <p>May use {@code idp.oauth} and {@code idp.oauth.client}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.registration;

import org.jspecify.annotations.NullMarked;
