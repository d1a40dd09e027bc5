/**
 * What the flows of OAuth 2.0 and OpenID Connect cost: ours and Keycloak's in turns, the same requests, the same
 * algorithms, the same directory, beside the bare signature and the bare directory. Load comes from plain sockets.
 * The fault cases that need such a server (floods of sign-ons, full disks) stand here, too.
 */
@NullMarked
package dev.gatehouse.perf.oauth;

import org.jspecify.annotations.NullMarked;
