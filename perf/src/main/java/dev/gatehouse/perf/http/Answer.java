package dev.gatehouse.perf.http;

import java.util.List;

/**
 * A server's response.
 *
 * @param location of a redirect; empty otherwise
 * @param setCookies values of Set-Cookie, in order
 * @param keyInvitation value of Secure-Session-Registration; empty otherwise
 */
public record Answer(int status, String location, List<String> setCookies, String keyInvitation, String body) {}
