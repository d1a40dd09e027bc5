/**
 * The federation inspector: test logins with SAML identity providers and OpenID providers, shown check by check, recorded and replayed.
 * Neither a test login nor a replay opens a session or links an account; a test login redeems the code that its provider answers with.
 *
 * <p>The AuthnRequest of a test login has an ID that no other request has ({@link dev.gatehouse.sp.acs.TestLoginAnswers}), and so has
 * its {@code state} at an OpenID provider ({@link dev.gatehouse.sp.oidc.OpenIdTestAnswers}). The browser does not carry it as a pending
 * request: no answer to it can become a session.
 */
@NullMarked
package dev.gatehouse.sp.inspection;

import org.jspecify.annotations.NullMarked;
