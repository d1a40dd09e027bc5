/**
 * The token endpoint and the tokens that it issues: one handler, and one file per grant (RFC 6749, sections 3.2, 4 and
 * 6; RFC 7636; RFC 8628; RFC 9068), introspection (RFC 7662), revocation (RFC 7009) and UserInfo (OpenID Connect Core, section 5.3).
 *
 * <p>May use {@code idp.oauth}, {@code idp.oauth.client}, {@code idp.oauth.proof}, {@code idp.oidc} and
 * {@code idp.authn}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.token;

import org.jspecify.annotations.NullMarked;
