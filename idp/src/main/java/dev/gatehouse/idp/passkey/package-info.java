/**
 * Passkeys (WebAuthn Level 3): challenges, enrolment, and the check of what a browser sends. Knows nothing of pages and logins; uses
 * common, {@code idp.endpoint} and the levels of {@code idp.session}. The only package that uses WebAuthn4J.
 */
@NullMarked
package dev.gatehouse.idp.passkey;

import org.jspecify.annotations.NullMarked;
