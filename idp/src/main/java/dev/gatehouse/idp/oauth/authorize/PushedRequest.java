package dev.gatehouse.idp.oauth.authorize;

import java.time.Instant;

/**
 * An authorization request that its client pushed (RFC 9126), as it was sent. It is read again when a browser brings
 * it, because the client's registration may have changed.
 *
 * @param expiresAt the time until which a browser may bring it
 */
record PushedRequest(String realm, String clientId, RequestParameters parameters, Instant expiresAt) {}
