/**
 * The REST listener for administrators: {@code /admin/v1/} over what the modules offer (AdminResource), under an
 * administrator key, every change audited; and the actuator's health and metrics. Its edge is Spring MVC on a Jetty of its
 * own, so that no path of it answers on the idp's or the gateway's ports. RFC 6750 (Bearer), RFC 9457 (problem details).
 */
@NullMarked
package dev.gatehouse.gateway.admin;

import org.jspecify.annotations.NullMarked;
