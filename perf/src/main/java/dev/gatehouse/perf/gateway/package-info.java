/**
 * What the access gateway costs a request, beside nginx on the same work in turns; and the scenarios of the access gateways and
 * extranets of the published reports. Load comes from wrk, and from plain sockets where a caller has to think.
 */
@NullMarked
package dev.gatehouse.perf.gateway;

import org.jspecify.annotations.NullMarked;
