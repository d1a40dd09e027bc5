/**
 * The identity provider's edge: Spring Web on Jetty with virtual threads. Turns HTTP into EdgeRequest, finds the realm and
 * the route, bounds bodies, catches faults once (RFC 9110, sections 7.2, 7.4, 15.5). The only package of idp besides the
 * assembly that may use servlets, Spring and Jetty.
 */
@NullMarked
package dev.gatehouse.idp.edge;

import org.jspecify.annotations.NullMarked;
