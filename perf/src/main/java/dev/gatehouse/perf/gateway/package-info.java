/**
 * {@code ./gatehouse bench gateway}: the cost of a request at the access gateway, alternating with nginx on the same work, and
 * the scenarios of the access gateways and extranets of the published reports.
 */
@NullMarked
package dev.gatehouse.perf.gateway;

import org.jspecify.annotations.NullMarked;
