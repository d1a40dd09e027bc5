/**
 * What waits for a browser that has not logged in is carried by that browser: sealed (AES-256-GCM, NIST SP 800-38D) under a key derived
 * (HKDF, RFC 5869) for the purpose, the realm and the browser, in cookies (RFC 6265bis); what is too large for a cookie is held in memory within
 * bounds per client network. Uses key, http and session.
 */
@NullMarked
package dev.gatehouse.common.sealed;

import org.jspecify.annotations.NullMarked;
