/**
 * The OpenID provider: ID tokens and subjects (OpenID Connect Core 2, 8), UserInfo (5.3), discovery, keys, and logout.
 *
 * <p>May use {@code idp.oauth}, {@code idp.oauth.client} and {@code idp.authn}.
 */
@NullMarked
package dev.gatehouse.idp.oidc;

import org.jspecify.annotations.NullMarked;
