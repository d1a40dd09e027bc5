/**
 * Pending state of browsers that have not logged in. The browser stores it: sealed (AES-256-GCM, NIST SP 800-38D) under a key derived
 * (HKDF, RFC 5869) for the purpose, the realm and the browser, in cookies (RFC 6265bis). State that is too large for a cookie is
 * stored in memory within limits per client network. Also files whose lines are sealed. Uses key, http and session.
 */
@NullMarked
package dev.gatehouse.common.sealed;

import org.jspecify.annotations.NullMarked;
