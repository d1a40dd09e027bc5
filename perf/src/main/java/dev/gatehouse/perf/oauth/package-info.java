/**
 * The cost of the flows of OAuth 2.0 and OpenID Connect: Gatehouse and Keycloak alternately, with the same requests,
 * algorithms and directory, beside the bare signature and the bare directory. Load comes from plain sockets. Also
 * contains the fault cases that need such a server (floods of sign-ons, full disks).
 */
@NullMarked
package dev.gatehouse.perf.oauth;

import org.jspecify.annotations.NullMarked;
