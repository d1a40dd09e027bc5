package dev.gatehouse.idp.oauth.authorize;

import java.util.Optional;

/**
 * The destination of an authorization response, and its mode.
 *
 * @param redirectUri one of the client's own
 * @param named whether the request named it; otherwise it is the client's only one
 * @param state returned unchanged
 */
record ResponseTarget(String redirectUri, boolean named, ResponseMode mode, Optional<String> state) {}
