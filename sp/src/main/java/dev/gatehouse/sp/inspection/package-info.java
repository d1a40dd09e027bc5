/**
 * The federation inspector: test logins with identity providers, shown check by check, recorded and replayed. Neither a test login
 * nor a replay opens a session, links an account or consumes anything.
 *
 * <p>The AuthnRequest of a test login has an ID that no other request has ({@link dev.gatehouse.sp.acs.TestLoginAnswers}), and the
 * browser does not carry it as a pending request: no answer to it can become a session.
 */
@NullMarked
package dev.gatehouse.sp.inspection;

import org.jspecify.annotations.NullMarked;
