package dev.gatehouse.gateway.filter;

import java.util.List;

/**
 * Cookies that the app gets besides the client's own.
 *
 * @param names of which the client's own are removed
 * @param added {@code name=value}, encoded already
 */
record CookieEdits(LookalikeNames names, List<String> added) {}
