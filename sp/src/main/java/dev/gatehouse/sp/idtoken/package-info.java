/**
 * ID tokens (OpenID Connect Core 2, 3.1.3.7) and logout tokens (OpenID Connect Back-Channel Logout 1.0, sections 2.4
 * and 2.6), with one class per rule. A token that satisfies all rules becomes a
 * {@link dev.gatehouse.sp.idtoken.VerifiedIdToken} or a {@link dev.gatehouse.sp.idtoken.VerifiedLogoutToken}; only the
 * validators create these. Uses common and {@code provider}.
 */
@NullMarked
package dev.gatehouse.sp.idtoken;

import org.jspecify.annotations.NullMarked;
