/**
 * The cost of a request at the access gateway, alternating with nginx on the same work; and the scenarios of the access
 * gateways and extranets of the published reports. Load comes from wrk, or from plain sockets if a caller must react to
 * responses.
 */
@NullMarked
package dev.gatehouse.perf.gateway;

import org.jspecify.annotations.NullMarked;
