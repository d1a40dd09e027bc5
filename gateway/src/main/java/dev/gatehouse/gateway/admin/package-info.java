/**
 * The REST listener for administrators: {@code /admin/v1/} over the modules' resources (AdminResource), protected by an
 * administrator key, with every change audited; and the actuator's health and metrics. It runs as Spring MVC on its own
 * Jetty, so that none of its paths answers on the ports of the identity provider or the gateway. RFC 6750 (Bearer), RFC
 * 9457 (problem details).
 */
@NullMarked
package dev.gatehouse.gateway.admin;

import org.jspecify.annotations.NullMarked;
