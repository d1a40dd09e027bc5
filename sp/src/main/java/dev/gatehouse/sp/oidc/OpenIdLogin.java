package dev.gatehouse.sp.oidc;

import dev.gatehouse.sp.idtoken.ClaimValues;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;

/**
 * A login at an OpenID provider.
 *
 * @param claims the claims of the ID token, with those that UserInfo adds
 */
record OpenIdLogin(VerifiedIdToken token, ClaimValues claims) {}
