package dev.gatehouse.sp.oidc;

import dev.gatehouse.sp.idtoken.ClaimValues;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;

/**
 * A login at a provider.
 *
 * @param claims of the ID token, and what UserInfo adds to them
 */
record OpenIdLogin(VerifiedIdToken token, ClaimValues claims) {}
