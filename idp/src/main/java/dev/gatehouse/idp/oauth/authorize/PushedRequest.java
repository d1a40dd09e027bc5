package dev.gatehouse.idp.oauth.authorize;

import java.time.Instant;

/**
 * An authorization request that its client pushed (RFC 9126), as it was sent: read again when it comes, since the client's
 * registration may have changed.
 *
 * @param expiresAt until when a browser may bring it
 */
record PushedRequest(String realm, String clientId, RequestParameters parameters, Instant expiresAt) {}
