/**
 * Shared by all endpoints of the service provider: their view of the realm, the browser's key before login (cookie
 * {@code gh_pre.REALM}), the front channel, refusals as pages and audit events, and the statements about people that each identity
 * provider is trusted to make (the gateway also uses these for access tokens). Uses common only.
 */
@NullMarked
package dev.gatehouse.sp.edge;

import org.jspecify.annotations.NullMarked;
