package dev.gatehouse.idp.oauth.authorize;

import java.util.Optional;

/**
 * Where an authorization response goes, and how.
 *
 * @param redirectUri one of the client's own
 * @param named whether the request named it; else it is the only one that the client has
 * @param state returned as it was sent
 */
record ResponseTarget(String redirectUri, boolean named, ResponseMode mode, Optional<String> state) {}
