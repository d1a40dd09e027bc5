package dev.gatehouse.gateway.filter;

import java.util.List;

/**
 * Cookies that the app gets besides the client's own.
 *
 * @param names the names that are removed from the client's cookies
 * @param added {@code name=value}, already encoded
 */
record CookieEdits(LookalikeNames names, List<String> added) {}
