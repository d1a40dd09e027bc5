/**
 * ID tokens (OpenID Connect Core 2, 3.1.3.7) and logout tokens (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6): one
 * class per rule. What kept them all is a {@link dev.gatehouse.sp.idtoken.VerifiedIdToken} or a {@link
 * dev.gatehouse.sp.idtoken.VerifiedLogoutToken}, and nothing else can make one. Uses common and {@code provider}.
 */
@NullMarked
package dev.gatehouse.sp.idtoken;

import org.jspecify.annotations.NullMarked;
